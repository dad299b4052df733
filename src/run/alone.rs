//! Plays scenarios again, each alone in processes of its own, if a process ended while they were played.
//!
//! When a process ends, every call in flight fails, and no call tells which one was the reason. Played from
//! its start with no other scenario in its processes, each shows what it does itself. What was seen beside
//! others is dropped, so that the findings of a seed do not depend on what was played at the same time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;

use super::RunError;
use super::audience::{Audience, Leftovers};
use super::holds::Holds;
use super::stage::{Finished, Outcome, Stage, Unplayed, broken};
use super::start::Started;
use crate::lifecycle::End;
use crate::process::Usage;
use crate::provider::pool::Pool;
use crate::scenario::Words;
use crate::schema::Kind;
use crate::transcript::{CrashReport, RpcFailure, ScenarioLabel};

/// Scenarios that are played alone at the same time: each has processes of its own, which take memory.
const LANES: usize = 4;

/// How many scenarios of a type must get no answer to a call alone before the others are believed.
const ENOUGH_HANGS: usize = 3;

/// A process that ended without a scenario that ends one alone, and the calls in flight.
pub(super) type Unexplained = (CrashReport, Vec<String>);

/// Which scenario it is, in the order of a run.
type Place = (Kind, String, u32);

/// Scenarios during which a process ended.
#[derive(Default)]
pub(super) struct Suspects {
    played: BTreeMap<Place, Finished>,
    crashes: BTreeMap<u32, Crash>,
}

/// A process that ended by itself, and the calls that were in flight.
struct Crash {
    report: CrashReport,
    calls: BTreeMap<Place, String>,
}

impl Suspects {
    pub fn add(&mut self, finished: Finished) {
        let place = place(finished.kind, &finished.scenario.label);
        for exchange in &finished.played.transcript.exchanges {
            let Some(RpcFailure::Crashed(report)) = exchange.call.failure() else { continue };
            let crash = self.crashes.entry(exchange.process);
            let crash = crash.or_insert_with(|| Crash { report: report.clone(), calls: BTreeMap::new() });
            // Whoever is told first may be told before the process has said why.
            if report.stderr_tail.len() > crash.report.stderr_tail.len() {
                crash.report = report.clone();
            }
            let call = format!("{} of {} in scenario {}", exchange.call.rpc_name(), place.1, place.2);
            crash.calls.insert(place.clone(), call);
        }
        self.played.insert(place, finished);
    }
}

fn place(kind: Kind, label: &ScenarioLabel) -> Place {
    (kind, label.type_name.clone(), label.number)
}

/// Plays each suspect alone and sends what happens. Returns the crashes that none of them repeated, with the
/// calls that were in flight.
pub(super) async fn play(
    stage: &Stage,
    started: &Started,
    suspects: Suspects,
    holds: Holds,
    audience: &Audience<'_>,
    leftovers: &Leftovers,
) -> Vec<Unexplained> {
    let Suspects { played, crashes } = suspects;
    let n_lanes = played.len().min(stage.options.jobs).min(LANES);
    let queue = Queue::new(played);
    let (sender, mut receiver) = mpsc::channel(LANES);
    for _ in 0..n_lanes {
        let lane = Lane {
            stage: stage.clone(),
            pool: Arc::new(started.pools().own()),
            queue: queue.clone(),
            holds: holds.clone(),
            sender: sender.clone(),
        };
        tokio::spawn(lane.play());
    }
    drop(sender);
    let mut guilty = BTreeSet::new();
    while let Some((place, done)) = receiver.recv().await {
        match done {
            Done::Played(outcome) => {
                // Where the remote system is gone, nothing can be told about the crash.
                if outcome.as_ref().map_or(true, Finished::crashed) {
                    guilty.insert(place);
                }
                audience.send(&outcome, leftovers);
            }
            // There is nothing better to tell than what was seen beside others.
            Done::Believed(finished) => {
                guilty.insert(place);
                audience.send(&Ok(finished), leftovers);
            }
            Done::Lane(usage) => started.pool.add_usage(usage),
        }
    }
    let is_unexplained = |crash: &Crash| !crash.calls.keys().any(|place| guilty.contains(place));
    let unexplained = crashes.into_values().filter(is_unexplained);
    unexplained.map(|crash| (crash.report, crash.calls.into_values().collect())).collect()
}

/// What a lane reports.
enum Done {
    Played(Outcome),
    /// It was not played again.
    Believed(Finished),
    /// What the processes of a lane have used.
    Lane(Usage),
}

/// The scenarios that are still to be played, for all lanes.
#[derive(Clone)]
struct Queue(Arc<Mutex<Waiting>>);

struct Waiting {
    suspects: VecDeque<(Place, Finished)>,
    /// How many scenarios of a type got no answer to a call, alone.
    hangs: BTreeMap<(Kind, String, &'static str), usize>,
}

impl Queue {
    fn new(played: BTreeMap<Place, Finished>) -> Queue {
        let waiting = Waiting { suspects: played.into_iter().collect(), hangs: BTreeMap::new() };
        Queue(Arc::new(Mutex::new(waiting)))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Waiting) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Plays one scenario after the other in its own pool.
struct Lane {
    stage: Stage,
    pool: Arc<Pool<RunError>>,
    queue: Queue,
    holds: Holds,
    sender: mpsc::Sender<(Place, Done)>,
}

impl Lane {
    async fn play(self) {
        while let Some((place, first)) = self.queue.with(|waiting| waiting.suspects.pop_front()) {
            let done = self.play_one(&place, first).await;
            // The receiver is gone only when the run itself is.
            let _ = self.sender.send((place, done)).await;
        }
        self.pool.close().await;
        let usage = Done::Lane(self.pool.usage().await);
        let _ = self.sender.send(((Kind::Provider, String::new(), 0), usage)).await;
    }

    async fn play_one(&self, (kind, type_name, _): &Place, first: Finished) -> Done {
        let hang = |rpc: &'static str| (*kind, type_name.clone(), rpc);
        let is_believed = |rpc| {
            self.queue.with(|waiting| waiting.hangs.get(&hang(rpc)).is_some_and(|n| *n >= ENOUGH_HANGS))
        };
        if self.stage.is_over() || first.hung().is_some_and(is_believed) {
            return Done::Believed(first);
        }
        let _held = self.holds.take(self.stage.holds_of(&first.scenario)).await;
        let words = Words::of_play(0);
        let (stage, pool) = (self.stage.clone(), Arc::clone(&self.pool));
        let (kind, scenario) = (first.kind, first.scenario.clone());
        let alone = tokio::spawn(async move { stage.play_alone(kind, scenario, &pool, words).await });
        let mut played = match alone.await.unwrap_or_else(|panic| Err(Unplayed::Defect(broken(panic)))) {
            Ok(played) => played,
            Err(Unplayed::Late) => return Done::Believed(first),
            Err(unplayed) => return Done::Played(Err(unplayed)),
        };
        if matches!(played.played.end, End::Lost { .. }) {
            return Done::Believed(first);
        }
        played.played.leaves_something |= first.played.leaves_something;
        if let Some(rpc) = played.hung() {
            self.queue.with(|waiting| *waiting.hangs.entry(hang(rpc)).or_default() += 1);
        }
        Done::Played(Ok(played))
    }
}
