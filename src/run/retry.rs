//! Tries again what was not reached because an engine stopped before.
//!
//! If a provider returns "" for a null note, an engine stops at every object without a note, and hides whatever else is
//! wrong with such objects. So what was not reached is tried again in two ways: first from the nearest configuration at
//! which an engine does not stop, if it stops at the smallest one; then one obligation at a time.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::join_all;

use super::alone::Unexplained;
use super::audience::{Audience, Leftovers};
use super::claims::Claims;
use super::lanes::Queue;
use super::learn::Part;
use super::lessons::{Lessons, TypeKey};
use super::play::{ABANDONED, cut_short};
use super::retries::{Retries, Tally, TypeRetry, Unreached};
use super::stage::{Stage, Unplayed, broken};
use super::start::Started;
use crate::generate::Retry;
use crate::generate::facts::PresenceRule;
use crate::generate::obligation::Obligation;
use crate::scenario::{ObligationId, Scenario, Words};
use crate::schema::Kind;

/// How many types are tried at the same time: each has processes of its own, which take memory.
const LANES: usize = 4;

/// How many types one note names.
const NAMED: usize = 5;

impl Stage {
    /// Tries again what was not reached, until `end`. Returns the same as [`Stage::play_all`].
    pub async fn retry(
        &mut self,
        unreached: impl Fn() -> Unreached,
        end: Option<Instant>,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Vec<Unexplained> {
        let is_over = |stage: &Stage| stage.is_interrupted() || end.is_some_and(|end| Instant::now() >= end);
        let mut unexplained = Vec::new();
        if self.options.learns && !is_over(self) {
            let retries = self.elsewhere(unreached(), started, audience, leftovers).await;
            self.note_of(&retries).iter().for_each(|text| audience.note(text));
            unexplained = self.play_again(retries, end, started, audience, leftovers).await;
        }
        if !is_over(self) {
            let retries = Arc::new(self.one_by_one(unreached()));
            self.retries.push(Arc::clone(&retries));
            let overdue = self.options.interruption.is_overdue();
            tokio::select! {
                () = self.play_one_by_one(&retries, end, started, audience, leftovers) => {}
                () = overdue => audience.note(ABANDONED),
            }
        }
        unexplained
    }

    /// What is tried again of the types that have another configuration to start from.
    async fn elsewhere(
        &self,
        unreached: Unreached,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Retries {
        let unreached = self.with_room(unreached);
        let mut lessons = Lessons::default();
        let of = |(key, _): (&TypeKey, _)| (key.clone(), self.lessons.facts(key.0, &key.1), Part::AvoidStop);
        let types = unreached.iter().map(of).collect();
        self.with_suppliers(self.lessons.suppliers.clone())
            .learn_part(types, started, audience, leftovers, &mut lessons)
            .await;
        let retries = unreached.into_iter().filter_map(|(key, (n_before, wanted))| {
            let learned = lessons.types.remove(&key).filter(|learned| learned.reached.is_some())?;
            let retry = Arc::new(Retry { wanted, n_before, is_one_by_one: false });
            Some((key, TypeRetry { facts: learned.facts, retry }))
        });
        retries.collect()
    }

    /// What is tried again one obligation at a time.
    fn one_by_one(&self, unreached: Unreached) -> Retries {
        let retries = self.with_room(unreached).into_iter().map(|(key, (n_before, wanted))| {
            let earlier = self.retries.iter().find_map(|retries| retries.get(&key));
            let known = || self.lessons.facts(key.0, &key.1);
            let facts = earlier.map_or_else(known, |earlier| earlier.facts.clone());
            let retry = Arc::new(Retry { wanted, n_before, is_one_by_one: true });
            (key, TypeRetry { facts, retry })
        });
        retries.collect()
    }

    /// Plays each type in processes of its own: a crash does not disturb the scenarios of other types.
    async fn play_one_by_one(
        &self,
        retries: &Retries,
        end: Option<Instant>,
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) {
        let (queue, claims) = (Queue::new(retries.iter()), Claims::default());
        let n_cut = Cell::new(0);
        let lane = || async {
            let pools = started.pools();
            let own = self.options.program.is_started_again().then(|| Arc::new(pools.own()));
            let pool = own.as_ref().unwrap_or(&started.pool);
            while let Some(((kind, type_name), again)) = queue.next() {
                let mut tally = Tally::of(again);
                for scenario in self.scenarios_again(retries, *kind, type_name) {
                    if self.is_interrupted() {
                        break;
                    }
                    if end.is_some_and(|end| Instant::now() >= end) {
                        n_cut.set(n_cut.get() + 1);
                        break;
                    }
                    if tally.has_enough(&scenario) {
                        continue;
                    }
                    let _held = claims.take(self.claims_of(&scenario)).await;
                    let (stage, pool, kind) = (self.clone(), Arc::clone(pool), *kind);
                    let played =
                        tokio::spawn(
                            async move { stage.play_alone(kind, scenario, &pool, Words::OWN).await },
                        );
                    let outcome = played.await.unwrap_or_else(|panic| Err(Unplayed::Defect(broken(panic))));
                    if let Ok(finished) = &outcome
                        && (finished.crashed() || finished.hung().is_some())
                    {
                        tally.add(&finished.scenario);
                    }
                    audience.send(&outcome, leftovers);
                }
            }
            if let Some(own) = &own {
                pools.end(own).await;
            }
        };
        let n_lanes = LANES.min(self.options.jobs).min(retries.len());
        join_all((0..n_lanes).map(|_| lane())).await;
        cut_short(n_cut.get()).iter().for_each(|text| audience.note(text));
    }

    /// The types that may have more scenarios, each with the number of scenarios that it has.
    fn with_room(&self, unreached: Unreached) -> BTreeMap<TypeKey, (u32, HashMap<Obligation, ObligationId>)> {
        let counted = unreached.into_iter().map(|(key, wanted)| {
            let n_before = self.all_scenarios(key.0, &key.1).count();
            (key, (n_before as u32, wanted))
        });
        counted.filter(|(_, (n_before, _))| (*n_before as usize) < self.cases.most()).collect()
    }

    /// The scenarios of a type, with those that try something again, in the order of their numbers.
    pub fn all_scenarios(&self, kind: Kind, type_name: &str) -> impl Iterator<Item = Scenario> + use<'_> {
        let again = self.retries.iter().map(|retries| self.scenarios_again(retries, kind, type_name));
        let again: Vec<_> = again.collect();
        self.scenarios(kind, type_name).chain(again.into_iter().flatten())
    }

    /// What is set or left out so that an engine does not stop, if there is anything.
    fn note_of(&self, retries: &Retries) -> Option<String> {
        let of = |((kind, name), again): (&TypeKey, &TypeRetry)| {
            let known = self.lessons.facts(*kind, name).rules;
            let how = again.facts.rules.difference(&known).filter_map(|rule| match rule {
                PresenceRule::Required(path) => Some(format!("with {path}")),
                PresenceRule::Forbidden(path) => Some(format!("without {path}")),
                _ => None,
            });
            format!("{} ({})", kind.qualified(name), how.collect::<Vec<_>>().join(", "))
        };
        let types = match retries.len() {
            0 => return None,
            1 => "1 type".to_owned(),
            n => format!("{n} types"),
        };
        let named = retries.iter().take(NAMED).map(of).collect::<Vec<_>>().join("; ");
        let more = match retries.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        Some(format!(
            "an engine stops at the smallest configuration of {types}, so more scenarios were played with another one: \
             {named}{more}"
        ))
    }
}
