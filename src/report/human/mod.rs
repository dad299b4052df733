//! For people: findings first, the most serious ones in full, then the run on one screen.
//!
//! Pure: text from a report, no stream and no terminal. The caller decides about
//! colours and width, in a [`Style`]. What others wrote is made harmless before anything is laid out.

mod calls;
mod coverage;
mod finding;
mod objects;
mod panic;
mod snapshots;
mod statistics;
mod summary;
mod text;
mod trigger;
mod values;

use super::{Exit, Family, Group, Report};
use crate::record::ShownCall;
use crate::snapshot::Change;

pub(super) use finding::messages;
pub(super) use text::{count, thousands};
pub(super) use trigger::{items as written, label as step};

/// How text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to write colour codes.
    pub colour: bool,
    /// Columns of a line; commands and single long words may go beyond.
    pub width: usize,
    /// Every finding in full, and the rules behind the counts.
    pub verbose: bool,
    /// What became of the obligations of each type.
    pub coverage: bool,
    /// How much was found of each rule.
    pub statistics: bool,
    /// What to run next, for somebody who has the cases.
    pub commands: bool,
}

/// For a pipe: no colours, 100 columns, brief.
impl Default for Style {
    fn default() -> Style {
        Style {
            colour: false,
            width: 100,
            verbose: false,
            coverage: false,
            statistics: false,
            commands: true,
        }
    }
}

/// The whole report as text. Findings that fail the run, or that the user is warned of, are shown in full.
pub fn print(report: &Report, exit: Exit, style: &Style) -> String {
    let report = &report.legible();
    let mut out = String::new();
    let sections = report.sections();
    for family in Family::all(&sections.failing).into_iter().chain(Family::all(&sections.warned)) {
        finding::write(&mut out, &family, style);
        out.push('\n');
    }
    // Otherwise the summary names the rules of the others.
    if style.verbose {
        let before = out.len();
        finding::write_others(&mut out, &sections, style);
        if out.len() > before && !out.ends_with("\n\n") {
            out.push('\n');
        }
    }
    if style.statistics {
        statistics::write(&mut out, report, style);
    }
    if let Some(snapshots) = &report.snapshots {
        snapshots::write(&mut out, snapshots, style);
    }
    if style.coverage {
        coverage::write(&mut out, report, style);
    }
    summary::write(&mut out, report, style);
    out.push_str(&conclusion(report, exit, style));
    out.push('\n');
    out
}

/// One group of findings of a legible report, in full.
pub fn finding(group: &Group, style: &Style) -> String {
    family(&Family { groups: vec![group], also: Vec::new() }, style)
}

/// Findings of a legible report that are shown as one, in full.
pub fn family(family: &Family<'_>, style: &Style) -> String {
    let mut out = String::new();
    finding::write(&mut out, family, style);
    out
}

/// What was expected and what came back, in one group of a legible report.
pub fn values(group: &Group, style: &Style) -> String {
    let mut out = String::new();
    values::write(&mut out, group, style);
    out
}

/// What was asked and answered, call by call. The caller makes it legible.
pub fn calls(calls: &[ShownCall], style: &Style) -> String {
    let mut out = String::new();
    calls::write(&mut out, calls, style);
    out
}

/// What the exit code means for a legible report, in plain words.
pub fn conclusion(report: &Report, exit: Exit, style: &Style) -> String {
    summary::last_line(report, report.run.fail_on, exit, style)
}

/// One change of a snapshot of a legible report.
pub fn snapshot(change: &Change, style: &Style) -> String {
    let mut out = String::new();
    snapshots::write_diff(&mut out, change, style);
    out
}

/// The summary of a legible report alone, without the findings and without the last line.
pub fn summary(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    summary::write(&mut out, report, style);
    out
}
