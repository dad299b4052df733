//! `replay`: a kept finding, played again.

use std::sync::Arc;

use super::args::{ProviderArgs, Replay};
use super::{Failed, Outcome, print, provider};
use crate::record::{self, Origin};
use crate::report::Exit;
use crate::report::foreign::shown;
use crate::run::replay::ReplayOutcome;
use crate::run::{self, RunOptions};
use crate::session::{self, Part, signals};
use crate::suite::{Config, Provider, Suite};

pub(super) fn replay(replay: &Replay) -> Outcome {
    let recorded = record::read(&replay.case).map_err(|error| Failed::usage(error.to_string()))?;
    let (Some(scenario), Some(kept_for)) = (recorded.scenario, recorded.kept_for) else {
        let message =
            format!("{}: this is a transcript, not a case; use `tfconform judge`", replay.case.display());
        return Err(Failed::usage(message));
    };
    let origin = recorded.origin.unwrap_or_default();
    let subject = &recorded.transcript.subject;
    let mut suite = suite_of(replay, &origin)?;
    let run = &mut suite.run;
    // As it was found, unless the command line says otherwise.
    run.engine = subject.engine;
    run.timeout = replay.timeout.or(origin.timeout).unwrap_or(run.timeout);
    run.start_timeout = origin.start_timeout.unwrap_or(run.start_timeout);
    run.network |= replay.network;
    run.sandbox &= !replay.no_sandbox;
    run.apply = if origin.applied { replay.apply.then_some(true) } else { Some(false) };
    let provider = &mut suite.provider;
    let is_chosen = provider.reference.then_some(subject.protocol);
    provider.protocol = is_chosen.or(origin.wanted_protocol).or(provider.protocol);
    // A suite that holds the provider block is its own config file.
    let config = origin.config.clone().filter(|file| Some(file) != origin.suite.as_ref()).map(Config::File);
    if let Some(config) = replay.config.clone().or(config) {
        provider.config = config;
    }
    let part = Part::default();
    signals::watch(&part.interruption);
    let scratch = session::scratch()?;
    let provider = session::open_anew(&suite, scratch.path(), None)?;
    let options = session::options(&suite, &provider, &part)?;
    if origin.applied && !options.apply {
        return Err(Failed::usage(format!("the case creates objects: {}", options.apply_reason)));
    }
    // A case holds its requests: the suite's values are not checked again.
    let options = RunOptions { check: None, ..options };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Failed::ours(error.to_string()))?;
    let masker = Arc::clone(&options.masker);
    let replayed = run::replay::replay(options, provider.remote.clone(), &scenario, &kept_for, replay.times);
    let outcome = runtime.block_on(replayed);
    runtime.shutdown_background();
    let outcome = outcome.map_err(session::SessionError::from)?;
    if let (ReplayOutcome::Fixed, Some(why)) = (&outcome, provider.broken_change(&suite, &masker)) {
        return Err(Failed::usage(why));
    }
    print(&shown(&format!("{}: {outcome}\n", kept_for.rule)))?;
    Ok(match outcome {
        ReplayOutcome::Fixed => Exit::Conforms,
        ReplayOutcome::StillThere | ReplayOutcome::Changed(_) | ReplayOutcome::Flaky { .. } => Exit::Violates,
    })
}

/// The case's suite, or one with only its provider, with the provider to be played.
fn suite_of(replay: &Replay, origin: &Origin) -> Result<Suite, Failed> {
    let mut suite = match &origin.suite {
        Some(file) => Suite::read(file).map_err(|error| Failed::usage(error.to_string()))?,
        None => Suite::default(),
    };
    let is_reference = origin.is_reference();
    let args = ProviderArgs {
        path: replay.path.clone(),
        reattach: replay.reattach.clone(),
        ..ProviderArgs::default()
    };
    let mut named = provider::named(&args)?;
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
        suite.provider.faults = if replay.no_fault { Vec::new() } else { origin.faults.clone() };
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
