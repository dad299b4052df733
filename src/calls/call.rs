//! One call, and what can be done with any of them.

use bytes::Bytes;
use prost::DecodeError;
use serde::{Deserialize, Serialize};

use super::failure::RpcFailure;
use super::field::{Field, FieldMut, Fields as _};
use super::method::{Address, Messages as _, Method};
use super::protocol::Protocol;

/// One call: its request and outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Call<M: Method> {
    pub request: M::Request,
    /// `Err` is what happened instead of an answer: data to be judged, not a failure of ours.
    ///
    /// A stream that breaks has no answer, whatever it sent before.
    pub outcome: Result<M::Response, RpcFailure>,
}

impl<M: Method> Call<M> {
    /// A call that is about to be made.
    pub fn unanswered(request: M::Request) -> Call<M> {
        let message = "not answered yet".to_owned();
        Call {
            request,
            outcome: Err(RpcFailure::Status { code: 14, name: "Unavailable".to_owned(), message }),
        }
    }
}

/// A side of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Request,
    Response,
}

/// Visits a field of either side.
pub type Visit<'v, 'm> = &'v mut dyn FnMut(Side, Field<'m>);
/// Visits a field of either side, to change it.
pub type VisitMut<'v, 'm> = &'v mut dyn FnMut(Side, FieldMut<'m>);

/// What every call can do, whatever its RPC.
pub(super) trait Erased {
    fn address(&self) -> Option<Address<'_>>;
    fn failure(&self) -> Option<&RpcFailure>;
    fn failure_mut(&mut self) -> Option<&mut RpcFailure>;
    fn fail(&mut self, failure: RpcFailure);
    fn fields<'m>(&'m self, visit: Visit<'_, 'm>);
    fn fields_mut<'m>(&'m mut self, visit: VisitMut<'_, 'm>);
    fn encode_request(&self, protocol: Protocol) -> Vec<Bytes>;
    fn encode_response(&self, protocol: Protocol) -> Result<Vec<Bytes>, RpcFailure>;
    fn decode_response(&mut self, protocol: Protocol, answer: Vec<Bytes>) -> Result<(), DecodeError>;
}

impl<M: Method> Erased for Call<M> {
    fn address(&self) -> Option<Address<'_>> {
        M::address(&self.request)
    }

    fn failure(&self) -> Option<&RpcFailure> {
        self.outcome.as_ref().err()
    }

    fn failure_mut(&mut self) -> Option<&mut RpcFailure> {
        self.outcome.as_mut().err()
    }

    fn fail(&mut self, failure: RpcFailure) {
        self.outcome = Err(failure);
    }

    fn fields<'m>(&'m self, visit: Visit<'_, 'm>) {
        self.request.fields(&mut |field| visit(Side::Request, field));
        if let Ok(response) = &self.outcome {
            response.fields(&mut |field| visit(Side::Response, field));
        }
    }

    fn fields_mut<'m>(&'m mut self, visit: VisitMut<'_, 'm>) {
        self.request.fields_mut(&mut |field| visit(Side::Request, field));
        if let Ok(response) = &mut self.outcome {
            response.fields_mut(&mut |field| visit(Side::Response, field));
        }
    }

    fn encode_request(&self, protocol: Protocol) -> Vec<Bytes> {
        self.request.encode(protocol)
    }

    fn encode_response(&self, protocol: Protocol) -> Result<Vec<Bytes>, RpcFailure> {
        self.outcome.as_ref().map(|response| response.encode(protocol)).map_err(Clone::clone)
    }

    fn decode_response(&mut self, protocol: Protocol, answer: Vec<Bytes>) -> Result<(), DecodeError> {
        self.outcome = Ok(M::Response::decode(protocol, answer)?);
        Ok(())
    }
}
