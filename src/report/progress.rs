//! What a person sees while a run goes on.
//!
//! On a terminal a bar; elsewhere a line now and then, if a run turns out to be
//! long; nothing with `--quiet`. Never on standard output, which is for the report.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::events::{Consumer, Event, Expected};
use super::foreign::shown;
use crate::rule::RuleId;

/// What suits the standard error of the process.
pub fn for_stderr(quiet: bool, is_terminal: bool) -> Box<dyn Consumer> {
    match (quiet, is_terminal) {
        (true, _) => Box::new(Quiet),
        (false, true) => Box::new(Counted::new(Bar::new(ProgressDrawTarget::stderr()))),
        (false, false) => Box::new(Counted::new(Lines::new(std::io::stderr(), Duration::from_secs(10)))),
    }
}

/// Shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Consumer for Quiet {
    fn consume(&self, _: Event<'_>) {}
}

/// What a run does before it plays scenarios.
const LEARNING: &str = "looking for configurations that are accepted";

/// What it does afterwards.
const CONFIRMING: &str = "shrinking and confirming";

/// Shows the progress of a run.
trait Gauge {
    /// A run against a provider begins.
    fn started(&mut self, provider: &str, expected: Expected);
    /// Number of types for which configurations were looked for, of how many.
    fn learning(&mut self, n_done: usize, n_types: usize);
    /// Number of findings that were shrunk or confirmed, of how many. No scenario comes after.
    fn confirming(&mut self, n_done: usize, n_findings: usize);
    /// Number of scenarios played since then, and of the rules that they break.
    fn finished(&mut self, n_done: usize, n_rules: usize);
    /// Playing has ended; restores the terminal.
    fn ended(&mut self);
}

/// The counts that a gauge shows.
#[derive(Debug)]
struct Counted<G>(RefCell<Counts<G>>);

#[derive(Debug)]
struct Counts<G> {
    gauge: G,
    n_done: usize,
    /// Whether all scenarios were played; what is played now only confirms findings.
    is_confirming: bool,
    /// The rules that are broken. Each is found again and again.
    rules: BTreeSet<RuleId>,
}

impl<G: Gauge> Counted<G> {
    fn new(gauge: G) -> Counted<G> {
        Counted(RefCell::new(Counts { gauge, n_done: 0, is_confirming: false, rules: BTreeSet::new() }))
    }
}

impl<G: Gauge> Consumer for Counted<G> {
    fn consume(&self, event: Event<'_>) {
        let Counts { gauge, n_done, is_confirming, rules } = &mut *self.0.borrow_mut();
        match event {
            Event::RunStarted { run, expected } => {
                (*n_done, *is_confirming, *rules) = (0, false, BTreeSet::new());
                gauge.started(&shown(&run.provider), expected);
            }
            Event::ShowingStarted { provider } => {
                (*n_done, *is_confirming, *rules) = (0, false, BTreeSet::new());
                gauge.started(&format!("{}, for snapshots", shown(provider)), Expected::default());
            }
            Event::Shown { n_scenarios } => {
                *n_done = n_scenarios;
                gauge.finished(*n_done, rules.len());
            }
            Event::Learning { n_done, n_types } => gauge.learning(n_done, n_types),
            Event::Confirming { n_done, n_findings } => {
                *is_confirming = true;
                gauge.confirming(n_done, n_findings);
            }
            Event::Finding(finding) => {
                rules.insert(finding.rule().id);
            }
            Event::Crash { rule, .. } => {
                rules.insert(rule.id);
            }
            Event::ScenarioFinished(_) | Event::Defect { .. } | Event::NotJudged { .. } => {
                if *is_confirming {
                    return;
                }
                *n_done += 1;
                gauge.finished(*n_done, rules.len());
            }
            Event::PlayEnded => gauge.ended(),
            Event::TypeStarted { .. }
            | Event::Judged(_)
            | Event::Shrunk { .. }
            | Event::Replayed { .. }
            | Event::NeedsBeside { .. }
            | Event::Note(_)
            | Event::Unusable
            | Event::RunEnded(_)
            | Event::Concluded { .. } => {}
        }
    }
}

/// A bar on a terminal.
#[derive(Debug)]
struct Bar {
    bar: ProgressBar,
    expected: Expected,
    n_done: usize,
    started: Instant,
    /// Whether types are shown, and not scenarios.
    is_learning: bool,
}

impl Bar {
    fn new(target: ProgressDrawTarget) -> Bar {
        Bar {
            bar: ProgressBar::with_draw_target(None, target),
            expected: Expected::default(),
            n_done: 0,
            started: Instant::now(),
            is_learning: false,
        }
    }

    fn set_template(&self, template: &str) {
        self.bar.set_style(ProgressStyle::with_template(template).expect("each template is a constant"));
    }

    fn show_scenarios(&mut self) {
        self.is_learning = false;
        let template = match self.expected.n_scenarios {
            Some(n_scenarios) => {
                self.bar.set_length(n_scenarios as u64);
                "{prefix} {wide_bar} {pos}/{len} scenarios, {msg}{left}"
            }
            None => {
                self.bar.unset_length();
                "{prefix} {spinner} {pos} scenarios, {msg}, {elapsed}{left}"
            }
        };
        let (expected, began) = (self.expected, self.started);
        let left = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let rest = expected.n_scenarios.map(|_| state.eta());
            let _ = out.write_str(&time_left(rest, expected.most, began.elapsed()));
        };
        let style = ProgressStyle::with_template(template).expect("each template is a constant");
        self.bar.set_style(style.with_key("left", left));
        self.bar.set_position(self.n_done as u64);
        // What came before says nothing about how long the rest takes.
        self.bar.reset_eta();
    }
}

impl Gauge for Bar {
    fn started(&mut self, provider: &str, expected: Expected) {
        (self.expected, self.n_done, self.started) = (expected, 0, Instant::now());
        self.bar.reset();
        self.show_scenarios();
        self.bar.set_prefix(provider.to_owned());
        self.bar.set_message(broken(0));
        // A provider that hangs must not look like a harness that hangs.
        self.bar.enable_steady_tick(Duration::from_millis(250));
    }

    fn learning(&mut self, n_done: usize, n_types: usize) {
        if n_done == n_types {
            return self.show_scenarios();
        }
        self.is_learning = true;
        self.set_template(&format!("{{prefix}} {{wide_bar}} {{pos}}/{{len}} types, {LEARNING}, {{elapsed}}"));
        self.bar.set_length(n_types as u64);
        self.bar.set_position(n_done as u64);
    }

    fn confirming(&mut self, n_done: usize, n_findings: usize) {
        self.set_template(&format!(
            "{{prefix}} {{wide_bar}} {{pos}}/{{len}} findings, {CONFIRMING}, {{elapsed}}"
        ));
        self.bar.set_length(n_findings as u64);
        self.bar.set_position(n_done as u64);
    }

    fn finished(&mut self, n_done: usize, n_rules: usize) {
        self.n_done = n_done;
        self.bar.set_message(broken(n_rules));
        if !self.is_learning {
            self.bar.set_position(n_done as u64);
        }
    }

    fn ended(&mut self) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
    }
}

/// A line every so often, for logs.
#[derive(Debug)]
struct Lines<W> {
    out: W,
    every: Duration,
    provider: String,
    expected: Expected,
    started: Instant,
    /// When scenarios began to be played, counted from `started`.
    playing: Duration,
    /// When the next line is due, counted from `started`.
    due: Duration,
}

impl<W: Write> Lines<W> {
    /// The first line comes after `every`, so that a short run has none.
    fn new(out: W, every: Duration) -> Lines<W> {
        let (started, playing) = (Instant::now(), Duration::ZERO);
        let expected = Expected::default();
        Lines { out, every, provider: String::new(), expected, started, playing, due: every }
    }

    /// Writes a line if it is due.
    fn say(&mut self, line: impl FnOnce(&Lines<W>, Duration) -> String) {
        let elapsed = self.started.elapsed();
        if elapsed < self.due {
            return;
        }
        self.due = elapsed + self.every;
        let line = line(self, elapsed);
        // The reader has closed; the run goes on.
        let _ = writeln!(self.out, "{line}");
    }
}

impl<W: Write> Gauge for Lines<W> {
    fn started(&mut self, provider: &str, expected: Expected) {
        self.provider = provider.to_owned();
        self.expected = expected;
        (self.started, self.playing) = (Instant::now(), Duration::ZERO);
        self.due = self.every;
    }

    fn learning(&mut self, n_done: usize, n_types: usize) {
        self.playing = self.started.elapsed();
        self.say(|lines, elapsed| {
            format!("{}: {}, {} s", lines.provider, learning(n_done, n_types), elapsed.as_secs())
        });
    }

    fn confirming(&mut self, n_done: usize, n_findings: usize) {
        self.say(|lines, elapsed| {
            let seconds = elapsed.as_secs();
            format!("{}: {CONFIRMING}, {n_done}/{n_findings} findings, {seconds} s", lines.provider)
        });
    }

    fn finished(&mut self, n_done: usize, n_rules: usize) {
        self.say(|lines, elapsed| {
            line(&lines.provider, n_done, lines.expected, n_rules, [elapsed, elapsed - lines.playing])
        });
    }

    fn ended(&mut self) {}
}

fn line(
    provider: &str,
    n_done: usize,
    expected: Expected,
    n_rules: usize,
    [elapsed, playing]: [Duration; 2],
) -> String {
    let done = match expected.n_scenarios {
        Some(n_scenarios) => format!("{n_done}/{n_scenarios}"),
        None => n_done.to_string(),
    };
    let rest = expected
        .n_scenarios
        .filter(|_| n_done > 0)
        .map(|n_scenarios| playing.mul_f64(n_scenarios.saturating_sub(n_done) as f64 / n_done as f64));
    let left = time_left(rest, expected.most, elapsed);
    let scenarios = if done == "1" { "scenario" } else { "scenarios" };
    format!("{provider}: {done} {scenarios}, {}, {} s{left}", broken(n_rules), elapsed.as_secs())
}

/// The time left, for the end of a line: `rest` is the estimate, `most` the limit of the run.
fn time_left(rest: Option<Duration>, most: Option<Duration>, elapsed: Duration) -> String {
    let limit = most.map(|most| most.saturating_sub(elapsed));
    let (word, left) = match (rest, limit) {
        (Some(rest), Some(limit)) if limit < rest => ("at most", limit),
        (Some(rest), _) => ("about", rest),
        (None, Some(limit)) => ("at most", limit),
        (None, None) => return String::new(),
    };
    format!(", {word} {:.0} s left", left.as_secs_f64())
}

fn learning(n_done: usize, n_types: usize) -> String {
    format!("{LEARNING}, {n_done}/{n_types} types")
}

fn broken(n_rules: usize) -> String {
    format!("{n_rules} rule{} broken", if n_rules == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;

    use super::*;

    fn of(n_scenarios: usize) -> Expected {
        Expected { n_scenarios: Some(n_scenarios), most: None }
    }

    fn written(progress: Lines<Vec<u8>>) -> String {
        String::from_utf8(progress.out).expect("text")
    }

    #[test]
    fn lines_are_for_long_runs_only() {
        let mut progress = Lines::new(Vec::new(), Duration::from_secs(3600));
        progress.started("acme", of(4));
        (1..=4).for_each(|n_done| progress.finished(n_done, 0));
        progress.ended();
        assert_eq!(written(progress), "");
    }

    #[test]
    fn what_is_played_to_confirm_a_finding_is_no_scenario() {
        let counted = Counted::new(Lines::new(Vec::new(), Duration::ZERO));
        let again = || counted.consume(Event::Defect { message: "" });
        again();
        counted.consume(Event::Confirming { n_done: 0, n_findings: 3 });
        again();
        counted.consume(Event::Confirming { n_done: 1, n_findings: 3 });
        let said = written(counted.0.into_inner().gauge);
        let expected = [
            ": 1 scenario, 0 rules broken, 0 s",
            ": shrinking and confirming, 0/3 findings, 0 s",
            ": shrinking and confirming, 1/3 findings, 0 s",
        ];
        assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lines_say_how_far_a_run_is() {
        let mut progress = Lines::new(Vec::new(), Duration::ZERO);
        progress.started("acme", Expected::default());
        progress.finished(2, 1);
        assert_eq!(written(progress), "acme: 2 scenarios, 1 rule broken, 0 s\n");
        // What came before the first scenario says nothing about how long the rest will take.
        let later = [Duration::from_secs(50), Duration::from_secs(30)];
        assert_eq!(
            line("acme", 25, of(100), 0, later),
            "acme: 25/100 scenarios, 0 rules broken, 50 s, about 90 s left"
        );
        // No longer than the run may take.
        let most = Some(Duration::from_secs(70));
        assert_eq!(
            line("acme", 25, Expected { most, ..of(100) }, 0, later),
            "acme: 25/100 scenarios, 0 rules broken, 50 s, at most 20 s left"
        );
        assert_eq!(
            line("acme", 25, Expected { most, n_scenarios: None }, 0, later),
            "acme: 25 scenarios, 0 rules broken, 50 s, at most 20 s left"
        );
    }

    #[test]
    fn lines_say_how_far_learning_is() {
        let mut progress = Lines::new(Vec::new(), Duration::ZERO);
        progress.started("acme", Expected::default());
        progress.learning(3, 1_526);
        let expected = "acme: looking for configurations that are accepted, 3/1526 types, 0 s\n";
        assert_eq!(written(progress), expected);
    }

    #[test]
    fn a_bar_shows_types_while_learning_and_then_scenarios() {
        let term = InMemoryTerm::new(2, 100);
        let mut bar = Bar::new(ProgressDrawTarget::term_like(Box::new(term.clone())));
        let mut shown = |show: &dyn Fn(&mut Bar)| {
            show(&mut bar);
            bar.bar.force_draw();
            term.contents()
        };
        shown(&|bar| bar.started("acme", of(8)));
        let learning = shown(&|bar| bar.learning(3, 4));
        assert!(learning.contains(" 3/4 types, looking for configurations"), "{learning}");
        assert!(!learning.contains("left"), "{learning}");
        assert_eq!(shown(&|bar| bar.finished(2, 1)), learning, "questions are scenarios, too");
        let playing = shown(&|bar| bar.learning(4, 4));
        assert!(playing.contains(" 2/8 scenarios, 1 rule broken, "), "{playing}");
    }

    #[test]
    fn a_bar_can_be_started_again_and_ends() {
        let mut bar = Bar::new(ProgressDrawTarget::hidden());
        for expected in [Expected::default(), of(3)] {
            bar.started("acme", expected);
            bar.finished(2, 1);
            assert_eq!(bar.bar.position(), 2);
            bar.ended();
        }
        assert!(bar.bar.is_finished());
    }
}
