//! One finding on a few lines, and those that do not fail the run on one line for each level.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Family, Group, Replays, Sections};
use super::text::{Tone, count, fill, width, wrap};
use super::{Style, calls, objects, panic, trigger, values};
use crate::rule::Level;
use crate::suite::Handling;

/// Types that are named if a cause has many.
const TYPES: usize = 12;
/// Attributes that are named for each of these types.
const ATTRIBUTES: usize = 3;

/// A family: its first group in full, and what the others add.
pub(super) fn write(out: &mut String, family: &Family<'_>, style: &Style) {
    let group = family.first();
    let occurrence = &group.first;
    let evidence = &*occurrence.evidence;
    write_heading(out, family, style);
    // Two values side by side show what was found.
    if style.verbose || !values::are_compared(group) {
        style.field(out, "found", &messages(group).join("; "));
    }
    write_trigger(out, group, style);
    values::write(out, group, style);
    panic::write(out, evidence, style);
    let is_told = style.verbose || occurrence.prior.is_made_up();
    if let Some(prior) = occurrence.prior.about().filter(|_| is_told) {
        let altered = occurrence.altered.iter().map(|altered| format!("{altered}; "));
        style.field(out, "prior state", &format!("{}{prior}", altered.collect::<String>()));
    }
    if style.verbose {
        style.field(out, "must hold", group.rule.headline());
    }
    style.field(out, "fix", &group.fix());
    style.field(out, "users see", &group.shows());
    if let Some(engines) = group.found_as() {
        style.field(out, "found as", &engines);
    }
    if let Some(needs) = group.replays.and_then(Replays::needs) {
        style.field(out, "needs", needs);
    }
    write_also(out, family, style);
    write_types(out, family, style);
    if let Some(reason) = group.reason() {
        style.field(out, "known", &reason.text());
    }
    match group.handling() {
        Some(Handling::Deny) => style.field(out, "denied", "it fails the run whatever its level"),
        Some(Handling::Warn) => style.field(out, "warned of", "it does not fail the run"),
        Some(Handling::Allow) | None => {}
    }
    if style.verbose {
        write_more(out, family, style);
    }
    if style.commands {
        write_commands(out, group, style);
    }
}

/// What to run next. Commands stay on one line.
fn write_commands(out: &mut String, group: &Group, style: &Style) {
    let rerun = &group.first.rerun;
    let explain = format!("tfconform explain {}", group.rule.id);
    let case = rerun.strip_prefix("tfconform replay ");
    if let Some(case) = case.filter(|_| group.first.is_for_engines) {
        style.lines(out, "try it", &[format!("tfconform reproduce {case}")]);
    }
    let label = if case.is_some() { "replay" } else { "again" };
    let together = format!("{rerun}   more: {explain}");
    if rerun.is_empty() {
        style.lines(out, "more", &[explain]);
    } else if width(&together) <= style.columns() {
        style.lines(out, label, &[together]);
    } else {
        style.lines(out, label, std::slice::from_ref(rerun));
        style.lines(out, "more", &[explain]);
    }
}

/// Level, rule, type, place, and whether it was confirmed.
fn write_heading(out: &mut String, family: &Family<'_>, style: &Style) {
    let group = family.first();
    let level = group.level.name().to_uppercase();
    let replays = family.replays().map(|replays| replays.to_string());
    let rest = [group.address(), family.others(), family.attributes(), replays.unwrap_or_default()];
    let rest: Vec<String> = rest.into_iter().filter(|part| !part.is_empty()).collect();
    let rest = rest.join("  ");
    let used = width(&level) + 2 + width(group.rule.id);
    let heading =
        format!("{}  {}", style.paint(tone(group.level), &level), style.paint(Tone::Strong, group.rule.id));
    if used + 2 + width(&rest) <= style.width {
        out.push_str(format!("{heading}  {rest}").trim_end());
        out.push('\n');
    } else {
        out.push_str(&format!("{heading}\n"));
        wrap(&rest, style.width.saturating_sub(2))
            .iter()
            .for_each(|line| out.push_str(&format!("  {line}\n")));
    }
}

/// What was said, of most attributes first, each with its attributes if they differ.
pub(in crate::report) fn messages(group: &Group) -> Vec<String> {
    let mut said: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, broken) in group.attributes.iter().filter(|(_, broken)| broken.is_in(&group.first)) {
        said.entry(&broken.evidence.message).or_default().push(path);
    }
    let differ = said.len() > 1;
    let mut said: Vec<(&str, Vec<&str>)> = said.into_iter().collect();
    said.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    let text = |(message, places): (&str, Vec<&str>)| match places.len() {
        _ if !differ => message.to_owned(),
        n if n > ATTRIBUTES => format!("{message} ({n} attributes)"),
        _ => format!("{message} ({})", places.join(", ")),
    };
    said.into_iter().map(text).collect()
}

/// The step, and what the user wrote until then.
fn write_trigger(out: &mut String, group: &Group, style: &Style) {
    let occurrence = &group.first;
    let Some(phase) = occurrence.phase.filter(|_| !occurrence.instance.is_empty()) else {
        return style.field(out, "asked", &occurrence.rpc);
    };
    // What broke comes first.
    let written = &occurrence.evidence.trigger;
    let mut items = trigger::items(written);
    items.sort_by_key(|item| !group.attributes.keys().any(|path| trigger::is_about(item, path)));
    let lines = if style.verbose { usize::MAX } else { 2 };
    let mut shown = fill(&items, style.columns(), lines);
    shown.splice(0..0, written.drift.clone());
    let shown = if shown.is_empty() { vec![occurrence.rpc.clone()] } else { shown };
    style.lines(out, trigger::label(written, phase), &shown);
}

/// The rules that follow, each once.
fn write_also(out: &mut String, family: &Family<'_>, style: &Style) {
    let first = family.first();
    let named = |group: &&Group| match group.level {
        _ if group.rule.id == first.rule.id && !group.path.is_empty() => {
            format!("{} at {}", group.rule.id, group.path)
        }
        level if level == first.level => group.rule.id.to_owned(),
        level => format!("{} ({level})", group.rule.id),
    };
    let also: BTreeSet<String> = family.also.iter().map(named).collect();
    if !also.is_empty() {
        style.field(out, "also", &also.into_iter().collect::<Vec<_>>().join(", "));
    }
}

/// The types of the other groups, with their attributes.
fn write_types(out: &mut String, family: &Family<'_>, style: &Style) {
    let named = |group: &&Group| {
        // A whole object has no name.
        let attributes = group.attributes.keys().map(String::as_str).filter(|path| !path.is_empty());
        let attributes: Vec<&str> = attributes.collect();
        let named = attributes.iter().take(ATTRIBUTES).copied().collect::<Vec<_>>().join(", ");
        match attributes.len().saturating_sub(ATTRIBUTES) {
            _ if named.is_empty() => group.address(),
            0 => format!("{} ({named})", group.address()),
            more => format!("{} ({named} and {more} more)", group.address()),
        }
    };
    let types: Vec<String> = family.groups[1..].iter().map(named).collect();
    let (most, lines) = if style.verbose { (usize::MAX, usize::MAX) } else { (TYPES, 2) };
    let mut shown = fill(&types[..types.len().min(most)], style.columns(), lines);
    if let (Some(last), true) = (shown.last_mut(), types.len() > most) {
        last.push_str(&format!(" and {} more", types.len() - most));
    }
    style.lines(out, "also in", &shown);
}

/// What only those ask for who look closer.
fn write_more(out: &mut String, family: &Family<'_>, style: &Style) {
    let group = family.first();
    let occurrence = &group.first;
    let scenario = &occurrence.scenario;
    if scenario.number > 0 {
        let about = if scenario.about.is_empty() { String::new() } else { format!(" ({})", scenario.about) };
        let place =
            format!("{}, scenario {}{about}, {}", occurrence.instance, scenario.number, occurrence.rpc);
        for line in wrap(&format!("in {place}"), style.width.saturating_sub(2)) {
            out.push_str(&format!("  {line}\n"));
        }
    }
    let mut differences = String::new();
    objects::write(&mut differences, style, &occurrence.evidence);
    if !differences.is_empty() {
        out.push_str(&format!("  {}\n{differences}", style.paint(Tone::Dim, "where the objects differ")));
    }
    calls::write(out, &occurrence.calls, style);
    let cites = &group.rule.cites;
    style.field(out, "why", &format!("{}, {}: “{}”", cites.document, cites.section, cites.words));
    let n_findings: u64 = family.groups.iter().map(|group| group.count).sum();
    style.field(out, "how often", &count(n_findings, "time"));
    style.field(out, "key", &group.key());
}

pub(super) fn tone(level: Level) -> Tone {
    match level {
        Level::Must => Tone::Bad,
        Level::Tolerated | Level::Should => Tone::Warn,
        Level::Advice => Tone::Dim,
    }
}

/// Findings that do not fail the run: a line for each level, or in full if the style says so.
pub(super) fn write_others(out: &mut String, sections: &Sections<'_>, style: &Style) {
    for level in Level::ALL {
        let of_level = sections.passing.iter().copied().filter(|group| group.level == level);
        write_section(out, tone(level), (level.name(), heading(level)), &of_level.collect::<Vec<_>>(), style);
    }
    write_section(out, Tone::Dim, ("known", "excused by the suite"), &sections.known, style);
    write_of_sdk(out, &sections.of_sdk, style);
    if !sections.allowed.is_empty() {
        let n_findings = Family::all(&sections.allowed).len() as u64;
        style.field(out, "allowed", &format!("{} allowed", count(n_findings, "finding")));
    }
}

/// Findings that are the SDK's: a line for each of its defects, or in full if the style says so.
fn write_of_sdk(out: &mut String, groups: &[&Group], style: &Style) {
    if style.verbose {
        return write_section(out, Tone::Dim, ("sdk", "no author can mend it"), groups, style);
    }
    let mut by_defect: BTreeMap<String, Vec<&Group>> = BTreeMap::new();
    for group in groups {
        if let Some(why) = group.reason() {
            by_defect.entry(why.text()).or_default().push(group);
        }
    }
    for (defect, groups) in by_defect {
        let n_findings = Family::all(&groups).len() as u64;
        style.field(out, "sdk", &format!("{}, shown by -v: {defect}", count(n_findings, "finding")));
    }
}

fn heading(level: Level) -> &'static str {
    match level {
        Level::Must => "breaks the contract",
        Level::Tolerated => "an engine forgives it because of the legacy flag",
        Level::Should => "documented, but no engine checks it",
        Level::Advice => "worth knowing",
    }
}

fn write_section(
    out: &mut String,
    tone: Tone,
    (label, heading): (&str, &str),
    groups: &[&Group],
    style: &Style,
) {
    let families = Family::all(groups);
    if families.is_empty() {
        return;
    }
    if style.verbose {
        let title = format!("{label}: {heading} ({})", count(families.len() as u64, "finding"));
        for line in wrap(&title, style.width) {
            out.push_str(&format!("{}\n", style.paint(tone, &line)));
        }
        for family in &families {
            write(out, family, style);
            out.push('\n');
        }
        return;
    }
    let mut rules: Vec<String> = Vec::new();
    for id in families.iter().map(|family| family.first().rule.id.to_owned()) {
        if !rules.contains(&id) {
            rules.push(id);
        }
    }
    let lead = format!("{}, shown by -v: ", count(families.len() as u64, "finding"));
    let shown = fill(&rules, style.columns().saturating_sub(width(&lead)), 1);
    style.lines(out, label, &[format!("{lead}{}", shown.join(" "))]);
}
