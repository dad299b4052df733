//! GetMetadata: what a provider offers, by name.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::field::fields;
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::wire::schema::{capabilities_in, capabilities_out};
use super::wire::{bytes, diagnostics_in, diagnostics_out};
use crate::proto::{v5, v6};
use crate::schema::ServerCapabilities;

#[derive(Clone, Debug)]
pub struct GetMetadata;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GetMetadataRequest {}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GetMetadataResponse {
    pub capabilities: ServerCapabilities,
    pub resources: Vec<String>,
    pub data_sources: Vec<String>,
    pub functions: Vec<String>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Method for GetMetadata {
    type Request = GetMetadataRequest;
    type Response = GetMetadataResponse;

    fn address(_: &GetMetadataRequest) -> Option<Address<'_>> {
        None
    }
}

fields! { GetMetadataRequest {} }

impl Message for GetMetadataRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        Bytes::new()
    }

    fn decode(_: Protocol, message: Bytes) -> Result<GetMetadataRequest, DecodeError> {
        v6::get_metadata::Request::decode(message)?;
        Ok(GetMetadataRequest {})
    }
}

fields! {
    GetMetadataResponse {
        capabilities: plain,
        resources: plain,
        data_sources: plain,
        functions: plain,
        diagnostics: diagnostics,
    }
}

impl Message for GetMetadataResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::get_metadata::Response {
            server_capabilities: Some(capabilities_out(self.capabilities)),
            diagnostics: diagnostics_out(&self.diagnostics),
            data_sources: self
                .data_sources
                .iter()
                .map(|name| v6::get_metadata::DataSourceMetadata { type_name: name.clone() })
                .collect(),
            resources: self
                .resources
                .iter()
                .map(|name| v6::get_metadata::ResourceMetadata { type_name: name.clone() })
                .collect(),
            functions: self
                .functions
                .iter()
                .map(|name| v6::get_metadata::FunctionMetadata { name: name.clone() })
                .collect(),
            ..Default::default()
        })
    }

    fn decode(protocol: Protocol, message: Bytes) -> Result<GetMetadataResponse, DecodeError> {
        // The majors disagree about fields 8 and 9, neither of which we read.
        let wire = match protocol {
            Protocol::V6 => v6::get_metadata::Response::decode(message)?,
            Protocol::V5 => {
                let five = v5::get_metadata::Response::decode(message)?;
                let shared = v5::get_metadata::Response { actions: Vec::new(), ..five };
                v6::get_metadata::Response::decode(bytes(&shared))?
            }
        };
        Ok(GetMetadataResponse {
            capabilities: capabilities_in(wire.server_capabilities),
            resources: wire.resources.into_iter().map(|resource| resource.type_name).collect(),
            data_sources: wire.data_sources.into_iter().map(|data_source| data_source.type_name).collect(),
            functions: wire.functions.into_iter().map(|function| function.name).collect(),
            diagnostics: diagnostics_in(wire.diagnostics),
        })
    }
}
