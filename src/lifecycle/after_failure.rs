//! The runs of a scenario, and what a user does after one that failed.
//!
//! A refused configuration says nothing about the next one, so the next run is played. An apply that
//! failed is played once more: its plan is made from what the answer left behind, which is nothing, the
//! object as it was, or a part of the new one. If an update is refused again, the object is replaced instead,
//! and then changed back: so it shows whether the values or the update itself is refused. Of a run with parts
//! the parts are played then. Where an engine rejects a plan nothing has changed, and where an object is gone the next
//! run creates one: so the next run is played, too, unless that happens run after run.

use std::fmt::Display;

use super::managed::GONE;
use super::run::Engine;
use super::{End, Outcome, first_failure};
use crate::scenario::{EngineRun, InstanceAddress, RunOptions, Scenario};
use crate::transcript::Phase;

/// The most runs in a row, or parts of one run, whose plan an engine rejects or whose object is gone; after one more the
/// scenario ends.
pub(super) const FRUITLESS: usize = 5;

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
            self.change_state(run);
            let refused = match self.credited(run).await {
                Ok(()) => {
                    accepted = Some(run.clone());
                    n_fruitless = 0;
                    continue;
                }
                Err(end) if n_fruitless < FRUITLESS && self.is_fruitless(&end, n_exchanges) => {
                    n_fruitless += 1;
                    played = played.and(Err(end));
                    continue;
                }
                Err(end) if self.goes_on_after(&end, run) => end,
                Err(end) => {
                    self.player.log().credits.leave_out(&runs[idx + 1..], &end);
                    return first_failure(played, Err(end));
                }
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

    /// Whether an engine rejected a plan that the provider returned, or the object is gone. `n_exchanges` were made
    /// before the run.
    pub(super) fn is_fruitless(&self, end: &End, n_exchanges: usize) -> bool {
        let log = self.player.log();
        let is_answered =
            log.exchanges[n_exchanges..].iter().all(|exchange| exchange.call.failure().is_none());
        self.player.options.goes_on
            && is_answered
            && match end {
                End::Stopped { rpc: "PlanResourceChange", .. } => true,
                End::Stopped { why, .. } => why == GONE,
                _ => false,
            }
    }

    /// Whether the next run may fare better.
    pub(super) fn goes_on_after(&self, end: &End, run: &EngineRun) -> bool {
        // One refused configuration of a sweep never says anything about the next.
        let only_looks = run.only_looks() || !self.player.options.apply;
        match end {
            End::Refused { rpc, .. } => {
                let is_object = matches!(*rpc, "ReadResource" | "UpgradeResourceState");
                only_looks || self.player.options.goes_on && !is_object
            }
            End::Done | End::Stopped { .. } | End::Lost { .. } => false,
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
    matches!(refused, End::Refused { rpc: "ApplyResourceChange", .. })
}
