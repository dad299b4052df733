//! Plays scenarios concurrently, judges each, and sends what happens as events.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
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
use crate::examples::Example;
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

type Scenarios<'s> = Box<dyn Iterator<Item = Scenario> + Send + 's>;

fn is_late(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

/// Scenarios that had to wait until the time of their type was over.
#[derive(Clone, Default)]
struct Late(Arc<Mutex<BTreeMap<TypeKey, Vec<Scenario>>>>);

impl Late {
    fn add(&self, kind: Kind, scenario: Scenario) {
        let key = (kind, scenario.label.type_name.clone());
        let mut late = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        late.entry(key).or_default().push(scenario);
    }

    /// By type, in the order of their numbers.
    fn take(&self) -> BTreeMap<TypeKey, Vec<Scenario>> {
        let mut late = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        late.values_mut().for_each(|scenarios| scenarios.sort_by_key(|scenario| scenario.label.number));
        late
    }
}

/// What scenarios that are played beside each other share.
#[derive(Clone)]
struct Shared {
    pools: Pools,
    holds: Holds,
    slots: Arc<Semaphore>,
    /// Whether the provider's only process is gone.
    lost: Arc<AtomicBool>,
    late: Late,
    sender: mpsc::Sender<Told>,
}

impl Shared {
    /// Plays a scenario as soon as it cannot meet another one and there is a slot, unless it is late by then.
    async fn play(
        self,
        stage: Stage,
        kind: Kind,
        scenario: Scenario,
        end: Option<Instant>,
        place: OwnedSemaphorePermit,
    ) {
        let Shared { pools, holds, slots, lost, late, sender } = self;
        let held = holds.take(stage.holds_of(&scenario)).await;
        let Ok(slot) = slots.acquire_owned().await else { return };
        if stage.is_interrupted() || lost.load(Ordering::Relaxed) {
            return;
        }
        if is_late(end) {
            return late.add(kind, scenario);
        }
        drop(place);
        let (again, is_one) = (stage.options.program.is_started_again(), stage.options.jobs == 1);
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
        if !again && matches!(&outcome, Ok(ended) if matches!(ended.played.end, End::Lost { .. })) {
            lost.store(true, Ordering::Relaxed);
        }
        drop((held, slot));
        // The receiver is gone only when the run itself is.
        let _ = sender.send(Told::Ended(Box::new(outcome))).await;
    }
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

    /// Starts every scenario as soon as it cannot meet another one and there is room. Types whose share of the time did not
    /// suffice go on in what the others left.
    async fn feed(
        self,
        work: Vec<TypeKey>,
        pools: Pools,
        holds: Holds,
        cut: CutShort,
        sender: mpsc::Sender<Told>,
    ) {
        let jobs = self.options.jobs;
        let room = jobs * WAITING;
        let (slots, waiting) = (Arc::new(Semaphore::new(jobs)), Arc::new(Semaphore::new(room)));
        let shared = Shared { pools, holds, slots, lost: Arc::default(), late: Late::default(), sender };
        // All scenarios in a process that ends are played again, and those of a huge schema take long. Started last, few
        // of them are beside one that ends a process.
        let (huge, others): (Vec<TypeKey>, Vec<TypeKey>) =
            work.into_iter().partition(|key| self.is_huge(key));
        let mut queue: Vec<(TypeKey, Option<Scenarios<'_>>)> =
            others.into_iter().chain(huge).map(|key| (key, None)).collect();
        let mut budget = Budget::new(self.deadline.end(), queue.len());
        let mut is_first = true;
        loop {
            let mut left: BTreeMap<TypeKey, Scenarios<'_>> = BTreeMap::new();
            for (key, scenarios) in queue {
                let end = budget.next_type();
                let mut scenarios = match scenarios {
                    Some(scenarios) => scenarios,
                    None => match self.begin(&key, &shared.sender).await {
                        Some(scenarios) => scenarios,
                        None => return,
                    },
                };
                while let Some(scenario) = scenarios.next() {
                    if is_late(end) {
                        left.insert(key, Box::new(std::iter::once(scenario).chain(scenarios)));
                        break;
                    }
                    let Ok(place) = Arc::clone(&waiting).acquire_owned().await else { return };
                    tokio::spawn(shared.clone().play(self.clone(), key.0, scenario, end, place));
                    if self.is_interrupted() {
                        return;
                    }
                }
            }
            // Until nothing waits.
            let Ok(_) = waiting.acquire_many(room as u32).await else { return };
            for (key, late) in shared.late.take() {
                let rest = left.remove(&key).unwrap_or_else(|| Box::new(std::iter::empty()));
                left.insert(key, Box::new(late.into_iter().chain(rest)));
            }
            let are_tried_again = std::mem::take(&mut is_first) && self.retries.is_empty();
            budget = match budget.rest(left.len(), are_tried_again) {
                Some(rest) if !left.is_empty() => rest,
                _ => return left.keys().for_each(|key| cut.add(key)),
            };
            queue = left.into_iter().map(|(key, scenarios)| (key, Some(scenarios))).collect();
        }
    }

    /// The scenarios of a type, whose turn it is for the first time; `None` if nobody is told any more.
    async fn begin(&self, key: &TypeKey, sender: &mpsc::Sender<Told>) -> Option<Scenarios<'_>> {
        let (kind, type_name) = key;
        Some(match self.retries.last() {
            None => {
                sender.send(Told::Started(self.start_of(key.clone()))).await.ok()?;
                Box::new(self.scenarios(*kind, type_name))
            }
            Some(retries) => Box::new(self.scenarios_again(retries, *kind, type_name)),
        })
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
            let tests = if is_managed { self.tests(schema, &type_name, &how) } else { Vec::new() };
            let old_states = is_managed.then(|| generate::old_states(schema, &type_name, &how));
            let made = generate::scenarios(schema, kind, &type_name, &how);
            let scenarios =
                examples.into_iter().chain(tests).chain(made).chain(old_states.into_iter().flatten());
            (1..).zip(scenarios).map(numbered)
        })
    }

    /// The scenarios that play what acceptance tests configure.
    fn tests(&self, schema: &Schema, type_name: &str, how: &generate::Options) -> Vec<Scenario> {
        let of_steps = |(n, steps): (u32, Vec<&Example>)| {
            let blocks: Vec<&[Block]> = steps.iter().map(|step| &step.blocks[..]).collect();
            let origin = &steps.first()?.origin;
            let place = format!("{}:{}", origin.file, origin.line);
            let is_otherwise = blocks.iter().any(|step| self.decide_otherwise(&step[1..]));
            generate::tested(schema, how, &blocks, &place, n).filter(|_| !is_otherwise)
        };
        (0..).zip(self.examples.steps(type_name)).filter_map(of_steps).collect()
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
