//! Findings with the same cause, and one of them in full.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Broken, Confirmation, Places, Replays};
use crate::engine::Engine;
use crate::record::{Evidence, FoundIn, Masked, MaskedFinding, MaskedJudgement, Reason, ShownCall};
use crate::rule::{Level, Rule, RuleId};
use crate::rules;
use crate::schema::Kind;
use crate::suite::{Handling, Policy};
use crate::transcript::{Phase, PriorOrigin, ScenarioLabel};

/// Findings with the same cause: of one rule, about one type, at the attributes that break together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Group {
    /// Serialized as its ID.
    #[serde(with = "by_identity")]
    pub rule: &'static Rule,
    /// The highest level of its findings, unless replays did not confirm it. Derived.
    pub level: Level,
    /// The kind of the type; `None` if the findings are about none.
    pub kind: Option<Kind>,
    /// The resource type or data source; empty if the findings are about none.
    pub type_name: String,
    /// The schema path that all of its attributes share; empty for the whole object. Derived.
    pub path: String,
    /// What distinguishes the cause, if the place does not.
    pub cause: Masked<String>,
    /// The line of source code that it is at, if that is known: one function can fail in several ways.
    #[serde(default)]
    pub site: Masked<String>,
    /// Which of the groups with this cause and path it is, counted from 1. Derived from the groups of the report.
    #[serde(default = "first")]
    pub nth: u32,
    /// How often, over all attributes. Derived.
    pub count: u64,
    /// What broke, by the attribute's schema path; the path is empty for the whole object.
    pub attributes: BTreeMap<String, Broken>,
    /// Why it does not fail the run, if the suite knows it or the SDK is to blame.
    pub reason: Option<Reason>,
    /// The engines that found it, if not all that were played did.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub engines: BTreeSet<Engine>,
    /// What the user decided about its rule, whatever its level.
    #[serde(default)]
    pub handling: Option<Handling>,
    /// The first one: the most serious, by number of the scenario, then by exchange.
    pub first: Occurrence,
    /// The plays by which it was confirmed; `None` if its case was not played again.
    #[serde(default)]
    pub replays: Option<Replays>,
    /// What it took to make the case of the first one smaller; `None` if it is as it was found.
    #[serde(default)]
    pub shrunk_in: Option<Effort>,
    #[serde(default)]
    pub places: Places,
    /// The key of the group that it follows from. Derived from the groups of the report.
    #[serde(default)]
    pub follows: Option<String>,
    /// What excuses the group that it follows from, and so this one. Derived like that.
    #[serde(default)]
    pub excuse: Option<Excuse>,
}

/// Why findings do not fail a run: the suite knows them, the SDK is to blame, or the user decided so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excuse {
    reason: Option<Reason>,
    handling: Option<Handling>,
}

/// What it took to make a case smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// The scenarios that were played.
    pub tries: usize,
    /// The calls that were made while they were.
    pub calls: usize,
}

/// What findings at one attribute have in common if they have the same cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupKey {
    pub(super) cause: CauseKey,
    /// The attribute's schema path.
    pub(super) path: String,
}

/// What all findings with the same cause have in common, wherever they are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CauseKey {
    rule: RuleId,
    kind: Option<Kind>,
    type_name: String,
    cause: Masked<String>,
    site: Masked<String>,
    reason: Option<Reason>,
}

/// One finding in full.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Occurrence {
    pub level: Level,
    pub scenario: ScenarioLabel,
    pub phase: Option<Phase>,
    /// Where the prior state of the call comes from.
    #[serde(default)]
    pub prior: PriorOrigin,
    /// What is special about that state, if tfconform altered it.
    #[serde(default)]
    pub altered: Option<String>,
    #[serde(default)]
    pub found_in: FoundIn,
    /// Position of the exchange in its transcript, counted from 1.
    pub exchange: u32,
    pub rpc: String,
    /// The kind of type the call was for; `None` for a call that is for none.
    pub kind: Option<Kind>,
    pub instance: String,
    pub evidence: Masked<Evidence>,
    /// What was asked and answered in its step; empty unless the user asked for it.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub calls: Masked<Vec<ShownCall>>,
    /// The command that reproduces the finding.
    pub rerun: String,
    /// Whether a real engine can play its case.
    #[serde(default)]
    pub is_for_engines: bool,
}

impl GroupKey {
    /// The key of a finding.
    pub fn of(finding: &MaskedFinding<'_>) -> GroupKey {
        let type_name = finding.type_name().to_owned();
        let cause = CauseKey {
            rule: finding.rule().id,
            kind: finding.kind().filter(|_| !type_name.is_empty()),
            type_name,
            cause: finding.cause(),
            site: finding.site(),
            reason: finding.reason(),
        };
        GroupKey { cause, path: finding.schema_path() }
    }

    /// A process that ended, with no single call to blame.
    pub(super) fn of_crash(rule: &'static Rule, cause: &Masked<String>) -> GroupKey {
        let cause = CauseKey {
            rule: rule.id,
            kind: None,
            type_name: String::new(),
            cause: cause.clone(),
            site: Masked::default(),
            reason: None,
        };
        GroupKey { cause, path: String::new() }
    }
}

impl Group {
    /// A group without findings; `first` will be its first.
    pub(super) fn empty(rule: &'static Rule, key: &GroupKey, first: Occurrence, policy: &Policy) -> Group {
        let handling = policy.handling(rule.id, key.cause.kind, &key.cause.type_name);
        let GroupKey { cause: CauseKey { kind, type_name, cause, site, reason, .. }, path } = key.clone();
        Group {
            engines: BTreeSet::new(),
            rule,
            level: Level::Advice,
            kind,
            type_name,
            path,
            cause,
            site,
            nth: 1,
            reason,
            handling,
            count: 0,
            attributes: BTreeMap::new(),
            first,
            replays: None,
            shrunk_in: None,
            places: Places::default(),
            follows: None,
            excuse: None,
        }
    }

    pub(super) fn cause_key(&self) -> CauseKey {
        CauseKey {
            rule: self.rule.id,
            kind: self.kind,
            type_name: self.type_name.clone(),
            cause: self.cause.clone(),
            site: self.site.clone(),
            reason: self.reason.clone(),
        }
    }

    /// The keys of its findings, that of the first one first.
    pub fn keys(&self) -> Vec<GroupKey> {
        let key = |path: &String| GroupKey { cause: self.cause_key(), path: path.clone() };
        let mut paths: Vec<&String> = self.attributes.keys().collect();
        paths.sort_by_key(|path| !self.attributes[*path].is_in(&self.first));
        paths.into_iter().map(key).collect()
    }

    /// Its type; `None` if it is about none.
    pub fn ty(&self) -> Option<(Kind, &str)> {
        self.kind.map(|kind| (kind, self.type_name.as_str()))
    }

    /// Its type as users write it, `data.` before the name of a data source; empty if it is about none.
    pub fn address(&self) -> String {
        self.kind.map(|kind| kind.qualified(&self.type_name)).unwrap_or_default()
    }

    /// The engines that found it, in words; `None` if all that were played did.
    pub fn found_as(&self) -> Option<String> {
        let names: Vec<&str> = self.engines.iter().map(|engine| engine.name()).collect();
        (!names.is_empty()).then(|| format!("{} only", names.join(", ")))
    }

    /// What an engine shows, in words.
    pub fn shows(&self) -> String {
        self.first.evidence.shows.clone().unwrap_or_else(|| self.rule.shows.to_string())
    }

    /// The title of the error an engine shows, if it is the same for every breach of the rule.
    pub fn title(&self) -> Option<&'static str> {
        self.rule.shows.title().filter(|_| self.first.evidence.shows.is_none())
    }

    /// Recomputes what is derived from its attributes. What replays do not confirm is no must.
    pub(super) fn settle(&mut self) {
        let broken = || self.attributes.values();
        let level = broken().map(|broken| broken.level).max().unwrap_or(Level::Advice);
        let count = broken().map(|broken| broken.count).sum();
        let is_refuted =
            self.replays.is_some_and(|replays| replays.confirmation() == Confirmation::Unconfirmed);
        self.level = if is_refuted { level.min(Level::Should) } else { level };
        self.count = count;
        self.path = shared(self.attributes.keys());
    }

    /// Its place in a report: the most serious first, then the earliest exchange of the first scenario.
    pub(super) fn order(&self) -> impl Ord {
        let order = (Reverse(self.level), rank(&self.first.scenario), self.first.exchange);
        (order, self.cause_key(), &self.path)
    }

    /// Whether it fails a run with this `fail_on`.
    pub fn fails(&self, fail_on: Level) -> bool {
        self.reason().is_none() && Handling::fails(self.handling(), self.level, fail_on)
    }

    /// Why it does not fail a run, if it is known or the SDK's, or what it follows from is.
    pub fn reason(&self) -> Option<&Reason> {
        let of_cause = || self.excuse.as_ref()?.reason.as_ref();
        self.own_reason().or_else(of_cause)
    }

    /// What is the SDK's fails a run if the user demands it.
    fn own_reason(&self) -> Option<&Reason> {
        let is_demanded = self.handling == Some(Handling::Deny);
        self.reason.as_ref().filter(|reason| !(is_demanded && reason.sdk_defect().is_some()))
    }

    /// What the user decided about it, or about what it follows from.
    pub fn handling(&self) -> Option<Handling> {
        self.excuse.as_ref().and_then(|excuse| excuse.handling).or(self.handling)
    }

    /// What excuses it, and what follows from it.
    pub(super) fn own_excuse(&self) -> Option<Excuse> {
        let handling = self.handling.filter(|handling| *handling != Handling::Deny);
        let reason = self.own_reason().cloned();
        (reason.is_some() || handling.is_some()).then_some(Excuse { reason, handling })
    }

    /// Whether it would fail a run with this `fail_on` if the user did not want to be only warned of it.
    pub fn is_warned_of(&self, fail_on: Level) -> bool {
        self.reason().is_none() && self.handling() == Some(Handling::Warn) && self.level >= fail_on
    }

    /// Whether it is counted and not shown.
    pub fn is_allowed(&self) -> bool {
        self.handling() == Some(Handling::Allow)
    }

    /// The cause as files and other tools name it: the same in other releases, unless lines with this cause
    /// were added or removed.
    pub fn cause_text(&self) -> String {
        match self.nth {
            1 => self.cause.to_string(),
            nth => format!("{}, place {nth}", *self.cause),
        }
    }

    /// The key of its cause and of what its attributes share, for tools that compare runs: the same on every
    /// machine and in other releases of the provider. 16 hexadecimal digits.
    pub fn key(&self) -> String {
        let mut hash = Sha256::new();
        for part in [self.rule.id, &self.address(), &self.path, &self.cause_text()] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A file, a line in it, and the first of the attributes.
type Line = (String, u64, String);

/// Numbers the groups that differ only in their lines of source code, or in attributes that never broke together.
pub(super) fn number(groups: &mut [Group]) {
    let mut sites: BTreeMap<_, BTreeSet<Line>> = BTreeMap::new();
    for group in groups.iter() {
        sites.entry(group.but_for_site()).or_default().insert(group.line());
    }
    for group in groups {
        let before = sites[&group.but_for_site()].range(..group.line()).count();
        group.nth = 1 + before as u32;
    }
}

impl Group {
    fn but_for_site(&self) -> (RuleId, String, String, Masked<String>) {
        (self.rule.id, self.address(), self.path.clone(), self.cause.clone())
    }

    fn line(&self) -> Line {
        let (file, line) = self.site.rsplit_once(':').unwrap_or((&self.site, ""));
        let attribute = self.attributes.keys().next().cloned().unwrap_or_default();
        (file.to_owned(), line.parse().unwrap_or_default(), attribute)
    }
}

fn is_empty(calls: &Masked<Vec<ShownCall>>) -> bool {
    calls.is_empty()
}

fn first() -> u32 {
    1
}

/// The longest schema path at or above all of these.
fn shared<'p>(paths: impl Iterator<Item = &'p String>) -> String {
    let shared = paths.map(|path| path.split('.').collect::<Vec<_>>()).reduce(|one, other| {
        one.into_iter().zip(other).take_while(|(one, other)| one == other).map(|(name, _)| name).collect()
    });
    shared.unwrap_or_default().join(".")
}

/// Rules are equal if their IDs are.
impl PartialEq for Group {
    fn eq(&self, other: &Group) -> bool {
        self.cause_key() == other.cause_key()
            && (self.level, &self.attributes, &self.first, self.replays, &self.places)
                == (other.level, &other.attributes, &other.first, other.replays, &other.places)
    }
}

impl Occurrence {
    /// Whether it goes before another one of the same cause, from what is known of both.
    pub(super) fn precedes(&self, level: Level, scenario: &ScenarioLabel) -> bool {
        (Reverse(self.level), rank(&self.scenario)) <= (Reverse(level), rank(scenario))
    }

    /// A finding in full; the caller adds the rerun command.
    pub fn of(finding: &MaskedFinding<'_>) -> Occurrence {
        Occurrence {
            level: finding.level(),
            scenario: finding.judgement().label().clone(),
            phase: Some(finding.phase()),
            prior: finding.prior(),
            altered: finding.altered(),
            found_in: finding.found_in(),
            exchange: finding.exchange(),
            rpc: finding.rpc().to_owned(),
            kind: finding.kind(),
            instance: finding.instance().to_owned(),
            evidence: finding.evidence(),
            calls: Masked::default(),
            rerun: String::new(),
            is_for_engines: false,
        }
    }
}

/// The sort key that selects the first of several findings, independent of their order.
pub fn rank(scenario: &ScenarioLabel) -> (&str, u32, &str) {
    (&scenario.type_name, scenario.number, &scenario.kind)
}

/// The finding of a judgement that is the first of a group: the most serious, then the earliest.
pub fn first_in<'f>(group: &[GroupKey], judged: &'f MaskedJudgement<'_>) -> Option<MaskedFinding<'f>> {
    let of_group = judged.findings().filter(|finding| group.contains(&GroupKey::of(finding)));
    of_group.min_by_key(|finding| (Reverse(finding.level()), finding.exchange()))
}

mod by_identity {
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    use super::{Rule, rules};

    pub fn serialize<S: Serializer>(rule: &&'static Rule, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(rule.id)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<&'static Rule, D::Error> {
        let id = String::deserialize(from)?;
        rules::find(&id).ok_or_else(|| de::Error::custom(format!("there is no rule `{id}`")))
    }
}
