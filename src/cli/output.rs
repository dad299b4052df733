//! What is written to standard output, and to the files of reports.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::ops::RangeInclusive;

use anstream::{AutoStream, ColorChoice};
use clap::builder::PossibleValue;
use clap::{ArgAction, Args as ClapArgs, ValueEnum};
use terminal_size::Width;

use super::{Failed, Outcome};
use crate::report::events::{Consumer, Event, Expected};
use crate::report::{self, AtTheEnd, Exit, Printer, github, human::Style, in_file, markdown, printer};
use crate::suite::{ReportFile, ReportKind};

/// What goes to standard output, and to GitHub Actions.
#[derive(Debug, ClapArgs)]
pub(crate) struct Output {
    /// The kind of report on standard output.
    #[arg(help_heading = "Output", long, value_name = "KIND", value_enum, default_value_t = ReportKind::Human)]
    pub format: ReportKind,
    /// Show every finding in full, and all of the summary: what the provider refused, planning behaviours, why rules
    /// could not decide, processor time and memory; twice, also what was asked and answered in the step of each
    /// finding.
    #[arg(help_heading = "Output", long, short, action = ArgAction::Count)]
    pub verbose: u8,
    /// Count findings by rule, after the findings.
    #[arg(help_heading = "Output", long)]
    pub statistics: bool,
    /// In GitHub Actions, write neither annotations nor the job summary.
    #[arg(help_heading = "Output", long)]
    pub no_github: bool,
}

impl Output {
    /// Whether every finding is shown in full.
    pub fn is_verbose(&self) -> bool {
        self.verbose > 0
    }

    /// Whether findings come with the calls of their step.
    pub fn shows_calls(&self) -> bool {
        self.verbose > 1
    }
}

impl ValueEnum for ReportKind {
    fn value_variants<'a>() -> &'a [ReportKind] {
        &ReportKind::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}

/// Whether there is no standard output: the runtime then puts a device in its place that takes everything, open for
/// reading too, as no redirection to it is.
fn is_stdout_closed() -> bool {
    #[cfg(target_os = "linux")]
    {
        use nix::fcntl::{FcntlArg, OFlag, fcntl};
        let is_null =
            std::fs::read_link("/proc/self/fd/1").is_ok_and(|to| to == std::path::Path::new("/dev/null"));
        let flags = fcntl(std::io::stdout(), FcntlArg::F_GETFL).unwrap_or_default();
        is_null && flags & OFlag::O_ACCMODE.bits() == OFlag::O_RDWR.bits()
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// Everything that a command writes about one report.
pub(super) struct Outputs(Vec<Written>);

struct Written {
    /// Where it goes, if that is not standard output.
    to: Option<String>,
    printer: Box<dyn Printer>,
}

impl Outputs {
    /// Standard output and these files, and what GitHub Actions takes if it runs this. Much is printed while the
    /// run goes on. Fails if a file cannot be written.
    pub fn open(
        output: &Output,
        verbose: bool,
        coverage: bool,
        files: &[ReportFile],
    ) -> Result<Outputs, Failed> {
        let style = Style { verbose, coverage, statistics: output.statistics, ..Style::default() };
        let Style { colour, width, .. } = stdout_style();
        let stdout = Style { colour, width, ..style };
        let mut outputs =
            vec![Written { to: None, printer: printer(output.format, anstream::stdout(), stdout) }];
        if is_stdout_closed() {
            eprintln!(
                "note: standard output is closed, so nothing is printed to it; `--report` writes to a file"
            );
        }
        let mut taken = BTreeSet::new();
        for file in files {
            if !taken.insert(&file.file) {
                let problem = format!("--report {file}: another report is written to the same file");
                return Err(Failed::usage(problem));
            }
            let printer = in_file(file, style).map_err(|error| not_reported(&file.to_string(), &error))?;
            outputs.push(Written { to: Some(file.to_string()), printer });
        }
        if !output.no_github && std::env::var_os("GITHUB_ACTIONS").is_some_and(|set| set == "true") {
            outputs.extend(for_github(output.format));
        }
        Ok(Outputs(outputs))
    }

    /// Writes a report that is complete.
    pub fn print(&self, report: &report::Report, exit: Exit) -> Outcome {
        self.consume(Event::RunStarted { run: &report.run, expected: Expected::default() });
        self.consume(Event::RunEnded(report));
        self.consume(Event::Concluded { report, exit });
        self.written(exit)
    }

    /// The exit code of a report that was written: the run's, unless the report could not be written.
    pub fn written(&self, exit: Exit) -> Outcome {
        let failed = self.0.iter().find_map(|Written { to, printer }| Some((to, printer.written().err()?)));
        let Some((to, error)) = failed else { return Ok(exit) };
        let failed = match to {
            Some(to) => not_reported(to, &error),
            None => {
                Failed { exit: Exit::NotWritten, message: format!("failed to write the report: {error}") }
            }
        };
        let keeps = exit == Exit::OurBug || exit.is_early();
        Err(Failed { exit: if keeps { exit } else { failed.exit }, ..failed })
    }
}

impl Consumer for Outputs {
    fn consume(&self, event: Event<'_>) {
        self.0.iter().for_each(|written| written.printer.consume(event));
    }
}

/// Annotations after a log for people, which stands alone if it is for programs, and the job summary.
fn for_github(format: ReportKind) -> Vec<Written> {
    let mut outputs = Vec::new();
    if format == ReportKind::Human {
        let printer = Box::new(AtTheEnd::new(anstream::stdout(), github::print));
        outputs.push(Written { to: None, printer });
    }
    // The runner creates the file. Without it, as in a container that knows only the variable, there is no summary.
    let summary = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty());
    if let Some(file) = summary.and_then(|file| File::options().append(true).open(file).ok()) {
        let printer = Box::new(AtTheEnd::new(file, markdown::print));
        outputs.push(Written { to: Some("the job summary".to_owned()), printer });
    }
    outputs
}

/// Makes every stream of this process write colours as the user wants it.
pub(super) fn choose_colours(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// As `--color`, `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and the terminal say.
fn is_coloured() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Brief, with the colours and the width of standard output.
pub(super) fn stdout_style() -> Style {
    let style = Style::default();
    Style { colour: is_coloured(), width: terminal_width().unwrap_or(style.width), ..style }
}

/// The narrowest and the widest layout.
const WIDTHS: RangeInclusive<usize> = 60..=160;

/// The columns of the terminal, if the report goes to one.
fn terminal_width() -> Option<usize> {
    let (Width(columns), _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(columns).clamp(*WIDTHS.start(), *WIDTHS.end()))
}

/// Writes a text to standard output.
pub(super) fn print(text: &str) -> Outcome {
    let written = report::print(anstream::stdout().lock(), text);
    written.map(|()| Exit::Conforms).map_err(|error| not_written(&error))
}

/// Standard output could not be written to.
pub(super) fn not_written(error: &io::Error) -> Failed {
    Failed { exit: Exit::NotWritten, message: format!("failed to write to standard output: {error}") }
}

/// A report could not be written where it was to go.
fn not_reported(to: &str, error: &io::Error) -> Failed {
    Failed { exit: Exit::NotWritten, message: format!("failed to write the report {to}: {error}") }
}
