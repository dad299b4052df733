//! MoveResourceState: stored state of one type, brought to another type.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::raw_state::{RawState, base64_bytes};
use super::wire::{
    bytes, diagnostics_in, diagnostics_out, identity_in, identity_out, raw_state_in, raw_state_out, value_in,
    value_out,
};
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct MoveResourceState;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MoveResourceStateRequest {
    /// Such as `registry.terraform.io/hashicorp/time`; the source may be of another provider.
    pub source_provider_address: String,
    pub source_type_name: String,
    /// The version of the source's schema that the state was stored with.
    pub source_schema_version: i64,
    /// JSON only.
    pub source_state: RawState,
    pub target_type_name: String,
    #[serde(with = "base64_bytes")]
    pub source_private: Bytes,
    /// JSON only; without any, the source has none.
    pub source_identity: RawState,
    pub source_identity_schema_version: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MoveResourceStateResponse {
    pub target_state: Encoded,
    pub diagnostics: Vec<Diagnostic>,
    #[serde(with = "base64_bytes")]
    pub target_private: Bytes,
    pub target_identity: Option<Encoded>,
}

impl Method for MoveResourceState {
    type Request = MoveResourceStateRequest;
    type Response = MoveResourceStateResponse;

    fn address(request: &MoveResourceStateRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::Resource, &request.target_type_name))
    }
}

fields! {
    MoveResourceStateRequest {
        source_provider_address: plain,
        source_type_name: plain,
        source_schema_version: plain,
        source_state: raw_state(Declared::SchemaOf(Kind::Resource, source_type_name)),
        target_type_name: plain,
        source_private: opaque,
        source_identity: raw_state(Declared::IdentityOf(source_type_name)),
        source_identity_schema_version: plain,
    }
}

impl Message for MoveResourceStateRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        let identity = raw_state_out(&self.source_identity).filter(|_| !self.source_identity.json.is_empty());
        bytes(&v6::move_resource_state::Request {
            source_provider_address: self.source_provider_address.clone(),
            source_type_name: self.source_type_name.clone(),
            source_schema_version: self.source_schema_version,
            source_state: raw_state_out(&self.source_state),
            target_type_name: self.target_type_name.clone(),
            source_private: self.source_private.clone(),
            source_identity: identity,
            source_identity_schema_version: self.source_identity_schema_version,
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<MoveResourceStateRequest, DecodeError> {
        let wire = v6::move_resource_state::Request::decode(message)?;
        Ok(MoveResourceStateRequest {
            source_provider_address: wire.source_provider_address,
            source_type_name: wire.source_type_name,
            source_schema_version: wire.source_schema_version,
            source_state: raw_state_in(wire.source_state),
            target_type_name: wire.target_type_name,
            source_private: wire.source_private,
            source_identity: raw_state_in(wire.source_identity),
            source_identity_schema_version: wire.source_identity_schema_version,
        })
    }
}

fields! {
    MoveResourceStateResponse {
        target_state: value(Declared::Schema(Kind::Resource)),
        diagnostics: diagnostics,
        target_private: opaque,
        target_identity: optional(Declared::Identity),
    }
}

impl Message for MoveResourceStateResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::move_resource_state::Response {
            target_state: value_out(&self.target_state),
            diagnostics: diagnostics_out(&self.diagnostics),
            target_private: self.target_private.clone(),
            target_identity: identity_out(self.target_identity.as_ref()),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<MoveResourceStateResponse, DecodeError> {
        let wire = v6::move_resource_state::Response::decode(message)?;
        Ok(MoveResourceStateResponse {
            target_state: value_in(wire.target_state),
            diagnostics: diagnostics_in(wire.diagnostics),
            target_private: wire.target_private,
            target_identity: identity_in(wire.target_identity),
        })
    }
}
