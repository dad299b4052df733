//! ReadDataSource: what a data source finds.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::wire::{
    bytes, capabilities_in, capabilities_out, deferred_in, deferred_out, diagnostics_in, diagnostics_out,
    optional_in, optional_out, value_in, value_out,
};
use crate::engine::ClientCapabilities;
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct ReadDataSource;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadDataSourceRequest {
    pub type_name: String,
    pub config: Encoded,
    pub provider_meta: Option<Encoded>,
    pub capabilities: Option<ClientCapabilities>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadDataSourceResponse {
    pub state: Encoded,
    pub diagnostics: Vec<Diagnostic>,
    pub deferred: Option<i32>,
}

impl Method for ReadDataSource {
    type Request = ReadDataSourceRequest;
    type Response = ReadDataSourceResponse;

    fn address(request: &ReadDataSourceRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::DataSource, &request.type_name))
    }
}

fields! {
    ReadDataSourceRequest {
        type_name: plain,
        config: value(Declared::Schema(Kind::DataSource)),
        provider_meta: optional(Declared::ProviderMeta),
        capabilities: plain,
    }
}

impl Message for ReadDataSourceRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::read_data_source::Request {
            type_name: self.type_name.clone(),
            config: value_out(&self.config),
            provider_meta: optional_out(self.provider_meta.as_ref()),
            client_capabilities: capabilities_out(self.capabilities),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ReadDataSourceRequest, DecodeError> {
        let wire = v6::read_data_source::Request::decode(message)?;
        Ok(ReadDataSourceRequest {
            type_name: wire.type_name,
            config: value_in(wire.config),
            provider_meta: optional_in(wire.provider_meta),
            capabilities: capabilities_in(wire.client_capabilities),
        })
    }
}

fields! {
    ReadDataSourceResponse {
        state: value(Declared::Schema(Kind::DataSource)),
        diagnostics: diagnostics,
        deferred: deferred,
    }
}

impl Message for ReadDataSourceResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::read_data_source::Response {
            state: value_out(&self.state),
            diagnostics: diagnostics_out(&self.diagnostics),
            deferred: deferred_out(self.deferred),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ReadDataSourceResponse, DecodeError> {
        let wire = v6::read_data_source::Response::decode(message)?;
        Ok(ReadDataSourceResponse {
            state: value_in(wire.state),
            diagnostics: diagnostics_in(wire.diagnostics),
            deferred: deferred_in(wire.deferred),
        })
    }
}
