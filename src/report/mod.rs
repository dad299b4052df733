//! What a person or a CI job reads.
//!
//! One model for every printer. Values are rendered, and secrets masked, before
//! anything gets here: no printer decides about either.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Serialize;

use crate::judge::Verdict;
use crate::rule::{Level, Rule};
use crate::transcript::{ScenarioLabel, Step};

pub mod exit;
pub mod human;

pub use exit::Exit;

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Report {
    pub run: RunLine,
    /// Most serious first, then by rule and place; the same order on every run.
    pub groups: Vec<Group>,
    pub totals: Totals,
    /// Per type, why it was not judged further, most common message first.
    pub refusals: Vec<Refusal>,
    /// What a user should know about the run as a whole.
    pub notes: Vec<String>,
    /// Rules that could not judge, with the reason and how often.
    pub inconclusive: BTreeMap<(String, String), u64>,
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
    /// Calls made to the provider, every one.
    pub exchanges: u64,
    pub findings: BTreeMap<String, u64>,
    pub rules: BTreeMap<String, Tally>,
    pub wall_seconds: f64,
    pub provider_cpu_seconds: f64,
    pub harness_cpu_seconds: f64,
    /// Bytes.
    pub provider_peak_memory: u64,
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
    pub type_name: String,
    pub rpc: String,
    pub message: String,
    pub scenarios: u64,
}

impl Report {
    /// How many findings there are at a level or above.
    pub fn at_least(&self, level: Level) -> u64 {
        self.groups.iter().filter(|group| group.level >= level).map(|group| group.count).sum()
    }

    pub fn wall(&self) -> Duration {
        Duration::from_secs_f64(self.totals.wall_seconds)
    }
}
