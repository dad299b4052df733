//! Suite → run: opens a suite's provider, builds its options, runs it, and returns the outcome.
//!
//! Every run is of a [`Suite`]: one from a file, with keys replaced by the command line, or the
//! default one with those alone. `check`, `replay` and `cargo test` differ in how they get their
//! suite and in the [`Part`] of it that they play; from there on they share all code.
//! A session is a scratch folder, the provider in it ([`open`]), its options ([`options`](fn@options)) and
//! the run; snapshots take two more sessions.

mod baseline;
mod case;
mod coverage;
mod examples;
mod installation;
mod known;
mod open;
mod options;
mod outcome;
mod program;
mod provider;
mod reference;
mod remote;
mod reproduce;
mod scratch;
mod several;
pub mod signals;
mod snapshots;
mod written;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::lifecycle::Remote;
use crate::report::Exit;
use crate::report::events::Consumer;
use crate::report::progress::Quiet;
use crate::run::{self, Interruption, RunError, RunOptions, Signal, Starter};
use crate::schema::{Kind, ProviderSchema};
use crate::suite::{Entry, Require, Suite};

pub use case::{Case, CaseOptions, replay};
pub use examples::reference_examples;
pub use open::open;
pub use options::{Part, options};
pub use outcome::{Outcome, exit, merge};
use outcome::{is_only_unapplied, too_little};
pub use program::existing;
pub use provider::{OpenedProvider, jobs, reattached};
pub use reference::{reference, reference_in_memory};
pub use reproduce::{EngineVerdict, PRINTED, Reproduction, engine, engines, reproduce, store_verdicts};
pub use scratch::{Scratch, scratch};
pub use snapshots::{Snapshotting, snapshots};
pub use written::{configurations, go_test, rust_test, stored_verdicts};

/// Why there was no run.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Unusable(String),
    #[error("failed to prepare the run: {0} (temporary files are in {folder})", folder = std::env::temp_dir().display())]
    Prepare(#[from] std::io::Error),
    #[error("interrupted before there was a result")]
    Interrupted(Signal),
}

impl SessionError {
    pub fn exit(&self) -> Exit {
        match self {
            SessionError::Usage(_) => Exit::Usage,
            SessionError::Unusable(_) => Exit::Unusable,
            SessionError::Prepare(_) => Exit::NoRoom,
            SessionError::Interrupted(signal) => (*signal).into(),
        }
    }
}

impl From<RunError> for SessionError {
    fn from(error: RunError) -> SessionError {
        match error {
            RunError::Config(_) | RunError::Suite(_) => SessionError::Usage(error.to_string()),
            RunError::Interrupted(signal) => SessionError::Interrupted(signal),
            other => SessionError::Unusable(other.to_string()),
        }
    }
}

/// Plays a suite, or the part of it, as each of its engines.
pub fn play_suite(suite: &Suite, part: &Part, consumer: &dyn Consumer) -> Result<Outcome, SessionError> {
    match suite.run.engine.iter().len() {
        1 => play_as_one(suite, part, consumer),
        _ => several::play(suite, part, consumer),
    }
}

/// Plays it as the first of its engines.
fn play_as_one(suite: &Suite, part: &Part, consumer: &dyn Consumer) -> Result<Outcome, SessionError> {
    let scratch = scratch()?;
    let provider = open_anew(suite, scratch.path(), None)?;
    let baseline = baseline::read(suite)?;
    let mut options = options(suite, &provider, part)?;
    options.known.extend(baseline.known.iter().map(Entry::as_known));
    let masker = Arc::clone(&options.masker);
    // What a part of a run must judge is for the whole of it to say.
    let require = part.shard.is_none().then_some(&suite.require);
    let mut outcome = play(options, provider.remote.clone(), require, consumer)?;
    outcome.report.notes.extend(remote::unused(suite, &provider));
    outcome.report.notes.extend(provider.lost_coverage());
    outcome.report.notes.extend(provider.passed_limits());
    let broken = provider.broken_change(suite, &masker);
    outcome.note_errors_of_the_suite(broken.into_iter().chain(known::expired(suite, SystemTime::now())));
    outcome.note_what_is_gone(suite, &baseline, part);
    Ok(outcome)
}

/// Plays a suite as a trial of `cargo test`: one type of it, or all that it selects.
pub fn play_trial(suite: &Suite, ty: Option<(Kind, &str)>) -> Result<Outcome, SessionError> {
    let default_dir = || suite.base().join("target/tfconform/cases");
    let part = Part {
        ty: ty.map(|(kind, name)| (kind, name.to_owned())),
        cases_dir: Some(suite.run.cases_dir.clone().unwrap_or_else(default_dir)),
        ..Part::default()
    };
    play_suite(&suite.trial(ty), &part, &Quiet)
}

/// The provider of a suite, and its remote system brought back to its beginnings.
pub fn open_anew(suite: &Suite, scratch: &Path, host: Option<&str>) -> Result<OpenedProvider, SessionError> {
    let provider = open(suite, scratch, host)?;
    remote::reset(suite, &provider)?;
    Ok(provider)
}

/// The threads of a run: half as many as there are processors. The provider's processes need the others, and a
/// thread that is rarely idle costs fewer switches than two that are.
///
/// Fails if the system allows no more threads. One thread for work that blocks is kept, so that such work waits for it
/// if no other can be started later.
pub fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    let n_processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let n_workers = n_processors.div_ceil(2);
    can_start_threads(n_workers + SPARE_THREADS)?;
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(n_workers).thread_keep_alive(FOREVER).enable_all().build()?;
    runtime.block_on(async { tokio::task::spawn_blocking(|| ()).await })?;
    Ok(runtime)
}

/// Threads for work that blocks, those of the sandbox and of pipes.
const SPARE_THREADS: usize = 4;
const FOREVER: Duration = Duration::from_secs(u32::MAX as u64);

/// Fails if so many threads cannot run at once: a runtime that cannot start its own panics.
fn can_start_threads(n_threads: usize) -> std::io::Result<()> {
    let started: std::io::Result<Vec<_>> = (0..n_threads)
        .map(|_| {
            let (sender, receiver) = std::sync::mpsc::channel::<()>();
            let thread = std::thread::Builder::new().spawn(move || receiver.recv().is_ok())?;
            Ok((sender, thread))
        })
        .collect();
    let end = |(sender, thread): (std::sync::mpsc::Sender<()>, std::thread::JoinHandle<bool>)| {
        drop(sender);
        let _ = thread.join();
    };
    let started = started.map_err(|error| {
        let limit = "no more threads can be started (`ulimit -u`, or the limit of a container)";
        std::io::Error::new(error.kind(), format!("{limit}: {error}"))
    })?;
    started.into_iter().for_each(end);
    Ok(())
}

/// Plays and judges; `require` is what must have been judged, if that can be told.
pub fn play(
    options: RunOptions,
    remote: Option<Arc<dyn Remote>>,
    require: Option<&Require>,
    consumer: &dyn Consumer,
) -> Result<Outcome, SessionError> {
    let (fail_on, interruption) = (options.fail_on, options.interruption.clone());
    let runtime = runtime()?;
    let report = runtime.block_on(run::run(options, remote, consumer));
    // A process that hangs must not hold up the end.
    runtime.shutdown_background();
    let mut report = report?;
    let too_little = require.map_or_else(Vec::new, |require| too_little(&report, require));
    report.notes.extend(too_little.iter().cloned());
    let early = interruption.signal().map(Exit::from);
    let exit = exit(&report, fail_on, early, !too_little.is_empty());
    if exit == Exit::TooLittle && report.totals.types.total == 0 {
        let note = "no type was judged: there is none, or no scenario could be played for any";
        report.notes.push(note.to_owned());
    }
    let is_only_unapplied = require.is_some_and(|require| is_only_unapplied(&report, require, early));
    Ok(Outcome { report, exit, is_only_unapplied })
}

/// Asks the provider of a suite about the types that the suite selects.
pub fn why(suite: &Suite, part: &Part, consumer: &dyn Consumer) -> Result<Vec<run::Asked>, SessionError> {
    let scratch = scratch()?;
    let provider = open_anew(suite, scratch.path(), None)?;
    let options = options(suite, &provider, part)?;
    let runtime = runtime()?;
    let asked = runtime.block_on(run::why(options, provider.remote.clone(), consumer));
    runtime.shutdown_background();
    Ok(asked?)
}

/// What a suite's provider declares.
pub fn schema(suite: &Suite, interruption: &Interruption) -> Result<ProviderSchema, SessionError> {
    let scratch = scratch()?;
    let provider = open(suite, scratch.path(), None)?;
    let runtime = runtime()?;
    let starter = Starter::new(provider.program.clone(), suite.run.timeout, suite.run.start_timeout);
    let schema = runtime.block_on(async {
        tokio::select! {
            schema = run::schema(starter) => schema,
            signal = interruption.happened() => Err(RunError::Interrupted(signal)),
        }
    });
    runtime.shutdown_background();
    Ok(schema?)
}
