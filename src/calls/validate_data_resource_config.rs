//! ValidateDataResourceConfig: whether the configuration of a data source is valid.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostics_response::DiagnosticsResponse;
use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::wire::{bytes, value_in, value_out};
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct ValidateDataResourceConfig;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidateDataResourceConfigRequest {
    pub type_name: String,
    pub config: Encoded,
}

impl Method for ValidateDataResourceConfig {
    type Request = ValidateDataResourceConfigRequest;
    type Response = DiagnosticsResponse;

    fn address(request: &ValidateDataResourceConfigRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::DataSource, &request.type_name))
    }
}

fields! {
    ValidateDataResourceConfigRequest {
        type_name: plain,
        config: value(Declared::Schema(Kind::DataSource)),
    }
}

impl Message for ValidateDataResourceConfigRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::validate_data_resource_config::Request {
            type_name: self.type_name.clone(),
            config: value_out(&self.config),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ValidateDataResourceConfigRequest, DecodeError> {
        let wire = v6::validate_data_resource_config::Request::decode(message)?;
        Ok(ValidateDataResourceConfigRequest { type_name: wire.type_name, config: value_in(wire.config) })
    }
}
