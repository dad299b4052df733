//! How a scenario ended, masked.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::masked::Masked;
use super::masker::Masker;
use super::words::Words;
use crate::lifecycle::{End, Played, Reached};
use crate::scenario::InstanceState;
use crate::schema::Kind;
use crate::transcript::{AnyCall, Diagnostic, DriftKind, Exchange, RpcFailure, Subject, Transcript};

/// What a transcript does not tell about the scenario that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The kind of the type under test.
    pub kind: Kind,
    pub reached: Reached,
    pub stop: Stop,
    /// Whether something may exist that was not destroyed.
    pub leaves_something: bool,
    /// What is still in the state, by an attribute that names it.
    #[serde(default)]
    pub left: Vec<String>,
    /// Drifts that the hook could not make, with its reasons.
    pub impossible: Vec<(DriftKind, String)>,
    /// How long tfconform waited for an apply that did not end in time.
    pub hung: Option<Duration>,
}

/// How a scenario ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Every step was played.
    Done,
    /// The provider answered with an error.
    Refused { rpc: String, message: String },
    /// An engine would have stopped here, or there was no answer.
    Stopped { rpc: String, message: String },
    /// The provider is gone, and could not be started again.
    Lost { why: String },
}

impl Ended {
    /// `shown` leaves out the secrets of the transcript, `masker` those of the run.
    pub(super) fn of(
        kind: Kind,
        played: &Played,
        shown: impl Fn(&str) -> Masked<String>,
        masker: &Masker,
    ) -> Masked<Ended> {
        let shown = |text: &str| shown(text).into_inner();
        let stop = match &played.end {
            End::Done => Stop::Done,
            End::Refused { rpc, diagnostics, .. } => Stop::Refused {
                rpc: (*rpc).to_owned(),
                message: diagnostics
                    .first()
                    .map(|first| {
                        let words = words(&played.transcript, rpc, Words::said_in);
                        let said = |text: &str| words.shown(&shown(text));
                        let (summary, detail) = (said(&first.summary), said(&first.detail));
                        Diagnostic { summary, detail, ..first.clone() }.line()
                    })
                    .unwrap_or_default(),
            },
            End::Stopped { rpc, why, .. } => Stop::Stopped {
                rpc: (*rpc).to_owned(),
                message: format!("an engine stops here: {}", place(&played.transcript, rpc, &shown(why))),
            },
            End::Lost { why } => Stop::Lost { why: masker.shown(why).into_inner() },
        };
        Masked::new(Ended {
            kind,
            reached: played.reached,
            stop,
            leaves_something: played.leaves_something,
            left: played.state.instances.values().filter_map(name).map(|name| shown(&name)).collect(),
            impossible: played.impossible.iter().map(|(kind, why)| (*kind, shown(why))).collect(),
            hung: played.transcript.exchanges.iter().find_map(hung),
        })
    }
}

/// What a user would look for to find an object.
fn name(instance: &InstanceState) -> Option<String> {
    let object = &instance.current.as_ref()?.value;
    let text = |attribute: &str| object.attribute(attribute)?.as_str().map(str::to_owned);
    ["id", "name"].into_iter().find_map(text)
}

/// The values that a message about the last call of an RPC may repeat.
fn words(transcript: &Transcript, rpc: &str, of: impl Fn(&Exchange, &Subject) -> Words) -> Words {
    let last = transcript.exchanges.iter().rev().find(|exchange| exchange.call.rpc_name() == rpc);
    last.map(|exchange| of(exchange, &transcript.subject)).unwrap_or_default()
}

/// A message without the values of sensitive attributes; only the path to an element of a set has any.
fn place(transcript: &Transcript, rpc: &str, why: &str) -> String {
    let names_element = why.contains("[{");
    if names_element { words(transcript, rpc, Words::of).shown(why) } else { why.to_owned() }
}

/// How long tfconform waited for an apply, if it did not end in time.
fn hung(exchange: &Exchange) -> Option<Duration> {
    match (&exchange.call, exchange.call.failure()) {
        (AnyCall::ApplyResourceChange(_), Some(RpcFailure::TimedOut { after, .. })) => Some(*after),
        _ => None,
    }
}
