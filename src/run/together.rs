//! Confirms a finding that does not appear alone: plays its case at the same time as others, in one process.
//!
//! A provider that keeps what it knows of one object where a call for another one finds it fails only while several
//! calls are in flight. The same scenarios, each in its own process, tell whether the reason is the process that they
//! share or the remote system.

use std::sync::Arc;

use super::RunError;
use super::audience::{Audience, Leftovers};
use super::holds::Holds;
use super::stage::{Finished, Stage, Unplayed, broken};
use super::start::Started;
use crate::report::events::Event;
use crate::report::{GroupKey, Replays};
use crate::scenario::Scenario;
use crate::schema::Kind;
use crate::transcript::ScenarioLabel;

/// Scenarios that are played at the same time, unless the user wants fewer in flight.
const TOGETHER: usize = 8;
/// How often.
const ROUNDS: u32 = 5;
/// How often a finding must appear then: what appears once may be due to chance.
const ENOUGH: u32 = 2;

/// Which processes scenarios are played in that are played at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processes {
    /// One for all, as in an engine.
    One,
    /// One for each.
    Each,
}

impl Stage {
    /// Plays the case of a group beside others of its type, and sends how often the finding appeared if it needs them:
    /// if it appears when they share a process, and never when each has its own.
    pub(super) async fn confirm_together(
        &self,
        label: &ScenarioLabel,
        group: &[GroupKey],
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) {
        let Some((kind, scenario)) = self.scenario_of(label) else { return };
        let together = self.with_neighbours(kind, scenario);
        if together.len() < 2 || !self.options.program.is_started_again() {
            return;
        }
        let is_in = |finished: &Finished| {
            audience.judged(finished).findings().any(|finding| group.contains(&GroupKey::of(&finding)))
        };
        let (mut seen, mut beside) = (0, Vec::new());
        for of in 1..=ROUNDS {
            if self.is_over() {
                return;
            }
            let played = self.play_together(kind, &together, Processes::One, started, leftovers).await;
            let Ok(played) = played else { return };
            let others = played.iter().skip(1);
            beside = others.filter_map(|one| audience.judged(one).scenario().cloned()).collect();
            seen += u32::from(played.iter().any(&is_in));
            if seen + (ROUNDS - of) < ENOUGH {
                return;
            }
        }
        for _ in 0..ROUNDS {
            let played = self.play_together(kind, &together, Processes::Each, started, leftovers).await;
            if self.is_over() || played.map_or(true, |played| played.iter().any(&is_in)) {
                return;
            }
        }
        let replays = Replays { seen, of: ROUNDS, beside: beside.len() as u32 };
        audience.consumer.consume(Event::Replayed { group: &group[0], replays });
        audience.consumer.consume(Event::NeedsBeside { group, beside: &beside });
    }

    /// A scenario, and those of its type that are next to it in the order of a run.
    fn with_neighbours(&self, kind: Kind, scenario: Scenario) -> Vec<Scenario> {
        let label = scenario.label.clone();
        let first = (label.number as usize).saturating_sub(TOGETHER / 2);
        let near = self.all_scenarios(kind, &label.type_name).skip(first);
        let n_others = TOGETHER.min(self.options.jobs) - 1;
        let others = near.filter(|other| other.label != label).take(n_others);
        std::iter::once(scenario).chain(others).collect()
    }

    /// Plays scenarios of one kind at the same time, each under names of its own.
    ///
    /// Fails if the remote system is gone or cannot be reset, or if the time of the run is over.
    pub(super) async fn play_together(
        &self,
        kind: Kind,
        together: &[Scenario],
        processes: Processes,
        started: &Started,
        leftovers: &Leftovers,
    ) -> Result<Vec<Finished>, RunError> {
        self.reset_remote().await.map_err(RunError::Lost)?;
        let (holds, pools) = (Holds::default(), started.pools());
        let shared = Arc::new(pools.own());
        let plays: Vec<_> = together
            .iter()
            .map(|scenario| {
                let pool = match processes {
                    Processes::One => Arc::clone(&shared),
                    Processes::Each => Arc::new(pools.own()),
                };
                let (stage, scenario, holds) = (self.clone(), scenario.clone(), holds.clone());
                let words = leftovers.words(&scenario.label);
                let own = Arc::clone(&pool);
                let play = tokio::spawn(async move {
                    let _held = holds.take(stage.holds_of(&scenario)).await;
                    stage.play_alone(kind, scenario, &own, words).await
                });
                (pool, play)
            })
            .collect();
        let (mut played, mut lost) = (Vec::new(), None);
        for (pool, play) in plays {
            match play.await.unwrap_or_else(|panic| Err(Unplayed::Defect(broken(panic)))) {
                Ok(finished) => {
                    leftovers.learn(&finished);
                    played.push(finished);
                }
                Err(Unplayed::Late) => lost = Some(RunError::Late),
                Err(Unplayed::Remote(why) | Unplayed::Defect(why)) => lost = Some(RunError::Lost(why)),
            }
            if processes == Processes::Each {
                pools.end(&pool).await;
            }
        }
        pools.end(&shared).await;
        lost.map_or(Ok(played), Err)
    }
}
