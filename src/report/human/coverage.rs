//! What was tried of each type, and what was not.

use std::collections::BTreeMap;

use super::super::coverage::{Became, Behaved, Counts, Outcome, Questions, TypeCoverage, Unmet};
use super::super::{Report, Types};
use super::Style;
use super::text::{FIELD, Tone, count, thousands};
use crate::generate::obligation::Theme;
use crate::schema::Kind;

/// Reasons and obligations that are shown, unless everything is.
const SHOWN: usize = 3;

/// Letters of a reason that is given for each behaviour.
const REASON: usize = 60;

/// Columns for the names of planning behaviours.
const NAMES: usize = 36;

/// Columns for what a figure is about.
const WIDE: usize = 24;

/// A line for the summary, or all that was counted if the style says so.
pub(super) fn write_total(out: &mut String, report: &Report, style: &Style) {
    let total = report.coverage.total();
    if total.all() == 0 {
        return;
    }
    if !style.verbose && !style.coverage {
        let left = [(total.blocked, "not reached"), (total.unplayed, "not played")].into_iter();
        let left = left.filter(|(n, _)| *n > 0).map(|(n, what)| format!(", {} {what}", thousands(n)));
        let played =
            n_behaviours(report).map(|(n, all)| format!("; {n} of {all} planning behaviours played"));
        let text = format!("{}{}{}", met(total), left.collect::<String>(), played.unwrap_or_default());
        return style.field(out, "obligations", &text);
    }
    let infeasible = match total.infeasible {
        0 => String::new(),
        n => format!("; {} cannot be met", thousands(n)),
    };
    let text = format!("{}: {}{infeasible}", met(total), outcomes(total));
    style.field(out, "obligations", &text);
    write_behaviours(out, report, style);
    let never_met: Vec<&str> = report.coverage.never_met.iter().map(String::as_str).collect();
    if !never_met.is_empty() && style.coverage {
        style.field(out, "never met", &never_met.join(", "));
    }
}

/// How many of all planning behaviours were played; `None` if none was.
fn n_behaviours(report: &Report) -> Option<(usize, usize)> {
    let all = report.coverage.behaviours();
    let played = all.values().filter(|behaved| is_played(behaved)).count();
    (played > 0).then_some((played, all.len()))
}

fn is_played(behaved: &[&Behaved]) -> bool {
    behaved.iter().any(|behaved| behaved.became == Became::Accepted)
}

/// How many of the planning behaviours were played, and why others were not.
fn write_behaviours(out: &mut String, report: &Report, style: &Style) {
    let Some((n_accepted, _)) = n_behaviours(report) else { return };
    let all = report.coverage.behaviours();
    let mut missed: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, behaved) in all.iter().filter(|(_, behaved)| !is_played(behaved)) {
        let Some(why) = why_not(behaved) else { continue };
        match missed.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, names)) => names.push(name),
            None => missed.push((why, vec![name])),
        }
    }
    let reasons: Vec<String> =
        missed.iter().map(|(why, names)| format!("{} ({why})", names.join(", "))).collect();
    let not = if missed.is_empty() { String::new() } else { format!("; not {}", reasons.join("; ")) };
    let text = format!("{n_accepted} of {} played{not}", all.len());
    style.field(out, "behaviours", &text);
}

/// As `8 of 9 types; not possible with 1: it declares no identity`.
fn with_types(behaved: &[&Behaved]) -> String {
    let accepted = behaved.iter().filter(|behaved| behaved.became == Became::Accepted).count();
    let mut text = format!("{accepted} of {}", count(behaved.len() as u64, "type"));
    let mut others: BTreeMap<&Behaved, usize> = BTreeMap::new();
    for behaved in behaved.iter().filter(|behaved| behaved.became != Became::Accepted) {
        *others.entry(behaved).or_default() += 1;
    }
    for (Behaved { became, reason }, n) in others {
        let colon = if reason.is_empty() { "" } else { ": " };
        text.push_str(&format!("; {} {n}{colon}{}", said_of(*became), shortened(reason)));
    }
    text
}

/// The first words of a reason: the type's own lines have it in full.
fn shortened(reason: &str) -> String {
    match reason.char_indices().nth(REASON) {
        Some((end, _)) => {
            let words = reason[..end].rsplit_once(' ').map_or(&reason[..end], |(words, _)| words);
            format!("{words} …")
        }
        None => reason.to_owned(),
    }
}

fn said_of(became: Became) -> &'static str {
    match became {
        Became::Accepted => "accepted by",
        Became::Refused => "refused by",
        Became::Blocked => "not reached with",
        Became::Infeasible => "not possible with",
        Became::Unplayed => "not played with",
    }
}

/// The most common reason, if there is any.
fn why_not<'b>(behaved: &[&'b Behaved]) -> Option<&'b str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let reasons = behaved.iter().map(|behaved| behaved.reason.as_str()).filter(|reason| !reason.is_empty());
    reasons.for_each(|reason| *counts.entry(reason).or_default() += 1);
    counts.into_iter().max_by_key(|(_, n)| *n).map(|(reason, _)| reason)
}

/// The figures of the run, each theme, and each type.
pub(super) fn write(out: &mut String, report: &Report, style: &Style) {
    let coverage = &report.coverage;
    out.push_str(&format!("{}\n", style.paint(Tone::Strong, "coverage")));
    for (what, figure) in figures(report) {
        style.field_of(out, WIDE, what, &figure);
    }
    for (theme, counts) in coverage.themes() {
        style.field_of(out, WIDE, theme.about(), &format!("{}: {}", met(counts), outcomes(counts)));
    }
    for (name, behaved) in coverage.behaviours() {
        style.field_of(out, NAMES, name, &with_types(&behaved));
    }
    for ty in &coverage.types {
        write_type(out, ty, style);
    }
    out.push('\n');
}

/// What a run is measured by, one figure a line.
fn figures(report: &Report) -> Vec<(&'static str, String)> {
    let coverage = &report.coverage;
    let types = &report.totals.types;
    let mut figures = Vec::new();
    for (kind, what) in [(Kind::Resource, "types accepted"), (Kind::DataSource, "data sources accepted")] {
        let learned = coverage.n_learned(kind);
        if learned == 0 {
            continue;
        }
        let figure = match coverage.questions(kind) {
            None => share(0, learned),
            Some(Questions { types, mean, usual, most }) => format!(
                "{}; questions: mean {mean:.1}, 95th percentile {usual}, most {most}",
                share(types, learned)
            ),
        };
        figures.push((what, figure));
    }
    let (accepted, of) = coverage.arguments_accepted(Kind::Resource, u32::MAX);
    if of > 0 {
        figures.push(("accepted in learning", share(accepted, of)));
    }
    let Types { managed, planned, applied, data_sources, read, .. } = *types;
    if managed > 0 {
        figures.push(("types planned", share(planned, managed)));
    }
    if report.nothing_applied.is_none() {
        if managed > 0 {
            figures.push(("types applied", share(applied, managed)));
        }
        if data_sources > 0 {
            figures.push(("data sources read", share(read, data_sources)));
        }
    }
    let accepted =
        |theme: Theme| coverage.themes().get(&theme).map(|counts| (counts.accepted, counts.feasible()));
    for (theme, what) in [(Theme::Set, "arguments accepted"), (Theme::Pair, "pairs accepted")] {
        if let Some((accepted, of)) = accepted(theme).filter(|(_, of)| *of > 0) {
            figures.push((what, share(accepted, of)));
        }
    }
    figures
}

fn write_type(out: &mut String, ty: &TypeCoverage, style: &Style) {
    let total = ty.total();
    let name = style.paint(Tone::Strong, &ty.kind.qualified(&ty.type_name));
    out.push_str(&format!("  {name}\n"));
    style.field(out, "", &format!("{}: {}", met(total), outcomes(total)));
    let shown = if style.verbose { usize::MAX } else { SHOWN };
    // A refusal is an answer; what was blocked or is not possible was not tried.
    let reasons = ty.unmet.iter().filter(|unmet| style.verbose || unmet.outcome != Outcome::Refused);
    let reasons: Vec<&Unmet> = reasons.collect();
    for unmet in reasons.iter().take(shown) {
        let what = match unmet.outcome {
            Outcome::Refused => "refused",
            Outcome::Blocked => "not reached",
            Outcome::Infeasible => "not possible",
        };
        let named: Vec<&str> = unmet.obligations.iter().take(shown).map(String::as_str).collect();
        let more = match unmet.count.saturating_sub(named.len() as u64) {
            0 => String::new(),
            more => format!(", and {} more", thousands(more)),
        };
        let text = format!("{}: {} ({}{more})", thousands(unmet.count), unmet.reason, named.join("; "));
        style.field(out, what, &text);
    }
    if reasons.len() > shown {
        let others = count((reasons.len() - shown) as u64, "other reason");
        out.push_str(&format!("  {:FIELD$}and for {others}\n", ""));
    }
}

/// How much of what could be met was judged, where it is not all.
pub(super) fn judged(report: &Report) -> Option<String> {
    let (judged, all) = (report.coverage.judged(), report.coverage.total().feasible());
    let by_plans = if report.nothing_applied.is_some() { ", by plans alone" } else { "" };
    let is_all = judged == all && by_plans.is_empty();
    (all > 0 && !is_all).then(|| format!("{}{by_plans}", share_of(judged, all, " obligations judged")))
}

/// As `98 of 100 met (98.0 %)`.
fn met(counts: Counts) -> String {
    share_of(counts.met(), counts.feasible(), " met")
}

/// How those that can be met ended.
fn outcomes(counts: Counts) -> String {
    let Counts { accepted, refused, blocked, unplayed, .. } = counts;
    let parts = [
        (accepted, "accepted"),
        (refused, "refused by the provider"),
        (blocked, "not reached"),
        (unplayed, "not played"),
    ];
    let parts = parts.into_iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, what)| format!("{} {what}", thousands(n))).collect();
    if parts.is_empty() { "nothing to try".to_owned() } else { parts.join(", ") }
}

fn share(part: u64, whole: u64) -> String {
    share_of(part, whole, "")
}

fn share_of(part: u64, whole: u64, what: &str) -> String {
    let percent = if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 };
    // Not all is never shown as 100.
    let percent = if part < whole { percent.min(99.9) } else { percent };
    format!("{} of {}{what} ({percent:.1} %)", thousands(part), thousands(whole))
}
