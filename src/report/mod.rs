//! What a person or a CI job reads.
//!
//! One model for every printer. Values are rendered, and secrets masked, before
//! anything gets here: no printer decides about either.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use sha2::{Digest, Sha256};

use crate::judge::Verdict;
use crate::lifecycle::Reached;
use crate::rule::{Level, Rule};
use crate::schema::Kind;
use crate::snapshot::Change;
use crate::transcript::{ScenarioLabel, Step};

pub mod exit;
pub mod human;
pub mod json;
pub mod junit;
pub mod progress;
mod stages;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use exit::Exit;
pub use stages::{NotJudged, Stage};

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub run: RunLine,
    /// Most serious first, then by rule and place; the same order on every run.
    pub groups: Vec<Group>,
    pub totals: Totals,
    /// How far each type came; by kind, then by name.
    pub per_type: Vec<TypeLine>,
    /// Per type, why it was not judged further, most common message first.
    pub refusals: Vec<Refusal>,
    /// What a user should know about the run as a whole.
    pub notes: Vec<String>,
    /// Rules that could not judge, with the reason and how often.
    pub inconclusive: BTreeMap<(String, String), u64>,
    /// What became of snapshots, where they were asked for.
    pub snapshots: Option<Snapshots>,
    /// The provider could not be configured, or not be asked at all after that; a note says why.
    pub unusable: bool,
    /// Why nothing was applied or read, where the run as a whole was to do neither.
    pub nothing_applied: Option<String>,
}

/// What a provider showed, compared with files.
#[derive(Clone, Debug, Default)]
pub struct Snapshots {
    /// The files that hold what was shown.
    pub unchanged: Vec<PathBuf>,
    /// The others, by file.
    pub changes: Vec<Change>,
    /// Whether the files hold it now.
    pub accepted: bool,
}

/// What was run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunLine {
    pub provider: String,
    /// The program, as the user named it.
    pub program: String,
    /// Major protocol version.
    pub protocol: u8,
    pub engine: String,
    pub seed: u64,
    pub cases: usize,
    pub applied: bool,
}

/// Findings that have one cause.
#[derive(Clone, Debug)]
pub struct Group {
    pub rule: &'static Rule,
    pub level: Level,
    /// The attribute's schema path; empty for the whole object.
    pub path: String,
    /// What tells the cause apart, where the place does not.
    pub cause: String,
    pub count: u64,
    pub types: BTreeSet<String>,
    /// The reason with which the suite calls it known; then it fails no run.
    pub known: Option<String>,
    /// The first one, in full.
    pub case: Case,
}

/// One finding in full, ready to print.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Case {
    pub scenario: ScenarioLabel,
    pub step: Option<Step>,
    /// Position of the exchange in its transcript, counted from 1.
    pub exchange: u32,
    pub rpc: String,
    /// The kind of type the call was for; `None` for a call that is for none.
    #[serde(skip)]
    pub kind: Option<Kind>,
    pub instance: String,
    /// With indexes and keys.
    pub path: String,
    pub message: String,
    /// What would have been right: whose word, and what it says.
    pub allowed: Vec<(String, String)>,
    pub actual: Option<(String, String)>,
    /// The objects of the exchange as text: role and HCL.
    pub objects: Vec<(String, String)>,
    /// The end of standard error, where the process ended.
    pub stderr: String,
    /// The command that shows the finding again.
    pub again: String,
}

/// Counts of the run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    pub types: Types,
    pub scenarios: u64,
    /// Scenarios that a defect of tfconform itself ended.
    pub defects: u64,
    /// Whether a scenario ended because the provider was gone and could not be had again.
    pub is_lost: bool,
    /// Whether objects were to be made, and none was because the provider did not answer in time.
    pub is_stuck: bool,
    /// Calls made to the provider, every one.
    pub exchanges: u64,
    /// By the name of the level.
    pub findings: BTreeMap<String, u64>,
    /// By identity; a rule that never had anything to judge is there with zeros.
    pub rules: BTreeMap<String, Tally>,
    pub wall_seconds: f64,
    /// `None` where the process is not ours to measure.
    pub provider_cpu_seconds: Option<f64>,
    pub harness_cpu_seconds: f64,
    /// Bytes; `None` where the process is not ours to measure.
    pub provider_peak_memory: Option<u64>,
    /// Bytes.
    pub harness_peak_memory: u64,
}

/// How many types came how far. Managed types and data sources together, unless said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Types {
    pub total: u64,
    pub validated: u64,
    /// Managed types only.
    pub managed: u64,
    pub planned: u64,
    pub applied: u64,
    pub data_sources: u64,
    pub read: u64,
    /// No scenario of theirs was accepted.
    pub refused: u64,
}

/// How far one type came, over all of its scenarios.
#[derive(Clone, Debug)]
pub struct TypeLine {
    pub kind: Kind,
    pub type_name: String,
    /// Played, whatever became of them.
    pub scenarios: u64,
    /// How many of them ended because the provider answered with an error.
    pub refused: u64,
    /// What at least one scenario reached.
    pub reached: Reached,
}

impl TypeLine {
    /// Whether no scenario of the type was accepted.
    pub fn is_refused(&self) -> bool {
        self.scenarios > 0 && self.refused == self.scenarios
    }
}

impl Types {
    /// The counts that follow from the lines.
    pub fn of(per_type: &[TypeLine]) -> Types {
        let mut types = Types::default();
        for line in per_type {
            types.total += 1;
            types.validated += u64::from(line.reached.validated);
            types.refused += u64::from(line.is_refused());
            match line.kind {
                Kind::Resource => {
                    types.managed += 1;
                    types.planned += u64::from(line.reached.planned);
                    types.applied += u64::from(line.reached.applied);
                }
                Kind::DataSource => {
                    types.data_sources += 1;
                    types.read += u64::from(line.reached.read);
                }
                _ => {}
            }
        }
        types
    }
}

/// How often a rule said what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub pass: u64,
    pub fail: u64,
    pub inconclusive: u64,
    pub not_applicable: u64,
}

impl Tally {
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Pass => self.pass += 1,
            Verdict::Fail => self.fail += 1,
            Verdict::Inconclusive => self.inconclusive += 1,
            Verdict::NotApplicable => self.not_applicable += 1,
        }
    }
}

/// A message with which a provider refused a configuration, and where.
#[derive(Clone, Debug, Serialize)]
pub struct Refusal {
    #[serde(skip)]
    pub kind: Kind,
    pub type_name: String,
    pub rpc: String,
    pub message: String,
    pub scenarios: u64,
}

impl Group {
    /// Whether it fails a run that fails on `fail_on` and above.
    pub fn fails(&self, fail_on: Level) -> bool {
        self.level >= fail_on && self.known.is_none()
    }

    /// What stays the same from run to run, for tools that compare two: 16 hexadecimal digits.
    pub fn key(&self) -> String {
        let mut hash = Sha256::new();
        for part in [self.rule.id, self.level.name(), &self.path, &self.cause] {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Report {
    /// How many findings there are at a level or above, without those that are known.
    pub fn at_least(&self, level: Level) -> u64 {
        self.groups.iter().filter(|group| group.fails(level)).map(|group| group.count).sum()
    }

    pub fn wall(&self) -> Duration {
        Duration::from_secs_f64(self.totals.wall_seconds)
    }
}
