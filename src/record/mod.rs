//! Transcripts as files: JSON Lines, without secrets, judged and played again.
//!
//! The first line says what was run and holds the schemas that the rest needs;
//! every other line is one exchange. A *case* is such a file with two more things:
//! the scenario itself, so that it can be replayed without seed or generator, and
//! the finding it was kept for.
//!
//! Everything that is kept of a run is [`Masked`], here and in reports and snapshots. `collect` knows what is
//! secret, `matcher` finds it in texts, `masker` replaces it; `mask` and `evidence` know where it may occur,
//! `lenient` where that is in objects that do not decode.

mod case_file;
mod collect;
mod ended;
mod evidence;
mod found_in;
mod judgement;
mod lenient;
mod mask;
mod masked;
mod masker;
mod matcher;
mod read;
mod reason;
mod referred;
mod shown_call;
mod trigger;
mod words;
mod write;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::generate::Cases;
use crate::reproduction::{Runs, Sought};
use crate::rule::{Level, Volatile};
use crate::rules;
use crate::sandbox::Openness;
use crate::scenario::Scenario;
use crate::sdk::Modules;
use crate::suite::{Known, Policy};
use crate::transcript::{Encoded, Phase, ScenarioLabel, Transcript};

pub use case_file::{CASES_DIR, cases_in, file_of, id, missing};
pub use ended::{Earned, Ended, Obstacle, Stop};
pub use evidence::Evidence;
pub use found_in::{FoundIn, failed_runs};
pub use judgement::{MaskedFinding, MaskedJudgement};
pub use masked::Masked;
pub use masker::{Masker, Secrets};
pub use read::{read, read_from};
pub use reason::Reason;
pub use shown_call::ShownCall;
pub use trigger::Trigger;
pub use write::{write, write_beside};

/// The version of the format; files of other versions are refused.
pub const FORMAT: u32 = 3;

/// What a case was kept for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFor {
    pub rule: String,
    /// The attribute's schema path.
    pub path: String,
    pub cause: String,
    /// The call whose answer it is about, if that answer was good otherwise; else empty.
    #[serde(default)]
    pub answered: String,
    /// Where and how it was found; `None` in cases of releases that did not keep it.
    #[serde(default)]
    pub found: Option<Found>,
}

/// What an engine needs to show for a finding to be confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The run of the scenario, counted from 0, if its exchanges show it.
    #[serde(default)]
    pub run: Option<usize>,
    pub phase: Phase,
    /// The summaries of the errors in the provider's answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// What an engine shows, in words, where it is not what it shows of every breach of the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<String>,
}

impl KeptFor {
    /// What an engine is to show of it; `None` if the case does not say where it was found, or if there is no
    /// such rule any more.
    pub fn sought(&self, scenario: &Scenario) -> Option<Sought<'_>> {
        let (rule, found) = (rules::find(&self.rule)?, self.found.as_ref()?);
        let runs = Runs::of(scenario, found.run, found.phase);
        Some(Sought { rule, runs, said: &found.said, shows: found.shows.as_deref() })
    }
}

/// The settings of a run that influence its findings and their result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSettings {
    /// As the user named it.
    pub program: String,
    pub seed: u64,
    /// Scenarios per type.
    pub cases: Cases,
    /// Whether objects were created and read.
    pub applied: bool,
    /// The lowest level at which a finding fails the run.
    pub fail_on: Level,
    /// Volatile attributes.
    pub volatile: Volatile,
    /// Known findings.
    pub known: Vec<Known>,
    /// What the user decided about rules.
    #[serde(default)]
    pub policy: Policy,
    /// What the program was built of.
    #[serde(default, skip_serializing_if = "Modules::is_empty")]
    pub modules: Modules,
}

/// The first line of a file.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    tfconform: u32,
    provider: String,
    protocol: u8,
    engine: Engine,
    scenario: ScenarioLabel,
    /// The schemas the exchanges need, as a protocol 6 message in base64.
    schema: String,
    identities: String,
    /// The provider block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    config: Option<Encoded>,
    /// The settings of the run that influence findings here.
    settings: RunSettings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<Masked<Ended>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intentions: Option<Scenario>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    beside: Vec<Scenario>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept_for: Option<KeptFor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
}

/// How the provider of a case was started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The program; `None` for the reference provider, and for one that was already running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<PathBuf>,
    /// The reattach configuration of a provider that was already running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reattached: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The folder in which it was started, if it is a command and not a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The faults of the reference provider.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The file of the provider block, if the user named one; for a suite that has one, the suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<PathBuf>,
    /// The provider block in HCL, if the run made one up. Its values are no secrets, whatever the schema says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_up: Option<String>,
    /// The suite that says how the provider is started and what runs alongside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<PathBuf>,
    /// Whether the program was named in place of the suite's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
    /// The time limit of a call, if one was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// The time limit from the start of a process to its handshake, if one was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_timeout: Option<Duration>,
    /// How many instances were visited at once, if that was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallelism: Option<usize>,
    /// The only protocol that was offered, if one was set for a provider other than the reference provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted_protocol: Option<u8>,
    /// What its sandbox left open because the user wanted it to.
    #[serde(default, skip_serializing_if = "Openness::is_nothing")]
    pub opened: Openness,
    /// Whether objects were created.
    pub applied: bool,
    /// Whether it was not sandboxed, so that creating objects needs `--apply`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

impl Origin {
    pub fn is_reference(&self) -> bool {
        self.program.is_none() && self.reattached.is_none()
    }
}

/// What makes a transcript a case.
#[derive(Clone, Copy)]
pub struct Case<'c> {
    pub scenario: &'c Masked<Scenario>,
    pub kept_for: &'c Masked<KeptFor>,
    pub origin: &'c Origin,
}

/// A file, read.
#[derive(Debug)]
pub struct Recorded {
    pub transcript: Transcript,
    pub settings: RunSettings,
    /// How its scenario ended; `None` for calls that no scenario made.
    pub ended: Option<Masked<Ended>>,
    pub scenario: Option<Scenario>,
    /// Scenarios that are played at the same time in the same process, if its finding needs them.
    pub beside: Vec<Scenario>,
    pub kept_for: Option<KeptFor>,
    pub origin: Option<Origin>,
}

/// What is wrong about a file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("{}: {error}", .file.display())]
    Read { file: PathBuf, error: io::Error },
    #[error("{}:{line}: {problem}", .file.display())]
    Malformed { file: PathBuf, line: usize, problem: String },
}

#[cfg(test)]
mod tests;
