//! The run: how far types got, what was refused, snapshots, notes.

use maud::{Markup, html};
use similar::TextDiff;

use crate::report::human::{count, thousands};
use crate::report::{RefusedAt, Report, Snapshots, TypeLine};

/// Messages of a step that are shown.
const MESSAGES: usize = 20;

pub(super) fn sections(report: &Report) -> Markup {
    html! {
        @if !report.notes.lines().is_empty() {
            section { h2 { "Notes" } ul { @for note in report.notes.lines() { li { (note) } } } }
        }
        @if let Some(snapshots) = &report.snapshots { (changes(snapshots)) }
        @if !report.refused_at().is_empty() { (refused(&report.refused_at())) }
        (types(report))
    }
}

fn changes(snapshots: &Snapshots) -> Markup {
    html! {
        section {
            h2 { "Snapshots" }
            p { (snapshots.unchanged.len()) " unchanged, " (snapshots.changes.len()) " changed"
                @if snapshots.accepted { ": accepted" } }
            @for change in &snapshots.changes {
                details.inner {
                    summary { (change.kind.name()) " " code { (change.file.display()) } }
                    pre { (TextDiff::from_lines(&change.texts[0], &change.texts[1]).unified_diff()) }
                }
            }
        }
    }
}

/// The provider's own words at each step.
fn refused(steps: &[RefusedAt]) -> Markup {
    html! {
        section {
            h2 { "Errors of the provider" }
            @for step in steps {
                h3 { (step.step.failures()) " in " (count(step.scenarios, "scenario")) }
                table {
                    tbody {
                        @for message in step.messages.iter().take(MESSAGES) {
                            tr { td.number { (thousands(message.scenarios)) } td { (message.message) } }
                        }
                    }
                }
            }
        }
    }
}

fn types(report: &Report) -> Markup {
    let findings = |line: &TypeLine| {
        let own = report.groups.iter().filter(|group| group.type_name == line.type_name);
        own.filter(|group| group.kind.is_none_or(|kind| kind == line.kind)).count()
    };
    html! {
        section {
            h2 { "Types " span.count { (report.per_type.len()) } }
            @if report.per_type.is_empty() { p { "None was played." } } @else {
                div.scroll {
                    table.types {
                        thead { tr {
                            th { "type" } th { "reached" } th { "scenarios" } th { "refused" } th { "findings" }
                        } }
                        tbody {
                            @for line in &report.per_type {
                                tr {
                                    th { code { (line.kind.qualified(&line.type_name)) } }
                                    td { (line.furthest()) }
                                    td.number { (thousands(line.scenarios)) }
                                    td.number { (thousands(line.refused)) }
                                    td.number { (findings(line)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
