//! `replay`: a kept finding, played again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::args::Replay;
use super::{Failed, Outcome, print, seconds};
use crate::generate;
use crate::record;
use crate::report::Exit;
use crate::rule::{Level, Volatile};
use crate::run::replay::Fate;
use crate::run::{self, Modes, Options, ProviderConfig};
use crate::session;
use crate::suite::config_from_file;

pub(super) fn replay(replay: &Replay) -> Outcome {
    let failed = |error: session::SessionError| Failed { exit: error.exit(), message: error.to_string() };
    let recorded = record::read(&replay.case).map_err(|error| Failed::usage(error.to_string()))?;
    let (Some(scenario), Some(kept_for)) = (recorded.scenario, recorded.kept_for) else {
        let message =
            format!("{}: this is a transcript, not a case; `judge` reads it", replay.case.display());
        return Err(Failed::usage(message));
    };
    let origin = recorded.origin.unwrap_or_default();
    let subject = &recorded.transcript.subject;
    let scratch = session::scratch().map_err(|error| Failed::ours(error.to_string()))?;
    let provider = match replay.path.as_ref().or(origin.program.as_ref()) {
        Some(path) => {
            let path = path.canonicalize().map_err(|error| Failed {
                exit: Exit::Unusable,
                message: format!("{}: {error}", path.display()),
            })?;
            let args = if replay.path.is_none() { origin.args.clone() } else { Vec::new() };
            session::program(
                &path,
                args.into_iter().map(Into::into).collect(),
                scratch.path(),
                &BTreeMap::new(),
            )
            .map_err(failed)?
        }
        None => {
            let faults = if replay.no_fault { &[][..] } else { &origin.faults };
            session::reference(subject.protocol, 1, faults, scratch.path()).map_err(failed)?
        }
    };
    let options = Options {
        program: provider.program,
        engine: subject.engine,
        seed: recorded.transcript.scenario.seed,
        cases: 1,
        jobs: 1,
        processes: 2,
        timeout: seconds("--timeout", replay.timeout)?,
        start_timeout: run::START_TIMEOUT,
        select: None,
        skip: BTreeSet::new(),
        modes: Modes::Both,
        config: replay
            .config
            .clone()
            .map(|file| ProviderConfig::new(move |schema| config_from_file(&file, &schema.block))),
        apply: origin.applied,
        apply_reason: String::new(),
        volatile: Volatile::default(),
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
        .block_on(run::replay::replay(options, provider.remote, &scenario, &kept_for, replay.times))
        .map_err(|error| failed(error.into()))?;
    print(&format!("{}: {fate}\n", kept_for.rule));
    Ok(match fate {
        Fate::Fixed => Exit::Conforms,
        Fate::StillThere | Fate::Changed(_) | Fate::Flaky { .. } => Exit::Violates,
    })
}
