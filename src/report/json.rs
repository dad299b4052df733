//! For programs: JSON Lines, one event per line.
//!
//! One `run`, a `finding` for each group, a `snapshot` for each that changed, a `coverage` for each type, one
//! `summary`. The format is published as
//! `schemas/report.schema.json`; [`FORMAT`] is raised when today's readers would
//! misread the output.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;
use similar::TextDiff;

use super::coverage::{Counts, Learning, TypeCoverage, Unmet};
use super::events::{Consumer, Event as Happened};
use super::foreign::escaped_json;
use super::out::{Out, Printer};
use super::{Broken, Exit, Group, NotJudged, Occurrence, RefusedAt, Report, RunLine, Types};
use crate::engine::Engine;
use crate::generate::obligation::Theme;
use crate::judge::Tally;
use crate::rule::{Enforced, Level};
use crate::schema::Kind;
use crate::snapshot::Change;
use crate::value::tree::Tree;

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
    Coverage(CoverageLine<'a>),
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
    /// The suite's reason, if the finding is known.
    known: Option<&'a str>,
    covers: &'static [&'static str],
    /// What to do, in one sentence.
    fix: String,
    /// The title of the error an engine shows; null if there is none, or if it is not always the same.
    title: Option<&'static str>,
    /// What an engine shows, in words.
    shows: String,
    /// The values of `run.engine` that have the rule.
    engines: Vec<&'static str>,
    /// Which releases enforce it; null if all do, or none.
    since: Option<String>,
    citation: Citation,
    /// The schema path that all attributes share; empty for the whole object.
    path: &'a str,
    cause: String,
    /// How often, over all attributes.
    count: u64,
    types: BTreeSet<&'a str>,
    /// What broke together, by schema path.
    attributes: Vec<AttributeLine<'a>>,
    /// The key of the finding that this one follows from.
    follows: Option<&'a str>,
    /// Null if the case was not played again.
    replays: Option<ReplaysLine>,
    case: OccurrenceLine<'a>,
}

/// One of the attributes that broke.
#[derive(Debug, Serialize)]
struct AttributeLine<'a> {
    /// Its schema path; empty for the whole object.
    path: &'a str,
    count: u64,
    message: &'a str,
}

/// What plays of the case showed, alone in new processes.
#[derive(Debug, Serialize)]
struct ReplaysLine {
    verdict: &'static str,
    seen: u32,
    of: u32,
}

#[derive(Debug, Serialize)]
struct Citation {
    document: &'static str,
    section: &'static str,
    words: &'static str,
}

/// The first finding of the group.
#[derive(Debug, Serialize)]
struct OccurrenceLine<'a> {
    scenario: &'a crate::transcript::ScenarioLabel,
    step: Option<crate::transcript::Phase>,
    /// Where the prior state of the call comes from.
    prior: crate::transcript::PriorOrigin,
    /// What is special about that state, if tfconform altered it.
    altered: Option<&'a str>,
    /// Position of the call in its scenario, counted from 1.
    exchange: u32,
    rpc: &'a str,
    instance: &'a str,
    path: String,
    message: &'a str,
    allowed: Vec<Said<'a>>,
    actual: Option<Said<'a>>,
    objects: Vec<Said<'a>>,
    stderr: &'a str,
    again: &'a str,
}

/// A value in HCL notation, with where it comes from.
#[derive(Debug, Serialize)]
struct Said<'a> {
    role: &'a str,
    value: String,
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

/// What became of the obligations of one type.
#[derive(Debug, Serialize)]
struct CoverageLine<'a> {
    format: u32,
    kind: Kind,
    #[serde(rename = "type")]
    type_name: &'a str,
    learning: Option<Learning>,
    total: Counts,
    themes: &'a BTreeMap<Theme, Counts>,
    unmet: &'a [Unmet],
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
    /// What the provider answered with an error, by the step and by its words.
    refused_at: Vec<RefusedAt>,
    inconclusive: Vec<Inconclusive<'a>>,
    /// What became of the obligations of all types.
    obligations: Counts,
    /// Kinds of values that the provider neither accepted nor refused.
    never_met: &'a BTreeSet<String>,
    wall_seconds: f64,
    provider_cpu_seconds: Option<f64>,
    harness_cpu_seconds: f64,
    provider_peak_memory_bytes: Option<u64>,
    harness_peak_memory_bytes: u64,
    notes: Vec<String>,
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
    report.groups.iter().map(|group| finding(group, report.run.fail_on))
}

/// The last events: the changed snapshots, what was covered of each type, and the summary.
fn conclusion(report: &Report, exit: Exit) -> impl Iterator<Item = String> {
    let snapshots = report.snapshots.iter();
    let changes = snapshots
        .flat_map(|snapshots| snapshots.changes.iter().map(|change| snapshot(change, snapshots.accepted)));
    let types = report.coverage.types.iter().map(coverage);
    changes.chain(types).chain(std::iter::once_with(move || summary(report, exit)))
}

/// The `run` event, with its line end.
fn run(run: &RunLine) -> String {
    line(&Event::Run(Run { format: FORMAT, tfconform: env!("CARGO_PKG_VERSION"), run }))
}

/// A `finding` event, with its line end.
fn finding(group: &Group, fail_on: Level) -> String {
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
        fix: group.fix(),
        title: group.title(),
        shows: group.shows(),
        engines: rule.enforced.engines().into_iter().map(Engine::name).collect(),
        since: (rule.enforced != Enforced::ALWAYS).then(|| rule.enforced.to_string()),
        citation: Citation {
            document: rule.cites.document,
            section: rule.cites.section,
            words: rule.cites.words,
        },
        path: &group.path,
        cause: group.cause_text(),
        count: group.count,
        types: Some(group.type_name.as_str()).filter(|name| !name.is_empty()).into_iter().collect(),
        attributes: group.attributes.iter().map(AttributeLine::of).collect(),
        follows: group.follows.as_deref(),
        replays: group.replays.map(|replays| ReplaysLine {
            verdict: replays.confirmation().name(),
            seen: replays.seen,
            of: replays.of,
        }),
        case: OccurrenceLine::of(&group.first),
    })))
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

/// A `coverage` event, with its line end.
fn coverage(ty: &TypeCoverage) -> String {
    line(&Event::Coverage(CoverageLine {
        format: FORMAT,
        kind: ty.kind,
        type_name: &ty.type_name,
        learning: ty.learning,
        total: ty.total(),
        themes: &ty.themes,
        unmet: &ty.unmet,
    }))
}

/// The `summary` event, with its line end.
fn summary(report: &Report, exit: Exit) -> String {
    let totals = &report.totals;
    let count = |level: &Level| totals.findings.get(level).copied().unwrap_or(0);
    line(&Event::Summary(Box::new(Summary {
        format: FORMAT,
        types: totals.types,
        scenarios: totals.scenarios,
        scenarios_refused: report.per_type.iter().map(|line| line.refused).sum(),
        exchanges: totals.exchanges,
        findings: Level::ALL.iter().map(|level| (level.name(), count(level))).collect(),
        rules: &totals.rules,
        not_judged: report.not_judged(),
        refused_at: report.refused_at(),
        inconclusive: report
            .inconclusive
            .iter()
            .flat_map(|(rule, reasons)| reasons.iter().map(move |(reason, count)| (rule, reason, *count)))
            .map(|(rule, reason, count)| Inconclusive { rule, reason, count })
            .collect(),
        obligations: report.coverage.total(),
        never_met: &report.coverage.never_met,
        wall_seconds: totals.wall.as_secs_f64(),
        provider_cpu_seconds: totals.provider_cpu.map(|cpu| cpu.as_secs_f64()),
        harness_cpu_seconds: totals.harness_cpu.as_secs_f64(),
        provider_peak_memory_bytes: totals.provider_peak_memory,
        harness_peak_memory_bytes: totals.harness_peak_memory,
        notes: report.notes.lines(),
        exit_code: exit.code(),
        meaning: exit.meaning(),
    })))
}

fn line(event: &Event<'_>) -> String {
    let mut line = escaped_json(&serde_json::to_string(event).expect("a report has only string keys"));
    line.push('\n');
    line
}

impl<'a> AttributeLine<'a> {
    fn of((path, broken): (&'a String, &'a Broken)) -> AttributeLine<'a> {
        AttributeLine { path, count: broken.count, message: &broken.evidence.message }
    }
}

impl<'a> OccurrenceLine<'a> {
    fn of(occurrence: &'a Occurrence) -> OccurrenceLine<'a> {
        let evidence = &*occurrence.evidence;
        let said = |(role, value): &'a (String, Tree)| Said { role, value: value.to_string() };
        let object = |(role, value): &'a (String, Tree)| Said { role, value: value.lines() };
        OccurrenceLine {
            scenario: &occurrence.scenario,
            step: occurrence.phase,
            prior: occurrence.prior,
            altered: occurrence.altered.as_deref(),
            exchange: occurrence.exchange,
            rpc: &occurrence.rpc,
            instance: &occurrence.instance,
            path: evidence.path.to_string(),
            message: &evidence.message,
            allowed: evidence.allowed.iter().map(said).collect(),
            actual: evidence.actual.as_ref().map(said),
            objects: evidence.objects.iter().map(object).collect(),
            stderr: &evidence.stderr,
            again: &occurrence.rerun,
        }
    }
}
