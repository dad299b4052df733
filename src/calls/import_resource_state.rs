//! ImportResourceState: objects that exist already, found by an ID or an identity.

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
    identity_in, identity_out, value_in, value_out,
};
use crate::engine::ClientCapabilities;
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct ImportResourceState;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportResourceStateRequest {
    pub type_name: String,
    /// Empty if the object is named by its identity.
    pub id: String,
    pub capabilities: Option<ClientCapabilities>,
    pub identity: Option<Encoded>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportResourceStateResponse {
    /// Usually one object; others may come with it, even of other types.
    pub imported_resources: Vec<ImportedResource>,
    pub diagnostics: Vec<Diagnostic>,
    /// The reason's number on the wire.
    pub deferred: Option<i32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ImportedResource {
    pub type_name: String,
    pub state: Encoded,
    #[serde(with = "base64_bytes")]
    pub private: Bytes,
    pub identity: Option<Encoded>,
}

impl Method for ImportResourceState {
    type Request = ImportResourceStateRequest;
    type Response = ImportResourceStateResponse;

    fn address(request: &ImportResourceStateRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::Resource, &request.type_name))
    }
}

fields! {
    ImportResourceStateRequest {
        type_name: plain,
        id: text,
        capabilities: plain,
        identity: optional(Declared::Identity),
    }
}

impl Message for ImportResourceStateRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::import_resource_state::Request {
            type_name: self.type_name.clone(),
            id: self.id.clone(),
            client_capabilities: capabilities_out(self.capabilities),
            identity: identity_out(self.identity.as_ref()),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ImportResourceStateRequest, DecodeError> {
        let wire = v6::import_resource_state::Request::decode(message)?;
        Ok(ImportResourceStateRequest {
            type_name: wire.type_name,
            id: wire.id,
            capabilities: capabilities_in(wire.client_capabilities),
            identity: identity_in(wire.identity),
        })
    }
}

fields! {
    ImportResourceStateResponse { imported_resources: each, diagnostics: diagnostics, deferred: deferred }
}

fields! {
    ImportedResource {
        type_name: plain,
        state: value(Declared::Schema(Kind::Resource)),
        private: opaque,
        identity: optional(identity_of(type_name)),
    }
}

/// Engines read an identity as that of the type that is returned. Where none is, that is judged, and not its encoding.
fn identity_of(type_name: &str) -> Declared<'_> {
    if type_name.is_empty() { Declared::Identity } else { Declared::IdentityOf(type_name) }
}

impl Message for ImportResourceStateResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        let imported = |imported: &ImportedResource| v6::import_resource_state::ImportedResource {
            type_name: imported.type_name.clone(),
            state: value_out(&imported.state),
            private: imported.private.clone(),
            identity: identity_out(imported.identity.as_ref()),
        };
        bytes(&v6::import_resource_state::Response {
            imported_resources: self.imported_resources.iter().map(imported).collect(),
            diagnostics: diagnostics_out(&self.diagnostics),
            deferred: deferred_out(self.deferred),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ImportResourceStateResponse, DecodeError> {
        let wire = v6::import_resource_state::Response::decode(message)?;
        let imported = |wire: v6::import_resource_state::ImportedResource| ImportedResource {
            type_name: wire.type_name,
            state: value_in(wire.state),
            private: wire.private,
            identity: identity_in(wire.identity),
        };
        Ok(ImportResourceStateResponse {
            imported_resources: wire.imported_resources.into_iter().map(imported).collect(),
            diagnostics: diagnostics_in(wire.diagnostics),
            deferred: deferred_in(wire.deferred),
        })
    }
}
