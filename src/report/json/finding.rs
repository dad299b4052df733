//! The line of a finding.

use std::collections::BTreeSet;

use serde::Serialize;

use super::FORMAT;
use crate::engine::Engine;
use crate::record::Reason;
use crate::report::{Broken, Group, Occurrence};
use crate::rule::{Enforced, Level};
use crate::suite::Handling;
use crate::value::tree::Tree;

#[derive(Debug, Serialize)]
pub(super) struct Finding<'a> {
    format: u32,
    /// The same from run to run for the same cause: 16 hexadecimal digits.
    key: String,
    rule: &'static str,
    /// What must hold, in one sentence.
    headline: &'static str,
    level: Level,
    fails: bool,
    /// Why it does not fail the run, if the suite knows it or the SDK is to blame.
    known: Option<String>,
    /// The ID of the SDK's defect that it is.
    sdk_defect: Option<&'a str>,
    /// What the user decided about the rule, whatever its level; null if nothing.
    handling: Option<Handling>,
    covers: &'static [&'static str],
    /// What to do, in one sentence.
    fix: String,
    /// The title of the error an engine shows; null if there is none, or if it is not always the same.
    title: Option<&'static str>,
    /// What an engine shows, in words.
    shows: String,
    /// The values of `run.engine` that have the rule.
    engines: Vec<&'static str>,
    /// The engines that found it; empty if all that were played did.
    found_as: Vec<&'static str>,
    /// Which releases enforce it; null if all do, or none.
    since: Option<String>,
    citation: Citation,
    /// The schema path that all attributes share; empty for the whole object.
    path: &'a str,
    cause: String,
    /// How often, over all attributes.
    count: u64,
    types: BTreeSet<&'a str>,
    /// What broke together, by schema path.
    attributes: Vec<AttributeLine<'a>>,
    /// The key of the finding that this one follows from.
    follows: Option<&'a str>,
    /// Null if the case was not played again.
    replays: Option<ReplaysLine>,
    case: OccurrenceLine<'a>,
}

/// One of the attributes that broke.
#[derive(Debug, Serialize)]
struct AttributeLine<'a> {
    /// Its schema path; empty for the whole object.
    path: &'a str,
    count: u64,
    message: &'a str,
}

/// What plays of the case showed, alone in new processes.
#[derive(Debug, Serialize)]
struct ReplaysLine {
    verdict: &'static str,
    seen: u32,
    of: u32,
    beside: u32,
}

#[derive(Debug, Serialize)]
struct Citation {
    document: &'static str,
    section: &'static str,
    words: &'static str,
}

/// The first finding of the group.
#[derive(Debug, Serialize)]
struct OccurrenceLine<'a> {
    scenario: &'a crate::transcript::ScenarioLabel,
    step: Option<crate::transcript::Phase>,
    /// Where the prior state of the call comes from.
    prior: crate::transcript::PriorOrigin,
    /// What is special about that state, if tfconform altered it.
    altered: Option<&'a str>,
    /// Position of the call in its scenario, counted from 1.
    exchange: u32,
    rpc: &'a str,
    instance: &'a str,
    path: String,
    message: &'a str,
    allowed: Vec<Said<'a>>,
    actual: Option<Said<'a>>,
    objects: Vec<Said<'a>>,
    stderr: &'a str,
    again: &'a str,
}

/// A value in HCL notation, with where it comes from.
#[derive(Debug, Serialize)]
struct Said<'a> {
    role: &'a str,
    value: String,
}

impl<'a> Finding<'a> {
    pub(super) fn of(group: &'a Group, fail_on: Level) -> Finding<'a> {
        let rule = group.rule;
        Finding {
            format: FORMAT,
            key: group.key(),
            rule: rule.id,
            headline: rule.headline(),
            level: group.level,
            fails: group.fails(fail_on),
            known: group.reason().map(Reason::text),
            sdk_defect: group.reason().and_then(Reason::sdk_defect),
            handling: group.handling(),
            covers: rule.covers,
            fix: group.fix(),
            title: group.title(),
            shows: group.shows(),
            engines: rule.enforced.engines().into_iter().map(Engine::name).collect(),
            found_as: group.engines.iter().map(|engine| engine.name()).collect(),
            since: (rule.enforced != Enforced::ALWAYS).then(|| rule.enforced.to_string()),
            citation: Citation {
                document: rule.cites.document,
                section: rule.cites.section,
                words: rule.cites.words,
            },
            path: &group.path,
            cause: group.cause_text(),
            count: group.count,
            types: Some(group.type_name.as_str()).filter(|name| !name.is_empty()).into_iter().collect(),
            attributes: group.attributes.iter().map(AttributeLine::of).collect(),
            follows: group.follows.as_deref(),
            replays: group.replays.map(|replays| ReplaysLine {
                verdict: replays.confirmation().name(),
                seen: replays.seen,
                of: replays.of,
                beside: replays.beside,
            }),
            case: OccurrenceLine::of(&group.first),
        }
    }
}

impl<'a> AttributeLine<'a> {
    fn of((path, broken): (&'a String, &'a Broken)) -> AttributeLine<'a> {
        AttributeLine { path, count: broken.count, message: &broken.evidence.message }
    }
}

impl<'a> OccurrenceLine<'a> {
    fn of(occurrence: &'a Occurrence) -> OccurrenceLine<'a> {
        let evidence = &*occurrence.evidence;
        let said = |(role, value): &'a (String, Tree)| Said { role, value: value.to_string() };
        let object = |(role, value): &'a (String, Tree)| Said { role, value: value.lines() };
        OccurrenceLine {
            scenario: &occurrence.scenario,
            step: occurrence.phase,
            prior: occurrence.prior,
            altered: occurrence.altered.as_deref(),
            exchange: occurrence.exchange,
            rpc: &occurrence.rpc,
            instance: &occurrence.instance,
            path: evidence.path.to_string(),
            message: &evidence.message,
            allowed: evidence.allowed.iter().map(said).collect(),
            actual: evidence.actual.as_ref().map(said),
            objects: evidence.objects.iter().map(object).collect(),
            stderr: &evidence.stderr,
            again: &occurrence.rerun,
        }
    }
}
