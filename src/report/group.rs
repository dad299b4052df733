//! Findings with the same cause, and one of them in full.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Confirmation, Places, Replays};
use crate::record::{Evidence, Masked, MaskedFinding};
use crate::rule::{Level, Rule, RuleId};
use crate::rules;
use crate::schema::Kind;
use crate::transcript::{Phase, PriorOrigin, ScenarioLabel};

/// Findings with the same cause.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Group {
    /// Serialized as its ID.
    #[serde(with = "by_identity")]
    pub rule: &'static Rule,
    pub level: Level,
    /// The attribute's schema path; empty for the whole object.
    pub path: String,
    /// What distinguishes the cause, if the place does not.
    pub cause: Masked<String>,
    /// The line of source code that it is at, if that is known: one function can fail in several ways.
    #[serde(default)]
    pub site: Masked<String>,
    /// Which of the lines with this cause it is, counted from 1. Derived from the groups of the report.
    #[serde(default = "first")]
    pub nth: u32,
    pub count: u64,
    pub types: BTreeSet<String>,
    /// The suite's reason, if the finding is known; then it does not fail the run.
    pub known: Option<String>,
    /// The first one by type and number of the scenario.
    pub first: Occurrence,
    /// The plays by which it was confirmed; `None` if its case was not played again.
    #[serde(default)]
    pub replays: Option<Replays>,
    #[serde(default)]
    pub places: Places,
    /// The key of the group that it follows from. Derived from the groups of the report.
    #[serde(default)]
    pub follows: Option<String>,
}

/// The key of a group, in the order of a report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupKey {
    level: Reverse<Level>,
    rule: RuleId,
    path: String,
    cause: Masked<String>,
    site: Masked<String>,
    known: Option<String>,
}

/// One finding in full.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Occurrence {
    pub scenario: ScenarioLabel,
    pub phase: Option<Phase>,
    /// Where the prior state of the call comes from.
    #[serde(default)]
    pub prior: PriorOrigin,
    /// What is special about that state, if tfconform altered it.
    #[serde(default)]
    pub altered: Option<String>,
    /// Position of the exchange in its transcript, counted from 1.
    pub exchange: u32,
    pub rpc: String,
    /// The kind of type the call was for; `None` for a call that is for none.
    pub kind: Option<Kind>,
    pub instance: String,
    pub evidence: Masked<Evidence>,
    /// The command that reproduces the finding.
    pub rerun: String,
}

impl GroupKey {
    /// The group that a finding belongs to.
    pub fn of(finding: &MaskedFinding<'_>) -> GroupKey {
        GroupKey {
            level: Reverse(finding.level()),
            rule: finding.rule().id,
            path: finding.schema_path(),
            cause: finding.cause(),
            site: finding.site(),
            known: finding.known().map(str::to_owned),
        }
    }

    /// The same findings at another level.
    #[must_use]
    pub fn at(&self, level: Level) -> GroupKey {
        GroupKey { level: Reverse(level), ..self.clone() }
    }

    /// A process that ended, with no single call to blame.
    pub(super) fn of_crash(rule: &'static Rule, cause: &Masked<String>) -> GroupKey {
        let level = Reverse(rule.level);
        GroupKey {
            level,
            rule: rule.id,
            path: String::new(),
            cause: cause.clone(),
            site: Masked::default(),
            known: None,
        }
    }
}

impl Group {
    /// A group without findings; `first` will be its first.
    pub(super) fn empty(rule: &'static Rule, key: &GroupKey, first: Occurrence) -> Group {
        let GroupKey { level: Reverse(level), path, cause, site, known, .. } = key.clone();
        Group {
            rule,
            level,
            path,
            cause,
            site,
            nth: 1,
            known,
            count: 0,
            types: BTreeSet::new(),
            first,
            replays: None,
            places: Places::default(),
            follows: None,
        }
    }

    /// The key of its findings.
    pub fn grouping(&self) -> GroupKey {
        GroupKey {
            level: Reverse(self.level),
            rule: self.rule.id,
            path: self.path.clone(),
            cause: self.cause.clone(),
            site: self.site.clone(),
            known: self.known.clone(),
        }
    }

    /// What an engine shows, in words.
    pub fn shows(&self) -> String {
        self.first.evidence.shows.clone().unwrap_or_else(|| self.rule.shows.to_string())
    }

    /// The title of the error an engine shows, if it is the same for every breach of the rule.
    pub fn title(&self) -> Option<&'static str> {
        self.rule.shows.title().filter(|_| self.first.evidence.shows.is_none())
    }

    /// Adds what replays of its case showed. What they do not confirm is no must.
    pub(super) fn replayed(&mut self, replays: Replays) {
        self.replays = Some(replays);
        if self.level == Level::Must && replays.confirmation() == Confirmation::Unconfirmed {
            self.level = Level::Should;
        }
    }

    /// Its place in a report: the most serious first, then the earliest exchange of the first scenario.
    pub(super) fn order(&self) -> impl Ord {
        (Reverse(self.level), rank(&self.first.scenario), self.first.exchange, self.grouping())
    }

    /// Whether it fails a run with this `fail_on`.
    pub fn fails(&self, fail_on: Level) -> bool {
        self.level >= fail_on && self.known.is_none()
    }

    /// The cause as files and other tools name it: the same in other releases, unless lines with this cause
    /// were added or removed.
    pub fn cause_text(&self) -> String {
        match self.nth {
            1 => self.cause.to_string(),
            nth => format!("{}, place {nth}", *self.cause),
        }
    }

    /// A key that is the same in every run, for tools that compare runs: 16 hexadecimal digits.
    pub fn key(&self) -> String {
        let mut hash = Sha256::new();
        for part in [self.rule.id, self.level.name(), &self.path, &self.cause_text()] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// A file and a line in it.
type Line = (String, u64);

/// Numbers the groups that differ only in their lines of source code.
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
    fn but_for_site(&self) -> (RuleId, String, Masked<String>) {
        (self.rule.id, self.path.clone(), self.cause.clone())
    }

    /// Its site as file and line.
    fn line(&self) -> Line {
        let (file, line) = self.site.rsplit_once(':').unwrap_or((&self.site, ""));
        (file.to_owned(), line.parse().unwrap_or_default())
    }
}

fn first() -> u32 {
    1
}

/// Rules are equal if their IDs are.
impl PartialEq for Group {
    fn eq(&self, other: &Group) -> bool {
        self.grouping() == other.grouping()
            && (self.count, &self.types, &self.first, self.replays)
                == (other.count, &other.types, &other.first, other.replays)
    }
}

impl Occurrence {
    /// A finding in full; the caller adds the rerun command.
    pub fn of(finding: &MaskedFinding<'_>) -> Occurrence {
        Occurrence {
            scenario: finding.judgement().label().clone(),
            phase: Some(finding.phase()),
            prior: finding.prior(),
            altered: finding.altered(),
            exchange: finding.exchange(),
            rpc: finding.rpc().to_owned(),
            kind: finding.kind(),
            instance: finding.instance().to_owned(),
            evidence: finding.evidence(),
            rerun: String::new(),
        }
    }
}

/// The sort key that selects the first of several findings, independent of their order.
pub fn rank(scenario: &ScenarioLabel) -> (&str, u32, &str) {
    (&scenario.type_name, scenario.number, &scenario.kind)
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
