//! The last lines: what was tried of each type, and what became of the run.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::FORMAT;
use crate::generate::obligation::Theme;
use crate::judge::Tally;
use crate::report::coverage::{Behaved, Counts, Learning, TypeCoverage, Unmet};
use crate::report::{Exit, NotJudged, RefusedAt, Report, Types};
use crate::rule::Level;
use crate::schema::Kind;

/// What became of the obligations of one type.
#[derive(Debug, Serialize)]
pub(super) struct CoverageLine<'a> {
    format: u32,
    kind: Kind,
    #[serde(rename = "type")]
    type_name: &'a str,
    learning: Option<Learning>,
    total: Counts,
    themes: &'a BTreeMap<Theme, Counts>,
    behaviours: &'a BTreeMap<String, Behaved>,
    unmet: &'a [Unmet],
}

#[derive(Debug, Serialize)]
pub(super) struct Summary<'a> {
    format: u32,
    types: Types,
    scenarios: u64,
    /// Scenarios that the provider answered with an error.
    scenarios_refused: u64,
    /// Calls made to the provider.
    exchanges: u64,
    /// Findings by level, known and allowed ones included.
    findings: BTreeMap<&'static str, u64>,
    /// Findings that the user allows.
    allowed: u64,
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
    /// Of the parts of the run.
    part_seconds: BTreeMap<&'static str, f64>,
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

impl<'a> CoverageLine<'a> {
    pub(super) fn of(ty: &'a TypeCoverage) -> CoverageLine<'a> {
        CoverageLine {
            format: FORMAT,
            kind: ty.kind,
            type_name: &ty.type_name,
            learning: ty.learning,
            total: ty.total(),
            themes: &ty.themes,
            behaviours: &ty.behaviours,
            unmet: &ty.unmet,
        }
    }
}

impl<'a> Summary<'a> {
    pub(super) fn of(report: &'a Report, exit: Exit) -> Summary<'a> {
        let totals = &report.totals;
        let count = |level: &Level| totals.findings.get(level).copied().unwrap_or(0);
        Summary {
            format: FORMAT,
            types: totals.types,
            scenarios: totals.scenarios,
            scenarios_refused: report.per_type.iter().map(|line| line.refused).sum(),
            exchanges: totals.exchanges,
            findings: Level::ALL.iter().map(|level| (level.name(), count(level))).collect(),
            allowed: report.sections().allowed.iter().map(|group| group.count).sum(),
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
            part_seconds: totals.parts.named().map(|(part, took)| (part, took.as_secs_f64())).into(),
            provider_cpu_seconds: totals.provider_cpu.map(|cpu| cpu.as_secs_f64()),
            harness_cpu_seconds: totals.harness_cpu.as_secs_f64(),
            provider_peak_memory_bytes: totals.provider_peak_memory,
            harness_peak_memory_bytes: totals.harness_peak_memory,
            notes: report.notes.lines(),
            exit_code: exit.code(),
            meaning: exit.meaning(),
        }
    }
}
