//! Gives credit for the runs of a scenario.

use std::fmt::Display;

use super::credits::{Met, Why, refused};
use super::player::Log;
use super::run::Engine;
use super::{End, Outcome};
use crate::scenario::EngineRun;

impl<E: Display> Engine<'_, '_, E> {
    /// Plays a run, and gives credit for what it met.
    pub(super) async fn credited(&mut self, run: &EngineRun) -> Outcome<()> {
        let (n_exchanges, n_impossible) = {
            let mut log = self.player.log();
            log.credits.begin();
            (log.exchanges.len(), log.impossible.len())
        };
        let outcome = self.run(run).await;
        let mut log = self.player.log();
        let became = became(&outcome, &log, n_exchanges, n_impossible);
        log.credits.settle(run, became);
        outcome
    }
}

/// What became of a run, from what was logged since it began.
fn became(outcome: &Outcome<()>, log: &Log, n_exchanges: usize, n_impossible: usize) -> (Met, Why) {
    let is_answered = log.exchanges[n_exchanges..].iter().all(|exchange| exchange.call.failure().is_none());
    match outcome {
        Ok(()) => match log.impossible.get(n_impossible) {
            None => (Met::Exercised, Why::Exercised),
            Some(impossible) => (Met::Infeasible, Why::Impossible(impossible.why.clone())),
        },
        Err(end @ End::Refused { .. }) => refused(end),
        // The answer was judged, and an engine refuses it.
        Err(End::Stopped { .. }) if is_answered => (Met::Exercised, Why::Exercised),
        Err(end) => (Met::Blocked, Why::Ended(end.clone())),
    }
}
