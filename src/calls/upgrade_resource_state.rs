//! UpgradeResourceState: stored state, brought to the current schema.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::raw_state::RawState;
use super::wire::{bytes, diagnostics_in, diagnostics_out, raw_state_in, raw_state_out, value_in, value_out};
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct UpgradeResourceState;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UpgradeResourceStateRequest {
    pub type_name: String,
    pub version: i64,
    pub raw_state: RawState,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UpgradeResourceStateResponse {
    pub upgraded_state: Encoded,
    pub diagnostics: Vec<Diagnostic>,
}

impl Method for UpgradeResourceState {
    type Request = UpgradeResourceStateRequest;
    type Response = UpgradeResourceStateResponse;

    fn address(request: &UpgradeResourceStateRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::Resource, &request.type_name))
    }
}

fields! {
    UpgradeResourceStateRequest {
        type_name: plain,
        version: plain,
        raw_state: raw_state(Declared::Schema(Kind::Resource)),
    }
}

impl Message for UpgradeResourceStateRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::upgrade_resource_state::Request {
            type_name: self.type_name.clone(),
            version: self.version,
            raw_state: raw_state_out(&self.raw_state),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<UpgradeResourceStateRequest, DecodeError> {
        let wire = v6::upgrade_resource_state::Request::decode(message)?;
        Ok(UpgradeResourceStateRequest {
            type_name: wire.type_name,
            version: wire.version,
            raw_state: raw_state_in(wire.raw_state),
        })
    }
}

fields! {
    UpgradeResourceStateResponse {
        upgraded_state: value(Declared::Schema(Kind::Resource)),
        diagnostics: diagnostics,
    }
}

impl Message for UpgradeResourceStateResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::upgrade_resource_state::Response {
            upgraded_state: value_out(&self.upgraded_state),
            diagnostics: diagnostics_out(&self.diagnostics),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<UpgradeResourceStateResponse, DecodeError> {
        let wire = v6::upgrade_resource_state::Response::decode(message)?;
        Ok(UpgradeResourceStateResponse {
            upgraded_state: value_in(wire.upgraded_state),
            diagnostics: diagnostics_in(wire.diagnostics),
        })
    }
}
