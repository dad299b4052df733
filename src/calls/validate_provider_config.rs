//! ValidateProviderConfig: whether a provider block is valid.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::wire::{bytes, diagnostics_in, diagnostics_out, value_in, value_out};
use crate::proto::{v5, v6};
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct ValidateProviderConfig;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidateProviderConfigRequest {
    pub config: Encoded,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidateProviderConfigResponse {
    /// Protocol 5 only.
    pub prepared_config: Option<Encoded>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Method for ValidateProviderConfig {
    type Request = ValidateProviderConfigRequest;
    type Response = ValidateProviderConfigResponse;

    fn address(_: &ValidateProviderConfigRequest) -> Option<Address<'_>> {
        Some(Address::PROVIDER)
    }
}

fields! {
    ValidateProviderConfigRequest {
        config: value(Declared::Schema(Kind::Provider)),
    }
}

impl Message for ValidateProviderConfigRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::validate_provider_config::Request { config: value_out(&self.config) })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ValidateProviderConfigRequest, DecodeError> {
        let wire = v6::validate_provider_config::Request::decode(message)?;
        Ok(ValidateProviderConfigRequest { config: value_in(wire.config) })
    }
}

fields! {
    ValidateProviderConfigResponse {
        prepared_config: optional(Declared::Schema(Kind::Provider)),
        diagnostics: diagnostics,
    }
}

impl Message for ValidateProviderConfigResponse {
    fn encode(&self, protocol: Protocol) -> Bytes {
        let shared =
            v6::validate_provider_config::Response { diagnostics: diagnostics_out(&self.diagnostics) };
        match (protocol, &self.prepared_config) {
            (Protocol::V5, Some(prepared)) => {
                let mut five = v5::prepare_provider_config::Response::decode(bytes(&shared))
                    .expect("both majors encode diagnostics alike");
                five.prepared_config = value_out(prepared)
                    .map(|wire| v5::DynamicValue { msgpack: wire.msgpack, json: wire.json });
                bytes(&five)
            }
            _ => bytes(&shared),
        }
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ValidateProviderConfigResponse, DecodeError> {
        // Field 1 exists in protocol 5 only; a v6 provider never sends it.
        let five = v5::prepare_provider_config::Response::decode(message.clone())?;
        let shared = v6::validate_provider_config::Response::decode(message)?;
        Ok(ValidateProviderConfigResponse {
            prepared_config: five
                .prepared_config
                .map(|wire| value_in(Some(v6::DynamicValue { msgpack: wire.msgpack, json: wire.json }))),
            diagnostics: diagnostics_in(shared.diagnostics),
        })
    }
}
