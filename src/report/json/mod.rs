//! For programs: JSON Lines, one event per line.
//!
//! One `run`, a `finding` for each group, a `snapshot` for each that changed, a `coverage` for each type, one
//! `statistics`, one `report` and one `summary`. The format is published as `schemas/report.schema.json`; [`FORMAT`] is raised
//! when today's readers would misread the output.
//!
//! The `report` holds everything once more, as the model that [`read`] gives back.

mod finding;
mod stored;
mod summary;

use std::borrow::Cow;
use std::io::{self, Write};
use std::iter::once_with;

use serde::Serialize;
use similar::TextDiff;

use super::events::{Consumer, Event as Happened};
use super::foreign::escaped_json;
use super::out::{Out, Printer};
use super::{Exit, Report, RuleCount, RunLine};
use crate::snapshot::Change;
use finding::Finding;
use stored::Stored;
pub use stored::{ReadError, read};
use summary::{CoverageLine, Summary};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The published JSON Schema of one line.
pub const SCHEMA: &str = include_str!("../../../schemas/report.schema.json");

/// One line.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event<'a> {
    Run(Run<'a>),
    Finding(Box<Finding<'a>>),
    Snapshot(SnapshotLine<'a>),
    Coverage(CoverageLine<'a>),
    Statistics(StatisticsLine),
    Report(Box<Stored<'a>>),
    Summary(Box<Summary<'a>>),
}

#[derive(Debug, Serialize)]
struct Run<'a> {
    format: u32,
    /// The version of tfconform.
    tfconform: &'static str,
    #[serde(flatten)]
    run: &'a RunLine,
}

/// A file that differed from what the provider showed.
#[derive(Debug, Serialize)]
struct SnapshotLine<'a> {
    format: u32,
    file: Cow<'a, str>,
    change: &'static str,
    /// Whether the file holds it now.
    accepted: bool,
    /// Unified, without a header.
    diff: String,
}

/// How much was found of each rule, the most findings first.
#[derive(Debug, Serialize)]
struct StatisticsLine {
    format: u32,
    rules: Vec<RuleCount>,
}

/// Writes each line as soon as it is final: the `run` event when the run starts, findings when all groups are
/// complete, the rest at the end.
pub struct Lines<W>(Out<W>);

impl<W: Write> Lines<W> {
    pub fn new(stream: W) -> Lines<W> {
        Lines(Out::new(stream))
    }

    fn write(&self, lines: impl IntoIterator<Item = String>) {
        lines.into_iter().for_each(|line| self.0.write(&line));
    }
}

impl<W: Write> Printer for Lines<W> {
    fn written(&self) -> io::Result<()> {
        self.0.written()
    }
}

impl<W: Write> Consumer for Lines<W> {
    fn consume(&self, event: Happened<'_>) {
        match event {
            Happened::RunStarted { run: started, .. } => self.write([run(started)]),
            Happened::RunEnded(report) => self.write(findings(report)),
            Happened::Concluded { report, exit } => self.write(conclusion(report, exit)),
            _ => {}
        }
    }
}

fn findings(report: &Report) -> impl Iterator<Item = String> {
    let fail_on = report.run.fail_on;
    report.groups.iter().map(move |group| line(&Event::Finding(Box::new(Finding::of(group, fail_on)))))
}

/// The last events: the changed snapshots, what was covered of each type, how much was found of each rule, the report to read back, and the
/// summary.
fn conclusion(report: &Report, exit: Exit) -> impl Iterator<Item = String> {
    let snapshots = report.snapshots.iter();
    let changes = snapshots
        .flat_map(|snapshots| snapshots.changes.iter().map(|change| snapshot(change, snapshots.accepted)));
    let types = report.coverage.types.iter().map(|ty| line(&Event::Coverage(CoverageLine::of(ty))));
    let counted = StatisticsLine { format: FORMAT, rules: report.statistics() };
    let statistics = once_with(move || line(&Event::Statistics(counted)));
    let stored = once_with(move || line(&Event::Report(Box::new(Stored::of(report, exit)))));
    let summary = once_with(move || line(&Event::Summary(Box::new(Summary::of(report, exit)))));
    changes.chain(types).chain(statistics).chain(stored).chain(summary)
}

/// The version of this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The `run` event, with its line end.
fn run(run: &RunLine) -> String {
    line(&Event::Run(Run { format: FORMAT, tfconform: VERSION, run }))
}

/// A `snapshot` event, with its line end.
fn snapshot(change: &Change, accepted: bool) -> String {
    let [kept, shown] = &change.texts;
    line(&Event::Snapshot(SnapshotLine {
        format: FORMAT,
        file: change.file.to_string_lossy(),
        change: change.kind.name(),
        accepted,
        diff: TextDiff::from_lines(kept, shown).unified_diff().to_string(),
    }))
}

fn line(event: &Event<'_>) -> String {
    let mut line = escaped_json(&serde_json::to_string(event).expect("a report has only string keys"));
    line.push('\n');
    line
}
