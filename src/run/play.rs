//! Plays scenarios concurrently, judges each, and sends what happens as events.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout_at;

use super::alone::{self, Suspects, Unexplained};
use super::audience::{Audience, Leftovers};
use super::budget::Budget;
use super::clock::NO_TIME;
use super::holds::{self, Holds};
use super::lessons::TypeKey;
use super::retries::Retries;
use super::stage::{Outcome, Stage, Unplayed, broken};
use super::start::{Pools, Started};
use super::type_start::TypeStart;
use crate::generate::{self, Facts};
use crate::lifecycle::End;
use crate::scenario::{Block, Scenario};
use crate::schema::{Kind, Schema};

pub(super) const ABANDONED: &str = "the run ended while scenarios were being played: they were not judged, and may have \
                         left objects behind";

/// Scenarios that wait for others that they could meet, for each that may be played at once.
const WAITING: usize = 4;

/// What the feeder and scenarios report.
enum Told {
    Started(TypeStart),
    Ended(Box<Outcome>),
}

fn numbered((number, mut scenario): (u32, Scenario)) -> Scenario {
    scenario.label.number = number;
    scenario
}

/// The types that have scenarios for which the time did not suffice.
#[derive(Clone, Default)]
pub(super) struct CutShort(Arc<Mutex<BTreeSet<TypeKey>>>);

impl CutShort {
    pub fn add(&self, key: &TypeKey) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
    }

    /// How many there are, in a sentence without a full stop.
    pub fn note(&self) -> Option<String> {
        let words = match self.0.lock().unwrap_or_else(PoisonError::into_inner).len() {
            0 => return None,
            1 => "1 type was".to_owned(),
            n => format!("{n} types were"),
        };
        Some(format!("{words} cut short: {NO_TIME}"))
    }
}

impl Stage {
    /// Plays and judges the scenarios of some types: the first ones, or the last of the retries. Sends the
    /// events of each when it has ended.
    ///
    /// A scenario during which a process ended is played again, alone, and only that play counts: it does
    /// not depend on which others were played beside it. Returns the processes that ended without a scenario
    /// that ends one alone, with the calls in flight.
    pub async fn play_all(
        &self,
        work: Vec<(Kind, String)>,
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Vec<Unexplained> {
        let (holds, cut) = (Holds::default(), CutShort::default());
        let (sender, mut receiver) = mpsc::channel(self.options.jobs * 4);
        let feeding = self.clone().feed(work, started.pools(), holds.clone(), cut.clone(), sender);
        let feeder = tokio::spawn(feeding);
        let mut suspects = Suspects::default();
        let may_be_alone = self.options.program.is_started_again();
        let overdue = self.options.interruption.is_overdue();
        tokio::pin!(overdue);
        loop {
            let told = tokio::select! {
                biased;
                told = receiver.recv() => told,
                () = &mut overdue => {
                    feeder.abort();
                    audience.note(ABANDONED);
                    return Vec::new();
                }
            };
            match told {
                None => break,
                Some(Told::Started(start)) => audience.start_type(&start),
                Some(Told::Ended(outcome)) => match *outcome {
                    Ok(finished) if may_be_alone && finished.played.is_disturbed() => suspects.add(finished),
                    outcome => audience.send(&outcome, leftovers),
                },
            }
        }
        cut.note().iter().for_each(|text| audience.note(text));
        alone::play(self, started, suspects, holds, audience, leftovers).await
    }

    /// Plays and judges what is tried again.
    pub async fn play_again(
        &mut self,
        retries: Retries,
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Vec<Unexplained> {
        let work = retries.keys().cloned().collect();
        self.retries.push(Arc::new(retries));
        self.play_all(work, started, audience, leftovers).await
    }

    /// Starts every scenario as soon as it cannot meet another one and there is room.
    async fn feed(
        self,
        work: Vec<TypeKey>,
        pools: Pools,
        holds: Holds,
        cut: CutShort,
        sender: mpsc::Sender<Told>,
    ) {
        let jobs = self.options.jobs;
        let (slots, waiting) = (Arc::new(Semaphore::new(jobs)), Arc::new(Semaphore::new(jobs * WAITING)));
        let lost = Arc::new(AtomicBool::new(false));
        let mut budget = Budget::new(self.deadline.end(), work.len());
        // All scenarios in a process that ends are played again, and those of a huge schema take long. Started last, few
        // of them are beside one that ends a process.
        let (huge, others): (Vec<TypeKey>, Vec<TypeKey>) =
            work.into_iter().partition(|key| self.is_huge(key));
        for (kind, type_name) in others.into_iter().chain(huge) {
            let end = budget.next_type();
            let scenarios: Box<dyn Iterator<Item = Scenario> + Send> = match self.retries.last() {
                None => {
                    let started = Told::Started(self.start_of((kind, type_name.clone())));
                    if sender.send(started).await.is_err() {
                        return;
                    }
                    Box::new(self.scenarios(kind, &type_name))
                }
                Some(retries) => Box::new(self.scenarios_again(retries, kind, &type_name)),
            };
            let is_late = move || end.is_some_and(|end| Instant::now() >= end);
            for scenario in scenarios {
                if is_late() {
                    cut.add(&(kind, type_name.clone()));
                    break;
                }
                let Ok(place) = Arc::clone(&waiting).acquire_owned().await else { return };
                let (stage, pools, sender) = (self.clone(), pools.clone(), sender.clone());
                let (holds, slots, lost) = (holds.clone(), Arc::clone(&slots), Arc::clone(&lost));
                let cut = cut.clone();
                let wanted = stage.holds_of(&scenario);
                tokio::spawn(async move {
                    let held = holds.take(wanted).await;
                    let Ok(slot) = slots.acquire_owned().await else { return };
                    drop(place);
                    if stage.is_interrupted() || lost.load(Ordering::Relaxed) {
                        return;
                    }
                    if is_late() {
                        return cut.add(&(kind, scenario.label.type_name));
                    }
                    let again = stage.options.program.is_started_again();
                    let is_one = stage.options.jobs == 1;
                    let mut played = tokio::spawn(async move { stage.play(kind, scenario, &pools).await });
                    let mut slot = Some(slot);
                    let outcome = match end {
                        None => played.await,
                        Some(_) if is_one => played.await,
                        Some(end) => match timeout_at(end.into(), &mut played).await {
                            Ok(ended) => ended,
                            // A scenario that hangs does not keep other types waiting.
                            Err(_) => {
                                slot = None;
                                played.await
                            }
                        },
                    };
                    let outcome = outcome.unwrap_or_else(|panic| Err(Unplayed::Defect(broken(panic))));
                    if !again && matches!(&outcome, Ok(ended) if matches!(ended.played.end, End::Lost { .. }))
                    {
                        lost.store(true, Ordering::Relaxed);
                    }
                    drop((held, slot));
                    // The receiver is gone only when the run itself is.
                    let _ = sender.send(Told::Ended(Box::new(outcome))).await;
                });
                if self.is_interrupted() {
                    return;
                }
            }
        }
    }

    /// What the scenarios of a type are to meet.
    fn start_of(&self, key: TypeKey) -> TypeStart {
        let how = self.informed_generation(key.0, &key.1);
        let schema = self.subject.schema.get(key.0, &key.1);
        let of = |schema: &Arc<Schema>| {
            let (kind, name) = (key.0, key.1.as_str());
            (generate::obligations(schema, kind, name, &how), generate::infeasible(schema, kind, name, &how))
        };
        let (obligations, infeasible) = schema.map(of).unwrap_or_default();
        TypeStart { obligations, infeasible, learning: self.lessons.learning(&key), key }
    }

    /// How to generate for a type with what was learned about it.
    pub fn informed_generation(&self, kind: Kind, type_name: &str) -> generate::Options {
        self.informed_by(self.lessons.facts(kind, type_name), kind, type_name)
    }

    fn informed_by(&self, facts: Facts, kind: Kind, type_name: &str) -> generate::Options {
        let is_managed = kind == Kind::Resource;
        let successors = is_managed.then(|| generate::successors(&self.subject.schema, type_name)).flatten();
        generate::Options { facts, successors, ..self.generation(kind, type_name) }
    }

    /// How to generate for a type, as long as nothing was learned about it itself.
    pub fn generation(&self, kind: Kind, type_name: &str) -> generate::Options {
        let pins = self.options.pins.get(&kind.qualified(type_name)).cloned().unwrap_or_default();
        let suppliers = self.lessons.suppliers.clone();
        let has_identity = kind == Kind::Resource && self.subject.schema.identities.contains_key(type_name);
        // Random combinations come after everything else.
        let cases = self.cases.without_mixes();
        generate::Options { cases, pins, suppliers, has_identity, ..self.options.generate.clone() }
    }

    /// The hints of the user that have no effect, in sentences without a full stop.
    pub fn unused_hints(&self, types: &[TypeKey]) -> Vec<String> {
        let hinted =
            types.iter().filter(|(kind, name)| self.options.pins.contains_key(&kind.qualified(name)));
        let of_type = |(kind, name): &TypeKey| {
            let schema = self.subject.schema.get(*kind, name)?;
            let unused = generate::unused(schema, &self.informed_generation(*kind, name));
            let of = if *kind == Kind::DataSource { "data" } else { "resource" };
            let said = |(path, key)| format!("`{of}.{name}.attr.\"{path}\".{key}` is never used");
            Some(unused.into_iter().map(said).collect::<Vec<_>>())
        };
        hinted.filter_map(of_type).flatten().collect()
    }

    /// The scenarios of a type, in the order of their numbers.
    pub fn scenarios(&self, kind: Kind, type_name: &str) -> impl Iterator<Item = Scenario> + use<'_> {
        let how = self.informed_generation(kind, type_name);
        let (schema, type_name) = (self.subject.schema.get(kind, type_name), type_name.to_owned());
        schema.into_iter().flat_map(move |schema| {
            let examples = (0..).zip(self.examples.get(kind, &type_name));
            let examples = examples.filter(|(_, example)| !self.decide_otherwise(&example.blocks[1..]));
            let examples = examples.filter_map(|(n, example)| {
                generate::example(schema, kind, &how, &example.blocks, &example.origin, n)
            });
            let examples: Vec<Scenario> = examples.collect();
            let is_managed = kind == Kind::Resource;
            let old_states = is_managed.then(|| generate::old_states(schema, &type_name, &how));
            let made = generate::scenarios(schema, kind, &type_name, &how);
            let scenarios = examples.into_iter().chain(made).chain(old_states.into_iter().flatten());
            (1..).zip(scenarios).map(numbered)
        })
    }

    /// The scenarios that try something of a type again.
    pub fn scenarios_again<'r>(
        &'r self,
        retries: &'r Retries,
        kind: Kind,
        type_name: &str,
    ) -> impl Iterator<Item = Scenario> + use<'r> {
        let again = retries.get(&(kind, type_name.to_owned()));
        let (schema, type_name) = (self.subject.schema.get(kind, type_name), type_name.to_owned());
        again.zip(schema).into_iter().flat_map(move |(again, schema)| {
            let how = self.informed_by(again.facts.clone(), kind, &type_name);
            let scenarios = generate::retried(schema, kind, &type_name, &how, Arc::clone(&again.retry));
            (again.retry.n_before + 1..).zip(scenarios).map(numbered)
        })
    }

    /// Whether blocks have values other than those that the user chose.
    fn decide_otherwise(&self, blocks: &[Block]) -> bool {
        blocks.iter().any(|block| {
            let name = block.address.kind.qualified(&block.address.type_name);
            self.options.pins.get(&name).is_some_and(|pins| pins.contradict(block.arguments.resolved()))
        })
    }

    /// What a scenario must not share with another; nothing if no object is created.
    pub fn holds_of(&self, scenario: &Scenario) -> BTreeSet<holds::Hold> {
        let options = &self.options;
        if !options.apply {
            return BTreeSet::new();
        }
        holds::of(scenario, &options.pins, options.has_outside)
    }

    pub fn is_huge(&self, (kind, type_name): &TypeKey) -> bool {
        self.subject.schema.get(*kind, type_name).is_some_and(|schema| generate::is_huge(schema))
    }
}
