//! Fields that several messages share, between the protocol's messages and ours.

pub(super) mod majors;
pub(super) mod schema;

use bytes::Bytes;

use super::diagnostic::{Diagnostic, LONGEST_TEXT, MOST_DIAGNOSTICS, MOST_PATHS, WirePath, WireStep};
use super::encoded::{DynamicValue, Encoded};
use super::raw_state::RawState;
use crate::engine::ClientCapabilities;
use crate::proto::v6;

pub(in crate::calls) fn value_in(wire: Option<v6::DynamicValue>) -> Encoded {
    Encoded::received(wire.map(|wire| DynamicValue { msgpack: wire.msgpack, json: wire.json }))
}

pub(in crate::calls) fn value_out(value: &Encoded) -> Option<v6::DynamicValue> {
    value.wire().map(|wire| v6::DynamicValue { msgpack: wire.msgpack.clone(), json: wire.json.clone() })
}

pub(in crate::calls) fn optional_in(wire: Option<v6::DynamicValue>) -> Option<Encoded> {
    wire.map(|wire| value_in(Some(wire)))
}

pub(in crate::calls) fn optional_out(value: Option<&Encoded>) -> Option<v6::DynamicValue> {
    value.and_then(value_out)
}

pub(in crate::calls) fn identity_in(wire: Option<v6::ResourceIdentityData>) -> Option<Encoded> {
    wire.map(|wire| value_in(wire.identity_data))
}

pub(in crate::calls) fn identity_out(value: Option<&Encoded>) -> Option<v6::ResourceIdentityData> {
    value.map(|value| v6::ResourceIdentityData { identity_data: value_out(value) })
}

pub(in crate::calls) fn capabilities_in(wire: Option<v6::ClientCapabilities>) -> Option<ClientCapabilities> {
    wire.map(|wire| ClientCapabilities {
        deferral_allowed: wire.deferral_allowed,
        write_only_attributes_allowed: wire.write_only_attributes_allowed,
        store_planned_private: wire.store_planned_private,
        computed_blocks_allowed: wire.computed_blocks_allowed,
    })
}

pub(in crate::calls) fn capabilities_out(
    capabilities: Option<ClientCapabilities>,
) -> Option<v6::ClientCapabilities> {
    capabilities.map(|capabilities| v6::ClientCapabilities {
        deferral_allowed: capabilities.deferral_allowed,
        write_only_attributes_allowed: capabilities.write_only_attributes_allowed,
        store_planned_private: capabilities.store_planned_private,
        computed_blocks_allowed: capabilities.computed_blocks_allowed,
    })
}

pub(in crate::calls) fn deferred_in(wire: Option<v6::Deferred>) -> Option<i32> {
    wire.map(|wire| wire.reason)
}

pub(in crate::calls) fn deferred_out(reason: Option<i32>) -> Option<v6::Deferred> {
    reason.map(|reason| v6::Deferred { reason })
}

/// More steps than lead anywhere in a schema: the rest of a longer path cannot matter, and is dropped.
const MAX_STEPS: usize = 1_000;

pub(in crate::calls) fn path_in(wire: v6::AttributePath) -> WirePath {
    use v6::attribute_path::step::Selector;
    WirePath(
        wire.steps
            .into_iter()
            .take(MAX_STEPS)
            .map(|step| {
                step.selector.map(|selector| match selector {
                    Selector::AttributeName(name) => WireStep::Attribute(name),
                    Selector::ElementKeyString(key) => WireStep::Key(key),
                    Selector::ElementKeyInt(index) => WireStep::Index(index),
                })
            })
            .collect(),
    )
}

pub(in crate::calls) fn path_out(path: &WirePath) -> v6::AttributePath {
    use v6::attribute_path::{Step, step::Selector};
    let selector = |step: &WireStep| match step {
        WireStep::Attribute(name) => Selector::AttributeName(name.clone()),
        WireStep::Key(key) => Selector::ElementKeyString(key.clone()),
        WireStep::Index(index) => Selector::ElementKeyInt(*index),
    };
    v6::AttributePath {
        steps: path.0.iter().map(|step| Step { selector: step.as_ref().map(selector) }).collect(),
    }
}

pub(in crate::calls) fn paths_in(wire: Vec<v6::AttributePath>) -> Vec<WirePath> {
    wire.into_iter().take(MOST_PATHS).map(path_in).collect()
}

/// The first diagnostics and the first error, with as much of their texts as anybody reads; what is left out is said in
/// them ([`Diagnostic::is_cut`]).
pub(in crate::calls) fn diagnostics_in(mut wire: Vec<v6::Diagnostic>) -> Vec<Diagnostic> {
    let n_left_out = wire.len().saturating_sub(MOST_DIAGNOSTICS);
    if n_left_out > 0 {
        let is_error = |wire: &v6::Diagnostic| wire.severity == Diagnostic::ERROR;
        if let Some(first) = wire.iter().position(is_error).filter(|first| *first >= MOST_DIAGNOSTICS) {
            wire.swap(first, MOST_DIAGNOSTICS - 1);
        }
        wire.truncate(MOST_DIAGNOSTICS);
    }
    let mut diagnostics: Vec<Diagnostic> = wire.into_iter().map(diagnostic_in).collect();
    if let Some(last) = diagnostics.last_mut().filter(|_| n_left_out > 0) {
        last.leave_out(&format!("{n_left_out} more diagnostics"));
    }
    diagnostics
}

fn diagnostic_in(wire: v6::Diagnostic) -> Diagnostic {
    let v6::Diagnostic { severity, mut summary, mut detail, attribute } = wire;
    let n_left_out = cut(&mut summary) + cut(&mut detail);
    let mut diagnostic = Diagnostic { severity, summary, detail, attribute: attribute.map(path_in) };
    if n_left_out > 0 {
        diagnostic.leave_out(&format!("{n_left_out} more bytes"));
    }
    diagnostic
}

/// Cuts a text that is too long, and returns by how many bytes. It ends with a line or a word: part of a secret could
/// not be found any more.
fn cut(text: &mut String) -> usize {
    let before = text.len();
    if before > LONGEST_TEXT {
        let end = (0..=LONGEST_TEXT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let start = &text[..end];
        let whole = start.rfind('\n').or_else(|| start.rfind(char::is_whitespace)).unwrap_or(end);
        text.truncate(whole);
        text.shrink_to_fit();
    }
    before - text.len()
}

pub(in crate::calls) fn diagnostics_out(diagnostics: &[Diagnostic]) -> Vec<v6::Diagnostic> {
    diagnostics
        .iter()
        .map(|diagnostic| v6::Diagnostic {
            severity: diagnostic.severity,
            summary: diagnostic.summary.clone(),
            detail: diagnostic.detail.clone(),
            attribute: diagnostic.attribute.as_ref().map(path_out),
        })
        .collect()
}

pub(in crate::calls) fn raw_state_in(wire: Option<v6::RawState>) -> RawState {
    let wire = wire.unwrap_or_default();
    RawState { json: wire.json, flatmap: wire.flatmap }
}

pub(in crate::calls) fn raw_state_out(state: &RawState) -> Option<v6::RawState> {
    Some(v6::RawState { json: state.json.clone(), flatmap: state.flatmap.clone() })
}

pub(in crate::calls) fn bytes(message: &impl prost::Message) -> Bytes {
    Bytes::from(message.encode_to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(severity: i32, detail: String) -> v6::Diagnostic {
        v6::Diagnostic { severity, summary: "s".to_owned(), detail, attribute: None }
    }

    #[test]
    fn what_nobody_reads_of_an_answer_is_left_out_and_said() {
        let few = diagnostics_in(vec![said(Diagnostic::ERROR, "é".repeat(1_000))]);
        assert!(!few[0].is_cut());
        let long = diagnostics_in(vec![said(Diagnostic::ERROR, "a".to_owned() + &"é".repeat(LONGEST_TEXT))]);
        assert!(long[0].is_cut());
        assert!(
            long[0].detail.ends_with("é … tfconform left out 65538 more bytes"),
            "{}",
            long[0].detail.len()
        );
        let lines = "first line\n".repeat(LONGEST_TEXT / 11) + "a secret of some words";
        let cut = diagnostics_in(vec![said(Diagnostic::ERROR, lines)]);
        assert!(cut[0].detail.ends_with("first line … tfconform left out 23 more bytes"), "a line is cut");
        // The error decides what an engine does.
        let mut many = vec![said(Diagnostic::WARNING, String::new()); 3 * MOST_DIAGNOSTICS];
        many[2_500].severity = Diagnostic::ERROR;
        let read = diagnostics_in(many);
        assert_eq!((read.len(), read.iter().filter(|said| said.is_error()).count()), (MOST_DIAGNOSTICS, 1));
        assert_eq!(read.iter().filter(|said| said.is_cut()).count(), 1);
        assert_eq!(read[999].detail, " … tfconform left out 2000 more diagnostics");
    }
}
