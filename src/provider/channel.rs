//! Raw gRPC over one connected stream.
//!
//! The connection is passed in already open. It is replaced only once the server says that it takes no
//! more calls on it (GOAWAY): so a provider that died and was restarted cannot be mistaken for the one
//! we knew. If the stream breaks otherwise, every call fails.

use std::error::Error as _;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Buf, BufMut, Bytes};
use http::uri::PathAndQuery;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_stream::{self as stream, Stream, StreamExt as _};
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder, Streaming};
use tonic::metadata::MetadataMap;

use super::connection::{Broken, Connection};
use super::status::{Code, Status};
use super::transport::{BoxFuture, BoxStream};
use crate::calls::{Protocol, Rpc};
use crate::transcript::RpcFailure;

/// Core's limit for one message, and ours unless the caller asks for less.
pub const MAX_MESSAGE: usize = i32::MAX as usize;

/// Opens another connection to the same server; `None` if that fails.
pub type Redial = Arc<dyn Fn() -> BoxFuture<'static, Option<Channel>> + Send + Sync>;

/// Calls to a gRPC server over an open connection; cheap to clone.
#[derive(Clone)]
pub struct Channel {
    /// The connection that new calls use.
    current: Arc<Mutex<Connection>>,
    /// Held while the connection is replaced.
    replacing: Arc<tokio::sync::Mutex<()>>,
    redial: Option<Redial>,
    max_message: usize,
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Channel").field("is_closed", &self.is_closed()).finish_non_exhaustive()
    }
}

impl Channel {
    /// Starts HTTP/2 on a connected stream, after any TLS handshake.
    ///
    /// Fails only if the preface cannot be written. If a server rejects our certificate under TLS
    /// 1.3, the first call fails.
    pub async fn open<T>(io: T, max_message: usize) -> Result<Self, hyper::Error>
    where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let current = Arc::new(Mutex::new(Connection::open(io).await?));
        Ok(Self { current, replacing: Arc::default(), redial: None, max_message })
    }

    /// With a way to connect again after a GOAWAY.
    #[must_use]
    pub fn redialing(self, redial: Redial) -> Self {
        Self { redial: Some(redial), ..self }
    }

    /// Whether the stream broke or the other side closed it.
    pub fn is_closed(&self) -> bool {
        self.connection().is_closed()
    }

    fn connection(&self) -> Connection {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// One request, one answer, at any path.
    pub async fn unary(&self, path: &'static str, request: Bytes) -> Result<Bytes, CallFailure> {
        self.client_stream(path, vec![request]).await
    }

    /// One request, any number of answers, at any path.
    pub async fn server_stream(&self, path: &'static str, request: Bytes) -> Result<RawAnswers, CallFailure> {
        let answers =
            self.call(|connection| self.streaming(connection, path, stream::once(request.clone()))).await?;
        let channel = self.clone();
        Ok(Box::pin(answers.map(move |answer| answer.map_err(|status| channel.failure(status).into()))))
    }

    /// Any number of requests, one answer, at any path.
    ///
    /// As in grpc-go, a second message in the answer is an error.
    pub async fn client_stream(
        &self,
        path: &'static str,
        requests: Vec<Bytes>,
    ) -> Result<Bytes, CallFailure> {
        self.call(|connection| async {
            let mut answers = self.streaming(connection, path, stream::iter(requests.clone())).await?;
            let missing = || tonic::Status::internal("the answer has no message");
            let only = answers.next().await.unwrap_or_else(|| Err(missing()));
            let only = only.map_err(|status| self.failure(status))?;
            match answers.next().await {
                None => Ok(only),
                Some(Ok(_)) => {
                    let status = Status::new(Code::Internal, "the answer has more than one message");
                    Err(CallFailure::Refused(status).into())
                }
                Some(Err(status)) => Err(self.failure(status)),
            }
        })
        .await
    }

    async fn streaming<R>(
        &self,
        connection: Connection,
        path: &'static str,
        requests: R,
    ) -> Result<Streaming<Bytes>, Unanswered>
    where
        R: Stream<Item = Bytes> + Send + 'static,
    {
        let mut grpc = Grpc::with_origin(connection, http::Uri::from_static("http://localhost"))
            .max_decoding_message_size(self.max_message)
            .max_encoding_message_size(MAX_MESSAGE);
        grpc.ready().await?;
        let path = PathAndQuery::from_static(path);
        let answers = grpc.streaming(tonic::Request::new(requests), path, RawCodec).await;
        let answers = answers.map_err(|status| self.failure(status))?;
        match of_another_type(answers.metadata()) {
            Some(status) => Err(CallFailure::Refused(status).into()),
            None => Ok(answers.into_inner()),
        }
    }

    /// Makes a call, and once more if the server said GOAWAY before it processed the call.
    async fn call<T, F>(&self, attempt: impl Fn(Connection) -> F) -> Result<T, CallFailure>
    where
        F: Future<Output = Result<T, Unanswered>>,
    {
        let spent = self.connection();
        match attempt(spent.clone()).await {
            Err(unanswered) if unanswered.is_unprocessed => match self.replaced(&spent).await {
                Some(next) => attempt(next).await.map_err(CallFailure::from),
                None => Err(unanswered.into()),
            },
            answered => answered.map_err(CallFailure::from),
        }
    }

    /// The connection after one that takes no more calls.
    async fn replaced(&self, spent: &Connection) -> Option<Connection> {
        let _turn = self.replacing.lock().await;
        let current = self.connection();
        if !current.is_same(spent) {
            return Some(current);
        }
        let redial = self.redial.as_ref()?;
        let next = redial().await?.connection();
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = next.clone();
        Some(next)
    }

    fn failure(&self, status: tonic::Status) -> Unanswered {
        let source = status.source();
        if let Some(broken) = source.and_then(|source| source.downcast_ref::<Broken>()) {
            return broken.clone().into();
        }
        // The decoder's own error; a server's `OutOfRange` has a different message.
        let too_large = "Error, decoded message length too large";
        if status.code() == tonic::Code::OutOfRange && status.message().starts_with(too_large) {
            return CallFailure::TooLarge(self.max_message).into();
        }
        CallFailure::Refused(Status::new(status.code().into(), status.message())).into()
    }
}

/// The failure that grpc-go makes of an answer which is not gRPC's, by its content type.
fn of_another_type(headers: &MetadataMap) -> Option<Status> {
    const GRPC: &str = "application/grpc";
    let Some(content_type) = headers.get("content-type") else {
        return Some(Status::new(Code::Unknown, "the answer has no content type, not application/grpc"));
    };
    let text = String::from_utf8_lossy(content_type.as_encoded_bytes()).to_lowercase();
    let is_grpc = text.strip_prefix(GRPC).is_some_and(|rest| rest.is_empty() || rest.starts_with(['+', ';']));
    let message = || format!("the answer's content type is {text:?}, not {GRPC}");
    (!is_grpc).then(|| Status::new(Code::Unknown, message()))
}

/// A call without an answer, and whether the server cannot have processed it.
struct Unanswered {
    failure: CallFailure,
    is_unprocessed: bool,
}

impl From<CallFailure> for Unanswered {
    fn from(failure: CallFailure) -> Self {
        Self { failure, is_unprocessed: false }
    }
}

impl From<Broken> for Unanswered {
    fn from(broken: Broken) -> Self {
        Self { failure: CallFailure::Broken(broken.status), is_unprocessed: broken.is_unprocessed }
    }
}

impl From<Unanswered> for CallFailure {
    fn from(unanswered: Unanswered) -> Self {
        unanswered.failure
    }
}

/// Why a call over a bare channel has no answer.
///
/// Unlike `RpcFailure` it knows nothing about the process behind the stream.
#[derive(Clone, Debug)]
pub enum CallFailure {
    /// The server returned this status.
    Refused(Status),
    /// The connection, or this call's part of it, broke; as grpc-go reports it.
    Broken(Status),
    /// The answer is longer than this limit, in bytes.
    TooLarge(usize),
}

impl From<CallFailure> for RpcFailure {
    fn from(failure: CallFailure) -> Self {
        match failure {
            CallFailure::Refused(status) | CallFailure::Broken(status) => status.into(),
            CallFailure::TooLarge(limit) => {
                Self::TooLarge { limit: limit as u64, message: "the connection was abandoned".to_owned() }
            }
        }
    }
}

/// The answers of a streaming call over a bare channel.
pub type RawAnswers = BoxStream<'static, Result<Bytes, CallFailure>>;

/// The path of a call, or `Unimplemented` if the protocol version lacks it.
pub fn path(rpc: Rpc, protocol: Protocol) -> Result<&'static str, RpcFailure> {
    let missing = || Status::new(Code::Unimplemented, format!("protocol {protocol} has no {rpc}"));
    rpc.path(protocol).ok_or_else(|| missing().into())
}

/// Passes messages through undecoded, both ways.
#[derive(Clone, Copy, Debug, Default)]
pub struct RawCodec;

impl Codec for RawCodec {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for RawCodec {
    type Item = Bytes;
    type Error = tonic::Status;

    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), tonic::Status> {
        buffer.reserve(item.len());
        buffer.put(item);
        Ok(())
    }
}

impl Decoder for RawCodec {
    type Item = Bytes;
    type Error = tonic::Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, tonic::Status> {
        // Splits the frame off the receive buffer without copying.
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}

#[cfg(test)]
mod tests;
