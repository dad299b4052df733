//! What a user selected and already knows: a TOML file in `suites/`.
//!
//! One file per provider or purpose. What is written there is parsed once, at the
//! edge; unknown keys are errors with the line and a suggestion.

mod config;
mod hints;
mod locate;
mod text;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::engine::Engine;
use crate::reference::Armed;
use crate::rule::{Level, Volatile};

pub use config::{Misfit, config_from_file, config_from_suite, config_from_toml, secret_texts};
pub use locate::{Located, locate};
pub use text::SuiteError;

/// One suite file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    pub provider: Provider,
    #[serde(default)]
    pub run: Run,
    #[serde(default)]
    pub require: Require,
    #[serde(default)]
    pub remote: Remote,
    /// By resource type or data source.
    #[serde(default)]
    pub resource: BTreeMap<String, Resource>,
    /// Findings that are known, each with its reason.
    #[serde(default)]
    pub known: Vec<Known>,
}

/// Which program, and how it is configured.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Short name: `terraform-provider-<name>` is looked for in `$TFCONFORM_PROVIDERS`.
    pub name: Option<String>,
    /// The program; a relative path starts at the folder of the suite's parent.
    pub path: Option<PathBuf>,
    /// A command line, for providers that need an interpreter.
    pub command: Option<Vec<String>>,
    /// The reference provider.
    #[serde(default)]
    pub reference: bool,
    /// Faults that the reference provider commits, as `check --fault` takes them.
    #[serde(default)]
    pub faults: Vec<String>,
    /// The only protocol to offer, 5 or 6.
    pub protocol: Option<u8>,
    /// Arguments of the provider block. `{ secret_env = "NAME" }` takes a value from the environment.
    #[serde(default)]
    pub config: toml::Table,
    /// Environment variables for the provider, beside the few that are let through.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    pub engine: Engine,
    /// Scenarios per type.
    #[serde(deserialize_with = "above_zero")]
    pub cases: usize,
    pub seed: u64,
    /// Per call.
    #[serde(deserialize_with = "seconds")]
    pub timeout: Duration,
    /// From the start of a process to its handshake.
    #[serde(deserialize_with = "seconds")]
    pub start_timeout: Duration,
    /// Whether objects may be made. Where nothing is said they are if the provider is closed off.
    pub apply: Option<bool>,
    /// Globs of types; none selects all.
    pub resources: Vec<String>,
    pub trials: Trials,
    pub fail_on: Level,
    /// Where transcripts are written, in a folder for each trial; a relative path starts at the folder of
    /// the suite's parent.
    pub transcripts: Option<PathBuf>,
}

impl Default for Run {
    fn default() -> Run {
        Run {
            engine: Engine::default(),
            cases: 24,
            seed: 1,
            timeout: Duration::from_secs(30),
            start_timeout: Duration::from_secs(60),
            apply: None,
            resources: Vec::new(),
            trials: Trials::Auto,
            fail_on: Level::Must,
            transcripts: None,
        }
    }
}

/// A number of seconds, which may have decimals.
fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let duration = Duration::try_from_secs_f64(f64::deserialize(deserializer)?).ok();
    duration
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| D::Error::custom("this must be a number of seconds above 0"))
}

fn above_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    match usize::deserialize(deserializer)? {
        0 => Err(D::Error::custom("this must be a number above 0")),
        number => Ok(number),
    }
}

/// How a suite is cut into trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trials {
    /// By type; one for the provider above 100 types, or where the suite demands something of the whole.
    #[default]
    Auto,
    Type,
    Provider,
}

/// What must be judged for the run to count: a number of types, or a share such as `"95%"`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Require {
    pub planned: Option<Amount>,
    pub applied: Option<Amount>,
    pub scenarios: Option<u64>,
}

impl Require {
    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        *self == Require::default()
    }
}

/// A number, or a share of all.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "RawAmount")]
pub enum Amount {
    Count(u64),
    /// Between 0 and 100.
    Percent(f64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawAmount {
    Count(u64),
    Text(String),
}

impl TryFrom<RawAmount> for Amount {
    type Error = String;

    fn try_from(raw: RawAmount) -> Result<Amount, String> {
        match raw {
            RawAmount::Count(count) => Ok(Amount::Count(count)),
            RawAmount::Text(text) => {
                let share = text.strip_suffix('%').and_then(|share| share.trim().parse().ok());
                match share.filter(|share| (0.0..=100.0).contains(share)) {
                    Some(share) => Ok(Amount::Percent(share)),
                    None => Err(format!("{text:?} is neither a number nor a share such as \"95%\"")),
                }
            }
        }
    }
}

impl Amount {
    /// Whether `count` of `all` is enough.
    pub fn is_met(self, count: u64, all: u64) -> bool {
        match self {
            Amount::Count(least) => count >= least,
            Amount::Percent(share) => count as f64 * 100.0 >= share * all as f64,
        }
    }
}

/// What stands for the remote system.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Remote {
    /// Starts a mock API before the provider.
    pub start: Vec<String>,
    /// When it is ready: a port that answers, or text it prints.
    pub ready: Option<Ready>,
    /// Brings the remote system back to its beginnings before a trial.
    pub reset: Vec<String>,
    pub env: BTreeMap<String, String>,
    /// Changes an object behind the provider's back.
    pub change: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Ready {
    Port(u16),
    Line(String),
    Seconds(f64),
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
    /// Values to use, in this order.
    pub values: Vec<toml::Value>,
    /// Why the attribute changes by itself.
    pub volatile: Option<String>,
    pub never: bool,
}

/// The rule that a provider breaks by ending in the middle of a call.
const CRASH: &str = "rpc/survives";

/// A finding that is known and does not fail the run. A crash is never known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub rule: String,
    /// A glob of types; none matches all.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// A schema path: names joined by dots, without indexes; none matches all.
    pub path: Option<String>,
    pub reason: String,
}

impl Known {
    /// What can be wrong about it without a schema: the key, and why.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let rule = &self.rule;
        if crate::rules::find(rule).is_none() {
            let hint = text::nearest(rule, crate::rules::CATALOGUE.iter().map(|rule| rule.id));
            return Err(("rule", format!("rule `{rule}` does not exist{hint}")));
        }
        if rule == CRASH {
            return Err(("rule", "a crash is never a known finding".to_owned()));
        }
        if let Some(Err(error)) = self.type_name.as_deref().map(globset::Glob::new) {
            let glob = error.glob().unwrap_or_default();
            return Err(("type", format!("{glob:?} is no pattern: {}", error.kind())));
        }
        if self.reason.trim().is_empty() {
            return Err(("reason", "a known finding needs a reason".to_owned()));
        }
        Ok(())
    }

    /// Whether it is about such a finding.
    pub fn excuses(&self, rule: &str, type_name: &str, path: &str) -> bool {
        self.rule == rule
            && rule != CRASH
            && self.path.as_deref().is_none_or(|known| known == path)
            && self.is_about(type_name)
    }

    /// Whether it is about a type.
    pub fn is_about(&self, type_name: &str) -> bool {
        self.type_name.as_deref().is_none_or(|glob| {
            globset::Glob::new(glob).is_ok_and(|glob| glob.compile_matcher().is_match(type_name))
        })
    }
}

impl Suite {
    /// Reads a suite file.
    pub fn read(file: &Path) -> Result<Suite, SuiteError> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| SuiteError::Read { file: file.to_owned(), error: error.to_string() })?;
        Suite::parse(file, &text)
    }

    /// As [`Suite::read`], from text; `file` is what errors name.
    pub fn parse(file: &Path, text: &str) -> Result<Suite, SuiteError> {
        let suite: Suite = toml::from_str(text).map_err(|error| SuiteError::syntax(file, text, &error))?;
        suite.check(file, text)?;
        Ok(suite)
    }

    /// The folder where a suite's relative paths start: the one above the folder of its file.
    pub fn base(file: &Path) -> PathBuf {
        let folder = file.parent().unwrap_or(Path::new(""));
        match (folder.components().next_back(), folder.parent()) {
            (Some(Component::Normal(_)), Some(above)) => Path::new(".").join(above),
            _ => folder.join(".."),
        }
    }

    fn check(&self, file: &Path, text: &str) -> Result<(), SuiteError> {
        let wrong = |keys: &[&str], problem: String| Err(SuiteError::at(file, text, keys, problem));
        let provider = &self.provider;
        let ways = [
            provider.name.is_some(),
            provider.path.is_some(),
            provider.command.is_some(),
            provider.reference,
        ];
        if ways.iter().filter(|way| **way).count() != 1 {
            let problem = "`provider` needs exactly one of name, path, command and reference";
            return wrong(&["provider"], problem.to_owned());
        }
        if provider.command.as_ref().is_some_and(|words| words.first().is_none_or(String::is_empty)) {
            let problem = "`provider.command` is empty: it is the program and its arguments";
            return wrong(&["provider", "command"], problem.to_owned());
        }
        if !provider.faults.is_empty() && !provider.reference {
            let problem = "`provider.faults`: only the reference provider commits faults";
            return wrong(&["provider", "faults"], problem.to_owned());
        }
        if let Some(protocol) = provider.protocol.filter(|protocol| !matches!(protocol, 5 | 6)) {
            let problem = format!("`provider.protocol`: there is no protocol {protocol}; there are 5 and 6");
            return wrong(&["provider", "protocol"], problem);
        }
        for (idx, fault) in provider.faults.iter().enumerate() {
            let armed = Armed::in_protocol(fault, provider.protocol.unwrap_or(6));
            if let Err(error) = armed {
                let keys = ["provider", "faults", &idx.to_string()];
                return wrong(&keys, format!("`provider.faults`: {error}"));
            }
        }
        if self.run.trials == Trials::Type && !self.require.is_empty() {
            let problem = "`require` is about the provider as a whole, which `run.trials = \"type\"` never plays; \
                           leave that out";
            return wrong(&["require"], problem.to_owned());
        }
        for (idx, known) in self.known.iter().enumerate() {
            if let Err((key, problem)) = known.check() {
                return wrong(&["known", &idx.to_string(), key], problem);
            }
        }
        Ok(())
    }

    /// The attributes that change by themselves.
    pub fn volatile(&self) -> Volatile {
        let volatile = |resource: &Resource| {
            let paths = resource
                .attr
                .iter()
                .filter(|(_, hints)| hints.volatile.is_some())
                .map(|(path, _)| path.clone());
            paths.collect::<Vec<_>>()
        };
        Volatile(self.resource.iter().map(|(name, resource)| (name.clone(), volatile(resource))).collect())
    }
}

#[cfg(test)]
mod tests;
