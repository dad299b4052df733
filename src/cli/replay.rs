//! `replay`: a kept finding, played again.

use super::case_args::Replay;
use super::output::stdout_style;
use super::{Outcome, case, print};
use crate::report::Exit;
use crate::report::foreign::{legible, shown};
use crate::report::human;
use crate::run::replay::{ReplayOutcome, Replayed};
use crate::session::{self, Part, signals};

pub(super) fn replay(replay: &Replay) -> Outcome {
    let case = case::read(&replay.case)?;
    let mut suite = case::suite(&case, &replay.case)?;
    if let Some(timeout) = replay.timeout {
        suite.run.timeout = timeout;
    }
    let part = Part::default();
    signals::watch(&part.interruption);
    let Replayed { outcome, calls, .. } = session::replay(&case, &suite, replay.times, &part)?;
    if replay.verbose {
        print(&human::calls(&legible(&calls.into_inner()), &stdout_style()))?;
    }
    print(&shown(&format!("{}: {outcome}\n", case.kept_for.rule)))?;
    Ok(match outcome {
        ReplayOutcome::Fixed => Exit::Conforms,
        ReplayOutcome::StillThere | ReplayOutcome::Changed(_) | ReplayOutcome::Flaky { .. } => Exit::Violates,
    })
}
