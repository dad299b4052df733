//! Plays a scenario as an engine would, and writes the transcript.
//!
//! Which calls an intention takes, in which order, with what in them, and where an
//! engine would give up, is all here. Judgement is not: a call is made, its answer
//! recorded, and where an engine would stop so does the scenario, which then
//! destroys what it made, whether or not an engine would come to that.
//!
//! Source: contract sections 5 and 6.

mod ask;
mod calls;
mod data;
mod managed;
mod object;
mod remote;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::provider::pool::Pool;
use crate::scenario::{Mode, Scenario};
use crate::transcript::{AnyCall, Diagnostic, DriftKind, Step, Subject, Transcript};
use crate::value::Value;

pub use remote::{Changed, Remote};

/// Told of every call before it is made, and again once it is answered.
pub type Listener = Arc<dyn Fn(&AnyCall) + Send + Sync>;

/// What a run decided about playing.
#[derive(Clone)]
pub struct Options {
    /// Whether apply, read and data reads may be played at all.
    pub apply: bool,
    /// What the user configured as provider metadata, where the provider has a schema for it.
    pub provider_meta: Option<Value>,
    /// Hears of every call, whatever becomes of it.
    pub listener: Option<Listener>,
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
    /// Every intention was played.
    Done,
    /// The provider answered with an error: a result, not a failure.
    Refused { step: Step, rpc: &'static str, diagnostics: Vec<Diagnostic> },
    /// An engine would have stopped here, or there was no answer.
    Stopped { step: Step, rpc: &'static str, why: String },
    /// The provider is gone, and there is no other.
    Lost { why: String },
}

/// Plays one scenario from its first intention to the destruction of what it made.
///
/// `turn` says which provider instance serves first; each phase goes to the next one.
pub async fn play<E: std::fmt::Display>(
    scenario: &Scenario,
    subject: &Arc<Subject>,
    pool: &Pool<E>,
    remote: Option<&dyn Remote>,
    options: &Options,
    turn: usize,
) -> Played {
    let transcript =
        Transcript { subject: Arc::clone(subject), scenario: scenario.label.clone(), exchanges: Vec::new() };
    let mut player = ask::Player {
        subject,
        pool,
        remote,
        options,
        turn,
        transcript,
        step: Step::Validate,
        instance: String::new(),
        reached: Reached::default(),
        impossible: Vec::new(),
        leaves_something: false,
    };
    let mut end = End::Done;
    for node in &scenario.nodes {
        player.instance = node.address();
        let played = match node.mode {
            Mode::Managed => player.managed(node).await,
            Mode::Data => player.data(node).await,
        };
        if let Err(stop) = played {
            end = stop;
            break;
        }
    }
    Played {
        transcript: player.transcript,
        reached: player.reached,
        end,
        impossible: player.impossible,
        leaves_something: player.leaves_something,
    }
}
