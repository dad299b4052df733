//! The runs of a scenario, and what a user does after one that failed.
//!
//! A refused configuration says nothing about the next one, so the next run is played. An apply that
//! failed is played once more: its plan is made from what the answer left behind, which is nothing, the
//! object as it was, or a part of the new one. If an update is refused again, the object is replaced instead,
//! and then changed back: so it shows whether the values or the update itself is refused. Of a run with parts
//! the parts are played then. Where an engine rejects a plan nothing has changed, and where an object is gone the next
//! run creates one: so the next run is played, too, unless that happens run after run.

use std::fmt::Display;

use super::credits::{Met, Why};
use super::managed::GONE;
use super::run::Engine;
use super::{End, Outcome, first_failure};
use crate::calls::Rpc;
use crate::scenario::{EngineRun, InstanceAddress, RunOptions, Scenario};
use crate::transcript::Phase;

/// The most runs in a row, or parts of one run, whose plan an engine rejects or whose object is gone; after one more the
/// scenario ends.
const FRUITLESS: usize = 5;

/// What follows a run, or a part of one, that failed.
pub(super) enum After {
    /// The provider refused it, and the next one may fare better.
    Refused,
    /// An engine rejected a plan, or the object is gone. The answer was judged, and the next one may fare better.
    Judged,
    /// Nothing: the scenario ends.
    Nothing,
}

impl<E: Display> Engine<'_, '_, E> {
    /// Plays every run, and destroys what is left.
    pub async fn scenario(&mut self, scenario: &Scenario) -> Outcome<()> {
        let mut played = self.runs(&scenario.runs).await;
        self.nth = scenario.runs.len();
        // After a crash or a hang, a made-up object is not worth another one.
        if !matches!(played, Err(End::Stopped { .. } | End::Lost { .. })) {
            played = first_failure(played, self.plan_to_destroy_synthesised().await);
        }
        self.current = "at the end".to_owned();
        self.known().state.forget_synthesised();
        self.recall_forgotten();
        if !self.known().state.is_empty() {
            let phase = if played.is_err() { Phase::CleanUp } else { Phase::Destroy };
            // Report the first thing that went wrong.
            played = first_failure(played, self.clean_up(phase).await);
        }
        played
    }

    /// The first failure of all runs.
    async fn runs(&mut self, runs: &[EngineRun]) -> Outcome<()> {
        let mut played = Ok(());
        let mut accepted = None;
        let mut has_recovered = false;
        let mut n_fruitless = 0;
        for (idx, run) in runs.iter().enumerate() {
            self.nth = idx;
            // What was to change may not exist.
            if let Err(end) = &played
                && !run.before.is_empty()
            {
                self.player.log().credits.leave_out([run], end);
                continue;
            }
            let n_exchanges = self.player.log().exchanges.len();
            self.current = format!("run {}", idx + 1);
            if let Err(why) = self.change_state(run) {
                let became = (Met::Infeasible, Why::Impossible(why.to_owned()));
                self.player.log().credits.settle(run, became);
                continue;
            }
            let refused = match self.credited(run).await {
                Ok(()) => {
                    accepted = Some(run.clone());
                    n_fruitless = 0;
                    continue;
                }
                Err(end) => match self.after(&end, run, n_exchanges, &mut n_fruitless) {
                    After::Judged => {
                        played = played.and(Err(end));
                        continue;
                    }
                    After::Refused => end,
                    After::Nothing => {
                        self.player.log().credits.leave_out(&runs[idx + 1..], &end);
                        return first_failure(played, Err(end));
                    }
                },
            };
            let mut after = Ok(());
            if is_apply(&refused) && !std::mem::replace(&mut has_recovered, true) {
                let applied = accepted.as_ref().filter(|run| !run.only_looks());
                after = match self.recover(run, applied).await {
                    Err(end) if !matches!(end, End::Refused { .. }) => Err(end),
                    _ => Ok(()),
                };
            }
            if after.is_ok() && !run.parts.is_empty() {
                (accepted, after) = self.parts(run, &refused, accepted).await;
            }
            played = played.and(Err(refused));
            if let Err(end) = after {
                self.player.log().credits.leave_out(&runs[idx + 1..], &end);
                return first_failure(played, Err(end));
            }
        }
        played
    }

    /// What follows a run, or a part of one, that ended so. `n_exchanges` were made before it, and `n_fruitless`
    /// of those before it were judged and passed over.
    pub(super) fn after(
        &self,
        end: &End,
        run: &EngineRun,
        n_exchanges: usize,
        n_fruitless: &mut usize,
    ) -> After {
        let options = &self.player.options;
        match end {
            End::Refused { rpc, .. } => {
                // One refused configuration of a sweep never says anything about the next.
                let only_looks = run.only_looks() || !options.apply;
                let is_object = matches!(rpc, Rpc::ReadResource | Rpc::UpgradeResourceState);
                if only_looks || options.goes_on && !is_object { After::Refused } else { After::Nothing }
            }
            End::Stopped { rpc, why, .. } => {
                let is_fruitless = *rpc == Some(Rpc::PlanResourceChange) || why == GONE;
                let log = self.player.log();
                let mut made = log.exchanges[n_exchanges..].iter();
                let is_answered = made.all(|exchange| exchange.call.failure().is_none());
                if !(options.goes_on && is_fruitless && is_answered && *n_fruitless < FRUITLESS) {
                    return After::Nothing;
                }
                *n_fruitless += 1;
                After::Judged
            }
            End::Done | End::Lost { .. } => After::Nothing,
        }
    }

    /// Applies a run again. If an update is refused again, replaces the object, and applies the run before.
    async fn recover(&mut self, run: &EngineRun, before: Option<&EngineRun>) -> Outcome<()> {
        let Err(refused) = self.run(run).await else { return Ok(()) };
        let replace: Vec<InstanceAddress> = self.known().refused_updates.iter().cloned().collect();
        if replace.is_empty() || !matches!(refused, End::Refused { .. }) {
            return Err(refused);
        }
        let options = RunOptions { replace, ..run.options.clone() };
        self.run(&EngineRun { options, ..run.clone() }).await?;
        match before {
            Some(before) => self.run(&before.clone().after(Vec::new())).await,
            None => Ok(()),
        }
    }
}

fn is_apply(refused: &End) -> bool {
    matches!(refused, End::Refused { rpc: Rpc::ApplyResourceChange, .. })
}
