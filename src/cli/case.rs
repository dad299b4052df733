//! Kept cases as arguments of commands.

use super::args::{CaseArgs, ProviderArgs};
use super::{Failed, provider};
use crate::record::{self, KeptFor, Origin};
use crate::scenario::Scenario;
use crate::suite::{Config, Provider, Suite};
use crate::transcript::Subject;
use std::sync::Arc;

/// A case, read from its file.
pub(super) struct Case {
    pub scenario: Scenario,
    pub kept_for: KeptFor,
    pub origin: Origin,
    pub subject: Arc<Subject>,
    pub seed: u64,
}

/// Reads a case; `instead` is the command for a file that is only a transcript.
pub(super) fn read(args: &CaseArgs) -> Result<Case, Failed> {
    let recorded =
        record::read(&record::file_of(&args.case)).map_err(|error| Failed::usage(error.to_string()))?;
    let (Some(scenario), Some(kept_for)) = (recorded.scenario, recorded.kept_for) else {
        let message =
            format!("{}: this is a transcript, not a case; use `tfconform judge`", args.case.display());
        return Err(Failed::usage(message));
    };
    Ok(Case {
        scenario,
        kept_for,
        origin: recorded.origin.unwrap_or_default(),
        subject: recorded.transcript.subject,
        seed: recorded.settings.seed,
    })
}

impl Case {
    /// The case's suite, or one with only its provider, as it was found, with the provider to be played.
    pub fn suite(&self, args: &CaseArgs) -> Result<Suite, Failed> {
        let (origin, subject) = (&self.origin, &self.subject);
        let mut suite = with_provider(args, origin)?;
        let run = &mut suite.run;
        run.engine = subject.engine;
        run.timeout = origin.timeout.unwrap_or(run.timeout);
        run.start_timeout = origin.start_timeout.unwrap_or(run.start_timeout);
        run.network |= args.network;
        run.sandbox &= !args.no_sandbox;
        run.apply = if origin.applied { args.apply.then_some(true) } else { Some(false) };
        let provider = &mut suite.provider;
        let is_chosen = provider.reference.then_some(subject.protocol);
        provider.protocol = is_chosen.or(origin.wanted_protocol).or(provider.protocol);
        // A suite that holds the provider block is its own config file.
        let config =
            origin.config.clone().filter(|file| Some(file) != origin.suite.as_ref()).map(Config::File);
        if let Some(config) = args.config.clone().or(config) {
            provider.config = config;
        }
        Ok(suite)
    }
}

fn with_provider(args: &CaseArgs, origin: &Origin) -> Result<Suite, Failed> {
    let mut suite = match &origin.suite {
        Some(file) => Suite::read(file).map_err(|error| Failed::usage(error.to_string()))?,
        None => Suite::default(),
    };
    let is_reference = origin.is_reference();
    let named =
        ProviderArgs { path: args.path.clone(), reattach: args.reattach.clone(), ..ProviderArgs::default() };
    let mut named = provider::named(&named)?;
    if named.is_none() && !is_reference {
        named = provider::running()?;
    }
    if named.is_none() && (origin.suite.is_none() || origin.replaced) {
        named = Some(provider_of(origin)?);
    }
    if let Some(named) = named {
        suite.provider.choose(named);
    }
    if suite.provider.reference {
        suite.provider.faults = if args.no_fault { Vec::new() } else { origin.faults.clone() };
    }
    Ok(suite)
}

/// The provider that the case was found with.
fn provider_of(origin: &Origin) -> Result<Provider, Failed> {
    if let Some(json) = &origin.reattached {
        return Ok(Provider { reattach: Some(json.clone()), ..Provider::default() });
    }
    let Some(program) = &origin.program else {
        return Ok(Provider { reference: true, ..Provider::default() });
    };
    let Some(folder) = &origin.folder else { return provider::program(program) };
    let words = std::iter::once(program.display().to_string()).chain(origin.args.iter().cloned());
    Ok(provider::command_in(folder.clone(), words.collect()))
}
