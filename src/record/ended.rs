//! How a scenario ended, masked.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::masked::Masked;
use super::masker::Masker;
use super::words::Words;
use crate::calls::Rpc;
use crate::lifecycle::{End, Met, Played, Reached, Why};
use crate::scenario::{InstanceState, ObligationId};
use crate::schema::Kind;
use crate::transcript::{
    AnyCall, Diagnostic, DriftKind, Exchange, Field, RpcFailure, Side, Subject, Transcript,
};

/// What stands for a text of the request.
const ECHO: &str = "…";
/// A text that long is hardly a word of a message by chance.
const WORD_LENGTH: usize = 9;

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
    /// The calls with an answer that was too large to be read as a whole.
    #[serde(default)]
    pub cut: BTreeSet<String>,
    /// How long tfconform waited for an apply that did not end in time.
    pub hung: Option<Duration>,
    /// What became of the obligations that it was to meet. Files do not keep it.
    #[serde(skip)]
    pub credits: Vec<Earned>,
}

/// What became of some obligations in one run, masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earned {
    pub ids: Vec<ObligationId>,
    pub met: Met,
    /// Why they were not exercised; empty if they were.
    pub why: String,
    /// What the run ended with, if it did.
    pub obstacle: Option<Obstacle>,
}

/// What prevents an obligation from being reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// An engine stopped before.
    Stop,
    /// The provider refused something that it came with.
    Refusal,
}

/// How a scenario ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Every step was played.
    Done,
    /// The provider answered with an error.
    Refused { rpc: Rpc, message: String },
    /// An engine would have stopped here, at an answer to `rpc` or by itself, or there was no answer.
    Stopped {
        #[serde(deserialize_with = "of_name")]
        rpc: Option<Rpc>,
        message: String,
    },
    /// The provider is gone, and could not be started again.
    Lost { why: String },
}

/// The RPC of a name. Earlier versions wrote an empty one where an engine stopped by itself.
fn of_name<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Option<Rpc>, D::Error> {
    match Option::<String>::deserialize(deserializer)? {
        Some(name) if !name.is_empty() => Rpc::deserialize(name.into_deserializer()).map(Some),
        _ => Ok(None),
    }
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
        let stop = |end: &End| Stop::of(end, played, shown, masker);
        let credits = played.credits.iter().map(|credit| Earned {
            ids: credit.ids.clone(),
            met: credit.met,
            why: match &credit.why {
                Why::Exercised => String::new(),
                Why::Impossible(why) => shown(why),
                Why::Ended(end) => stop(end).message().to_owned(),
            },
            obstacle: match &credit.why {
                Why::Ended(End::Stopped { .. }) => Some(Obstacle::Stop),
                Why::Ended(End::Refused { .. }) => Some(Obstacle::Refusal),
                _ => None,
            },
        });
        let exchanges = &played.transcript.exchanges;
        Masked::new(Ended {
            kind,
            reached: played.reached,
            stop: stop(&played.end),
            leaves_something: played.leaves_something,
            left: played.state.instances.values().filter_map(name).map(|name| shown(&name)).collect(),
            impossible: played.impossible.iter().map(|(kind, why)| (*kind, shown(why))).collect(),
            cut: exchanges
                .iter()
                .filter(|exchange| exchange.call.is_cut())
                .map(|exchange| exchange.call.rpc_name().to_owned())
                .collect(),
            hung: exchanges.iter().find_map(hung),
            credits: credits.collect(),
        })
    }
}

impl Stop {
    fn of(end: &End, played: &Played, shown: impl Fn(&str) -> String, masker: &Masker) -> Stop {
        match end {
            End::Done => Stop::Done,
            End::Refused { rpc, diagnostics, .. } => Stop::Refused {
                rpc: *rpc,
                message: refusing(diagnostics)
                    .map(|first| {
                        let is_said_in = |call: &AnyCall| call.diagnostics().contains(&first);
                        let words = words(&played.transcript, Some(*rpc), is_said_in, Words::said_in);
                        let sent = words_sent(&played.transcript, is_said_in);
                        let said = |text: &str| sent.hide(&words.shown(&shown(text)), |_| ECHO.to_owned());
                        let (summary, detail) = (said(&first.summary), said(&first.detail));
                        Diagnostic { summary, detail, ..first.clone() }.line()
                    })
                    .unwrap_or_default(),
            },
            End::Stopped { rpc, why, .. } => Stop::Stopped {
                rpc: *rpc,
                message: format!("an engine stops here: {}", place(&played.transcript, *rpc, &shown(why))),
            },
            End::Lost { why } => Stop::Lost { why: masker.shown(why).into_inner() },
        }
    }

    /// What was said at the end; empty if nothing was.
    fn message(&self) -> &str {
        match self {
            Stop::Done => "",
            Stop::Refused { message, .. } | Stop::Stopped { message, .. } => message,
            Stop::Lost { why } => why,
        }
    }
}

/// The error that a refusal is known by: some providers return several in another order each time.
fn refusing(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    diagnostics.iter().min_by_key(|said| (!said.is_error(), &said.summary, &said.detail))
}

/// What a user would look for to find an object.
fn name(instance: &InstanceState) -> Option<String> {
    let object = &instance.current.as_ref()?.value;
    let text = |attribute: &str| object.attribute(attribute)?.as_str().map(str::to_owned);
    ["id", "name"].into_iter().find_map(text)
}

/// The values that a message about the last such call of an RPC may repeat.
fn words(
    transcript: &Transcript,
    rpc: Option<Rpc>,
    is_meant: impl Fn(&AnyCall) -> bool,
    of: impl Fn(&Exchange, &Subject) -> Words,
) -> Words {
    let is_meant = |call: &AnyCall| Some(call.rpc()) == rpc && is_meant(call);
    let last = transcript.exchanges.iter().rev().find(|exchange| is_meant(&exchange.call));
    last.map(|exchange| of(exchange, &transcript.subject)).unwrap_or_default()
}

/// The texts of the last such request, which refusals repeat: with them each would be a kind of its own.
fn words_sent(transcript: &Transcript, is_meant: impl Fn(&AnyCall) -> bool) -> Words {
    let mut sent = BTreeSet::new();
    let mut calls = transcript.exchanges.iter().rev().map(|exchange| &exchange.call);
    if let Some(call) = calls.find(|call| is_meant(call)) {
        call.fields(&mut |side, field| {
            if let (Side::Request, Field::Value { value, .. }) = (side, field) {
                value.value().into_iter().for_each(|value| {
                    value.walk(&mut |_, inner| {
                        sent.extend(
                            inner
                                .as_str()
                                .into_iter()
                                .flat_map(|text| [text, text.trim()])
                                .map(str::to_owned),
                        );
                        true
                    });
                });
            }
        });
    }
    sent.retain(|text| is_telling(text));
    Words::from(sent)
}

/// Whether a text of a request is an echo where a message has it, and no word of the message.
fn is_telling(text: &str) -> bool {
    text.len() >= 2 && (text.len() >= WORD_LENGTH || text.contains(|c: char| !c.is_alphabetic()))
}

/// A message without the values of sensitive attributes; only the path to an element of a set has any.
fn place(transcript: &Transcript, rpc: Option<Rpc>, why: &str) -> String {
    let names_element = why.contains("[{");
    if names_element { words(transcript, rpc, |_| true, Words::of).shown(why) } else { why.to_owned() }
}

/// How long tfconform waited for an apply, if it did not end in time.
fn hung(exchange: &Exchange) -> Option<Duration> {
    match (&exchange.call, exchange.call.failure()) {
        (AnyCall::ApplyResourceChange(_), Some(RpcFailure::TimedOut { after, .. })) => Some(*after),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_known_by_the_same_error_whatever_the_order() {
        let warning = Diagnostic { severity: Diagnostic::WARNING, ..Diagnostic::error("a", "") };
        let [first, second] = ["b", "c"].map(|summary| Diagnostic::error(summary, ""));
        for said in [[&second, &warning, &first], [&first, &second, &warning]] {
            let said = said.map(Diagnostic::clone);
            assert_eq!(refusing(&said), Some(&first));
        }
        assert_eq!(refusing(&[]), None);
    }

    #[test]
    fn words_of_a_message_are_no_echoes() {
        let told = ["tfcabcdef", "01", " tfc blanks ", "2031-01-06", "tfc-\u{e9}"];
        assert!(told.into_iter().all(is_telling));
        assert!(!["true", "server", "7", ""].into_iter().any(is_telling));
    }

    #[test]
    fn where_an_engine_stopped_is_read_in_old_and_new_words() {
        let read = |rpc: &str| {
            let text = format!(r#"{{"stopped":{{"rpc":{rpc},"message":"no"}}}}"#);
            serde_json::from_str::<Stop>(&text).ok()
        };
        let stopped = |rpc| Some(Stop::Stopped { rpc, message: "no".to_owned() });
        assert_eq!(read("\"\""), stopped(None));
        assert_eq!(read("null"), stopped(None));
        assert_eq!(read("\"ReadResource\""), stopped(Some(Rpc::ReadResource)));
        assert_eq!(read("\"ReadNothing\""), None);
    }
}
