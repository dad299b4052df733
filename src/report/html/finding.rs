//! One finding, folded.

use maud::{Markup, html};

use super::objects;
use crate::process::parse_panic;
use crate::report::human::Style;
use crate::report::{Broken, Confirmation, Family, Group, Replays, human};
use crate::suite::Handling;
use crate::value::tree::Tree;

/// Frames of the provider that are shown of a panic.
const FRAMES: usize = 8;

/// A family: its first group in full, and what the others add.
pub(super) fn card(family: &Family<'_>, is_open: bool) -> Markup {
    let group = family.first();
    let attributes = family.attributes();
    html! {
        details.finding id={ "f-" (group.key()) } data-level=(group.level.name()) open[is_open] {
            summary {
                span.level.(group.level.name()) { (group.level.name()) }
                code.rule { (group.rule.id) }
                @if !group.type_name.is_empty() { span.type { (group.address()) } }
                @if family.groups.len() > 1 { span.more { (family.others()) } }
                @if !attributes.is_empty() { span.attributes { (attributes) } }
                @if let Some(replays) = family.replays() {
                    span.replays.(replays.confirmation().name()) { (replays) }
                }
                p.found { (human::messages(group).join("; ")) }
            }
            div.body {
                @if let Some(reason) = group.reason() { (field("known", html! { (reason.text()) })) }
                @if group.handling() == Some(Handling::Deny) {
                    (field("denied", html! { "It fails the run whatever its level." }))
                }
                @if group.handling() == Some(Handling::Warn) {
                    (field("warned of", html! { "It does not fail the run." }))
                }
                (field("must hold", html! { (group.rule.headline()) }))
                (field("fix", html! { (group.fix()) }))
                (field("users see", html! { (group.shows()) }))
                @if let Some(engines) = group.found_as() { (field("found as", html! { (engines) })) }
                @if let Some(needs) = group.replays.and_then(Replays::needs) {
                    (field("needs", html! { (needs) }))
                }
                (trigger(group))
                (values(group))
                (panic(group))
                (objects::diff(group))
                (calls(group))
                (companions(family))
                (contract(group))
                (origin(family))
                (commands(group))
            }
        }
    }
}

fn field(label: &str, value: Markup) -> Markup {
    html! { div.field { h3 { (label) } div { (value) } } }
}

/// What the user wrote until it broke.
fn trigger(group: &Group) -> Markup {
    let occurrence = &group.first;
    let written = &occurrence.evidence.trigger;
    let items: Vec<String> = written.drift.iter().cloned().chain(human::written(written)).collect();
    let step = occurrence.phase.filter(|_| !occurrence.instance.is_empty());
    let about = occurrence.prior.about().filter(|_| occurrence.prior.is_made_up());
    html! {
        @if let Some(phase) = step {
            (field(human::step(written, phase), html! {
                @if items.is_empty() { code { (occurrence.rpc) } } @else { pre { (items.join("\n")) } }
            }))
        } @else {
            (field("asked", html! { code { (occurrence.rpc) } }))
        }
        @if let Some(about) = about {
            (field("prior state", html! {
                @if let Some(altered) = &occurrence.altered { (altered) "; " }
                (about)
            }))
        }
    }
}

/// What was expected and what came back, at each attribute.
fn values(group: &Group) -> Markup {
    let broken: Vec<(&String, &Broken)> = group.attributes.iter().collect();
    let said = |(role, tree): &(String, Tree)| html! { div { pre { (tree.lines()) } small { (role) } } };
    html! {
        @if broken.iter().any(|(_, broken)| broken.has_values()) {
            div.scroll {
                table.values {
                    thead { tr { th { "attribute" } th { "allowed" } th { "found" } } }
                    tbody {
                        @for (path, broken) in broken {
                            tr {
                                th { code { @if path.is_empty() { "(all)" } @else { (broken.evidence.path) } } }
                                td.allowed { @for allowed in &broken.evidence.allowed { (said(allowed)) } }
                                td.actual { @if let Some(actual) = &broken.evidence.actual { (said(actual)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Why the process ended, and what it wrote before.
fn panic(group: &Group) -> Markup {
    let stderr = group.first.evidence.stderr.trim();
    html! {
        @if let Some(panic) = parse_panic(stderr) {
            (field("panic", html! {
                pre {
                    (panic.message) "\n"
                    @for frame in panic.own.iter().take(FRAMES) { "  " (frame.function) "  " (frame.location) "\n" }
                }
            }))
        }
        @if !stderr.is_empty() {
            details.inner { summary { "standard error" } pre { (stderr) } }
        }
    }
}

/// What follows from it, and where else it is.
fn companions(family: &Family<'_>) -> Markup {
    let places = |group: &Group| {
        let paths: Vec<&str> =
            group.attributes.keys().filter(|path| !path.is_empty()).map(String::as_str).collect();
        paths.join(", ")
    };
    html! {
        @if !family.also.is_empty() {
            (field("also", html! { ul {
                @for also in &family.also {
                    li { code { (also.rule.id) } " (" (also.level) ") " (places(also)) ": "
                        (human::messages(also).join("; ")) }
                }
            } }))
        }
        @if family.groups.len() > 1 {
            (field("also in", html! { ul {
                @for group in &family.groups[1..] { li { (group.address()) " " small { (places(group)) } } }
            } }))
        }
    }
}

/// What was asked and answered in the step, if the report has it.
fn calls(group: &Group) -> Markup {
    let calls = &group.first.calls;
    html! {
        @if !calls.is_empty() {
            details.inner {
                summary { "What was asked and answered" }
                pre { (human::calls(calls, &Style { width: 160, ..Style::default() })) }
            }
        }
    }
}

/// What the rule says, and the document behind it.
fn contract(group: &Group) -> Markup {
    let rule = group.rule;
    let text =
        rule.text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
    html! {
        details.inner {
            summary { "What the contract says" }
            @for paragraph in text.trim().split("\n\n") { p { (paragraph) } }
            blockquote { (rule.cites.words) footer { (rule.cites.document) ", " (rule.cites.section) } }
            p { small { "Entries of the contract: " (rule.covers.join(", ")) } }
        }
    }
}

/// Where it was found, how often, and under which key.
fn origin(family: &Family<'_>) -> Markup {
    let group = family.first();
    let (first, scenario) = (&group.first, &group.first.scenario);
    let times: u64 = family.groups.iter().map(|group| group.count).sum();
    html! {
        @if scenario.number > 0 {
            (field("found in", html! {
                (first.instance) ", scenario " (scenario.number)
                @if !scenario.about.is_empty() { " (" (scenario.about) ")" }
                ", " code { (first.rpc) } ", " (human::count(times, "time"))
            }))
        }
        @if group.replays.is_some_and(|replays| replays.confirmation() != Confirmation::Confirmed) {
            (field("note", html! { "It did not appear every time its case was played again." }))
        }
        (field("key", html! { code { (group.key()) } }))
    }
}

/// What to run next.
fn commands(group: &Group) -> Markup {
    let rerun = &group.first.rerun;
    let case = rerun.strip_prefix("tfconform replay ").filter(|_| group.first.is_for_engines);
    let lines = [
        case.map(|case| format!("tfconform reproduce {case}")),
        Some(rerun.clone()).filter(|rerun| !rerun.is_empty()),
        Some(format!("tfconform explain {}", group.rule.id)),
    ];
    field("try it", html! { pre.commands { (lines.into_iter().flatten().collect::<Vec<_>>().join("\n")) } })
}
