//! A handler asked directly: no process, no socket, the same bytes.

use std::sync::Arc;

use bytes::Bytes;

use super::handler::Handler;
use super::rpc::{Protocol, Rpc};
use super::status::{Code, Status};
use super::transport::{Answers, BoxFuture, Transport};
use crate::transcript::RpcFailure;

/// Carries calls to a handler of this process, which answers on the caller's thread.
///
/// Unary calls only; what a handler does to the process, it does to the caller's.
pub struct InMemory {
    handler: Arc<dyn Handler>,
    protocol: Protocol,
}

impl InMemory {
    pub fn new(handler: Arc<dyn Handler>, protocol: Protocol) -> InMemory {
        InMemory { handler, protocol }
    }
}

impl Transport for InMemory {
    fn protocol(&self) -> Protocol {
        self.protocol
    }

    fn call(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move {
            match rpc.path(self.protocol) {
                Some(_) => self.handler.call(rpc, request).map_err(RpcFailure::from),
                None => Err(unimplemented(rpc)),
            }
        })
    }

    fn server_stream(&self, rpc: Rpc, _: Bytes) -> BoxFuture<'_, Result<Answers, RpcFailure>> {
        Box::pin(async move { Err(unimplemented(rpc)) })
    }

    fn client_stream(&self, rpc: Rpc, _: Vec<Bytes>) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move { Err(unimplemented(rpc)) })
    }
}

fn unimplemented(rpc: Rpc) -> RpcFailure {
    Status::new(Code::Unimplemented, format!("{rpc} is not served in memory")).into()
}
