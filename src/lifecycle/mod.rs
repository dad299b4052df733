//! Plays a scenario as an engine would, and writes the transcript.
//!
//! A run of an engine is a few walks over graphs of instances: validate, plan, apply, and
//! a look whether all is quiet afterwards ([`run`]). A vertex of a graph is visited when
//! those it depends on are done, several at once ([`walk`]); what is asked there, in which
//! order and with what in it, is in [`managed`] and [`data`], and what an engine keeps of
//! each answer in [`calls`]. One object in one run is the smallest graph.
//!
//! Judgement is not here: a call is made and its answer recorded. Where an engine would stop
//! so does the scenario, which then destroys what it made, whether or not an engine would
//! come to that.
//!
//! Source: contract sections 5 and 6.

mod calls;
mod configuration;
mod data;
mod graph;
mod instance;
mod managed;
mod player;
mod remote;
mod run;
mod vertex;
mod visit;
mod walk;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::provider::pool::Pool;
use crate::scenario::{Scenario, State};
use crate::transcript::{AnyCall, Diagnostic, DriftKind, Phase, Subject, Transcript};
use crate::value::Value;

pub use remote::{Changed, Remote};

/// Told of every call before it is made, and again once it is answered.
pub type Listener = Arc<dyn Fn(&AnyCall) + Send + Sync>;

/// Vertices visited at once where nobody says: as many as engines visit.
pub const PARALLELISM: usize = 10;

/// What a run decided about playing.
#[derive(Clone)]
pub struct Options {
    /// Whether apply, read and data reads may be played at all.
    pub apply: bool,
    /// What the user configured as provider metadata, where the provider has a schema for it.
    pub provider_meta: Option<Value>,
    /// Hears of every call, whatever becomes of it.
    pub listener: Option<Listener>,
    /// Vertices of one graph visited at once; at least 1.
    pub parallelism: usize,
}

impl Options {
    /// Options that nobody listens with.
    pub fn new(apply: bool) -> Options {
        Options { apply, provider_meta: None, listener: None, parallelism: PARALLELISM }
    }
}

/// A scenario as it was played.
#[derive(Debug)]
pub struct Played {
    pub transcript: Transcript,
    pub reached: Reached,
    pub end: End,
    /// Drifts that the hook could not make, with its words.
    pub impossible: Vec<(DriftKind, String)>,
    /// Whether something may exist that was not destroyed.
    pub leaves_something: bool,
    /// What an engine would remember at the end.
    pub state: State,
}

/// How far a scenario came.
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
    /// The provider answered with an error: a result, not a failure.
    Refused { phase: Phase, rpc: &'static str, diagnostics: Vec<Diagnostic> },
    /// An engine would have stopped here, or there was no answer.
    Stopped { phase: Phase, rpc: &'static str, why: String },
    /// The provider is gone, and there is no other.
    Lost { why: String },
}

/// An answer that is good enough to go on with.
type Outcome<T> = Result<T, End>;

/// Plays one scenario from its first run to the destruction of what it made.
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
    let player = player::Player::new(subject, pool, remote, options);
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
        impossible: log.impossible,
        leaves_something: log.leaves_something || leaves_something,
        state,
    }
}

#[cfg(test)]
mod tests;
