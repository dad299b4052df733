//! The one seam between typed calls and whatever carries them.
//!
//! Bytes go in, bytes come out: a process, a server that somebody else started,
//! or a function in memory. Nothing here knows what a message means.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio_stream::Stream;

use super::crash::{ExitKind, GoPanic};
use super::rpc::{Protocol, Rpc};
use super::status::{Code, Status};

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
    /// Core sends its requests whatever the server says meanwhile, so that the
    /// list need not be a stream.
    fn client_stream(&self, rpc: Rpc, requests: Vec<Bytes>) -> BoxFuture<'_, Result<Bytes, RpcFailure>>;
}

/// Why a call has no answer: data to be judged, not an error of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RpcFailure {
    /// The call was refused, or the connection broke while the process lived on
    /// (then `Unavailable`, as grpc-go reports it).
    Status(Status),
    /// The process ended while the call was under way, or had ended before.
    Crashed(Crash),
    /// No answer within the harness's own limit. The provider is then asked to
    /// stop, and killed.
    TimedOut {
        /// The limit.
        after: Duration,
    },
    /// The answer is longer than the transport was told to accept.
    TooLarge {
        /// Largest message accepted, in bytes.
        limit: usize,
    },
    /// The call was made, or was still under way, when we ended the process
    /// ourselves.
    Closed {
        /// Why we did, as a fragment: "closed", "killed after …".
        reason: String,
    },
}

/// How a provider died.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crash {
    /// Exit code or signal.
    pub exit: ExitKind,
    /// The end of what it wrote to stderr, at most 64 KiB, invalid UTF-8 replaced.
    pub stderr_tail: String,
    /// What the Go runtime said, if it did.
    pub go_panic: Option<GoPanic>,
}

impl RpcFailure {
    /// A refusal with this code and message.
    pub fn status(code: Code, message: impl Into<String>) -> Self {
        Self::Status(Status::new(code, message))
    }

    /// The gRPC code that Core would see.
    ///
    /// Core has no deadline of its own; for `TimedOut` it would see the
    /// connection break when we kill the provider.
    pub const fn code(&self) -> Code {
        match self {
            Self::Status(status) => status.code,
            Self::Crashed(_) | Self::TimedOut { .. } | Self::Closed { .. } => Code::Unavailable,
            Self::TooLarge { .. } => Code::ResourceExhausted,
        }
    }

    /// Whether the provider does not have this call at all.
    pub const fn is_unimplemented(&self) -> bool {
        matches!(self.code(), Code::Unimplemented)
    }
}

impl fmt::Display for RpcFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "refused with {status}"),
            Self::Crashed(crash) => write!(f, "{crash}"),
            Self::TimedOut { after } => {
                write!(f, "no answer within {after:?}, this harness's own limit")
            }
            Self::TooLarge { limit } => write!(f, "answer larger than {limit} bytes"),
            Self::Closed { reason } => write!(f, "provider {reason}"),
        }
    }
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "provider crashed ({})", self.exit)?;
        if let Some(go_panic) = &self.go_panic {
            write!(f, ": {go_panic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for RpcFailure {}
