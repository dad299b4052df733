//! What a person sees while a run goes on.
//!
//! On a terminal a bar; elsewhere a line now and then, once a run turns out to be
//! long; nothing where the user asked for quiet. Never on standard output, which
//! is for the report.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Hears how far a run is. Called from several threads.
pub trait Progress: Send + Sync {
    /// A run against a provider begins; `n_scenarios` where their number is known.
    fn started(&self, subject_name: &str, n_scenarios: Option<usize>);
    /// So many scenarios have been played since then, with so many findings.
    fn finished(&self, n_done: usize, n_findings: u64);
    /// No more is coming; the terminal is as it was.
    fn ended(&self);
}

/// What suits the standard error of the process.
pub fn for_stderr(quiet: bool, is_terminal: bool) -> Box<dyn Progress> {
    match (quiet, is_terminal) {
        (true, _) => Box::new(Quiet),
        (false, true) => Box::new(Bar::new(ProgressDrawTarget::stderr())),
        (false, false) => Box::new(Lines::new(std::io::stderr(), Duration::from_secs(10))),
    }
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Progress for Quiet {
    fn started(&self, _: &str, _: Option<usize>) {}
    fn finished(&self, _: usize, _: u64) {}
    fn ended(&self) {}
}

/// A bar on a terminal.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub fn new(target: ProgressDrawTarget) -> Bar {
        Bar { bar: ProgressBar::with_draw_target(None, target) }
    }
}

impl Progress for Bar {
    fn started(&self, subject_name: &str, n_scenarios: Option<usize>) {
        let template = match n_scenarios {
            Some(_) => "{prefix} {wide_bar} {pos}/{len} scenarios, {msg}, {eta} left",
            None => "{prefix} {spinner} {pos} scenarios, {msg}, {elapsed}",
        };
        let style = ProgressStyle::with_template(template).expect("the template is a constant");
        self.bar.reset();
        match n_scenarios {
            Some(n_scenarios) => self.bar.set_length(n_scenarios as u64),
            None => self.bar.unset_length(),
        }
        self.bar.set_style(style);
        self.bar.set_prefix(subject_name.to_owned());
        self.bar.set_message(findings(0));
        // A provider that hangs must not look like a harness that hangs.
        self.bar.enable_steady_tick(Duration::from_millis(250));
    }

    fn finished(&self, n_done: usize, n_findings: u64) {
        self.bar.set_message(findings(n_findings));
        self.bar.set_position(n_done as u64);
    }

    fn ended(&self) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
    }
}

/// A line every so often, for logs.
#[derive(Debug)]
pub struct Lines<W> {
    every: Duration,
    state: Mutex<State<W>>,
}

#[derive(Debug)]
struct State<W> {
    out: W,
    subject: String,
    n_scenarios: Option<usize>,
    started: Instant,
    /// When the next line is due, counted from `started`.
    due: Duration,
}

impl<W: Write> Lines<W> {
    /// The first line comes after `every`, so that a short run has none.
    pub fn new(out: W, every: Duration) -> Lines<W> {
        let state =
            State { out, subject: String::new(), n_scenarios: None, started: Instant::now(), due: every };
        Lines { every, state: Mutex::new(state) }
    }
}

impl<W: Write + Send> Progress for Lines<W> {
    fn started(&self, subject_name: &str, n_scenarios: Option<usize>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.subject = subject_name.to_owned();
        state.n_scenarios = n_scenarios;
        state.started = Instant::now();
        state.due = self.every;
    }

    fn finished(&self, n_done: usize, n_findings: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = state.started.elapsed();
        if elapsed < state.due {
            return;
        }
        state.due = elapsed + self.every;
        let line = line(&state.subject, n_done, state.n_scenarios, n_findings, elapsed);
        // Nobody reads it any more; the run goes on.
        let _ = writeln!(state.out, "{line}");
    }

    fn ended(&self) {}
}

fn line(
    subject: &str,
    n_done: usize,
    n_scenarios: Option<usize>,
    n_findings: u64,
    elapsed: Duration,
) -> String {
    let done = match n_scenarios {
        Some(n_scenarios) => format!("{n_done}/{n_scenarios}"),
        None => n_done.to_string(),
    };
    let left = match n_scenarios {
        Some(n_scenarios) if n_done > 0 => {
            let rest = n_scenarios.saturating_sub(n_done) as f64 / n_done as f64;
            format!(", about {:.0} s left", elapsed.as_secs_f64() * rest)
        }
        _ => String::new(),
    };
    format!("{subject}: {done} scenarios, {}, {} s{left}", findings(n_findings), elapsed.as_secs())
}

fn findings(n_findings: u64) -> String {
    format!("{n_findings} finding{}", if n_findings == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(progress: Lines<Vec<u8>>) -> String {
        String::from_utf8(progress.state.into_inner().expect("not poisoned").out).expect("text")
    }

    #[test]
    fn lines_are_for_long_runs_only() {
        let progress = Lines::new(Vec::new(), Duration::from_secs(3600));
        progress.started("acme", Some(4));
        (1..=4).for_each(|n_done| progress.finished(n_done, 0));
        progress.ended();
        assert_eq!(written(progress), "");
    }

    #[test]
    fn lines_say_how_far_a_run_is() {
        let progress = Lines::new(Vec::new(), Duration::ZERO);
        progress.started("acme", None);
        progress.finished(2, 1);
        assert_eq!(written(progress), "acme: 2 scenarios, 1 finding, 0 s\n");
        let later = Duration::from_secs(30);
        assert_eq!(
            line("acme", 25, Some(100), 0, later),
            "acme: 25/100 scenarios, 0 findings, 30 s, about 90 s left"
        );
    }

    #[test]
    fn a_bar_can_be_started_again_and_ends() {
        let bar = Bar::new(ProgressDrawTarget::hidden());
        for n_scenarios in [None, Some(3)] {
            bar.started("acme", n_scenarios);
            bar.finished(2, 1);
            assert_eq!(bar.bar.position(), 2);
            bar.ended();
        }
        assert!(bar.bar.is_finished());
    }
}
