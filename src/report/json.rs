//! For programs: JSON Lines, one event a line.
//!
//! One `run`, a `finding` for each group, a `snapshot` for each that changed, one `summary`. The format is published as
//! `schemas/report.schema.json`; [`FORMAT`] goes up when a reader of today would
//! misread what is written.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use similar::TextDiff;

use super::{Case, Exit, Group, NotJudged, Report, RunLine, Tally, Types};
use crate::rule::Level;
use crate::snapshot::Change;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The published JSON Schema of one line.
pub const SCHEMA: &str = include_str!("../../schemas/report.schema.json");

/// One line.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event<'a> {
    Run(Run<'a>),
    Finding(Box<Finding<'a>>),
    Snapshot(SnapshotLine<'a>),
    Summary(Box<Summary<'a>>),
}

#[derive(Debug, Serialize)]
struct Run<'a> {
    format: u32,
    /// The version of tfconform.
    tfconform: &'static str,
    #[serde(flatten)]
    run: &'a RunLine,
    /// The lowest level at which a finding fails the run.
    fail_on: Level,
}

#[derive(Debug, Serialize)]
struct Finding<'a> {
    format: u32,
    /// The same from run to run for the same cause: 16 hexadecimal digits.
    key: String,
    rule: &'static str,
    /// What must hold, in one sentence.
    headline: &'static str,
    level: Level,
    fails: bool,
    /// The reason with which the suite excuses it.
    known: Option<&'a str>,
    covers: &'static [&'static str],
    /// The title of the diagnostic an engine shows; null where none says anything.
    title: Option<&'static str>,
    citation: Citation,
    /// The attribute's schema path; empty for the whole object.
    path: &'a str,
    cause: &'a str,
    /// How often.
    count: u64,
    types: &'a BTreeSet<String>,
    case: CaseLine<'a>,
}

#[derive(Debug, Serialize)]
struct Citation {
    document: &'static str,
    section: &'static str,
    words: &'static str,
}

/// The first finding of the group.
#[derive(Debug, Serialize)]
struct CaseLine<'a> {
    scenario: &'a crate::transcript::ScenarioLabel,
    step: Option<crate::transcript::Step>,
    /// Position of the call in its scenario, counted from 1.
    exchange: u32,
    rpc: &'a str,
    instance: &'a str,
    path: &'a str,
    message: &'a str,
    allowed: Vec<Said<'a>>,
    actual: Option<Said<'a>>,
    objects: Vec<Said<'a>>,
    stderr: &'a str,
    again: &'a str,
}

/// A value in HCL notation, with whose word it is.
#[derive(Debug, Serialize)]
struct Said<'a> {
    role: &'a str,
    value: &'a str,
}

/// A file that did not hold what the provider showed.
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

#[derive(Debug, Serialize)]
struct Summary<'a> {
    format: u32,
    types: Types,
    scenarios: u64,
    /// Scenarios that the provider answered with an error.
    scenarios_refused: u64,
    /// Calls made to the provider.
    exchanges: u64,
    /// Findings by level, known ones included.
    findings: BTreeMap<&'static str, u64>,
    /// By rule, how often each verdict.
    rules: &'a BTreeMap<String, Tally>,
    not_judged: Vec<NotJudged>,
    inconclusive: Vec<Inconclusive<'a>>,
    wall_seconds: f64,
    provider_cpu_seconds: Option<f64>,
    harness_cpu_seconds: f64,
    provider_peak_memory_bytes: Option<u64>,
    harness_peak_memory_bytes: u64,
    notes: &'a [String],
    exit_code: u8,
    /// What the exit code means.
    meaning: &'static str,
}

/// Why a rule could not judge, and how often.
#[derive(Debug, Serialize)]
struct Inconclusive<'a> {
    rule: &'a str,
    reason: &'a str,
    count: u64,
}

/// The whole report, each event on a line of its own.
pub fn print(report: &Report, fail_on: Level, exit: Exit) -> String {
    let mut out = run(&report.run, fail_on);
    for group in &report.groups {
        out.push_str(&finding(group, fail_on));
    }
    if let Some(snapshots) = &report.snapshots {
        let lines = snapshots.changes.iter().map(|change| snapshot(change, snapshots.accepted));
        out.extend(lines);
    }
    out.push_str(&summary(report, exit));
    out
}

/// The `run` event, with its line end.
pub fn run(run: &RunLine, fail_on: Level) -> String {
    line(&Event::Run(Run { format: FORMAT, tfconform: env!("CARGO_PKG_VERSION"), run, fail_on }))
}

/// A `finding` event, with its line end.
pub fn finding(group: &Group, fail_on: Level) -> String {
    let rule = group.rule;
    line(&Event::Finding(Box::new(Finding {
        format: FORMAT,
        key: group.key(),
        rule: rule.id,
        headline: rule.headline(),
        level: group.level,
        fails: group.fails(fail_on),
        known: group.known.as_deref(),
        covers: rule.covers,
        title: rule.title,
        citation: Citation {
            document: rule.cites.document,
            section: rule.cites.section,
            words: rule.cites.words,
        },
        path: &group.path,
        cause: &group.cause,
        count: group.count,
        types: &group.types,
        case: CaseLine::of(&group.case),
    })))
}

/// A `snapshot` event, with its line end.
pub fn snapshot(change: &Change, accepted: bool) -> String {
    let [kept, shown] = &change.texts;
    line(&Event::Snapshot(SnapshotLine {
        format: FORMAT,
        file: change.file.to_string_lossy(),
        change: change.kind.name(),
        accepted,
        diff: TextDiff::from_lines(kept, shown).unified_diff().to_string(),
    }))
}

/// The `summary` event, with its line end.
pub fn summary(report: &Report, exit: Exit) -> String {
    let totals = &report.totals;
    let count = |level: &Level| totals.findings.get(level.name()).copied().unwrap_or(0);
    line(&Event::Summary(Box::new(Summary {
        format: FORMAT,
        types: totals.types,
        scenarios: totals.scenarios,
        scenarios_refused: report.per_type.iter().map(|line| line.refused).sum(),
        exchanges: totals.exchanges,
        findings: Level::ALL.iter().map(|level| (level.name(), count(level))).collect(),
        rules: &totals.rules,
        not_judged: report.not_judged(),
        inconclusive: report
            .inconclusive
            .iter()
            .map(|((rule, reason), count)| Inconclusive { rule, reason, count: *count })
            .collect(),
        wall_seconds: totals.wall_seconds,
        provider_cpu_seconds: totals.provider_cpu_seconds,
        harness_cpu_seconds: totals.harness_cpu_seconds,
        provider_peak_memory_bytes: totals.provider_peak_memory,
        harness_peak_memory_bytes: totals.harness_peak_memory,
        notes: &report.notes,
        exit_code: exit.code(),
        meaning: exit.meaning(),
    })))
}

fn line(event: &Event<'_>) -> String {
    let mut line = serde_json::to_string(event).expect("a report has only string keys");
    line.push('\n');
    line
}

impl<'a> CaseLine<'a> {
    fn of(case: &'a Case) -> CaseLine<'a> {
        let said = |(role, value): &'a (String, String)| Said { role, value };
        CaseLine {
            scenario: &case.scenario,
            step: case.step,
            exchange: case.exchange,
            rpc: &case.rpc,
            instance: &case.instance,
            path: &case.path,
            message: &case.message,
            allowed: case.allowed.iter().map(said).collect(),
            actual: case.actual.as_ref().map(said),
            objects: case.objects.iter().map(said).collect(),
            stderr: &case.stderr,
            again: &case.again,
        }
    }
}
