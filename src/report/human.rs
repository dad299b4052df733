//! For people: one screen, the most serious first.

use std::fmt::Write as _;

use super::{Exit, Group, Report};
use crate::rule::Level;

/// The whole report as text.
pub fn print(report: &Report, fail_on: Level, exit: Exit) -> String {
    let mut out = String::new();
    for group in &report.groups {
        write_group(&mut out, group);
    }
    let totals = &report.totals;
    let types = totals.types;
    let _ = writeln!(
        out,
        "{} (protocol {}, as {}): {} types, {} validated, {} planned, {} applied, {} data sources read, {} refused",
        report.run.provider, report.run.protocol, report.run.engine, types.total, types.validated, types.planned,
        types.applied, types.read, types.refused
    );
    let _ = writeln!(
        out,
        "{} scenarios, {} calls in {:.1} s; {} findings at {} or above",
        totals.scenarios, totals.exchanges, totals.wall_seconds, report.at_least(fail_on), fail_on
    );
    for note in &report.notes {
        let _ = writeln!(out, "note: {note}");
    }
    let _ = writeln!(out, "{}", exit.meaning());
    out
}

fn write_group(out: &mut String, group: &Group) {
    let case = &group.case;
    let _ = writeln!(out, "{:<5} {}  {} scenario {} ({})", group.level.name().to_uppercase(), group.rule.id, case.instance, case.scenario.number, case.scenario.about);
    let _ = writeln!(out, "  at step {}, {}", case.step.map(|step| step.name()).unwrap_or_default(), case.path);
    let _ = writeln!(out, "    {}", case.message);
    for (role, value) in &case.allowed {
        let _ = writeln!(out, "    expected  {value}  ({role})");
    }
    if let Some((role, value)) = &case.actual {
        let _ = writeln!(out, "      actual  {value}  ({role})");
    }
    let _ = writeln!(out, "  why    {}, {}: {}", group.rule.cites.document, group.rule.cites.section, group.rule.cites.words);
    let _ = writeln!(out, "  again  {}", case.again);
    if group.count > 1 {
        let _ = writeln!(out, "  {} times, in {}", group.count, group.types.iter().cloned().collect::<Vec<_>>().join(", "));
    }
    let _ = writeln!(out);
}
