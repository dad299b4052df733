//! Tries around a stop of the engine what the stop kept from being tried.
//!
//! A provider that returns "" for a null note makes an engine stop at every object without a note, and whatever else such
//! objects would show is not seen. So what was not reached is tried once more: from the nearest configuration at which an
//! engine does not stop, if the smallest one is to blame; and then what is left, one obligation at a time.

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
use super::round::{KeptBack, Round, TypeRetry};
use super::stage::{Finished, Stage};
use super::start::Started;
use crate::generate::Retry;
use crate::generate::facts::PresenceRule;
use crate::generate::obligation::Obligation;
use crate::scenario::{ObligationId, Scenario, Words};
use crate::schema::Kind;

/// How many types are tried at the same time: each has processes of its own, which take memory.
const LANES: usize = 4;

/// How many values of one argument may end a process, or get no answer in time, before its others are left alone. Each
/// costs seconds, and says what the others said.
const ENOUGH: usize = 2;

/// How many types one note names.
const NAMED: usize = 5;

impl Stage {
    /// Plays what is tried once more, if there is time; `kept_back` is what no scenario so far got to. Returns the same as
    /// [`Stage::play_all`].
    pub async fn go_around(
        &mut self,
        kept_back: impl Fn() -> KeptBack,
        end: Option<Instant>,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Vec<Unexplained> {
        let is_over = || end.is_some_and(|end| Instant::now() >= end);
        let mut unexplained = Vec::new();
        if self.options.learns && !is_over() && !self.is_interrupted() {
            let round = self.elsewhere(kept_back(), started, audience, leftovers).await;
            self.note_of(&round).iter().for_each(|text| audience.note(text));
            unexplained.extend(self.play_round(round, end, started, audience, leftovers).await);
        }
        if !is_over() && !self.is_interrupted() {
            self.rounds.push(Arc::new(self.apart(kept_back())));
            self.play_apart(&is_over, started, audience, leftovers).await;
        }
        unexplained
    }

    /// Plays the last round in processes of its own, where no process that ends takes the scenarios of others with it.
    async fn play_apart(
        &self,
        is_over: &dyn Fn() -> bool,
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) {
        let round = Arc::clone(self.rounds.last().expect("there is a round"));
        let (queue, claims) = (Queue::new(round.iter()), Claims::default());
        let lane = || async {
            let pools = started.pools();
            let own = self.options.program.is_started_again().then(|| pools.own());
            while let Some(((kind, type_name), again)) = queue.next() {
                let places = again.places();
                let mut n_ended: BTreeMap<&str, usize> = BTreeMap::new();
                for scenario in self.scenarios_in(&round, *kind, type_name) {
                    if is_over() || self.is_interrupted() {
                        break;
                    }
                    let place = places.of(&scenario);
                    if place.is_some_and(|place| n_ended.get(place).is_some_and(|n| *n >= ENOUGH)) {
                        continue;
                    }
                    let _held = claims.take(self.claims_of(&scenario)).await;
                    let pool = own.as_ref().unwrap_or(&started.pool);
                    let outcome = self.play_alone(*kind, scenario, pool, Words::OWN).await;
                    let has_ended = |finished: &Finished| finished.crashed() || finished.hung().is_some();
                    if let Some(place) = place.filter(|_| outcome.as_ref().is_ok_and(has_ended)) {
                        *n_ended.entry(place).or_default() += 1;
                    }
                    audience.send(&outcome, leftovers);
                }
            }
            if let Some(own) = own {
                pools.end(own).await;
            }
        };
        join_all((0..LANES.min(self.options.jobs)).map(|_| lane())).await;
    }

    /// A round for the types that have a configuration around the stop.
    async fn elsewhere(
        &self,
        kept_back: KeptBack,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Round {
        let kept_back = self.with_room(kept_back);
        let mut lessons = Lessons::default();
        let of = |(key, _): (&TypeKey, _)| (key.clone(), self.lessons.facts(key.0, &key.1), Part::Around);
        let types = kept_back.iter().map(of).collect();
        self.with_suppliers(self.lessons.suppliers.clone())
            .learn_part(types, started, audience, leftovers, &mut lessons)
            .await;
        let round = kept_back.into_iter().filter_map(|(key, (n_before, wanted))| {
            let around = lessons.types.remove(&key)?;
            let retry = Arc::new(Retry { wanted, n_before, is_apart: false });
            around.reached.is_some().then_some((key, TypeRetry { facts: around.facts, retry }))
        });
        round.collect()
    }

    /// A round for each obligation by itself.
    fn apart(&self, kept_back: KeptBack) -> Round {
        let round = self.with_room(kept_back).into_iter().map(|(key, (n_before, wanted))| {
            let earlier = self.rounds.iter().rev().find_map(|round| round.get(&key));
            let facts =
                earlier.map_or_else(|| self.lessons.facts(key.0, &key.1), |earlier| earlier.facts.clone());
            let retry = Arc::new(Retry { wanted, n_before, is_apart: true });
            (key, TypeRetry { facts, retry })
        });
        round.collect()
    }

    /// The types that may have more scenarios, with the number of those that they have.
    fn with_room(&self, kept_back: KeptBack) -> BTreeMap<TypeKey, (u32, HashMap<Obligation, ObligationId>)> {
        let counted = kept_back.into_iter().map(|(key, wanted)| {
            let n_before = self.all_scenarios(key.0, &key.1).count();
            (key, (n_before as u32, wanted))
        });
        counted.filter(|(_, (n_before, _))| (*n_before as usize) < self.cases.most()).collect()
    }

    /// The scenarios of a type in all rounds so far, in the order of their numbers.
    pub fn all_scenarios(&self, kind: Kind, type_name: &str) -> impl Iterator<Item = Scenario> + use<'_> {
        let rounds = self.rounds.iter().map(|round| self.scenarios_in(round, kind, type_name));
        let rounds: Vec<_> = rounds.collect();
        self.scenarios(kind, type_name).chain(rounds.into_iter().flatten())
    }

    /// What is set or left out around a stop of the engine, if anything is.
    fn note_of(&self, round: &Round) -> Option<String> {
        let of = |((kind, name), retry): (&TypeKey, &TypeRetry)| {
            let known = self.lessons.facts(*kind, name).rules;
            let how = retry.facts.rules.difference(&known).filter_map(|rule| match rule {
                PresenceRule::Required(path) => Some(format!("set {path}")),
                PresenceRule::Forbidden(path) => Some(format!("leave out {path}")),
                _ => None,
            });
            format!("{} ({})", kind.qualified(name), how.collect::<Vec<_>>().join(", "))
        };
        let named = round.iter().take(NAMED).map(of).collect::<Vec<_>>().join("; ");
        let more = match round.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        (!named.is_empty()).then(|| {
            format!("an engine stops at the smallest configuration, so more scenarios go around that: {named}{more}")
        })
    }
}
