//! Plays a scenario as an engine would, and records the transcript.
//!
//! A run of an engine is a few walks over graphs of instances: validate, plan, apply, and a check
//! that nothing is left to do (`run`). A vertex of a graph is visited when its dependencies are
//! done, several at once (`walk`); which calls are made there, in which order and with what
//! content, is in `managed`, `data`, `destroy`, `import` and `moving`, and what an engine keeps of each answer in `calls`.
//! What a run does to the addresses of instances before it asks about any of them is in `refactoring`, which of
//! the planned changes its targets need in `targeted`.
//! One object in one run is the smallest graph.
//!
//! Nothing is judged here: calls are made and answers recorded. Where an engine would stop, the run
//! stops too. After an error of the provider a user would go on, and so does the scenario
//! (`after_failure`); after everything else it ends. At the end it destroys what it created, whether or
//! not an engine would get to that (`clean_up`). Where nothing may be applied, runs are planned on states
//! that are made up from the plans (`synthesised`).
//!
//! Source: contract sections 5 and 6.

mod after_failure;
mod calls;
mod clean_up;
mod configuration;
mod credited;
mod credits;
mod data;
mod destroy;
mod drawing;
mod graph;
mod import;
mod instance;
mod managed;
mod moving;
mod old_states;
mod parts;
mod player;
mod refactoring;
mod remote;
mod run;
mod synthesised;
mod targeted;
mod task;
mod vertex;
mod visit;
mod walk;
mod walks;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::calls::Rpc;
use crate::provider::pool::Pool;
use crate::scenario::{EngineRun, Scenario, State, Words};
use crate::transcript::{AnyCall, Diagnostic, DriftKind, Phase, RpcFailure, Subject, Transcript};
use crate::value::Value;

pub use credits::{Credit, Met, Why};
pub use drawing::{Drawing, Walked};
pub use remote::{Changed, NOTHING_CHANGES_IT, Remote, RemoteChange};
pub use task::Task;
pub use walks::Walk;

/// Notified of every call before it is made, and again once it is answered.
pub type Listener = Arc<dyn Fn(&AnyCall) + Send + Sync>;

/// Vertices visited at once by default: as many as in the engines.
pub const PARALLELISM: usize = 10;

/// How to play scenarios.
#[derive(Clone)]
pub struct Options {
    /// Whether apply, read and data reads may be played at all.
    pub apply: bool,
    /// What the user configured as provider metadata, if the provider has a schema for it.
    pub provider_meta: Option<Value>,
    /// Notified of every call, whatever its outcome.
    pub listener: Option<Listener>,
    /// Vertices of one graph visited at once; at least 1.
    pub parallelism: usize,
    /// Whether a scenario goes on after an error of the provider, as a user would.
    pub goes_on: bool,
    /// The words that the provider gets in place of the scenario's.
    pub words: Words,
    /// Whether no other call is made to the same processes, so that what they use is due to this scenario.
    pub is_alone: bool,
    /// Whether processes may be stopped and killed: they serve no other scenario.
    pub may_disturb: bool,
}

impl Options {
    /// Options without a listener.
    pub fn new(apply: bool) -> Options {
        Options {
            apply,
            provider_meta: None,
            listener: None,
            parallelism: PARALLELISM,
            goes_on: true,
            words: Words::OWN,
            is_alone: false,
            may_disturb: false,
        }
    }

    /// The same for processes of the scenario's own, in which one call is made at a time, unless the scenario has
    /// several instances of a type: then what it shows may need several calls at once.
    #[must_use]
    pub fn alone(self, scenario: &Scenario, words: Words) -> Options {
        let has_several = scenario.runs.iter().any(EngineRun::has_several_of_a_type);
        let parallelism = if has_several { self.parallelism } else { 1 };
        Options { parallelism, words, is_alone: true, ..self }
    }
}

/// A scenario as it was played.
#[derive(Debug)]
pub struct Played {
    pub transcript: Transcript,
    pub reached: Reached,
    pub end: End,
    /// Drifts that the hook could not cause, with its reasons.
    pub impossible: Vec<(DriftKind, String)>,
    /// Whether objects may exist that were not destroyed.
    pub leaves_something: bool,
    /// The state that an engine would have at the end.
    pub state: State,
    /// What became of the obligations that the runs were to meet, in the order of the runs.
    pub credits: Vec<Credit>,
    /// The graphs that were walked, in order; without those of calls that no engine makes.
    pub walked: Vec<Walked>,
    /// The walks that the runs took, in order.
    pub walks: Vec<Walk>,
    /// The scenario with the parts that were played of runs that the provider refused; `None` if there are none.
    pub by_parts: Option<Scenario>,
}

impl Played {
    /// Whether a process ended during one of its calls: another scenario's call may be the reason.
    pub fn is_disturbed(&self) -> bool {
        self.transcript.exchanges.iter().any(|exchange| match exchange.call.failure() {
            Some(RpcFailure::Crashed(_) | RpcFailure::TimedOut { .. }) => true,
            // Or else the scenario itself ended it.
            Some(RpcFailure::Abandoned { .. }) => exchange.phase != Phase::Interrupted,
            _ => false,
        })
    }
}

/// How far a scenario got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    pub validated: bool,
    pub planned: bool,
    pub applied: bool,
    /// A data source was read.
    pub read: bool,
}

/// How a scenario ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Every run was played.
    Done,
    /// The provider returned an error: a result, not a failure.
    Refused {
        phase: Phase,
        rpc: Rpc,
        diagnostics: Vec<Diagnostic>,
        /// Whether something in the configuration was unknown.
        has_unknowns: bool,
    },
    /// An engine would have stopped here, at an answer to `rpc` or by itself, or there was no answer.
    Stopped { phase: Phase, rpc: Option<Rpc>, why: String },
    /// The provider is gone, and no other could be started.
    Lost { why: String },
}

/// A result with which the scenario can continue, or how it ended.
type Outcome<T> = Result<T, End>;

/// The first of two failures, unless the provider was lost.
fn first_failure(first: Outcome<()>, second: Outcome<()>) -> Outcome<()> {
    match second {
        Err(lost @ End::Lost { .. }) => Err(lost),
        second => first.and(second),
    }
}

/// Plays one scenario from its first run to the destruction of what it created.
///
/// `turn` says which provider instance serves first; each walk goes to the next one.
pub async fn play<E: std::fmt::Display>(
    scenario: &Scenario,
    subject: &Arc<Subject>,
    pool: &Pool<E>,
    remote: Option<&dyn Remote>,
    options: &Options,
    turn: usize,
) -> Played {
    let player = player::Player::new(subject, pool, remote, options, scenario);
    let mut engine = run::Engine::new(&player, scenario.initial.clone(), turn);
    let played = engine.scenario(scenario).await;
    let state = engine.into_state();
    let leaves_something = !state.is_empty();
    let log = player.into_log();
    Played {
        transcript: Transcript {
            subject: Arc::clone(subject),
            scenario: scenario.label.clone(),
            exchanges: log.exchanges,
        },
        reached: log.reached,
        end: played.err().unwrap_or(End::Done),
        impossible: {
            // What is about one attribute is an obligation of its own.
            let whole = log.impossible.into_iter().filter(|impossible| impossible.at.is_none());
            whole.map(|impossible| (impossible.kind, impossible.why)).collect()
        },
        leaves_something: log.leaves_something || leaves_something,
        state,
        credits: log.credits.into_given(),
        walked: log.walked,
        walks: log.walks,
        by_parts: parts::by_parts(scenario, log.parts),
    }
}

#[cfg(test)]
mod tests;
