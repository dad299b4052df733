//! How much was found of each rule, as a table.

use super::super::Report;
use super::Style;
use super::text::{Tone, thousands};

/// Columns of a number.
const NUMBER: usize = 9;
/// Columns of a level, the gap after it included.
const LEVEL: usize = 11;

pub(super) fn write(out: &mut String, report: &Report, style: &Style) {
    let counts = report.statistics();
    out.push_str(&format!("{}\n", style.paint(Tone::Strong, "statistics")));
    if counts.is_empty() {
        out.push_str("  nothing was found\n\n");
        return;
    }
    let header =
        format!("{:>NUMBER$} {:>NUMBER$} {:>NUMBER$}  {:LEVEL$}rule", "findings", "types", "times", "level");
    out.push_str(&format!("  {}\n", style.paint(Tone::Dim, &header)));
    for count in counts {
        let [findings, types, times] = [count.findings, count.types, count.times].map(thousands);
        let level = style.paint(super::finding::tone(count.level), &format!("{:LEVEL$}", count.level.name()));
        out.push_str(&format!(
            "  {findings:>NUMBER$} {types:>NUMBER$} {times:>NUMBER$}  {level}{}\n",
            count.rule
        ));
    }
    out.push('\n');
}
