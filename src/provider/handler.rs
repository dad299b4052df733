//! What answers calls, on the other side of a channel.

use std::sync::Arc;

use bytes::Bytes;

use super::status::Status;
use crate::calls::{Protocol, Rpc};

/// What a provider answers. Called from many threads at once, and may block each of them.
pub trait Handler: Send + Sync + 'static {
    /// One request, one answer, both encoded messages.
    fn call(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, Status>;

    /// One request; every answer is passed to `answer`, which returns whether the client is still
    /// listening.
    fn server_stream(
        &self,
        rpc: Rpc,
        _request: Bytes,
        _answer: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), Status> {
        Err(Status::unimplemented(rpc))
    }

    /// All requests at once, and one answer.
    fn client_stream(&self, rpc: Rpc, _requests: Vec<Bytes>) -> Result<Bytes, Status> {
        Err(Status::unimplemented(rpc))
    }
}

/// Creates a provider instance that speaks this protocol version.
pub type MakeHandler = Arc<dyn Fn(Protocol) -> Arc<dyn Handler> + Send + Sync>;
