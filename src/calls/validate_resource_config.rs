//! ValidateResourceConfig: whether the configuration of a managed resource is valid.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostics_response::DiagnosticsResponse;
use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::wire::{bytes, capabilities_in, capabilities_out, value_in, value_out};
use crate::engine::ClientCapabilities;
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct ValidateResourceConfig;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidateResourceConfigRequest {
    pub type_name: String,
    pub config: Encoded,
    pub capabilities: Option<ClientCapabilities>,
}

impl Method for ValidateResourceConfig {
    type Request = ValidateResourceConfigRequest;
    type Response = DiagnosticsResponse;

    fn address(request: &ValidateResourceConfigRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::Resource, &request.type_name))
    }
}

fields! {
    ValidateResourceConfigRequest {
        type_name: plain,
        config: value(Declared::Schema(Kind::Resource)),
        capabilities: plain,
    }
}

impl Message for ValidateResourceConfigRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::validate_resource_config::Request {
            type_name: self.type_name.clone(),
            config: value_out(&self.config),
            client_capabilities: capabilities_out(self.capabilities),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ValidateResourceConfigRequest, DecodeError> {
        let wire = v6::validate_resource_config::Request::decode(message)?;
        Ok(ValidateResourceConfigRequest {
            type_name: wire.type_name,
            config: value_in(wire.config),
            capabilities: capabilities_in(wire.client_capabilities),
        })
    }
}
