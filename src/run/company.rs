//! Plays scenarios at the same time in one process: what a finding needs that does not appear alone.
//!
//! A provider that keeps something about one object where a call for another one finds it breaks its promises only
//! while several calls are under way. Played in processes of their own, the same scenarios show whether it is the
//! process that they share, or the remote system.

use std::sync::Arc;

use super::RunError;
use super::audience::{Audience, Leftovers};
use super::claims::Claims;
use super::stage::{Finished, Stage, Unplayed, broken};
use super::start::Started;
use crate::report::events::Event;
use crate::report::{GroupKey, Replays};
use crate::scenario::Scenario;
use crate::schema::Kind;
use crate::transcript::ScenarioLabel;

/// Scenarios that are played at the same time.
const COMPANY: usize = 8;
/// How often.
const ROUNDS: u32 = 5;
/// How often a finding must appear then: what appears once may be due to chance.
const ENOUGH: u32 = 2;

/// Where scenarios are played that are played at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Processes {
    /// In one, as an engine does.
    One,
    /// Each in one of its own.
    Each,
}

impl Stage {
    /// Plays the case of a group beside others of its type, and sends how often the finding appeared if it needs them:
    /// if it appears when they share a process, and never when each has its own.
    pub(super) async fn confirm_in_company(
        &self,
        label: &ScenarioLabel,
        group: &[GroupKey],
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) {
        let Some((kind, scenario)) = self.scenario_of(label) else { return };
        let company = self.company_of(kind, scenario);
        let [_, companions @ ..] = &company[..] else { return };
        if companions.is_empty() || self.options.jobs == 1 || !self.options.program.is_started_again() {
            return;
        }
        let is_in = |finished: &Finished| {
            audience.judged(finished).findings().any(|finding| group.contains(&GroupKey::of(&finding)))
        };
        let (mut seen, mut masked) = (0, Vec::new());
        for of in 1..=ROUNDS {
            if self.is_over() {
                return;
            }
            let played = self.play_together(kind, &company, Processes::One, started, leftovers).await;
            let Ok(played) = played else { return };
            if let [_, companions @ ..] = &played[..] {
                masked =
                    companions.iter().filter_map(|one| audience.judged(one).scenario().cloned()).collect();
            }
            seen += u32::from(played.iter().any(&is_in));
            if seen + (ROUNDS - of) < ENOUGH {
                return;
            }
        }
        for _ in 0..ROUNDS {
            let played = self.play_together(kind, &company, Processes::Each, started, leftovers).await;
            if self.is_over() || played.map_or(true, |played| played.iter().any(&is_in)) {
                return;
            }
        }
        let replays = Replays { seen, of: ROUNDS, beside: companions.len() as u32 };
        audience.consumer.consume(Event::Replayed { group: &group[0], replays });
        audience.consumer.consume(Event::Accompanied { group, companions: &masked });
    }

    /// A scenario, and others of its type that are near to it.
    fn company_of(&self, kind: Kind, scenario: Scenario) -> Vec<Scenario> {
        let label = scenario.label.clone();
        let first = (label.number as usize).saturating_sub(COMPANY / 2);
        let near = self.all_scenarios(kind, &label.type_name).skip(first);
        let others = near.filter(|other| other.label != label).take(COMPANY - 1);
        std::iter::once(scenario).chain(others).collect()
    }

    /// Plays scenarios of one kind at the same time, each under names of its own.
    ///
    /// Fails if the remote system is gone or cannot be reset, or if the time of the run is over.
    pub(super) async fn play_together(
        &self,
        kind: Kind,
        company: &[Scenario],
        processes: Processes,
        started: &Started,
        leftovers: &Leftovers,
    ) -> Result<Vec<Finished>, RunError> {
        self.reset_remote().await.map_err(RunError::Lost)?;
        let (claims, pools) = (Claims::default(), started.pools());
        let shared = Arc::new(pools.own());
        let plays: Vec<_> = company
            .iter()
            .map(|scenario| {
                let pool = match processes {
                    Processes::One => Arc::clone(&shared),
                    Processes::Each => Arc::new(pools.own()),
                };
                let (stage, scenario, claims) = (self.clone(), scenario.clone(), claims.clone());
                let words = leftovers.words(&scenario.label);
                let own = Arc::clone(&pool);
                let play = tokio::spawn(async move {
                    let _held = claims.take(stage.claims_of(&scenario)).await;
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
