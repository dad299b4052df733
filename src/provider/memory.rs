//! A handler called directly: no process, no socket, the same bytes.

use std::sync::Arc;

use bytes::Bytes;

use super::handler::Handler;
use super::status::{Code, Status};
use super::transport::{Answers, BoxFuture, Transport};
use crate::calls::{Protocol, Rpc};
use crate::transcript::RpcFailure;

/// Passes calls to a handler in this process, which answers on the caller's thread.
///
/// A handler that harms its process harms the caller's. A stream of answers is complete when it
/// starts.
pub struct InMemory {
    handler: Arc<dyn Handler>,
    protocol: Protocol,
}

impl InMemory {
    pub fn new(handler: Arc<dyn Handler>, protocol: Protocol) -> InMemory {
        InMemory { handler, protocol }
    }

    fn served(&self, rpc: Rpc) -> Result<(), RpcFailure> {
        let missing =
            || RpcFailure::from(Status::new(Code::Unimplemented, format!("{rpc} is not served in memory")));
        rpc.path(self.protocol).map(|_| ()).ok_or_else(missing)
    }
}

impl Transport for InMemory {
    fn protocol(&self) -> Protocol {
        self.protocol
    }

    fn call(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move {
            self.served(rpc)?;
            self.handler.call(rpc, request).map_err(RpcFailure::from)
        })
    }

    fn server_stream(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Answers, RpcFailure>> {
        Box::pin(async move {
            self.served(rpc)?;
            let mut answers = Vec::new();
            let mut keep = |answer| {
                answers.push(Ok(answer));
                true
            };
            if let Err(status) = self.handler.server_stream(rpc, request, &mut keep) {
                answers.push(Err(status.into()));
            }
            Ok(Box::pin(tokio_stream::iter(answers)) as Answers)
        })
    }

    fn client_stream(&self, rpc: Rpc, requests: Vec<Bytes>) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move {
            self.served(rpc)?;
            self.handler.client_stream(rpc, requests).map_err(RpcFailure::from)
        })
    }
}
