//! The lifecycle on the reference provider in memory.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use tfconform::engine::Engine;
use tfconform::engine::defects::EngineDefect;
use tfconform::lifecycle::{self, Changed, End, Options, Played, Remote, RemoteChange, Task};
use tfconform::provider::client::Client;
use tfconform::provider::pool::{Member, NoProcess, Pool};
use tfconform::provider::transport::BoxFuture;
use tfconform::reference::serve::{Behaviour, DriftInjector, in_memory};
use tfconform::scenario::{Arguments, Block, EngineRun, NewValue, PlanningMode, Scenario, WorldChange};
use tfconform::schema::ProviderSchema;
use tfconform::transcript::{DriftKind, Exchange, Purpose, Subject};
use tfconform::value::Value;

use super::asked::Asked;
use super::real::without_key;
use super::walks::{WalkKind, Walks};

/// A run as an engine can play it: the lifecycle may take several for one of a scenario.
pub struct Attempt {
    /// The run of the scenario, counted from 0.
    nth: usize,
    pub run: EngineRun,
    /// What happens to the remote system before it.
    pub drifts: Vec<Drifted>,
    /// Whether it is only planned.
    pub only_plans: bool,
    /// What keeps the engine from applying it as planned: the sequence ends with its plan.
    pub defect: Option<&'static EngineDefect>,
    /// The changes that wait for each other, if it ends before any of them for that reason.
    pub cycle: Option<BTreeSet<String>>,
    pub asked: Walks,
    /// The positions of its exchanges in the transcript, by the walk of an engine that does the same.
    pub exchanges: Vec<(WalkKind, Range<usize>)>,
}

/// Plays a scenario, and returns what was asked in each attempt, without our own probes.
pub fn play(
    scenario: &Scenario,
    behaviour: &Behaviour,
    engine: Engine,
    schema: &Arc<ProviderSchema>,
) -> Result<Vec<Attempt>, String> {
    let (attempts, played) = play_to_the_end(scenario, behaviour, engine, schema)?;
    match &played.end {
        End::Done => Ok(attempts),
        End::Stopped { why, .. } if why.starts_with(CYCLE) => Ok(attempts),
        end => Err(format!("our lifecycle ended early: {end:?}")),
    }
}

/// The same however it ends, and what was played.
pub fn play_to_the_end(
    scenario: &Scenario,
    behaviour: &Behaviour,
    engine: Engine,
    schema: &Arc<ProviderSchema>,
) -> Result<(Vec<Attempt>, Played), String> {
    let subject = Subject {
        name: "reference".to_owned(),
        protocol: behaviour.protocol,
        engine,
        schema: Arc::clone(schema),
        config: None,
    };
    let (behaviour, injector) = (behaviour.clone(), DriftInjector::of(behaviour));
    let pool: Pool<String> = Pool::new(
        2,
        Box::new(move |number| {
            let behaviour = behaviour.clone();
            Box::pin(async move {
                let client = Client::new(in_memory(&behaviour)?);
                Ok(Member { number, client, handle: Box::new(NoProcess) })
            })
        }),
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let options = Options::new(true);
    let remote = Recording { inner: injector, done: Mutex::default() };
    let played =
        runtime.block_on(lifecycle::play(scenario, &Arc::new(subject), &pool, Some(&remote), &options, 0));
    let cycle = match &played.end {
        End::Stopped { why, .. } if why.starts_with(CYCLE) => {
            Some(why[CYCLE.len()..].split(", ").map(without_key).collect())
        }
        _ => None,
    };
    let drifted = remote.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut attempts = attempts(scenario, &played, drifted, schema);
    if let Some(last) = attempts.last_mut().filter(|last| last.defect.is_none()) {
        last.only_plans |= cycle.is_some();
        last.cycle = cycle;
    }
    Ok((attempts, played))
}

/// How it is said that changes wait for each other.
const CYCLE: &str = "the graph has a cycle: ";

fn attempts(
    scenario: &Scenario,
    played: &Played,
    drifted: Vec<Drifted>,
    schema: &ProviderSchema,
) -> Vec<Attempt> {
    let mut drifted = drifted.into_iter();
    let mut attempts: Vec<(usize, Attempt)> = Vec::new();
    for walk in &played.walks {
        // What is left at the end is destroyed by the last run.
        let Some(run) = scenario.runs.get(walk.run) else { continue };
        let is_new = attempts.last().is_none_or(|(number, _)| *number != walk.attempt);
        if is_new {
            let mut run = if walk.is_resolved { resolved(run) } else { run.clone() };
            let drifts = run.before.iter().filter(|change| matches!(change, WorldChange::Drift { .. }));
            let drifts = drifted.by_ref().take(drifts.count()).collect();
            // It happens once, whatever the run takes.
            if attempts.last().is_some_and(|(_, last)| last.nth == walk.run) {
                run.before.clear();
            }
            // An object is forgotten or imported when the run is applied, for which the provider is not asked.
            let is_stored = !run.removed.is_empty() || run.imports.iter().any(|import| !import.generates);
            let only_plans = run.options.mode == PlanningMode::Normal && !is_stored;
            let (asked, exchanges) = (Walks::default(), Vec::new());
            let attempt = Attempt {
                nth: walk.run,
                run,
                drifts,
                only_plans,
                defect: None,
                cycle: None,
                asked,
                exchanges,
            };
            attempts.push((walk.attempt, attempt));
        }
        let (_, attempt) = attempts.last_mut().expect("one was added");
        if walk.defect.is_some() {
            attempt.defect = walk.defect;
            break;
        }
        attempt.only_plans &= walk.task != Task::Apply;
        attempt.exchanges.extend(kind(walk.task).map(|kind| (kind, walk.exchanges.clone())));
        for exchange in &played.transcript.exchanges[walk.exchanges.clone()] {
            let is_repeated = matches!(exchange.purpose, Purpose::Repeat { .. });
            if let (false, Some(kind)) = (is_repeated, kind(walk.task))
                && let Some(asked) =
                    Asked::of(&exchange.call, schema, (position(exchange), position(exchange)))
            {
                attempt.asked.add(kind, asked);
            }
        }
    }
    attempts.into_iter().map(|(_, attempt)| attempt).collect()
}

/// Its place in a transcript, in which calls come one after the other.
fn position(exchange: &Exchange) -> usize {
    exchange.id.0 as usize
}

/// The walk of an engine that does the same; `None` for what no engine does.
fn kind(task: Task) -> Option<WalkKind> {
    match task {
        // The process is not configured in either.
        Task::Validate | Task::Move => Some(WalkKind::Validate),
        Task::Look | Task::Plan | Task::PlanToDestroy | Task::Refresh => Some(WalkKind::Plan),
        Task::Apply => Some(WalkKind::Apply),
        Task::UpgradeOldStates
        | Task::Synthesise
        | Task::Settle
        | Task::ReadGone
        | Task::DeleteGone
        | Task::Delete => None,
    }
}

/// The run with every result from outside the scenario in its place.
fn resolved(run: &EngineRun) -> EngineRun {
    let known = |block: &Block| Block { arguments: block.arguments.without_upstream(), ..block.clone() };
    EngineRun { blocks: run.blocks.iter().map(known).collect(), ..run.clone() }
}

/// The arguments with another value of one attribute, and without promises about unknown values, for which
/// the configuration language has no words.
pub fn marked(arguments: &Arguments, name: &str, mark: &Value) -> Arguments {
    arguments.map(|value| value.unrefined().with_attribute(name, mark.clone()))
}

/// Something that was changed behind the provider's back: an object of that type, with that state.
#[derive(Clone)]
pub struct Drifted {
    pub type_name: String,
    pub state: Value,
    pub kind: DriftKind,
    pub to: Option<NewValue>,
}

/// Remembers what was changed.
struct Recording {
    inner: DriftInjector,
    done: Mutex<Vec<Drifted>>,
}

impl Remote for Recording {
    fn change<'a>(&'a self, wanted: RemoteChange<'a>) -> BoxFuture<'a, Changed> {
        Box::pin(async move {
            let changed = self.inner.change(wanted).await;
            if matches!(changed, Changed::Done { .. }) {
                let RemoteChange { type_name, state, kind, to, .. } = wanted;
                let drifted =
                    Drifted { type_name: type_name.to_owned(), state: state.clone(), kind, to: to.cloned() };
                self.done.lock().unwrap_or_else(PoisonError::into_inner).push(drifted);
            }
            changed
        })
    }
}
