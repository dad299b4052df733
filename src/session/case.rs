//! A kept case, and the suite that plays it as it was found.

use std::path::{Path, PathBuf};

use super::program::existing;
use super::{Part, SessionError, open_anew, options, scratch};
use crate::record::{self, KeptFor, Origin, Recorded};
use crate::reproduction::{self, Sought};
use crate::rules;
use crate::run::replay::{ReplayOutcome, Replayed};
use crate::run::{self, RunOptions};
use crate::scenario::Scenario;
use crate::suite::{Config, Provider, Suite};
use crate::transcript::{Phase, Subject};

/// A case, read from its file.
#[derive(Debug)]
pub struct Case {
    pub file: PathBuf,
    pub recorded: Recorded,
    pub scenario: Scenario,
    pub kept_for: KeptFor,
    pub origin: Origin,
}

/// How a case is played where that is not how it was found.
#[derive(Clone, Debug, Default)]
pub struct CaseOptions {
    pub provider: Option<Provider>,
    /// The provider block.
    pub config: Option<Config>,
    /// Objects are created even if the provider is not sandboxed.
    pub apply: bool,
    pub network: bool,
    pub no_sandbox: bool,
    /// The reference provider runs without its fault.
    pub no_fault: bool,
}

impl Case {
    /// Reads a case that is named by its file or its ID; a transcript that is no case is an error of use.
    pub fn read(name: &Path) -> Result<Case, SessionError> {
        let file = record::file_of(name);
        if !file.exists() {
            return Err(SessionError::Usage(record::missing(name)));
        }
        let mut recorded = record::read(&file).map_err(|error| SessionError::Usage(error.to_string()))?;
        let (Some(scenario), Some(kept_for)) = (recorded.scenario.clone(), recorded.kept_for.clone()) else {
            let message =
                format!("{}: this is a transcript, not a case; use `tfconform judge`", name.display());
            return Err(SessionError::Usage(message));
        };
        let origin = recorded.origin.get_or_insert_default().clone();
        Ok(Case { file, recorded, scenario, kept_for, origin })
    }

    pub fn subject(&self) -> &Subject {
        &self.recorded.transcript.subject
    }

    /// Where [`super::reproduce`] plays it: a folder next to its file.
    pub fn folder(&self) -> PathBuf {
        self.file.with_extension("")
    }

    /// The scenario as an engine is to play it.
    pub fn for_engines(&self) -> Scenario {
        match &self.kept_for.found {
            Some(found) if found.phase == Phase::Gone => {
                reproduction::with_plan_of_what_is_gone(&self.scenario, found.run)
            }
            _ => self.scenario.clone(),
        }
    }

    /// What an engine is to show of its finding.
    pub fn sought(&self) -> Result<Sought<'_>, SessionError> {
        let rule = &self.kept_for.rule;
        if !self.recorded.beside.is_empty() {
            let why = "the finding needs other scenarios at the same time, which no engine can be made to play: use \
                       `tfconform replay`";
            return Err(SessionError::Usage(why.to_owned()));
        }
        self.kept_for.sought(&self.scenario).ok_or_else(|| {
            SessionError::Usage(match rules::find(rule) {
                None => format!("there is no rule {rule} any more"),
                Some(_) => {
                    "the case was kept by an older release: find it again with `tfconform check`".to_owned()
                }
            })
        })
    }

    /// The case's suite, or one with only its provider, as it was found, with the provider to be played.
    pub fn suite(&self, how: &CaseOptions) -> Result<Suite, SessionError> {
        let (origin, subject) = (&self.origin, self.subject());
        let mut suite = self.with_provider(how)?;
        let run = &mut suite.run;
        run.seed = self.recorded.settings.seed;
        run.engine = subject.engine.into();
        run.timeout = origin.timeout.unwrap_or(run.timeout);
        run.start_timeout = origin.start_timeout.unwrap_or(run.start_timeout);
        run.parallelism = origin.parallelism.unwrap_or(run.parallelism);
        run.network |= how.network;
        run.sandbox &= !how.no_sandbox;
        run.apply = if origin.applied { how.apply.then_some(true) } else { Some(false) };
        let provider = &mut suite.provider;
        let is_chosen = provider.reference.then_some(subject.protocol);
        provider.protocol = is_chosen.or(origin.wanted_protocol).or(provider.protocol);
        let made_up = origin.made_up.clone().map(Config::MadeUp);
        // A suite that holds the provider block is its own config file.
        let config =
            origin.config.clone().filter(|file| Some(file) != origin.suite.as_ref()).map(Config::File);
        if let Some(config) = how.config.clone().or(config).or(made_up) {
            provider.config = config;
        }
        Ok(suite)
    }

    fn with_provider(&self, how: &CaseOptions) -> Result<Suite, SessionError> {
        let origin = &self.origin;
        let mut suite = match &origin.suite {
            Some(file) => Suite::read(file).map_err(|error| SessionError::Usage(error.to_string()))?,
            None => Suite::default(),
        };
        let mut named = how.provider.clone();
        if named.is_none() && (origin.suite.is_none() || origin.replaced) {
            named = Some(provider_of(origin)?);
        }
        if let Some(named) = named {
            suite.provider.choose(named);
        }
        if suite.provider.reference {
            suite.provider.faults = if how.no_fault { Vec::new() } else { origin.faults.clone() };
        }
        Ok(suite)
    }
}

/// The provider that a case was found with.
fn provider_of(origin: &Origin) -> Result<Provider, SessionError> {
    if let Some(json) = &origin.reattached {
        return Ok(Provider { reattach: Some(json.clone()), ..Provider::default() });
    }
    let Some(program) = &origin.program else {
        return Ok(Provider { reference: true, ..Provider::default() });
    };
    let Some(folder) = &origin.folder else {
        return Ok(Provider { path: Some(existing(program)?), ..Provider::default() });
    };
    let words = std::iter::once(program.display().to_string()).chain(origin.args.iter().cloned());
    Ok(Provider { command: Some(words.collect()), folder: Some(folder.clone()), ..Provider::default() })
}

/// Plays a case `times` times by a suite of it, and looks for its finding.
///
/// Fails if objects would have to be created and may not be, and if a change behind the provider's back that
/// the case needs does not work.
pub fn replay(case: &Case, suite: &Suite, times: u32, part: &Part) -> Result<Replayed, SessionError> {
    let scratch = scratch()?;
    let provider = open_anew(suite, scratch.path(), None)?;
    let options = options(suite, &provider, part)?;
    if case.origin.applied && !options.apply {
        return Err(SessionError::Usage(format!("the case creates objects: {}", options.apply_reason)));
    }
    // A case holds its requests: the suite's values are not checked again.
    let options = RunOptions { check: None, ..options };
    let masker = std::sync::Arc::clone(&options.masker);
    let runtime = super::runtime()?;
    let remote = provider.remote.clone();
    let scenarios = (&case.scenario, &case.recorded.beside[..]);
    let replayed = run::replay::replay(options, remote, scenarios, &case.kept_for, times);
    let replayed = runtime.block_on(replayed);
    runtime.shutdown_background();
    let replayed = replayed?;
    match (&replayed.outcome, provider.broken_change(suite, &masker)) {
        (ReplayOutcome::Fixed, Some(why)) => Err(SessionError::Usage(why)),
        _ => Ok(replayed),
    }
}
