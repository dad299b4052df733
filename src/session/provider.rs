//! The provider under test, opened.

use std::path::PathBuf;
use std::sync::Arc;

use crate::lifecycle::Remote;
use crate::provider::reattach;
use crate::record::Origin;
use crate::run::{Hook, Program};
use crate::sandbox::{Sandbox, Service};
use crate::suite::Suite;

/// The provider under test: found and closed off, but not started yet.
pub struct OpenedProvider {
    pub program: Program,
    pub remote: Option<Arc<dyn Remote>>,
    /// Whether it is the reference provider, whose remote system is its own.
    pub is_ours: bool,
    /// How to choose it again.
    pub origin: Origin,
    /// Where files are that configurations name; `None` if it works in a folder for them.
    pub files: Option<PathBuf>,
    /// The suite's own command that changes remote objects; `remote` then is the same.
    pub(super) change: Option<Arc<Hook>>,
    /// What it runs in; `None` for the reference provider, and for one that was already running.
    pub(super) sandbox: Option<Arc<Sandbox>>,
    /// A mock of the remote system, which lives as long as the run.
    pub(super) service: Option<Service>,
}

impl OpenedProvider {
    /// A program by itself: nothing runs alongside, and nothing closes it off.
    pub(super) fn of(program: Program, origin: Origin) -> OpenedProvider {
        OpenedProvider {
            program,
            remote: None,
            is_ours: false,
            origin,
            files: None,
            change: None,
            sandbox: None,
            service: None,
        }
    }

    /// What is wrong with the suite's command that changes remote objects, once it was asked and failed.
    pub fn broken_change(&self, suite: &Suite) -> Option<String> {
        let problem = format!("`remote.change`: {}", self.change.as_ref()?.failure()?);
        Some(suite.wrong(&["remote", "change"], problem))
    }

    /// Whether somebody else started it.
    pub fn was_running(&self) -> bool {
        !self.program.is_started_again()
    }

    /// Whether objects may be made; errs with the reason why not.
    ///
    /// `word` is what the user said about it, if anything.
    pub fn may_apply(&self, word: Option<bool>) -> Result<(), String> {
        match (word, &self.sandbox) {
            (Some(true), _) => Ok(()),
            (Some(false), _) => Err("you said so".to_owned()),
            (None, _) if self.is_closed() => Ok(()),
            (None, None) => Err("the provider was already running, and what it can reach is not known; \
                                 `--apply` or `run.apply = true` allows it"
                .to_owned()),
            (None, Some(sandbox)) => {
                let why = sandbox.isolation().why_not.join("; ");
                Err(format!(
                    "the provider is not closed off from the world ({why}); `--apply` or `run.apply = true` allows it"
                ))
            }
        }
    }

    /// Whether nothing that an argument names can do harm.
    pub fn is_closed(&self) -> bool {
        self.is_ours || self.sandbox.as_ref().is_some_and(|sandbox| sandbox.is_closed())
    }

    /// Scenarios in flight where nobody says: enough to keep the provider busy, and one where
    /// somebody may be watching it in a debugger.
    pub fn jobs(&self) -> usize {
        if self.was_running() { 1 } else { jobs() }
    }
}

/// A provider that already runs; `json` is a reattach configuration of this one alone.
///
/// Errs in words that say what is wrong with the configuration. Nothing is called yet.
pub fn reattached(json: &str) -> Result<OpenedProvider, String> {
    let providers = reattach::parse(json).map_err(|error| error.to_string())?;
    let names: Vec<&str> = providers.iter().map(|provider| provider.source.as_str()).collect();
    let [provider] = &providers[..] else {
        return Err(match names.len() {
            0 => "it names no provider".to_owned(),
            n => format!("it names {n} providers, {}; leave the one to test", names.join(", ")),
        });
    };
    let origin = Origin { reattached: Some(provider.to_json()), open: true, ..Origin::default() };
    let program = Program::reattached(provider.clone());
    Ok(OpenedProvider::of(program, origin))
}

/// Scenarios in flight where nobody says.
///
/// Core walks ten nodes of a graph at a time, whatever the machine has. More
/// for every core pays: a provider with calls waiting does not go to sleep
/// between them, which costs a Go server about a third of its time.
pub fn jobs() -> usize {
    (std::thread::available_parallelism().map_or(2, usize::from) * 8).clamp(10, 64)
}
