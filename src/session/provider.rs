//! The provider under test, opened.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::coverage::Coverage;
use crate::lifecycle::Remote;
use crate::provider::reattach;
use crate::record::{Masker, Origin};
use crate::run::{Hook, Program};
use crate::sandbox::{Sandbox, Service};
use crate::suite::Suite;

/// The provider under test: found and sandboxed, but not started yet.
pub struct OpenedProvider {
    pub program: Program,
    pub remote: Option<Arc<dyn Remote>>,
    /// Whether it is the reference provider, which has its own remote system.
    pub is_ours: bool,
    /// How to select it again.
    pub origin: Origin,
    /// The folder of files that configurations name; `None` if it runs in a folder for them.
    pub files: Option<PathBuf>,
    /// The suite's own command that changes remote objects; then the same as `remote`.
    pub(super) change: Option<Arc<Hook>>,
    /// What it runs in; `None` for the reference provider, and for one that was already running.
    pub(super) sandbox: Option<Arc<Sandbox>>,
    /// A mock of the remote system, which lives as long as the run.
    pub(super) service: Option<Arc<Mutex<Service>>>,
    /// Where its coverage data goes, if the user wants any.
    pub(super) coverage: Option<Coverage>,
}

impl OpenedProvider {
    /// Only a program: nothing runs alongside, and it has no sandbox.
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
            coverage: None,
        }
    }

    /// Why the suite's command that changes remote objects failed, if it did.
    pub fn broken_change(&self, suite: &Suite, masker: &Masker) -> Option<String> {
        let problem = format!("`remote.change`: {}", masker.shown(self.change.as_ref()?.failure()?));
        Some(suite.wrong(&["remote", "change"], problem))
    }

    /// Why its coverage data could not be kept, if the user wants it.
    pub(super) fn lost_coverage(&self) -> Option<String> {
        self.coverage.as_ref()?.bring_back().err()
    }

    /// The limits of its sandbox that were passed, as sentences without a full stop.
    pub fn passed_limits(&self) -> Vec<String> {
        let limits = self.sandbox.iter().flat_map(|sandbox| sandbox.passed_limits());
        limits.map(|limit| format!("in the sandbox, {limit}")).collect()
    }

    /// Whether it was already running.
    pub fn was_running(&self) -> bool {
        !self.program.is_started_again()
    }

    /// Whether objects may be created; fails with the reason why not.
    ///
    /// `word` is what the user set, if anything.
    pub fn may_apply(&self, word: Option<bool>) -> Result<(), String> {
        match (word, &self.sandbox) {
            (Some(true), _) => Ok(()),
            (Some(false), _) => Err("`--no-apply` or `run.apply = false` is set".to_owned()),
            (None, _) if self.is_closed() => Ok(()),
            (None, None) => Err("the provider was already running, and what it can reach is not known; \
                                 `--apply` or `run.apply = true` allows it"
                .to_owned()),
            (None, Some(sandbox)) => {
                let why = sandbox.isolation().why_not.join("; ");
                Err(format!(
                    "the provider is not fully sandboxed ({why}); `--apply` or `run.apply = true` allows it"
                ))
            }
        }
    }

    /// Whether objects may not be created only because the machine refuses its sandbox something, and the user
    /// decided nothing.
    pub(super) fn has_failed_sandbox(&self, suite: &Suite) -> bool {
        let is_decided = suite.run.apply.is_some() || !suite.run.openness().is_nothing();
        !is_decided && self.sandbox.is_some() && !self.is_closed()
    }

    /// Whether no argument value can do harm.
    pub fn is_closed(&self) -> bool {
        self.is_ours || self.sandbox.as_ref().is_some_and(|sandbox| sandbox.is_closed())
    }

    /// Whether objects may live outside of its processes and their files.
    pub(super) fn has_outside(&self) -> bool {
        !self.is_closed() || self.service.is_some() || self.remote.is_some()
    }

    /// Default number of scenarios in flight: enough to keep the provider busy, and one if it may
    /// be running in a debugger.
    pub fn jobs(&self) -> usize {
        if self.was_running() { 1 } else { jobs() }
    }
}

/// A provider that is already running; `json` is a reattach configuration of this provider alone.
///
/// Fails with what is wrong with the configuration. Nothing is called yet.
pub fn reattached(json: &str) -> Result<OpenedProvider, String> {
    let providers = reattach::parse(json).map_err(|error| error.to_string())?;
    let names: Vec<&str> = providers.iter().map(|provider| provider.source.as_str()).collect();
    let [provider] = &providers[..] else {
        return Err(match names.len() {
            0 => "it names no provider".to_owned(),
            n => format!("it names {n} providers, {}; keep only the one to test", names.join(", ")),
        });
    };
    let origin = Origin { reattached: Some(provider.to_json()), open: true, ..Origin::default() };
    let program = Program::reattached(provider.clone());
    Ok(OpenedProvider::of(program, origin))
}

/// Default number of scenarios in flight.
///
/// Core walks ten nodes of a graph at a time, on any machine. More per CPU core
/// pays off: a provider with calls waiting does not go to sleep
/// between them, which costs a Go server about a third of its time.
pub fn jobs() -> usize {
    (std::thread::available_parallelism().map_or(2, usize::from) * 8).clamp(10, 64)
}
