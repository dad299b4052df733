//! The keys of a suite, and their defaults.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

use super::{Config, ReportFile, Selectors, Where};
use crate::engine::Engines;
use crate::generate::witness::Format;
use crate::generate::{Cases, WALK_LENGTH};
use crate::lifecycle::PARALLELISM;
use crate::rule::Level;
use crate::sandbox::{Limits, Openness};

/// Which program, and how it is configured.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Short name: `terraform-provider-<name>` is looked up in `$TFCONFORM_PROVIDERS`.
    pub name: Option<String>,
    /// The program; a relative path starts at [`Suite::base`](super::Suite::base).
    pub path: Option<PathBuf>,
    /// A command line, for providers that need an interpreter.
    pub command: Option<Vec<String>>,
    /// Where the command runs; unset, in [`Suite::base`](super::Suite::base).
    pub folder: Option<PathBuf>,
    /// A provider that is already running: a reattach configuration of this provider alone.
    pub reattach: Option<String>,
    /// The reference provider.
    #[serde(default)]
    pub reference: bool,
    /// Faults that the reference provider commits, as `check --fault` takes them.
    #[serde(default)]
    pub faults: Vec<String>,
    /// The only protocol to offer, 5 or 6.
    pub protocol: Option<u8>,
    /// The provider block: its arguments, or the name of a file that holds it.
    #[serde(default)]
    pub config: Config,
    /// The examples of its documentation: a folder, `auto` or `none`.
    #[serde(default)]
    pub examples: Where,
    /// The root of its repository, for acceptance tests, pages and Go files: a folder, `auto` or `none`.
    #[serde(default)]
    pub sources: Where,
    /// Environment variables for the provider, in addition to the few that are let through.
    #[serde(default, deserialize_with = "environment")]
    pub env: BTreeMap<String, String>,
}

impl Provider {
    /// Takes another program for the same provider: its configuration, examples and sources stay, faults go with the
    /// reference provider.
    pub fn choose(&mut self, other: Provider) {
        let Provider { config, examples, sources, env, protocol, .. } = std::mem::take(self);
        *self = Provider { config, examples, sources, env, protocol, ..other };
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    /// Played and judged one after the other.
    pub engine: Engines,
    /// Scenarios per type.
    pub cases: Cases,
    pub seed: u64,
    /// Per call.
    #[serde(deserialize_with = "seconds")]
    pub timeout: Duration,
    /// From the start of a process to its handshake.
    #[serde(deserialize_with = "seconds")]
    pub start_timeout: Duration,
    /// How long the run may take, shared fairly among the types. Unset, as long as it takes.
    #[serde(deserialize_with = "some_seconds")]
    pub max_time: Option<Duration>,
    /// How many smaller scenarios are tried for a finding, to make its case smaller; 0 leaves it as it was found.
    pub shrink: usize,
    /// Whether objects may be created. Unset, only if the provider is sandboxed.
    pub apply: Option<bool>,
    /// Whether the provider may use the network.
    pub network: bool,
    /// Whether the provider is sandboxed, as far as the system allows.
    pub sandbox: bool,
    /// Globs of types; none selects all.
    pub resources: Vec<String>,
    pub trials: Trials,
    /// The lowest level at which a finding fails the run.
    pub fail_on: Level,
    /// Rules whose findings fail the run whatever their level.
    pub deny: Selectors,
    /// Rules whose findings are shown and fail no run.
    pub warn: Selectors,
    /// Rules whose findings are counted and not shown.
    pub allow: Selectors,
    /// Scenarios in flight. Unset, enough to keep the provider busy.
    #[serde(deserialize_with = "jobs")]
    pub jobs: Option<usize>,
    /// The most instances of one scenario that are visited at once, as an engine's `-parallelism`.
    #[serde(deserialize_with = "up_to_most")]
    pub parallelism: usize,
    /// How many runs a random walk has after its first.
    #[serde(deserialize_with = "up_to_most")]
    pub walk_length: usize,
    /// Whether one provider process serves everything, for debuggers.
    pub one_process: bool,
    /// The most processes in the provider's sandbox at once.
    #[serde(deserialize_with = "above_zero")]
    pub max_processes: usize,
    /// The most memory that they may use, in MiB. Unset, three quarters of the machine's.
    #[serde(deserialize_with = "some_above_zero")]
    pub max_memory: Option<usize>,
    /// The largest file that they may write, in MiB.
    #[serde(deserialize_with = "above_zero")]
    pub max_file_size: usize,
    /// How much the files in their scratch folder may take up, in MiB.
    #[serde(deserialize_with = "above_zero")]
    pub max_scratch: usize,
    /// The file with the findings that do not fail the run; a relative path starts at [`Suite::base`](super::Suite::base).
    pub baseline: Option<PathBuf>,
    /// Whether findings of the baseline that are gone fail the run.
    pub strict_baseline: bool,
    /// The file with what runs have learned; a relative path starts at [`Suite::base`](super::Suite::base).
    pub learned: Option<PathBuf>,
    /// Where findings are kept; a relative path starts at [`Suite::base`](super::Suite::base). Unset, the caller
    /// decides.
    pub cases_dir: Option<PathBuf>,
    /// Where transcripts are written, in a folder for each trial; a relative path starts at
    /// [`Suite::base`](super::Suite::base).
    pub transcripts: Option<PathBuf>,
    /// What `check` writes beside its standard output; a relative path starts at [`Suite::base`](super::Suite::base).
    pub reports: Vec<ReportFile>,
}

impl Run {
    /// What the sandbox leaves open.
    pub fn openness(&self) -> Openness {
        match (self.sandbox, self.network) {
            (false, _) => Openness::Everything,
            (true, true) => Openness::Network,
            (true, false) => Openness::Nothing,
        }
    }
}

/// The one table of defaults: those of suites, of the command line and of `cargo test`.
impl Default for Run {
    fn default() -> Run {
        Run {
            engine: Engines::default(),
            cases: Cases::default(),
            seed: 1,
            timeout: Duration::from_secs(30),
            // As long as Terraform waits.
            start_timeout: Duration::from_secs(60),
            max_time: None,
            shrink: 60,
            apply: None,
            network: false,
            sandbox: true,
            resources: Vec::new(),
            trials: Trials::Auto,
            fail_on: Level::Must,
            deny: Selectors::default(),
            warn: Selectors::default(),
            allow: Selectors::default(),
            jobs: None,
            parallelism: PARALLELISM,
            walk_length: WALK_LENGTH,
            one_process: false,
            max_processes: 256,
            max_memory: None,
            max_file_size: 1024,
            max_scratch: 4096,
            baseline: None,
            strict_baseline: false,
            learned: None,
            cases_dir: None,
            transcripts: None,
            reports: Vec::new(),
        }
    }
}

impl Run {
    /// How much everything in the provider's sandbox may use.
    pub fn limits(&self) -> Limits {
        let bytes = |mebibytes: usize| (mebibytes as u64).saturating_mul(1 << 20);
        Limits {
            processes: self.max_processes as u64,
            memory: self.max_memory.map(bytes),
            file: bytes(self.max_file_size),
            scratch: bytes(self.max_scratch),
        }
    }
}

/// The protocol that the reference provider speaks where `provider.protocol` is unset.
pub const REFERENCE_PROTOCOL: u8 = 6;

/// A number of seconds, which may have decimals.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let duration = Duration::try_from_secs_f64(f64::deserialize(deserializer)?).ok();
    duration
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| D::Error::custom("this must be a number of seconds above 0"))
}

fn some_seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    seconds(deserializer).map(Some)
}

fn some_above_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    above_zero(deserializer).map(Some)
}

fn above_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    match usize::deserialize(deserializer)? {
        0 => Err(D::Error::custom("this must be a number above 0")),
        number => Ok(number),
    }
}

/// The most scenarios that can be played at once, instances of one, and runs of a random walk.
pub const MOST: usize = 1_000;

fn jobs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    up_to_most(deserializer).map(Some)
}

fn up_to_most<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let number = above_zero(deserializer)?;
    let most = || D::Error::custom(format!("this must be from 1 to {MOST}"));
    Some(number).filter(|number| *number <= MOST).ok_or_else(most)
}

/// How long a mock without a sign of readiness is waited for; a number of seconds, from 0 to 600.
fn wait<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let seconds = f64::deserialize(deserializer)?;
    match (0.0..=600.0).contains(&seconds) {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err(D::Error::custom("this must be a number of seconds from 0 to 600")),
    }
}

/// The names of environment variables, which the system passes on as `NAME=value`.
fn environment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let variables = BTreeMap::<String, String>::deserialize(deserializer)?;
    let is_wrong =
        |name: &str, value: &str| name.is_empty() || name.contains(['=', '\0']) || value.contains('\0');
    match variables.iter().find(|(name, value)| is_wrong(name, value)) {
        Some((name, _)) => {
            let problem =
                format!("{name:?} cannot be a variable: a name is not empty, and has no `=` and no NUL");
            Err(D::Error::custom(problem))
        }
        None => Ok(variables),
    }
}

fn some_values<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Json>, D::Error> {
    let values: Vec<toml::Value> = Vec::deserialize(deserializer)?;
    match values.is_empty() {
        true => Err(D::Error::custom("this must list at least one value; `never = true` leaves it unset")),
        false => values.into_iter().map(|value| some_value(value).map_err(D::Error::custom)).collect(),
    }
}

/// `{ json = "…" }` is what the text says: TOML has no null.
fn some_value(value: toml::Value) -> Result<Json, String> {
    let table = value.as_table().filter(|table| table.len() == 1);
    match table.and_then(|table| table.get("json")).and_then(toml::Value::as_str) {
        Some(text) => serde_json::from_str(text).map_err(|error| format!("`json`: {error}")),
        None => serde_json::to_value(value).map_err(|error| error.to_string()),
    }
}

/// How a suite is cut into trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trials {
    /// By type; one for the provider above 100 types, or if the suite has a `[require]`.
    #[default]
    Auto,
    Type,
    Provider,
}

/// The mock of the remote system, and commands for it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Remote {
    /// Starts a mock API before the provider.
    pub start: Vec<String>,
    /// When it is ready: a port that answers, or text it prints.
    pub ready: Option<Ready>,
    /// Resets the remote system.
    pub reset: Vec<String>,
    /// When that is done, apart from when a case is played again.
    pub reset_before: ResetBefore,
    #[serde(deserialize_with = "environment")]
    pub env: BTreeMap<String, String>,
    /// Changes an object behind the provider's back.
    pub change: Vec<String>,
}

/// How often the remote system is reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResetBefore {
    #[default]
    Trial,
    /// Scenarios are then played one after the other.
    Scenario,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Ready {
    Port(u16),
    Line(String),
    #[serde(deserialize_with = "wait")]
    Seconds(Duration),
}

/// What is known about one type.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Resource {
    /// Why it is left out.
    pub skip: Option<String>,
    /// By schema path: names joined by dots, without indexes.
    pub attr: BTreeMap<String, AttributeHints>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AttributeHints {
    /// Values to use, in this order; `null` leaves the argument unset.
    #[serde(deserialize_with = "some_values")]
    pub values: Vec<Json>,
    /// The format of its texts.
    pub format: Option<Format>,
    /// Why the attribute changes on its own.
    pub volatile: Option<String>,
    pub never: bool,
}
