//! `replay`: a kept finding, played again.

use std::sync::Arc;

use super::args::Replay;
use super::output::stdout_style;
use super::{Failed, Outcome, case, print};
use crate::report::Exit;
use crate::report::foreign::{legible, shown};
use crate::report::human;
use crate::run::replay::{ReplayOutcome, Replayed};
use crate::run::{self, RunOptions};
use crate::session::{self, Part, signals};

pub(super) fn replay(replay: &Replay) -> Outcome {
    let case = case::read(&replay.case)?;
    let mut suite = case.suite(&replay.case)?;
    if let Some(timeout) = replay.timeout {
        suite.run.timeout = timeout;
    }
    let part = Part::default();
    signals::watch(&part.interruption);
    let scratch = session::scratch()?;
    let provider = session::open_anew(&suite, scratch.path(), None)?;
    let options = session::options(&suite, &provider, &part)?;
    if case.origin.applied && !options.apply {
        return Err(Failed::usage(format!("the case creates objects: {}", options.apply_reason)));
    }
    // A case holds its requests: the suite's values are not checked again.
    let options = RunOptions { check: None, ..options };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Failed::ours(error.to_string()))?;
    let masker = Arc::clone(&options.masker);
    let replayed =
        run::replay::replay(options, provider.remote.clone(), &case.scenario, &case.kept_for, replay.times);
    let replayed = runtime.block_on(replayed);
    runtime.shutdown_background();
    let Replayed { outcome, calls } = replayed.map_err(session::SessionError::from)?;
    if let (ReplayOutcome::Fixed, Some(why)) = (&outcome, provider.broken_change(&suite, &masker)) {
        return Err(Failed::usage(why));
    }
    if replay.verbose {
        print(&human::calls(&legible(&calls.into_inner()), &stdout_style()))?;
    }
    print(&shown(&format!("{}: {outcome}\n", case.kept_for.rule)))?;
    Ok(match outcome {
        ReplayOutcome::Fixed => Exit::Conforms,
        ReplayOutcome::StillThere | ReplayOutcome::Changed(_) | ReplayOutcome::Flaky { .. } => Exit::Violates,
    })
}
