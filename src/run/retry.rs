//! Tries again what was not reached because of something else.
//!
//! If a provider returns "" for a null note, an engine stops at every object without a note, and hides whatever else is
//! wrong with such objects. So what was not reached is tried again in two ways: first from the nearest configuration at
//! which an engine does not stop, if it stops at the smallest one; then one obligation at a time.
//!
//! If a provider refuses to create an object because an argument needs another one, whatever had the first without the
//! second is tried again with both. What the provider refuses in an update it may accept in a new object: that is tried
//! one at a time, too.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use futures_util::future::join_all;

use super::alone::Unexplained;
use super::audience::{Audience, Leftovers};
use super::holds::Holds;
use super::lanes::Queue;
use super::learn::Part;
use super::lessons::{Lessons, TypeKey};
use super::play::{ABANDONED, CutShort};
use super::retries::{self, Retries, Tally, TypeRetry, Unreached};
use super::stage::{Stage, Unplayed, broken};
use super::start::Started;
use crate::generate::obligation::Obligation;
use crate::generate::{Cases, Facts, Manner, Retry};
use crate::record::Obstacle;
use crate::scenario::{ObligationId, Operation, Scenario};
use crate::schema::Kind;

/// How many types are tried at the same time: each has processes of its own, which take memory.
const LANES: usize = 4;

impl Stage {
    /// Tries again what was not reached, and then random combinations if the user wants more scenarios. Returns the same as [`Stage::play_all`].
    pub async fn retry(
        &mut self,
        work: &[TypeKey],
        unreached: impl Fn(Obstacle) -> Unreached,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Vec<Unexplained> {
        let mut unexplained = Vec::new();
        if self.options.learns && !self.is_over() {
            let (stopped, refused) = (unreached(Obstacle::Stop), self.applied(unreached(Obstacle::Refusal)));
            let elsewhere = self.elsewhere(stopped, started, audience, leftovers).await;
            let retries = self.with_required(refused, elsewhere, started, audience, leftovers).await;
            let known = |key: &TypeKey| self.lessons.facts(key.0, &key.1).rules;
            retries::notes(&retries, known).iter().for_each(|text| audience.note(text));
            unexplained = self.play_again(retries, started, audience, leftovers).await;
        }
        if !self.is_over() {
            let mut left = unreached(Obstacle::Stop);
            for (key, refused) in self.applied(unreached(Obstacle::Refusal)) {
                left.entry(key).or_default().extend(refused);
            }
            let retries = Arc::new(self.one_by_one(left));
            self.retries.push(Arc::clone(&retries));
            let overdue = self.options.interruption.is_overdue();
            tokio::select! {
                () = self.play_one_by_one(&retries, started, audience, leftovers) => {}
                () = overdue => audience.note(ABANDONED),
            }
        }
        if let Cases::Number(most) = self.cases
            && !self.is_over()
        {
            let mixes = self.mixes(work, most);
            unexplained.extend(self.play_again(mixes, started, audience, leftovers).await);
        }
        unexplained
    }

    /// What is tried again of the types that have another configuration to start from.
    async fn elsewhere(
        &mut self,
        unreached: Unreached,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Retries {
        let unreached = self.with_room(unreached);
        let known = |key: &TypeKey| self.lessons.facts(key.0, &key.1);
        let types = unreached.keys().map(|key| (key.clone(), known(key), Part::AvoidStop)).collect();
        let mut learned = self.learn_again(types, started, audience, leftovers).await;
        let retries = unreached.into_iter().filter_map(|(key, (n_before, wanted))| {
            let retry = Arc::new(Retry { wanted, n_before, manner: Manner::Together });
            Some((key.clone(), TypeRetry { facts: learned.remove(&key)?, retry }))
        });
        retries.collect()
    }

    /// Adds what is tried again with the arguments that others require.
    async fn with_required(
        &mut self,
        unreached: Unreached,
        mut retries: Retries,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Retries {
        let unreached = self.with_room(unreached);
        let known = |key: &TypeKey| match retries.get(key) {
            Some(again) => again.facts.clone(),
            None => self.lessons.facts(key.0, &key.1),
        };
        let types = unreached.keys().map(|key| (key.clone(), known(key), Part::RequiredWith)).collect();
        let mut learned = self.learn_again(types, started, audience, leftovers).await;
        for (key, (n_before, mut wanted)) in unreached {
            let Some(facts) = learned.remove(&key) else { continue };
            wanted.extend(retries.remove(&key).into_iter().flat_map(|again| again.retry.wanted.clone()));
            let retry = Arc::new(Retry { wanted, n_before, manner: Manner::Together });
            retries.insert(key, TypeRetry { facts, retry });
        }
        retries
    }

    /// Keeps the types of which an object was created or read. The provider may refuse the others whatever is tried, for
    /// lack of credentials.
    fn applied(&self, mut unreached: Unreached) -> Unreached {
        let reached = |key: &TypeKey| self.lessons.types.get(key)?.reached;
        unreached.retain(|key, _| reached(key) == Some(Operation::Apply));
        unreached
    }

    /// The facts about those types of which another part of learning found something.
    async fn learn_again(
        &mut self,
        types: Vec<(TypeKey, Facts, Part)>,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> BTreeMap<TypeKey, Facts> {
        let mut lessons = Lessons::default();
        self.with_suppliers(self.lessons.suppliers.clone())
            .learn_part(types, started, audience, leftovers, &mut lessons)
            .await;
        Arc::make_mut(&mut self.lessons).questions.extend(lessons.questions);
        let found = lessons.types.into_iter().filter(|(_, learned)| learned.reached.is_some());
        found.map(|(key, learned)| (key, learned.facts)).collect()
    }

    /// What is tried again one obligation at a time.
    fn one_by_one(&self, unreached: Unreached) -> Retries {
        let retries = self.with_room(unreached).into_iter().map(|(key, (n_before, wanted))| {
            let retry = Arc::new(Retry { wanted, n_before, manner: Manner::OneByOne });
            let facts = self.latest_facts(&key);
            (key, TypeRetry { facts, retry })
        });
        retries.collect()
    }

    /// What makes up the rest of the types that have had fewer than `most` scenarios.
    fn mixes(&self, work: &[TypeKey], most: usize) -> Retries {
        let counted = work.iter().map(|key| (key, self.all_scenarios(key.0, &key.1).count()));
        let mixes = counted.filter(|(_, n_before)| *n_before < most).map(|(key, n_before)| {
            let retry = Retry { n_before: n_before as u32, manner: Manner::Mixed, ..Retry::default() };
            (key.clone(), TypeRetry { facts: self.latest_facts(key), retry: Arc::new(retry) })
        });
        mixes.collect()
    }

    /// What is known about a type, with what the first retry found.
    fn latest_facts(&self, key: &TypeKey) -> Facts {
        let earlier = self.retries.iter().find_map(|retries| retries.get(key));
        earlier.map_or_else(|| self.lessons.facts(key.0, &key.1), |earlier| earlier.facts.clone())
    }

    /// Plays each type in processes of its own: a crash does not disturb the scenarios of other types.
    async fn play_one_by_one(
        &self,
        retries: &Retries,
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) {
        let (queue, holds) = (Queue::new(retries.iter()), Holds::default());
        let cut = CutShort::default();
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
                    if self.deadline.is_over() {
                        cut.add(&(*kind, type_name.clone()));
                        break;
                    }
                    if tally.has_enough(&scenario) {
                        continue;
                    }
                    let _held = holds.take(self.holds_of(&scenario)).await;
                    let (stage, pool, kind) = (self.clone(), Arc::clone(pool), *kind);
                    let words = leftovers.words(&scenario.label);
                    let played =
                        tokio::spawn(async move { stage.play_alone(kind, scenario, &pool, words).await });
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
        cut.note().iter().for_each(|text| audience.note(text));
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
}
