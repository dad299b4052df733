//! `check`: the main job.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use super::args::{Check, Tested};
use super::output::Outputs;
use super::{Failed, Outcome, provider};
use crate::record;
use crate::report::events::{Consumer as _, Event, Fanout};
use crate::report::progress;
use crate::run::Interruption;
use crate::session::{self, Part, Snapshotting, signals};
use crate::suite::Suite;

pub(super) fn check(check: &Check) -> Outcome {
    let (suite, part) = asked(check)?;
    signals::watch(&part.interruption);
    let progress = progress::for_stderr(check.quiet, std::io::stderr().is_terminal());
    let verbose = check.tested.overrides.strict || check.output.is_verbose();
    let outputs = Outputs::open(&check.output, verbose, check.coverage, &suite.run.reports)?;
    let everyone = Fanout(vec![progress.as_ref(), &outputs]);
    let mut outcome = session::play_suite(&suite, &part, &everyone)?;
    if let Some(folder) = check.snapshots.clone() {
        let snapshotting = Snapshotting { folder, accept: check.accept };
        outcome.add_snapshots(&suite, &part, &snapshotting, &everyone);
    }
    if let Some(file) = &check.write_baseline {
        outcome.write_baseline(&suite, file);
    }
    everyone.consume(Event::Concluded { report: &outcome.report, exit: outcome.exit });
    outputs.written(outcome.exit)
}

/// The suite that the arguments ask for, with its keys replaced by them, and the part of it that is played.
pub(super) fn asked(check: &Check) -> Result<(Suite, Part), Failed> {
    let (suite, is_reduced, replaced) = suite_of(&check.tested)?;
    let default_dir = || PathBuf::from(record::CASES_DIR);
    let part = Part {
        ty: None,
        shard: check.shard,
        cases_dir: (!check.no_cases).then(|| suite.run.cases_dir.clone().unwrap_or_else(default_dir)),
        is_reduced: is_reduced || check.shard.is_some(),
        replaced,
        said: check.tested.overrides.said(),
        shows_calls: check.output.shows_calls(),
        interruption: Interruption::default(),
    };
    Ok((suite, part))
}

/// A suite with what the command line says in place of its keys; whether less of it is played, and whether with another
/// provider.
pub(super) fn suite_of(tested: &Tested) -> Result<(Suite, bool, bool), Failed> {
    let Tested { provider, suite: file, overrides } = tested;
    let mut suite = match file {
        Some(file) => Suite::read(file).map_err(|error| Failed::usage(error.to_string()))?.trial(None),
        None => Suite::default(),
    };
    let is_reduced = overrides.reduces(&suite);
    let named = provider::named(provider)?;
    let replaced = named.is_some() && suite.file.is_some();
    let named = match named {
        None if suite.file.is_none() && overrides.fault.is_empty() => provider::running()?,
        named => named,
    };
    match named {
        Some(named) => suite.provider.choose(named),
        None if suite.file.is_none() => suite.provider.reference = true,
        None => {}
    }
    overrides.apply_to(&mut suite)?;
    Ok((suite, is_reduced, replaced))
}
