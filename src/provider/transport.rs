//! The interface between typed calls and whatever carries them.
//!
//! Bytes go in, bytes come out: a process, a server started by others, or a function in memory.
//! Nothing here knows what a message means.

use std::future::Future;
use std::pin::Pin;

use bytes::Bytes;
use tokio_stream::Stream;

use crate::calls::{Protocol, Rpc};
use crate::transcript::RpcFailure;

/// A boxed future that may move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed stream that may move between threads.
pub type BoxStream<'a, T> = Pin<Box<dyn Stream<Item = T> + Send + 'a>>;

/// The answers of a streaming call, in order; ends after the first failure.
pub type Answers = BoxStream<'static, Result<Bytes, RpcFailure>>;

/// Raw calls: bytes in, bytes out, whatever carries them.
///
/// Requests and answers are encoded protobuf messages without gRPC framing.
/// Any number of calls may be in flight. A call that `protocol` lacks fails
/// with `Unimplemented` without being sent.
pub trait Transport: Send + Sync {
    /// The major that the other side speaks.
    fn protocol(&self) -> Protocol;

    /// One request, one answer.
    fn call(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Bytes, RpcFailure>>;

    /// One request, any number of answers.
    ///
    /// The future may not resolve before the first answer: Go servers send no
    /// headers until then.
    fn server_stream(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Answers, RpcFailure>>;

    /// Any number of requests, known beforehand, and one answer.
    ///
    /// Core sends its requests whatever the server answers meanwhile, so the list need not be a
    /// stream.
    fn client_stream(&self, rpc: Rpc, requests: Vec<Bytes>) -> BoxFuture<'_, Result<Bytes, RpcFailure>>;
}
