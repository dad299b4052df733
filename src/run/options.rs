//! The options of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::start::{self, Started};
use super::{Interruption, Program, Remembered, RunError, Shard, Signal};
use crate::engine::Engine;
use crate::examples::Sources;
use crate::generate;
use crate::record::{Masker, Origin, RunSettings};
use crate::rule::{Level, Volatile};
use crate::schema::{Kind, ProviderSchema, Schema};
use crate::sdk::Modules;
use crate::suite::{self, Known, Policy, Selection};
use crate::value::Value;

/// The options of a run.
pub struct RunOptions {
    pub program: Program,
    pub engine: Engine,
    pub seed: u64,
    /// Scenarios per type.
    pub cases: generate::Cases,
    /// Scenarios in flight.
    pub jobs: usize,
    /// Instances of one scenario that are visited at once.
    pub parallelism: usize,
    /// Provider processes.
    pub processes: usize,
    /// Per call.
    pub timeout: Duration,
    /// From the start of a process to its handshake.
    pub start_timeout: Duration,
    /// How long the run may take, shared fairly among the types; `None` is as long as it takes.
    pub max_time: Option<Duration>,
    /// How many smaller scenarios are tried for a finding, to make its case smaller; 0 leaves it as it was found.
    pub shrink: usize,
    /// Types to test.
    pub select: Selection,
    /// Types left out, whatever is selected, each by its name as in an address.
    pub skip: BTreeSet<String>,
    /// The part of the types that is played here; `None` is all.
    pub shard: Option<Shard>,
    /// The kind of types to test; `None` is every kind that can be played.
    pub kind: Option<Kind>,
    /// The provider's configuration; `None` leaves every argument unset.
    pub config: Option<ProviderConfig>,
    /// The examples of the provider's documentation.
    pub examples: Sources,
    /// The secrets of the run: those that the user named, and all that are met.
    pub masker: Arc<Masker>,
    /// Whether objects may be created and read.
    pub apply: bool,
    /// Whether objects may live outside of the provider's processes and their files.
    pub has_outside: bool,
    /// Why not, if they may not.
    pub apply_reason: String,
    /// Whether that is only because the machine refuses the sandbox something: nobody decided it.
    pub sandbox_failed: bool,
    pub volatile: Volatile,
    /// Whether the provider's answers teach what its arguments accept, before scenarios are made.
    pub learns: bool,
    /// What earlier runs have learned, and the file for what this one learns.
    pub remembered: Option<Remembered>,
    /// What generation must not touch.
    pub generate: generate::Options,
    /// Pinned arguments, by the name of a type as in an address.
    pub pins: BTreeMap<String, generate::Pins>,
    /// Known findings, which do not fail the run.
    pub known: Vec<Known>,
    /// What the program was built of.
    pub modules: Modules,
    /// Checks what the user says about types against the schema; fails with a message.
    pub check: Option<SchemaCheck>,
    /// The lowest level at which a finding fails the run.
    pub fail_on: Level,
    /// What the user decided about rules, whatever the level of their findings.
    pub policy: Policy,
    /// Where findings are kept as cases; if `None`, they are not kept.
    pub cases_dir: Option<PathBuf>,
    /// Where every transcript is written; if `None`, they are not written.
    pub transcripts: Option<PathBuf>,
    /// How the provider was selected, for cases.
    pub origin: Origin,
    /// The options that replaced a suite's keys, for the rerun command.
    pub said: Vec<String>,
    /// Whether findings come with the calls of their step.
    pub shows_calls: bool,
    /// Ends the run early, from outside.
    pub interruption: Interruption,
}

/// The provider's configuration.
#[derive(Clone)]
pub struct ProviderConfig {
    make: MakeConfig,
    /// Where the user wrote it.
    pub(super) file: Option<PathBuf>,
    /// The provider that the user wrote it for.
    pub(super) label: Option<String>,
}

/// Builds the configuration once the schema is known; fails with a message.
type MakeConfig = Arc<dyn Fn(&Schema) -> Result<Value, String> + Send + Sync>;

impl ProviderConfig {
    pub fn new(make: impl Fn(&Schema) -> Result<Value, String> + Send + Sync + 'static) -> ProviderConfig {
        ProviderConfig { make: Arc::new(make), file: None, label: None }
    }

    /// The same, with the file to name if an argument is missing.
    #[must_use]
    pub fn in_file(self, file: PathBuf) -> ProviderConfig {
        ProviderConfig { file: Some(file), ..self }
    }

    /// The same, for the provider of this local name.
    #[must_use]
    pub fn labelled(self, label: Option<String>) -> ProviderConfig {
        ProviderConfig { label, ..self }
    }

    /// The configuration under the provider's schema; fails with a message.
    pub fn value(&self, schema: &Schema) -> Result<Value, String> {
        (self.make)(schema)
    }
}

/// Checks a provider's schema before anything is played; fails with a message.
pub type SchemaCheck = Arc<dyn Fn(&ProviderSchema) -> Result<(), String> + Send + Sync>;

impl RunOptions {
    /// Starts the provider; fails if the run is interrupted meanwhile.
    pub(super) async fn started(self: &Arc<Self>) -> Result<Started, RunError> {
        tokio::select! {
            started = start::start(self) => started,
            signal = self.interruption.happened() => Err(RunError::Interrupted(signal)),
        }
    }

    /// The error of a run that was interrupted before there was a result.
    pub(super) fn interrupted(&self) -> RunError {
        RunError::Interrupted(self.interruption.signal().unwrap_or(Signal::Interrupt))
    }

    /// How to select the provider again, and its time limits.
    pub(crate) fn kept_origin(&self) -> Origin {
        let default = suite::Run::default();
        // A suite may change before the case is replayed.
        let is_of_suite = self.origin.suite.is_some();
        let said = |time: Duration, default: Duration| Some(time).filter(|_| is_of_suite || time != default);
        let protocol = self.program.protocol.map(|protocol| protocol.major() as u8);
        Origin {
            timeout: said(self.timeout, default.timeout),
            start_timeout: said(self.start_timeout, default.start_timeout),
            parallelism: Some(self.parallelism).filter(|n| is_of_suite || *n != default.parallelism),
            wanted_protocol: protocol,
            ..self.origin.clone()
        }
    }

    /// The settings that influence findings, for everything that is kept.
    pub(super) fn settings(&self) -> RunSettings {
        RunSettings {
            program: self.program.path.display().to_string(),
            seed: self.seed,
            cases: self.cases,
            applied: self.apply,
            fail_on: self.fail_on,
            volatile: self.volatile.clone(),
            known: self.known.clone(),
            policy: self.policy.clone(),
            modules: self.modules.clone(),
        }
    }
}
