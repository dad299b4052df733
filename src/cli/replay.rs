//! `replay`: kept findings, played again.

use std::path::Path;

use super::case_args::{CaseArgs, Replay};
use super::output::stdout_style;
use super::{Failed, Outcome, case, print};
use crate::record;
use crate::report::Exit;
use crate::report::foreign::{legible, shown};
use crate::report::human;
use crate::run::replay::{ReplayOutcome, Replayed};
use crate::session::{self, Case, Part, signals};

pub(super) fn replay(replay: &Replay) -> Outcome {
    let part = Part::default();
    signals::watch(&part.interruption);
    if replay.all {
        return all(replay, &part);
    }
    let (case, outcome) = play(replay, &replay.case, &part)?;
    print(&shown(&format!("{}: {outcome}\n", case.kept_for.rule)))?;
    Ok(exit(&outcome))
}

/// Plays every case of a folder. One that cannot be played does not keep the others from it.
fn all(replay: &Replay, part: &Part) -> Outcome {
    let folder = &replay.case.case;
    let cases = record::cases_in(folder);
    if cases.is_empty() {
        let problem =
            format!("{}: this is no folder with cases, which are files `*.jsonl`", folder.display());
        return Err(Failed::usage(problem));
    }
    let (mut n_fixed, mut unplayed) = (0, Vec::new());
    for file in &cases {
        let args = CaseArgs { case: file.clone(), ..replay.case.clone() };
        let said = match play(replay, &args, part) {
            Ok((_, outcome)) => {
                n_fixed += usize::from(exit(&outcome) == Exit::Conforms);
                outcome.to_string()
            }
            Err(failed) if failed.exit.is_early() => return Err(failed),
            Err(failed) => {
                unplayed.push(failed.exit);
                format!("not played: {}", failed.message)
            }
        };
        print(&shown(&format!("{}: {said}\n", stem(file))))?;
    }
    let of = cases.len();
    print(&format!("{n_fixed} of {of} fixed\n"))?;
    match unplayed.first() {
        Some(exit) => Err(Failed {
            exit: *exit,
            message: format!("{} of {of} cases could not be played", unplayed.len()),
        }),
        None if n_fixed == cases.len() => Ok(Exit::Conforms),
        None => Ok(Exit::Violates),
    }
}

fn play(replay: &Replay, args: &CaseArgs, part: &Part) -> Result<(Case, ReplayOutcome), Failed> {
    let case = case::read(args)?;
    let mut suite = case::suite(&case, args)?;
    if let Some(timeout) = replay.timeout {
        suite.run.timeout = timeout;
    }
    let Replayed { outcome, calls, .. } = session::replay(&case, &suite, replay.times, part)?;
    if replay.verbose {
        print(&human::calls(&legible(&calls.into_inner()), &stdout_style()))?;
    }
    Ok((case, outcome))
}

fn exit(outcome: &ReplayOutcome) -> Exit {
    match outcome {
        ReplayOutcome::Fixed => Exit::Conforms,
        ReplayOutcome::StillThere | ReplayOutcome::Changed(_) | ReplayOutcome::Flaky { .. } => Exit::Violates,
    }
}

/// The name of a case: that of its file.
fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
