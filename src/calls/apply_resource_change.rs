//! ApplyResourceChange: carrying out the plan.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::raw_state::base64_bytes;
use super::wire::{
    bytes, diagnostics_in, diagnostics_out, identity_in, identity_out, optional_in, optional_out, value_in,
    value_out,
};
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct ApplyResourceChange;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ApplyResourceChangeRequest {
    pub type_name: String,
    pub prior_state: Encoded,
    pub planned_state: Encoded,
    pub config: Encoded,
    #[serde(with = "base64_bytes")]
    pub planned_private: Bytes,
    pub provider_meta: Option<Encoded>,
    pub planned_identity: Option<Encoded>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ApplyResourceChangeResponse {
    pub new_state: Encoded,
    #[serde(with = "base64_bytes")]
    pub private: Bytes,
    pub diagnostics: Vec<Diagnostic>,
    pub legacy_type_system: bool,
    pub new_identity: Option<Encoded>,
}

impl Method for ApplyResourceChange {
    type Request = ApplyResourceChangeRequest;
    type Response = ApplyResourceChangeResponse;

    fn address(request: &ApplyResourceChangeRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::Resource, &request.type_name))
    }
}

fields! {
    ApplyResourceChangeRequest {
        type_name: plain,
        prior_state: value(Declared::Schema(Kind::Resource)),
        config: value(Declared::Schema(Kind::Resource)),
        planned_state: value(Declared::Schema(Kind::Resource)),
        planned_private: opaque,
        provider_meta: optional(Declared::ProviderMeta),
        planned_identity: optional(Declared::Identity),
    }
}

impl Message for ApplyResourceChangeRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::apply_resource_change::Request {
            type_name: self.type_name.clone(),
            prior_state: value_out(&self.prior_state),
            planned_state: value_out(&self.planned_state),
            config: value_out(&self.config),
            planned_private: self.planned_private.clone(),
            provider_meta: optional_out(self.provider_meta.as_ref()),
            planned_identity: identity_out(self.planned_identity.as_ref()),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ApplyResourceChangeRequest, DecodeError> {
        let wire = v6::apply_resource_change::Request::decode(message)?;
        Ok(ApplyResourceChangeRequest {
            type_name: wire.type_name,
            prior_state: value_in(wire.prior_state),
            planned_state: value_in(wire.planned_state),
            config: value_in(wire.config),
            planned_private: wire.planned_private,
            provider_meta: optional_in(wire.provider_meta),
            planned_identity: identity_in(wire.planned_identity),
        })
    }
}

fields! {
    ApplyResourceChangeResponse {
        new_state: value(Declared::Schema(Kind::Resource)),
        private: opaque,
        diagnostics: diagnostics,
        legacy_type_system: legacy_type_system,
        new_identity: optional(Declared::Identity),
    }
}

impl Message for ApplyResourceChangeResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::apply_resource_change::Response {
            new_state: value_out(&self.new_state),
            private: self.private.clone(),
            diagnostics: diagnostics_out(&self.diagnostics),
            legacy_type_system: self.legacy_type_system,
            new_identity: identity_out(self.new_identity.as_ref()),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ApplyResourceChangeResponse, DecodeError> {
        let wire = v6::apply_resource_change::Response::decode(message)?;
        Ok(ApplyResourceChangeResponse {
            new_state: value_in(wire.new_state),
            private: wire.private,
            diagnostics: diagnostics_in(wire.diagnostics),
            legacy_type_system: wire.legacy_type_system,
            new_identity: identity_in(wire.new_identity),
        })
    }
}
