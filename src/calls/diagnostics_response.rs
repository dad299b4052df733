//! The answer of the RPCs that return nothing but diagnostics.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::field::fields;
use super::method::Message;
use super::protocol::Protocol;
use super::wire::{bytes, diagnostics_in, diagnostics_out};
use crate::proto::v6;

/// The answer to a call that returns nothing but diagnostics.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DiagnosticsResponse {
    pub diagnostics: Vec<Diagnostic>,
}

fields! { DiagnosticsResponse { diagnostics: diagnostics } }

/// All such responses have their diagnostics in the same field number.
impl Message for DiagnosticsResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::validate_resource_config::Response { diagnostics: diagnostics_out(&self.diagnostics) })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<DiagnosticsResponse, DecodeError> {
        let wire = v6::validate_resource_config::Response::decode(message)?;
        Ok(DiagnosticsResponse { diagnostics: diagnostics_in(wire.diagnostics) })
    }
}
