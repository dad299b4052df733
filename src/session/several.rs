//! A suite that is played as several engines, one after the other.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{Outcome, Part, SessionError, baseline, merge, play_as_one};
use crate::engine::Engine;
use crate::report::events::Consumer;
use crate::suite::Suite;

/// Plays a suite as each of its engines, until one is ended early. A finding says as which it was found.
pub(super) fn play(suite: &Suite, part: &Part, consumer: &dyn Consumer) -> Result<Outcome, SessionError> {
    let mut parts = Vec::new();
    let (mut played, mut wall) = (BTreeSet::new(), Duration::ZERO);
    let mut is_only_unapplied = true;
    for engine in suite.run.engine.iter() {
        let mut alone = suite.clone();
        alone.run.engine = engine.into();
        // What is known may be found as another engine only.
        let part = Part { is_reduced: true, said: said_of(&part.said, engine), ..part.clone() };
        let Outcome { mut report, exit, is_only_unapplied: unapplied } =
            play_as_one(&alone, &part, consumer)?;
        report.groups.iter_mut().for_each(|group| group.engines = [engine].into());
        wall += report.totals.wall;
        is_only_unapplied &= unapplied;
        played.insert(engine);
        parts.push((report, exit));
        if exit.is_early() {
            break;
        }
    }
    let (mut report, exit) = merge(parts, &suite.require);
    for group in report.groups.iter_mut().filter(|group| group.engines == played) {
        group.engines.clear();
    }
    report.run.engine = played.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(" and ");
    report.totals.wall = wall;
    let mut outcome = Outcome { report, exit, is_only_unapplied };
    outcome.miss_what_is_known(suite, &baseline::read(suite)?, part);
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
