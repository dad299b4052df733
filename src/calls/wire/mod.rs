//! Fields that several messages share, between the protocol's messages and ours.

pub(super) mod majors;
pub(super) mod schema;

use bytes::Bytes;

use super::diagnostic::{Diagnostic, WirePath, WireStep};
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

pub(in crate::calls) fn diagnostics_in(wire: Vec<v6::Diagnostic>) -> Vec<Diagnostic> {
    wire.into_iter()
        .map(|wire| Diagnostic {
            severity: wire.severity,
            summary: wire.summary,
            detail: wire.detail,
            attribute: wire.attribute.map(path_in),
        })
        .collect()
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
