//! `replay`: a kept finding, played again.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::args::Replay;
use super::{Failed, Outcome, print, provider, seconds};
use crate::generate;
use crate::provider::rpc::Protocol;
use crate::record::{self, Origin};
use crate::report::Exit;
use crate::rule::{Level, Volatile};
use crate::run::replay::Fate;
use crate::run::{self, RunOptions};
use crate::session::{self, Beside, Provider};
use crate::suite::Suite;

pub(super) fn replay(replay: &Replay) -> Outcome {
    let recorded = record::read(&replay.case).map_err(|error| Failed::usage(error.to_string()))?;
    let (Some(scenario), Some(kept_for)) = (recorded.scenario, recorded.kept_for) else {
        let message =
            format!("{}: this is a transcript, not a case; `judge` reads it", replay.case.display());
        return Err(Failed::usage(message));
    };
    let origin = recorded.origin.unwrap_or_default();
    let subject = &recorded.transcript.subject;
    let scratch = session::scratch()?;
    let (provider, suite) = chosen(replay, &origin, subject.protocol, scratch.path())?;
    if origin.applied {
        let word = replay.apply.then_some(true);
        provider.may_apply(word).map_err(|why| Failed::usage(format!("the case makes objects: {why}")))?;
    }
    let said = suite.as_ref().map(|suite| &suite.run);
    let options = RunOptions {
        program: provider.program.clone(),
        engine: subject.engine,
        seed: recorded.transcript.scenario.seed,
        cases: 1,
        jobs: 1,
        processes: 2,
        timeout: match replay.timeout {
            Some(number) => seconds("--timeout", number)?,
            None => origin.timeout.or(said.map(|run| run.timeout)).unwrap_or(run::TIMEOUT),
        },
        start_timeout: origin
            .start_timeout
            .or(said.map(|run| run.start_timeout))
            .unwrap_or(run::START_TIMEOUT),
        select: None,
        skip: BTreeSet::new(),
        kind: None,
        config: replay.config.clone().or_else(|| origin.config.clone()).map(provider::config),
        apply: origin.applied,
        apply_reason: String::new(),
        volatile: suite.as_ref().map_or_else(Volatile::default, Suite::volatile),
        pins: BTreeMap::new(),
        known: Vec::new(),
        check: None,
        generate: generate::Options::default(),
        fail_on: Level::Must,
        cases_dir: None,
        transcripts: None,
        origin,
        interrupted: Arc::new(AtomicBool::new(false)),
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Failed::ours(error.to_string()))?;
    let fate = runtime
        .block_on(run::replay::replay(options, provider.remote.clone(), &scenario, &kept_for, replay.times))
        .map_err(session::SessionError::from)?;
    if let (Fate::Fixed, Some(why)) = (&fate, provider.broken_change()) {
        return Err(Failed::usage(why));
    }
    print(&format!("{}: {fate}\n", kept_for.rule));
    Ok(match fate {
        Fate::Fixed => Exit::Conforms,
        Fate::StillThere | Fate::Changed(_) | Fate::Flaky { .. } => Exit::Violates,
    })
}

/// The provider to play on, and the suite that it comes from, where one is needed to start it.
fn chosen(
    replay: &Replay,
    origin: &Origin,
    protocol: u8,
    scratch: &Path,
) -> Result<(Provider, Option<Suite>), Failed> {
    let is_open_to_others = replay.reattach.is_some() || (replay.path.is_none() && !origin.is_reference());
    if is_open_to_others && let Some(running) = provider::running(replay.reattach.as_deref())? {
        return Ok((running, None));
    }
    if let Some(file) = &origin.suite {
        let path = replay.path.as_ref().or(origin.program.as_ref().filter(|_| origin.replaced));
        let path = path.map(|path| provider::existing(path)).transpose()?;
        let (suite, provider) = session::as_in_suite(file, path.as_deref(), scratch)?;
        return Ok((provider, Some(suite)));
    }
    let mut provider = match &replay.path {
        Some(path) => provider::program(path, scratch, &Beside::default())?,
        None => again(replay, origin, protocol, scratch)?,
    };
    if let Some(major) = origin.wanted_protocol.filter(|_| !provider.is_ours) {
        provider.program.protocol = Protocol::from_major(i64::from(major));
    }
    Ok((provider, None))
}

/// The provider of the case.
fn again(replay: &Replay, origin: &Origin, protocol: u8, scratch: &Path) -> Result<Provider, Failed> {
    if let Some(json) = &origin.reattached {
        return session::reattached(json).map_err(Failed::usage);
    }
    if let Some(path) = &origin.program {
        let Some(folder) = &origin.folder else {
            return provider::program(path, scratch, &Beside::default());
        };
        let words = std::iter::once(path.into()).chain(origin.args.iter().map(Into::into));
        let words: Vec<OsString> = words.collect();
        return Ok(session::command(&words, folder, scratch, &Beside::default())?);
    }
    let faults = if replay.no_fault { &[][..] } else { &origin.faults };
    Ok(session::reference(protocol, 1, faults, scratch)?)
}
