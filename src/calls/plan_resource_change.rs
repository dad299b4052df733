//! PlanResourceChange: what a provider would do to an object.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::{Diagnostic, WirePath};
use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::raw_state::base64_bytes;
use super::wire::{
    bytes, capabilities_in, capabilities_out, deferred_in, deferred_out, diagnostics_in, diagnostics_out,
    identity_in, identity_out, optional_in, optional_out, path_out, paths_in, value_in, value_out,
};
use crate::engine::ClientCapabilities;
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct PlanResourceChange;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlanResourceChangeRequest {
    pub type_name: String,
    pub prior_state: Encoded,
    pub proposed_new_state: Encoded,
    pub config: Encoded,
    #[serde(with = "base64_bytes")]
    pub prior_private: Bytes,
    pub provider_meta: Option<Encoded>,
    pub capabilities: Option<ClientCapabilities>,
    pub prior_identity: Option<Encoded>,
    /// Only in protocol 6, from an engine that stores it: what the initial plan returned.
    #[serde(with = "base64_bytes")]
    pub planned_private: Bytes,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlanResourceChangeResponse {
    pub planned_state: Encoded,
    pub requires_replace: Vec<WirePath>,
    #[serde(with = "base64_bytes")]
    pub planned_private: Bytes,
    pub diagnostics: Vec<Diagnostic>,
    pub legacy_type_system: bool,
    pub deferred: Option<i32>,
    pub planned_identity: Option<Encoded>,
}

impl Method for PlanResourceChange {
    type Request = PlanResourceChangeRequest;
    type Response = PlanResourceChangeResponse;

    fn address(request: &PlanResourceChangeRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::Resource, &request.type_name))
    }
}

fields! {
    PlanResourceChangeRequest {
        type_name: plain,
        prior_state: value(Declared::Schema(Kind::Resource)),
        config: value(Declared::Schema(Kind::Resource)),
        proposed_new_state: value(Declared::Schema(Kind::Resource)),
        prior_private: opaque,
        provider_meta: optional(Declared::ProviderMeta),
        capabilities: plain,
        prior_identity: optional(Declared::Identity),
        planned_private: opaque,
    }
}

impl Message for PlanResourceChangeRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::plan_resource_change::Request {
            type_name: self.type_name.clone(),
            prior_state: value_out(&self.prior_state),
            proposed_new_state: value_out(&self.proposed_new_state),
            config: value_out(&self.config),
            prior_private: self.prior_private.clone(),
            provider_meta: optional_out(self.provider_meta.as_ref()),
            client_capabilities: capabilities_out(self.capabilities),
            prior_identity: identity_out(self.prior_identity.as_ref()),
            planned_private: self.planned_private.clone(),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<PlanResourceChangeRequest, DecodeError> {
        let wire = v6::plan_resource_change::Request::decode(message)?;
        Ok(PlanResourceChangeRequest {
            type_name: wire.type_name,
            prior_state: value_in(wire.prior_state),
            proposed_new_state: value_in(wire.proposed_new_state),
            config: value_in(wire.config),
            prior_private: wire.prior_private,
            provider_meta: optional_in(wire.provider_meta),
            capabilities: capabilities_in(wire.client_capabilities),
            prior_identity: identity_in(wire.prior_identity),
            planned_private: wire.planned_private,
        })
    }
}

fields! {
    PlanResourceChangeResponse {
        planned_state: value(Declared::Schema(Kind::Resource)),
        requires_replace: paths,
        planned_private: opaque,
        diagnostics: diagnostics,
        legacy_type_system: legacy_type_system,
        deferred: deferred,
        planned_identity: optional(Declared::Identity),
    }
}

impl Message for PlanResourceChangeResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::plan_resource_change::Response {
            planned_state: value_out(&self.planned_state),
            requires_replace: self.requires_replace.iter().map(path_out).collect(),
            planned_private: self.planned_private.clone(),
            diagnostics: diagnostics_out(&self.diagnostics),
            legacy_type_system: self.legacy_type_system,
            deferred: deferred_out(self.deferred),
            planned_identity: identity_out(self.planned_identity.as_ref()),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<PlanResourceChangeResponse, DecodeError> {
        let wire = v6::plan_resource_change::Response::decode(message)?;
        Ok(PlanResourceChangeResponse {
            planned_state: value_in(wire.planned_state),
            requires_replace: paths_in(wire.requires_replace),
            planned_private: wire.planned_private,
            diagnostics: diagnostics_in(wire.diagnostics),
            legacy_type_system: wire.legacy_type_system,
            deferred: deferred_in(wire.deferred),
            planned_identity: identity_in(wire.planned_identity),
        })
    }
}
