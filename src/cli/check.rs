//! `check`: the main job.

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::args::Check;
use super::{Failed, Outcome, output, provider, seconds};
use crate::generate;
use crate::provider::rpc::Protocol;
use crate::record::Origin;
use crate::report::Exit;
use crate::report::events::{Consumer, Event, Fanout};
use crate::report::progress;
use crate::rule::{Level, Volatile};
use crate::run::Options;
use crate::session::{self, Beside, Keeping, Provider, SessionError};
use crate::snapshot::Snapshot;
use crate::suite::{Require, Suite};

pub(super) fn check(check: &Check) -> Outcome {
    let interrupted = Arc::new(AtomicBool::new(false));
    let progress = progress::for_stderr(check.quiet, std::io::stderr().is_terminal());
    let printer = output::printer(check.format, check.strict || check.verbose);
    let everyone = Fanout(vec![progress.as_ref(), printer.as_ref()]);
    let outcome = match &check.suite {
        Some(file) => of_suite(check, file, &interrupted, &everyone)?,
        None => of_arguments(check, &interrupted, &everyone)?,
    };
    everyone.consume(Event::Concluded { report: &outcome.report, exit: outcome.exit });
    Ok(outcome.exit)
}

/// The run that the arguments describe.
fn of_arguments(
    check: &Check,
    interrupted: &Arc<AtomicBool>,
    consumer: &dyn Consumer,
) -> Result<session::Outcome, Failed> {
    let scratch = session::scratch()?;
    let provider = chosen(check, scratch.path(), &Beside::default())?;
    watch_for_ctrl_c(interrupted);
    let options = options(check, &provider, interrupted)?;
    let mut outcome = session::play(options, provider.remote, &Require::default(), consumer)?;
    if let Some(folder) = &check.snapshots {
        let keeping = Keeping { folder: folder.clone(), accept: check.accept };
        outcome.keep_snapshots(&keeping, check.resource.is_empty(), interrupted, || {
            snapshots(check, interrupted, consumer)
        });
    }
    Ok(outcome)
}

/// The run that a suite describes.
fn of_suite(
    check: &Check,
    file: &Path,
    interrupted: &Arc<AtomicBool>,
    consumer: &dyn Consumer,
) -> Result<session::Outcome, Failed> {
    let mut suite = Suite::read(file).map_err(|error| Failed::usage(error.to_string()))?;
    if let Some(path) = &check.path {
        suite = session::on_program(suite, provider::existing(path)?);
    }
    watch_for_ctrl_c(interrupted);
    let adjust = |options: &mut Options| {
        options.jobs = check.jobs.unwrap_or(options.jobs);
        options.processes = if check.one_process { 1 } else { options.processes };
        options.cases_dir = (!check.no_cases).then(|| check.cases_dir.clone());
        options.transcripts = check.transcripts.clone().or_else(|| options.transcripts.take());
        options.origin.replaced = check.path.is_some();
        options.interrupted = Arc::clone(interrupted);
    };
    Ok(session::whole_suite(&suite, file, &check.resource, adjust, consumer)?)
}

/// What decides a run of `provider`.
fn options(check: &Check, provider: &Provider, interrupted: &Arc<AtomicBool>) -> Result<Options, Failed> {
    let fail_on = match (check.strict, check.fail_on) {
        (true, _) => Level::Advice,
        (false, Some(level)) => level.level(),
        (false, None) => Level::Must,
    };
    let may_apply = provider.may_apply(match (check.apply, check.no_apply) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        (false, false) => None,
    });
    let apply = may_apply.is_ok();
    Ok(Options {
        program: provider.program.clone(),
        engine: check.engine,
        seed: check.seed,
        cases: check.cases,
        jobs: check.jobs.unwrap_or_else(|| provider.jobs()),
        processes: if check.one_process { 1 } else { 2 },
        timeout: seconds("--timeout", check.timeout)?,
        start_timeout: seconds("--start-timeout", check.start_timeout)?,
        select: session::globs(&check.resource)
            .map_err(|error| Failed::usage(format!("--resource: {error}")))?,
        skip: BTreeSet::new(),
        kind: None,
        config: check.config.clone().map(provider::config),
        apply,
        apply_reason: may_apply.err().unwrap_or_default(),
        volatile: Volatile::default(),
        pins: BTreeMap::new(),
        known: Vec::new(),
        check: None,
        generate: generate::Options {
            seed: check.seed,
            cases: check.cases,
            apply,
            safe_to_run: provider.is_closed(),
            scratch: provider.files.clone(),
            ..generate::Options::default()
        },
        fail_on,
        cases_dir: (!check.no_cases).then(|| check.cases_dir.clone()),
        transcripts: check.transcripts.clone(),
        origin: Origin {
            applied: apply,
            config: check.config.as_ref().and_then(|file| std::path::absolute(file).ok()),
            ..provider.origin.clone()
        },
        interrupted: Arc::clone(interrupted),
    })
}

/// What the provider shows in sessions apart from the one that is judged.
fn snapshots(
    check: &Check,
    interrupted: &Arc<AtomicBool>,
    consumer: &dyn Consumer,
) -> Result<Vec<Snapshot>, SessionError> {
    // What the command line says was right for the first session.
    let again = |failed: Failed| SessionError::Unusable(failed.message);
    let open = |scratch: &Path, host: &str| {
        let beside = Beside { host: Some(host.to_owned()), ..Beside::default() };
        let provider = chosen(check, scratch, &beside).map_err(again)?;
        let options = options(check, &provider, interrupted).map_err(again)?;
        Ok((provider, options))
    };
    session::snapshots(&open, consumer)
}

/// The first Ctrl-C ends the run early; the second ends the program.
fn watch_for_ctrl_c(interrupted: &Arc<AtomicBool>) {
    let flag = Arc::clone(interrupted);
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                if flag.swap(true, Ordering::Relaxed) {
                    std::process::exit(i32::from(Exit::Interrupted.code()));
                }
            }
        });
    });
}

/// The provider that the command line is about.
fn chosen(check: &Check, scratch: &Path, beside: &Beside) -> Result<Provider, Failed> {
    let mut provider = if !check.command.is_empty() {
        session::command(&check.command, Path::new("."), scratch, beside)?
    } else if let Some(path) = &check.path {
        provider::program(path, scratch, beside)?
    } else if check.fault.is_empty()
        && let Some(running) = provider::running(check.reattach.as_deref())?
    {
        running
    } else {
        session::reference(check.protocol.unwrap_or(6), check.seed, &check.fault, scratch)?
    };
    if let Some(major) = check.protocol.filter(|_| !provider.is_ours) {
        provider.program.protocol = Protocol::from_major(i64::from(major));
    }
    Ok(provider)
}
