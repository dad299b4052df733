//! ReadResource: an object as it is now.

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
    bytes, capabilities_in, capabilities_out, deferred_in, deferred_out, diagnostics_in, diagnostics_out,
    identity_in, identity_out, optional_in, optional_out, value_in, value_out,
};
use crate::engine::ClientCapabilities;
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct ReadResource;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadResourceRequest {
    pub type_name: String,
    pub current_state: Encoded,
    #[serde(with = "base64_bytes")]
    pub private: Bytes,
    pub provider_meta: Option<Encoded>,
    pub capabilities: Option<ClientCapabilities>,
    pub current_identity: Option<Encoded>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadResourceResponse {
    pub new_state: Encoded,
    pub diagnostics: Vec<Diagnostic>,
    #[serde(with = "base64_bytes")]
    pub private: Bytes,
    /// The reason's number on the wire.
    pub deferred: Option<i32>,
    pub new_identity: Option<Encoded>,
}

impl Method for ReadResource {
    type Request = ReadResourceRequest;
    type Response = ReadResourceResponse;

    fn address(request: &ReadResourceRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::Resource, &request.type_name))
    }
}

fields! {
    ReadResourceRequest {
        type_name: plain,
        current_state: value(Declared::Schema(Kind::Resource)),
        private: opaque,
        provider_meta: optional(Declared::ProviderMeta),
        capabilities: plain,
        current_identity: optional(Declared::Identity),
    }
}

impl Message for ReadResourceRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::read_resource::Request {
            type_name: self.type_name.clone(),
            current_state: value_out(&self.current_state),
            private: self.private.clone(),
            provider_meta: optional_out(self.provider_meta.as_ref()),
            client_capabilities: capabilities_out(self.capabilities),
            current_identity: identity_out(self.current_identity.as_ref()),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ReadResourceRequest, DecodeError> {
        let wire = v6::read_resource::Request::decode(message)?;
        Ok(ReadResourceRequest {
            type_name: wire.type_name,
            current_state: value_in(wire.current_state),
            private: wire.private,
            provider_meta: optional_in(wire.provider_meta),
            capabilities: capabilities_in(wire.client_capabilities),
            current_identity: identity_in(wire.current_identity),
        })
    }
}

fields! {
    ReadResourceResponse {
        new_state: value(Declared::Schema(Kind::Resource)),
        diagnostics: diagnostics,
        private: opaque,
        deferred: deferred,
        new_identity: optional(Declared::Identity),
    }
}

impl Message for ReadResourceResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::read_resource::Response {
            new_state: value_out(&self.new_state),
            diagnostics: diagnostics_out(&self.diagnostics),
            private: self.private.clone(),
            deferred: deferred_out(self.deferred),
            new_identity: identity_out(self.new_identity.as_ref()),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ReadResourceResponse, DecodeError> {
        let wire = v6::read_resource::Response::decode(message)?;
        Ok(ReadResourceResponse {
            new_state: value_in(wire.new_state),
            diagnostics: diagnostics_in(wire.diagnostics),
            private: wire.private,
            deferred: deferred_in(wire.deferred),
            new_identity: identity_in(wire.new_identity),
        })
    }
}
