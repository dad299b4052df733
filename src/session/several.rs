//! A suite that is played as several engines, one after the other.

use std::collections::BTreeSet;
use std::time::Duration;

use super::outcome::merge_runs;
use super::{Outcome, Part, SessionError, baseline, play_as_one};
use crate::engine::Engine;
use crate::report::events::Consumer;
use crate::suite::Suite;

/// Plays a suite as each of its engines, until one is ended early. A finding names its engines if not all found it.
/// Transcripts are in a folder for each engine.
pub(super) fn play(suite: &Suite, part: &Part, consumer: &dyn Consumer) -> Result<Outcome, SessionError> {
    let mut runs = Vec::new();
    let (mut played, mut wall) = (BTreeSet::new(), Duration::ZERO);
    let mut is_only_unapplied = true;
    for engine in suite.run.engine.iter() {
        let mut alone = suite.clone();
        alone.run.engine = engine.into();
        alone.run.transcripts = alone.run.transcripts.map(|folder| folder.join(engine.name()));
        // What is known may be found as another engine only.
        let part = Part { is_reduced: true, said: said_of(&part.said, engine), ..part.clone() };
        let Outcome { mut report, exit, is_only_unapplied: unapplied } =
            play_as_one(&alone, &part, consumer)?;
        report.groups.iter_mut().for_each(|group| group.engines = [engine].into());
        wall += report.totals.wall;
        is_only_unapplied &= unapplied;
        played.insert(engine);
        runs.push((report, exit));
        if exit.is_early() {
            break;
        }
    }
    let shard = runs.iter().find_map(|(report, _)| report.run.shard.clone());
    let require = part.shard.is_none().then_some(&suite.require);
    let (mut report, exit) = merge_runs(runs, require, None);
    report.run.shard = shard;
    for group in report.groups.iter_mut().filter(|group| group.engines == played) {
        group.engines.clear();
    }
    report.run.engine = played.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(",");
    report.totals.wall = wall;
    let mut outcome = Outcome { report, exit, is_only_unapplied };
    outcome.note_what_is_gone(suite, &baseline::read(suite)?, part);
    Ok(outcome)
}

/// The options of the command line for a run as one engine.
fn said_of(said: &[String], engine: Engine) -> Vec<String> {
    let mut words = said.to_vec();
    if let Some(at) = words.iter().position(|word| word == "--engine") {
        words.drain(at..words.len().min(at + 2));
    }
    words.extend(["--engine".to_owned(), engine.name().to_owned()]);
    words
}
