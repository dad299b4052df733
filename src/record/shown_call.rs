//! A call as it is shown to people, without secrets.

use serde::{Deserialize, Serialize};

use super::evidence::{Guarded, spoken};
use super::masker::Secrets;
use crate::calls::{Diagnostic, Field, Side};
use crate::transcript::{Exchange, Phase, Subject};
use crate::value::tree::Tree;

/// What was asked and what was answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ShownCall {
    /// Position in its transcript, counted from 1.
    pub number: u32,
    /// The step that it belongs to.
    pub phase: Phase,
    /// The instance that it is about; empty for the provider itself.
    pub instance: String,
    pub rpc: String,
    /// The parts of the request, each with its name.
    pub asked: Vec<(String, Tree)>,
    /// Those of the answer.
    pub answered: Vec<(String, Tree)>,
    /// Diagnostics, each on one line, and why there is no answer.
    pub said: Vec<String>,
}

impl ShownCall {
    /// A call of a transcript that was masked; `secrets` are those of the same transcript.
    pub(super) fn of(exchange: &Exchange, subject: &Subject, secrets: &Secrets<'_>) -> ShownCall {
        let call = &exchange.call;
        let mut shown = ShownCall {
            number: exchange.id.0 + 1,
            phase: exchange.phase,
            instance: exchange.instance.clone(),
            rpc: call.rpc_name().to_owned(),
            asked: Vec::new(),
            answered: Vec::new(),
            said: Vec::new(),
        };
        let addressed = call.addressed_name();
        let leaf = |text: &str| Tree::leaf(&secrets.shown(text));
        call.fields(&mut |side, field| {
            let (name, tree) = match field {
                Field::Value { name, declared, value } => {
                    let block = declared.schema(&subject.schema, &addressed).map(|schema| &schema.block);
                    let Some(value) = value.value() else {
                        return shown
                            .side(side)
                            .push((spoken(name).to_owned(), Tree::leaf("(not readable)")));
                    };
                    (spoken(name), Tree::of(value, &Guarded::of(block, secrets)))
                }
                Field::RawState { state, .. } if state.json.is_empty() && state.flatmap.is_empty() => return,
                Field::RawState { name, state, .. } if state.flatmap.is_empty() => {
                    (stored(name), leaf(&String::from_utf8_lossy(&state.json)))
                }
                Field::RawState { name, state, .. } => (stored(name), leaf(&format!("{:?}", state.flatmap))),
                Field::Opaque(bytes) if !bytes.is_empty() => {
                    ("private", Tree::leaf(&format!("({} bytes)", bytes.len())))
                }
                Field::Text(text) if !text.is_empty() => ("text", leaf(text)),
                Field::Paths(paths) if !paths.is_empty() => {
                    let paths: Vec<String> = paths.iter().map(|path| path.to_path().to_string()).collect();
                    ("requires replace", leaf(&paths.join(", ")))
                }
                Field::Deferred(Some(reason)) => ("deferred", Tree::leaf(&format!("reason {reason}"))),
                Field::LegacyTypeSystem(true) => ("legacy type system", Tree::leaf("true")),
                Field::Diagnostics(diagnostics) => {
                    let lines = diagnostics.iter().map(|said| secrets.shown(&line(said)).into_inner());
                    return shown.said.extend(lines);
                }
                Field::Refusal(why) => return shown.said.push(secrets.shown(why).into_inner()),
                Field::Opaque(_)
                | Field::Text(_)
                | Field::Paths(_)
                | Field::Deferred(None)
                | Field::LegacyTypeSystem(false) => return,
            };
            shown.side(side).push((name.to_owned(), tree));
        });
        shown.said.extend(call.failure().map(|failure| secrets.shown(&failure.to_string()).into_inner()));
        shown
    }

    fn side(&mut self, side: Side) -> &mut Vec<(String, Tree)> {
        match side {
            Side::Request => &mut self.asked,
            Side::Response => &mut self.answered,
        }
    }
}

fn line(said: &Diagnostic) -> String {
    let kind = match said.severity {
        Diagnostic::ERROR => "error",
        Diagnostic::WARNING => "warning",
        _ => "diagnostic without a severity",
    };
    format!("{kind}: {}", said.line())
}

/// A few words for a stored object.
fn stored(field: &str) -> &'static str {
    if field == "source_identity" { "stored identity" } else { "stored state" }
}
