//! The run on one screen.

use std::time::Duration;

use super::super::{Exit, Family, Group, NotJudged, RefusedAt, Report, Types};
use super::snapshots::counts;
use super::text::{FIELD, Tone, count, elide, thousands};
use super::{Style, coverage};
use crate::judge::Tally;
use crate::rule::Level;
use crate::schema::Kind;

/// Reasons that are shown for a stage if it is the only one, and if there are several.
const REASONS: [usize; 2] = [5, 3];
pub(super) fn write(out: &mut String, report: &Report, style: &Style) {
    let run = &report.run;
    let provider = if run.provider.is_empty() { &run.program } else { &run.provider };
    out.push_str(&format!("{}\n", style.paint(Tone::Strong, &provider.replace('\n', " "))));
    let played = format!(
        "protocol {}, as {} plays it, seed {}{}",
        run.protocol,
        run.engine,
        run.seed,
        if run.applied { "" } else { ", nothing applied" }
    );
    if run.protocol > 0 {
        style.field(out, "provider", &played);
    }
    write_types(out, report, style);
    write_counts(out, report, style);
    write_resources(out, report, style);
    let not_judged = report.not_judged();
    write_not_judged(out, &not_judged, style);
    if style.verbose || !not_judged.is_empty() {
        write_refused(out, &report.refused_at(), style);
    } else {
        write_n_refused(out, &report.refused_at(), style);
    }
    coverage::write_total(out, report, style);
    write_inconclusive(out, report, style);
    if let Some(snapshots) = &report.snapshots {
        style.field(out, "snapshots", &counts(snapshots));
    }
    for note in report.notes.lines() {
        style.field(out, "note", &note);
    }
}

fn write_types(out: &mut String, report: &Report, style: &Style) {
    const COLUMNS: [&str; 6] = ["total", "validated", "planned", "applied", "read", "refused"];
    let of = |kind| {
        let lines: Vec<_> = report.per_type.iter().filter(|line| line.kind == kind).cloned().collect();
        Types::of(&lines)
    };
    let mut rows = vec![("types", report.totals.types, true, true)];
    if !report.per_type.is_empty() {
        let (managed, data) = (of(Kind::Resource), of(Kind::DataSource));
        rows = vec![("resources", managed, true, false), ("data sources", data, false, true)];
        rows.retain(|(_, types, ..)| types.total > 0);
    }
    if rows.is_empty() || report.totals.types.total == 0 {
        style.field(out, "types", "none");
        return;
    }
    let header = COLUMNS.map(|column| format!("{column:>9}")).join(" ");
    out.push_str(&format!("  {:FIELD$}{}\n", "", style.paint(Tone::Dim, &header)));
    for (label, types, managed, data) in rows {
        let cell = |concerned: bool, n: u64| if concerned { thousands(n) } else { "-".to_owned() };
        let cells = [
            thousands(types.total),
            thousands(types.validated),
            cell(managed, types.planned),
            cell(managed, types.applied),
            cell(data, types.read),
            thousands(types.refused),
        ];
        let cells = cells.map(|cell| format!("{cell:>9}")).join(" ");
        out.push_str(&format!("  {}{cells}\n", style.paint(Tone::Dim, &format!("{label:FIELD$}"))));
    }
}

fn write_counts(out: &mut String, report: &Report, style: &Style) {
    let totals = &report.totals;
    let failing = report.types_whose_applies_fail();
    if failing > 0 {
        let of = count(totals.types.managed, "type");
        let text = format!("{} of {of}: plans accepted, applies fail", thousands(failing));
        style.field(out, "applies", &style.paint(Tone::Warn, &text));
    }
    let refused: u64 = report.per_type.iter().map(|line| line.refused).sum();
    style.field(
        out,
        "played",
        &format!(
            "{} ({} refused by the provider), {}",
            count(totals.scenarios, "scenario"),
            thousands(refused),
            count(totals.exchanges, "call")
        ),
    );
    let n_findings = |level: Level| {
        let groups: Vec<&Group> =
            report.groups.iter().filter(|group| group.level == level && !group.is_allowed()).collect();
        Family::all(&groups).len() as u64
    };
    let findings = Level::ALL.iter().map(|level| (n_findings(*level), level)).filter(|(n, _)| *n > 0);
    let findings: Vec<String> = findings.map(|(n, level)| format!("{} {level}", thousands(n))).collect();
    let findings = if findings.is_empty() { "none".to_owned() } else { findings.join(", ") };
    style.field(out, "findings", &findings);

    let having = |test: fn(&Tally) -> bool| -> Vec<&str> {
        totals.rules.iter().filter(|(_, tally)| test(tally)).map(|(id, _)| id.as_str()).collect()
    };
    let passed = having(|tally| tally.pass > 0).len();
    let failed = having(|tally| tally.fail > 0);
    let is_tolerated = |id: &&&str| {
        let mut groups = report.groups.iter().filter(|group| group.rule.id == **id).peekable();
        groups.peek().is_some() && groups.all(|group| group.level == Level::Tolerated)
    };
    let n_tolerated = failed.iter().filter(is_tolerated).count();
    let tolerated = if n_tolerated > 0 { format!(", {n_tolerated} tolerated") } else { String::new() };
    let failed = failed.len() - n_tolerated;
    let idle = having(Tally::is_idle);
    style.field(
        out,
        "rules",
        &format!("{passed} passed somewhere, {failed} failed{tolerated}, {} not exercised", idle.len()),
    );
    if style.verbose && !idle.is_empty() {
        style.field(out, "", &idle.join(" "));
    }
}

fn write_resources(out: &mut String, report: &Report, style: &Style) {
    let totals = &report.totals;
    style.field(
        out,
        "time",
        &format!(
            "{}; CPU {} in the provider, {} in tfconform",
            seconds(totals.wall),
            measured(totals.provider_cpu.map(seconds)),
            seconds(totals.harness_cpu)
        ),
    );
    if style.verbose {
        style.field(
            out,
            "peak memory",
            &format!(
                "{} in the provider, {} in tfconform",
                measured(totals.provider_peak_memory.map(mebibytes)),
                mebibytes(totals.harness_peak_memory)
            ),
        );
    }
}

fn measured(amount: Option<String>) -> String {
    amount.unwrap_or_else(|| "not measured".to_owned())
}

fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds >= 120.0 {
        let whole = seconds.round() as u64;
        format!("{} min {} s", whole / 60, whole % 60)
    } else {
        format!("{seconds:.1} s")
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", thousands(bytes.div_ceil(1 << 20)))
}

fn write_not_judged(out: &mut String, stages: &[NotJudged], style: &Style) {
    let several = stages.iter().filter(|stage| !stage.reasons.is_empty()).count() > 1;
    let shown = if style.verbose { usize::MAX } else { REASONS[usize::from(several)] };
    for stage in stages {
        let already = match stage.already {
            0 => String::new(),
            n => format!(", {} of them for the reasons above", thousands(n)),
        };
        let text = format!("{} of {}{already}", thousands(stage.types), count(stage.of, "type"));
        style.field(out, &format!("not {}", stage.stage.name()), &style.paint(Tone::Warn, &text));
        for reason in stage.reasons.iter().take(shown) {
            let line = format!("  {:>FIELD$}  {}", thousands(reason.types), reason.message);
            out.push_str(&format!("{}\n", elide(&line, style.width)));
        }
        if stage.reasons.len() > shown {
            let rest = stage.reasons[shown..].iter().map(|reason| reason.types).sum::<u64>();
            let n_reasons = stage.reasons.len() - shown;
            let line =
                format!("{:>FIELD$}  for {}", thousands(rest), count(n_reasons as u64, "other reason"));
            out.push_str(&format!("  {line}\n"));
        }
    }
}

/// How often the provider refused something although it came as far as it could with every type: which words it used
/// for that is of little interest.
fn write_n_refused(out: &mut String, steps: &[RefusedAt], style: &Style) {
    let said: Vec<String> = steps
        .iter()
        .map(|step| format!("{} in {}", step.step.failures(), count(step.scenarios, "scenario")))
        .collect();
    if !said.is_empty() {
        style.field(out, "errors", &format!("{}; -v shows their messages", said.join(", ")));
    }
}

/// The provider's own words at each step, the most common first.
fn write_refused(out: &mut String, steps: &[RefusedAt], style: &Style) {
    let shown = if style.verbose { usize::MAX } else { REASONS[usize::from(steps.len() > 1)] };
    for step in steps {
        let text = format!("{} in {}", step.step.failures(), count(step.scenarios, "scenario"));
        style.field(out, "errors", &text);
        for message in step.messages.iter().take(shown) {
            let line = format!("  {:>FIELD$}  {}", thousands(message.scenarios), message.message);
            out.push_str(&format!("{}\n", elide(&line, style.width)));
        }
        if step.messages.len() > shown {
            let rest = step.messages[shown..].iter().map(|message| message.scenarios).sum::<u64>();
            let others = count((step.messages.len() - shown) as u64, "other message");
            out.push_str(&format!("  {:>FIELD$}  with {others}\n", thousands(rest)));
        }
    }
}

/// How many types conform, where some were not reached although applying was allowed.
fn reached(report: &Report) -> Option<String> {
    let types = report.totals.types;
    let unapplied = types.managed - types.applied;
    let unread = types.data_sources - types.read;
    if report.nothing_applied.is_some() || unapplied + unread == 0 {
        return None;
    }
    let conforming = types.total - unapplied - unread;
    let parts = [("applied", unapplied), ("read", unread)].into_iter().filter(|(_, n)| *n > 0);
    let parts: Vec<String> = parts
        .map(|(what, n)| format!("{} {} never {what}", thousands(n), if n == 1 { "was" } else { "were" }))
        .collect();
    Some(format!("{} of {} conform; {}", thousands(conforming), count(types.total, "type"), parts.join(", ")))
}

/// How often a rule could not tell; if the style says so, a line for each reason, for any number of rules and
/// exchanges.
fn write_inconclusive(out: &mut String, report: &Report, style: &Style) {
    let mut reasons: Vec<(&str, u64, u64)> = Vec::new();
    for (reason, n) in report.inconclusive.values().flatten() {
        match reasons.iter_mut().find(|(known, ..)| known == reason) {
            Some((_, n_rules, times)) => {
                *n_rules += 1;
                *times += n;
            }
            None => reasons.push((reason, 1, *n)),
        }
    }
    reasons.sort_by_key(|(_, _, times)| std::cmp::Reverse(*times));
    if !style.verbose && reasons.len() > 1 {
        let total = reasons.iter().map(|(_, _, times)| times).sum();
        let of = count(reasons.len() as u64, "reason");
        return style.field(out, "inconclusive", &format!("{}; -v shows {of}", count(total, "time")));
    }
    for (reason, n_rules, times) in &reasons {
        let text = format!("{}, {}: {}", count(*times, "time"), count(*n_rules, "rule"), reason);
        style.field(out, "inconclusive", &text);
    }
}

/// What the exit code means, in plain words.
pub(super) fn last_line(report: &Report, fail_on: Level, exit: Exit, style: &Style) -> String {
    let failing: Vec<&Group> = report.groups.iter().filter(|group| group.fails(fail_on)).collect();
    let n_findings = Family::all(&failing).len() as u64;
    let fails = if n_findings == 1 { "fails" } else { "fail" };
    let words = match exit {
        Exit::Conforms => reached(report).unwrap_or_else(|| "conforms".to_owned()),
        Exit::Violates if n_findings == 0 => exit.meaning().to_owned(),
        Exit::Violates => format!("{} {fails} the run", count(n_findings, "finding")),
        _ if n_findings > 0 => {
            format!("{}; besides, {} {fails} the run", exit.meaning(), count(n_findings, "finding"))
        }
        _ => exit.meaning().to_owned(),
    };
    let tone = if exit == Exit::Conforms { Tone::Good } else { Tone::Bad };
    format!("{} (exit {})", style.paint(tone, &words), exit.code())
}
