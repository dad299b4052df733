//! One finding on one screen, and those that do not fail the run in a line each.

use std::collections::BTreeSet;

use super::super::{Group, Occurrence};
use super::text::{Tone, count, elide, elide_together, some_of, thousands, width, wrap};
use super::{Style, objects};
use crate::record::Evidence;
use crate::rule::Level;

/// Lines of standard error that are shown.
const STDERR_LINES: usize = 6;
/// Types that are named if a cause has many.
const TYPES: usize = 5;

/// A group in full.
pub(super) fn write(out: &mut String, group: &Group, style: &Style) {
    let occurrence = &group.first;
    let evidence = &*occurrence.evidence;
    write_heading(out, group, style);
    write_place(out, occurrence, style);
    for line in wrap(&evidence.message, style.width.saturating_sub(4)) {
        out.push_str(&format!("    {line}\n"));
    }
    write_values(out, evidence, style);
    let mut differences = String::new();
    objects::write(&mut differences, style, evidence);
    if !differences.is_empty() {
        out.push_str(&format!("  {}\n{differences}", style.paint(Tone::Dim, "where the objects differ")));
    }
    write_stderr(out, &evidence.stderr, style);
    if let Some(prior) = occurrence.prior.about() {
        let altered = occurrence.altered.iter().map(|altered| format!("{altered}; "));
        style.field(out, "prior state", &format!("{}{prior}", altered.collect::<String>()));
    }
    let cites = &group.rule.cites;
    style.field(out, "why", &format!("{}, {}: “{}”", cites.document, cites.section, cites.words));
    style.field(out, "engine shows", &group.shows());
    if let Some(replays) = group.replays {
        style.field(out, "replayed", &replays.to_string());
    }
    if !occurrence.rerun.is_empty() {
        let again = style.paint(Tone::Dim, "again         ");
        out.push_str(&format!("  {again}{}\n", occurrence.rerun));
    }
    if let Some(reason) = &group.known {
        style.field(out, "known", reason);
    }
    if group.count > 1 || group.types.len() > 1 {
        style.field(out, "found", &occurrences(group.count, &group.types));
    }
}

/// Groups that follow from one that is shown in full, in a line each.
pub(super) fn write_following<'g>(out: &mut String, groups: impl Iterator<Item = &'g Group>, style: &Style) {
    for (idx, group) in groups.enumerate() {
        let place = if group.path.is_empty() { String::new() } else { format!(" at {}", group.path) };
        let level = if group.level == Level::Must { String::new() } else { format!("{}: ", group.level) };
        let text = format!("{level}{}{place}, {}", group.rule.id, count(group.count, "time"));
        style.field(out, if idx == 0 { "followed by" } else { "" }, &text);
    }
}

fn occurrences(n: u64, types: &BTreeSet<String>) -> String {
    let times = count(n, "time");
    match types.len() {
        0 => times,
        1 => format!("{times}, in {}", some_of(types.iter(), 1)),
        n_types => format!("{times}, in {n_types} types: {}", some_of(types.iter(), TYPES)),
    }
}

fn write_heading(out: &mut String, group: &Group, style: &Style) {
    let scenario = &group.first.scenario;
    let mut place = group.first.instance.clone();
    if scenario.number > 0 {
        if !place.is_empty() {
            place.push_str(", ");
        }
        place.push_str(&format!("scenario {}", scenario.number));
        if !scenario.about.is_empty() {
            place.push_str(&format!(" ({})", scenario.about));
        }
    }
    let level = group.level.name().to_uppercase();
    let used = width(&level) + 2 + width(group.rule.id);
    let heading =
        format!("{}  {}", style.paint(tone(group.level), &level), style.paint(Tone::Strong, group.rule.id));
    if place.is_empty() {
        out.push_str(&format!("{heading}\n"));
    } else if used + 2 + width(&place) <= style.width {
        let gap = " ".repeat(style.width - used - width(&place));
        out.push_str(&format!("{heading}{gap}{place}\n"));
    } else {
        out.push_str(&format!("{heading}\n"));
        for line in wrap(&format!("in {place}"), style.width.saturating_sub(2)) {
            out.push_str(&format!("  {line}\n"));
        }
    }
}

pub(super) fn tone(level: Level) -> Tone {
    match level {
        Level::Must => Tone::Bad,
        Level::Tolerated | Level::Should => Tone::Warn,
        Level::Advice => Tone::Dim,
    }
}

fn write_place(out: &mut String, occurrence: &Occurrence, style: &Style) {
    let mut place = String::new();
    if let Some(phase) = occurrence.phase {
        place.push_str(&format!("at step {}", phase.name()));
    }
    let path = &occurrence.evidence.path;
    let path = if path.is_root() { String::new() } else { path.to_string() };
    for part in [path.as_str(), &occurrence.rpc].into_iter().filter(|part| !part.is_empty()) {
        place.push_str(if place.is_empty() { "at " } else { ", " });
        place.push_str(part);
    }
    let place = elide(&place.replace('\n', " "), style.width.saturating_sub(2));
    if !place.is_empty() {
        out.push_str(&format!("  {}\n", style.paint(Tone::Strong, &place)));
    }
}

fn write_values(out: &mut String, evidence: &Evidence, style: &Style) {
    let allowed = evidence.allowed.iter().enumerate().map(|(idx, (role, value))| {
        (if idx == 0 { "expected" } else { "or" }, Tone::Good, role.as_str(), value.to_string())
    });
    let actual =
        evidence.actual.iter().map(|(role, value)| ("actual", Tone::Bad, role.as_str(), value.to_string()));
    let values: Vec<(&str, Tone, &str, String)> = allowed.chain(actual).collect();
    let longest_role = values.iter().map(|(_, _, role, _)| width(role)).max().unwrap_or(0);
    let texts: Vec<&str> = values.iter().map(|(_, _, _, text)| text.as_str()).collect();
    let texts = elide_together(&texts, style.width.saturating_sub(18 + longest_role).max(24));
    let longest = texts.iter().map(|text| width(text)).max().unwrap_or(0);
    for ((label, tone, role, _), text) in values.iter().zip(&texts) {
        let gap = " ".repeat(longest - width(text));
        out.push_str(&format!(
            "    {label:>8}  {}{gap}  {}\n",
            style.paint(*tone, text),
            style.paint(Tone::Dim, &format!("({role})"))
        ));
    }
}

fn write_stderr(out: &mut String, stderr: &str, style: &Style) {
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() {
        return;
    }
    let skipped = if style.verbose { 0 } else { lines.len().saturating_sub(STDERR_LINES) };
    let heading = match skipped {
        0 => "standard error".to_owned(),
        n => format!("standard error ({} before)", count(n as u64, "line")),
    };
    out.push_str(&format!("  {}\n", style.paint(Tone::Dim, &heading)));
    for line in &lines[skipped..] {
        out.push_str(&format!("    {}\n", elide(line.trim_end(), style.width.saturating_sub(4))));
    }
}

/// Findings that do not fail the run: by level, a line for each rule, or in full if the style says so.
pub(super) fn write_others(out: &mut String, groups: &[&Group], style: &Style) {
    let (known, unknown): (Vec<&Group>, Vec<&Group>) =
        groups.iter().copied().partition(|group| group.known.is_some());
    for level in Level::ALL {
        let section: Vec<&Group> = unknown.iter().copied().filter(|group| group.level == level).collect();
        write_section(out, tone(level), heading(level), &section, style);
    }
    write_section(out, Tone::Dim, "known, and excused by the suite", &known, style);
}

fn heading(level: Level) -> &'static str {
    match level {
        Level::Must => "must",
        Level::Tolerated => "tolerated: an engine forgives it because of the legacy flag",
        Level::Should => "should: documented, but no engine checks it",
        Level::Advice => "advice",
    }
}

fn write_section(out: &mut String, tone: Tone, heading: &str, groups: &[&Group], style: &Style) {
    if groups.is_empty() {
        return;
    }
    let n_findings = groups.iter().map(|group| group.count).sum();
    for line in wrap(&format!("{heading} ({})", count(n_findings, "finding")), style.width) {
        out.push_str(&format!("{}\n", style.paint(tone, &line)));
    }
    if style.verbose {
        for group in groups {
            write(out, group, style);
            out.push('\n');
        }
        return;
    }
    let mut lines: Vec<(&str, u64, BTreeSet<String>)> = Vec::new();
    for group in groups {
        match lines.iter_mut().find(|(id, ..)| *id == group.rule.id) {
            Some((_, n, types)) => {
                *n += group.count;
                types.extend(group.types.iter().cloned());
            }
            None => lines.push((group.rule.id, group.count, group.types.clone())),
        }
    }
    let longest = lines.iter().map(|(id, ..)| width(id)).max().unwrap_or(0);
    for (id, n, types) in &lines {
        let place = if types.is_empty() { String::new() } else { format!("  {}", some_of(types.iter(), 3)) };
        let times = if *n == 1 { "time " } else { "times" };
        let line = format!("  {id:longest$}  {:>6} {times}{place}", thousands(*n));
        out.push_str(&format!("{}\n", elide(line.trim_end(), style.width)));
    }
    out.push('\n');
}
