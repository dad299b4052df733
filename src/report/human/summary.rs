//! The run on one screen.

use std::time::Duration;

use super::super::{Exit, Family, Group, NotJudged, Parts, RefusedAt, Report, Types};
use super::snapshots::counts;
use super::text::{FIELD, Tone, count, elide, thousands, width};
use super::{Style, coverage, finding};
use crate::judge::Tally;
use crate::record::Reason;
use crate::rule::Level;
use crate::schema::Kind;

/// Reasons that are shown for a stage if it is the only one, and if there are several.
const REASONS: [usize; 2] = [5, 3];

pub(super) fn write(out: &mut String, report: &Report, style: &Style) {
    write_heading(out, report, style);
    if !report.run.modules.is_empty() {
        style.field(out, "built with", &report.run.modules.shown().join(", "));
    }
    write_types(out, report, style);
    let not_judged = report.not_judged();
    // Where the provider came as far as it could with every type, its words are of little interest.
    let shows_refused = style.verbose || !not_judged.is_empty();
    write_played(out, report, shows_refused, style);
    write_findings(out, report, style);
    write_rules(out, report, style);
    if style.verbose {
        write_resources(out, report, style);
    }
    write_not_judged(out, &not_judged, style);
    if shows_refused {
        write_refused(out, &report.refused_at(), style);
    }
    coverage::write_total(out, report, style);
    if style.verbose {
        write_inconclusive(out, report, style);
    } else {
        write_n_inconclusive(out, report, style);
    }
    if let Some(snapshots) = &report.snapshots {
        style.field(out, "snapshots", &counts(snapshots));
    }
    let notes = if style.verbose { report.notes.lines() } else { report.notes.lines_but_drift() };
    for note in notes {
        style.field(out, "note", &note);
    }
}

fn write_heading(out: &mut String, report: &Report, style: &Style) {
    let run = &report.run;
    let provider = if run.provider.is_empty() { &run.program } else { &run.provider };
    let heading = provider.replace('\n', " ");
    let painted = style.paint(Tone::Strong, &heading);
    if run.protocol == 0 {
        return out.push_str(&format!("{painted}\n"));
    }
    let applied = if run.applied { "" } else { ", nothing applied" };
    let how = format!("protocol {}, {}, seed {}{applied}", run.protocol, run.played_as(), run.seed);
    if width(&heading) + 2 + width(&how) <= style.width {
        out.push_str(&format!("{painted}  {}\n", style.paint(Tone::Dim, &how)));
    } else {
        out.push_str(&format!("{painted}\n"));
        style.field(out, "provider", &how);
    }
}

fn write_types(out: &mut String, report: &Report, style: &Style) {
    let totals = report.totals.types;
    if totals.total == 0 {
        return style.field(out, "types", "none");
    }
    let of = |kind| {
        let lines: Vec<_> = report.per_type.iter().filter(|line| line.kind == kind).cloned().collect();
        Types::of(&lines)
    };
    let mut rows = vec![("types", totals)];
    if !report.per_type.is_empty() {
        rows = vec![("resources", of(Kind::Resource)), ("data sources", of(Kind::DataSource))];
    }
    for (label, types) in rows.into_iter().filter(|(_, types)| types.total > 0) {
        let mut steps = vec![(types.validated, "validated")];
        if types.managed > 0 {
            steps.extend([(types.planned, "planned"), (types.applied, "applied")]);
        }
        if types.data_sources > 0 {
            steps.push((types.read, "read"));
        }
        steps.extend(Some((types.refused, "refused")).filter(|(n, _)| *n > 0));
        let steps: Vec<String> =
            steps.into_iter().map(|(n, what)| format!("{} {what}", thousands(n))).collect();
        style.field(out, label, &format!("{}: {}", count(types.total, "type"), steps.join(", ")));
    }
}

fn write_played(out: &mut String, report: &Report, shows_refused: bool, style: &Style) {
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
            "{} ({} refused by the provider{}), {} in {}",
            count(totals.scenarios, "scenario"),
            thousands(refused),
            if refused > 0 && !shows_refused { "; -v shows why" } else { "" },
            count(totals.exchanges, "call"),
            seconds(totals.wall)
        ),
    );
    if totals.parts != Parts::default() {
        let took = totals.parts.named().map(|(part, took)| format!("{part} {}", seconds(took)));
        style.field(out, "took", &took.join(", "));
    }
}

/// How many findings there are, and the rules of those that are not shown in full.
fn write_findings(out: &mut String, report: &Report, style: &Style) {
    let n_findings = |level: Level| {
        let groups: Vec<&Group> =
            report.groups.iter().filter(|group| group.level == level && !group.is_allowed()).collect();
        Family::all(&groups).len() as u64
    };
    let findings = Level::ALL.iter().map(|level| (n_findings(*level), level)).filter(|(n, _)| *n > 0);
    let findings: Vec<String> = findings.map(|(n, level)| format!("{} {level}", thousands(n))).collect();
    let findings = if findings.is_empty() { "none".to_owned() } else { findings.join(", ") };
    style.field(out, "findings", &findings);
    if !style.verbose {
        finding::write_others(out, &report.sections(), style);
    }
}

fn write_rules(out: &mut String, report: &Report, style: &Style) {
    let having = |test: fn(&Tally) -> bool| -> Vec<&str> {
        report.totals.rules.iter().filter(|(_, tally)| test(tally)).map(|(id, _)| id.as_str()).collect()
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

/// What the run took of the machine.
fn write_resources(out: &mut String, report: &Report, style: &Style) {
    let totals = &report.totals;
    style.field(
        out,
        "processor",
        &format!(
            "{} in the provider, {} in tfconform",
            measured(totals.provider_cpu.map(seconds)),
            seconds(totals.harness_cpu)
        ),
    );
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

/// How often a rule could not tell, a line for each reason, for any number of rules and exchanges.
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
    for (reason, n_rules, times) in &reasons {
        let text = format!("{}, {}: {}", count(*times, "time"), count(*n_rules, "rule"), reason);
        style.field(out, "inconclusive", &text);
    }
}

/// How often rules could not decide, and in how many scenarios drift was not judged.
fn write_n_inconclusive(out: &mut String, report: &Report, style: &Style) {
    let inconclusive: u64 = report.inconclusive.values().flatten().map(|(_, n)| n).sum();
    let times = (inconclusive > 0).then(|| count(inconclusive, "check"));
    let drift = match report.notes.scenarios_without_drift() {
        0 => None,
        n => Some(format!("drift in {}", count(n, "scenario"))),
    };
    let parts: Vec<String> = times.into_iter().chain(drift).collect();
    if !parts.is_empty() {
        style.field(out, "inconclusive", &format!("{}; -v says why", parts.join(", ")));
    }
}

/// The findings that would fail the run if the user had not said that they may stay.
fn excepted(report: &Report, fail_on: Level) -> String {
    let excepted: Vec<&Group> = report.groups.iter().filter(|group| group.level >= fail_on).collect();
    let is_of_sdk = excepted.iter().any(|group| group.reason().and_then(Reason::sdk_defect).is_some());
    let why = if is_of_sdk { "known, allowed or the SDK's" } else { "known or allowed" };
    match Family::all(&excepted).len() as u64 {
        0 => String::new(),
        1 => format!(", except for 1 finding that is {why}"),
        n => format!(", except for {} that are {why}", count(n, "finding")),
    }
}

/// What the exit code means for this report.
fn meaning(report: &Report, exit: Exit) -> &'static str {
    let (totals, types) = (&report.totals, report.totals.types);
    match exit {
        Exit::TooLittle if totals.is_lost => "too little was judged: the provider or its mock was lost",
        Exit::TooLittle if totals.is_stuck => "too little was judged: every apply hung",
        Exit::TooLittle if types.total == 0 => "too little was judged: no type was played",
        Exit::TooLittle if types.managed > 0 && types.planned == 0 => {
            "too little was judged: no type was planned"
        }
        Exit::TooLittle if report.sandbox_failed => {
            "too little was judged: nothing was applied, because the sandbox could not be closed"
        }
        Exit::TooLittle if report.is_unapplied() => {
            "too little was judged: nothing was applied, although it was allowed"
        }
        Exit::TooLittle if report.coverage.is_unjudged() => "too little was judged: none of the obligations",
        Exit::TooLittle if !report.refused_types().is_empty() => {
            "too little was judged: the notes name the types that were only refused"
        }
        Exit::TooLittle => "too little was judged: the notes say what is required",
        Exit::Usage => "the suite or its baseline is wrong or out of date: the notes say where",
        exit => exit.meaning(),
    }
}

/// What the exit code means, in plain words.
pub(super) fn last_line(report: &Report, fail_on: Level, exit: Exit, style: &Style) -> String {
    let failing: Vec<&Group> = report.groups.iter().filter(|group| group.fails(fail_on)).collect();
    let n_findings = Family::all(&failing).len() as u64;
    let fails = if n_findings == 1 { "fails" } else { "fail" };
    let meaning = meaning(report, exit);
    let words = match exit {
        Exit::Conforms => {
            let conforms = reached(report).unwrap_or_else(|| "conforms".to_owned());
            conforms + &excepted(report, fail_on)
        }
        Exit::Violates if n_findings == 0 => meaning.to_owned(),
        Exit::Violates => format!("{} {fails} the run", count(n_findings, "finding")),
        _ if n_findings > 0 => {
            format!("{meaning}; besides, {} {fails} the run", count(n_findings, "finding"))
        }
        _ => meaning.to_owned(),
    };
    let tone = if exit == Exit::Conforms { Tone::Good } else { Tone::Bad };
    let is_about_judged = matches!(exit, Exit::Conforms | Exit::TooLittle);
    let judged = coverage::judged(report).filter(|_| is_about_judged);
    let judged = judged.map(|judged| format!("; {judged}")).unwrap_or_default();
    format!("{} (exit {}){judged}", style.paint(tone, &words), exit.code())
}
