//! What can be counted about a run.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::calls::Rpc;
use crate::judge::Tally;
use crate::lifecycle::Reached;
use crate::process::Usage;
use crate::rule::Level;
use crate::schema::Kind;

/// Counts of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Derived from the types of the report.
    pub types: Types,
    pub scenarios: u64,
    /// Scenarios that a bug in tfconform stopped.
    pub defects: u64,
    /// Whether a scenario ended because the provider was gone and could not be started again, or has no
    /// result because the remote system was.
    pub is_lost: bool,
    /// Scenarios in which an apply did not end in time.
    pub hung: u64,
    /// The longest time an apply was waited for.
    pub waited: Duration,
    /// Whether no object could be created because the provider did not answer in time.
    /// Derived from `hung` and `types`.
    pub is_stuck: bool,
    /// Calls made to the provider, every one.
    pub exchanges: u64,
    /// By level. Derived from the groups of the report.
    pub findings: BTreeMap<Level, u64>,
    /// By ID; a rule that was not exercised is there with zeros.
    pub rules: BTreeMap<String, Tally>,
    pub wall: Duration,
    /// Of the wall time.
    #[serde(default)]
    pub parts: Parts,
    /// `None` if the process is not ours to measure.
    pub provider_cpu: Option<Duration>,
    pub harness_cpu: Duration,
    /// Bytes; `None` if the process is not ours to measure.
    pub provider_peak_memory: Option<u64>,
    /// Bytes.
    pub harness_peak_memory: u64,
}

/// How long each part of the run took. The start and the end of the provider are not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// Looking for configurations that are accepted.
    pub search: Duration,
    /// Playing scenarios, with what is tried again.
    pub play: Duration,
    /// Playing the cases of findings again.
    pub confirm: Duration,
    /// Making them smaller.
    pub shrink: Duration,
}

impl Parts {
    /// Each with its name, in their order.
    pub fn named(&self) -> [(&'static str, Duration); 4] {
        let Parts { search, play, confirm, shrink } = *self;
        [("search", search), ("play", play), ("confirm", confirm), ("shrink", shrink)]
    }

    /// The longer of each.
    pub(super) fn longest(&self, other: &Parts) -> Parts {
        Parts {
            search: self.search.max(other.search),
            play: self.play.max(other.play),
            confirm: self.confirm.max(other.confirm),
            shrink: self.shrink.max(other.shrink),
        }
    }
}

impl Totals {
    /// What the run used: wall time, this process, and the provider.
    pub fn used(&mut self, wall: Duration, own: Usage, provider: Usage) {
        self.wall = wall;
        self.provider_cpu = provider.cpu;
        self.provider_peak_memory = provider.peak_memory;
        self.harness_cpu = own.cpu.unwrap_or_default();
        self.harness_peak_memory = own.peak_memory.unwrap_or_default();
    }
}

/// How many types got how far. Resources and data sources together, unless stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Types {
    pub total: u64,
    pub validated: u64,
    /// Managed types only.
    pub managed: u64,
    pub planned: u64,
    pub applied: u64,
    pub data_sources: u64,
    pub read: u64,
    /// Types of which no scenario was accepted.
    pub refused: u64,
}

/// How far one type got, over all of its scenarios.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeLine {
    pub kind: Kind,
    pub type_name: String,
    /// Played, with any outcome.
    pub scenarios: u64,
    /// How many of them ended because the provider answered with an error.
    pub refused: u64,
    /// What at least one scenario reached.
    pub reached: Reached,
}

/// Why scenarios ended early, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Refusal {
    pub kind: Kind,
    pub type_name: String,
    /// `None` if an engine stopped by itself.
    pub rpc: Option<Rpc>,
    pub message: String,
    /// Whether an engine stopped there, without an error of the provider.
    pub by_engine: bool,
    pub scenarios: u64,
}

impl TypeLine {
    /// A type of which nothing was played yet.
    pub fn new(kind: Kind, type_name: String) -> TypeLine {
        TypeLine { kind, type_name, scenarios: 0, refused: 0, reached: Reached::default() }
    }

    /// Whether no scenario of the type was accepted.
    pub fn is_refused(&self) -> bool {
        self.scenarios > 0 && self.refused == self.scenarios
    }

    /// The last stage of a lifecycle that a scenario reached.
    pub fn furthest(&self) -> &'static str {
        let reached = self.reached;
        match () {
            () if reached.read => "read",
            () if reached.applied => "applied",
            () if reached.planned => "planned",
            () if reached.validated => "validated",
            () => "nothing",
        }
    }

    /// Adds how far one scenario got.
    pub fn reach(&mut self, reached: Reached) {
        self.reached.validated |= reached.validated;
        self.reached.planned |= reached.planned;
        self.reached.applied |= reached.applied;
        self.reached.read |= reached.read;
    }
}

impl Types {
    /// The counts derived from the lines.
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
