//! ConfigureProvider: what the provider block says.

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
pub struct ConfigureProvider;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConfigureProviderRequest {
    pub terraform_version: String,
    pub config: Encoded,
    pub capabilities: Option<ClientCapabilities>,
}

impl Method for ConfigureProvider {
    type Request = ConfigureProviderRequest;
    type Response = DiagnosticsResponse;

    fn address(_: &ConfigureProviderRequest) -> Option<Address<'_>> {
        Some(Address::PROVIDER)
    }
}

fields! {
    ConfigureProviderRequest {
        terraform_version: plain,
        config: value(Declared::Schema(Kind::Provider)),
        capabilities: plain,
    }
}

impl Message for ConfigureProviderRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::configure_provider::Request {
            terraform_version: self.terraform_version.clone(),
            config: value_out(&self.config),
            client_capabilities: capabilities_out(self.capabilities),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ConfigureProviderRequest, DecodeError> {
        let wire = v6::configure_provider::Request::decode(message)?;
        Ok(ConfigureProviderRequest {
            terraform_version: wire.terraform_version,
            config: value_in(wire.config),
            capabilities: capabilities_in(wire.client_capabilities),
        })
    }
}
