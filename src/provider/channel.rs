//! Raw gRPC over one connected stream.
//!
//! There is no reconnecting: the connection is passed in already open, so a provider that died and
//! was restarted cannot be mistaken for the one we knew. Once the stream breaks, every call fails.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, BufMut, Bytes};
use http::uri::PathAndQuery;
use http::{Request, Response, Uri};
use http_body_util::BodyExt as _;
use http_body_util::combinators::MapErr;
use hyper::body::Incoming;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_stream::{self as stream, StreamExt as _};
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tower::Service;

use super::status::{Code, Status};
use super::transport::BoxStream;
use crate::calls::{Protocol, Rpc};
use crate::transcript::RpcFailure;

/// Size of trailers that Core accepts; hyper's default of 16 KiB would turn a long error message
/// into a broken stream.
const MAX_HEADER_LIST: u32 = 16 << 20;

/// Core's limit for one message, and ours unless the caller asks for less.
pub const MAX_MESSAGE: usize = i32::MAX as usize;

/// An open connection to a gRPC server, cheap to clone.
#[derive(Clone, Debug)]
pub struct Channel {
    grpc: Grpc<Connection>,
    connection: Connection,
    max_message: usize,
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
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .max_header_list_size(MAX_HEADER_LIST)
            .handshake(TokioIo::new(io))
            .await?;
        // Every call that it breaks gets its error.
        tokio::spawn(connection);
        let origin = Uri::from_static("http://localhost");
        let connection = Connection(sender);
        let grpc = Grpc::with_origin(connection.clone(), origin)
            .max_decoding_message_size(max_message)
            .max_encoding_message_size(MAX_MESSAGE);
        Ok(Self { grpc, connection, max_message })
    }

    /// Whether the stream broke or the other side closed it.
    pub fn is_closed(&self) -> bool {
        self.connection.0.is_closed()
    }

    /// One request, one answer, at any path.
    pub async fn unary(&self, path: &'static str, request: Bytes) -> Result<Bytes, CallFailure> {
        let mut grpc = self.grpc.clone();
        grpc.ready().await?;
        let path = PathAndQuery::from_static(path);
        grpc.unary(tonic::Request::new(request), path, RawCodec)
            .await
            .map(tonic::Response::into_inner)
            .map_err(|status| self.failure(status))
    }

    /// One request, any number of answers, at any path.
    pub async fn server_stream(&self, path: &'static str, request: Bytes) -> Result<RawAnswers, CallFailure> {
        let mut grpc = self.grpc.clone();
        grpc.ready().await?;
        let path = PathAndQuery::from_static(path);
        let answers = grpc
            .server_streaming(tonic::Request::new(request), path, RawCodec)
            .await
            .map_err(|status| self.failure(status))?
            .into_inner();
        let channel = self.clone();
        Ok(Box::pin(answers.map(move |answer| answer.map_err(|status| channel.failure(status)))))
    }

    /// Any number of requests, one answer, at any path.
    pub async fn client_stream(
        &self,
        path: &'static str,
        requests: Vec<Bytes>,
    ) -> Result<Bytes, CallFailure> {
        let mut grpc = self.grpc.clone();
        grpc.ready().await?;
        let path = PathAndQuery::from_static(path);
        let requests = tonic::Request::new(stream::iter(requests));
        grpc.client_streaming(requests, path, RawCodec)
            .await
            .map(tonic::Response::into_inner)
            .map_err(|status| self.failure(status))
    }

    fn failure(&self, status: tonic::Status) -> CallFailure {
        let source = status.source();
        if let Some(broken) = source.and_then(|source| source.downcast_ref::<Broken>()) {
            return CallFailure::Broken(broken.0.clone());
        }
        // The decoder's own error; a server's `OutOfRange` has a different message.
        let too_large = "Error, decoded message length too large";
        if status.code() == tonic::Code::OutOfRange && status.message().starts_with(too_large) {
            return CallFailure::TooLarge(self.max_message);
        }
        CallFailure::Refused(Status::new(status.code().into(), status.message()))
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

/// hyper's connection as the service that tonic's client expects.
#[derive(Clone, Debug)]
struct Connection(http2::SendRequest<tonic::body::Body>);

impl Service<Request<tonic::body::Body>> for Connection {
    type Response = Response<MapErr<Incoming, fn(hyper::Error) -> Broken>>;
    type Error = Broken;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Broken>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Broken>> {
        self.0.poll_ready(cx).map_err(Broken::from)
    }

    fn call(&mut self, request: Request<tonic::body::Body>) -> Self::Future {
        let sent = self.0.send_request(request);
        Box::pin(async move {
            let response = sent.await?;
            Ok(response.map(|body| body.map_err(Broken::from as fn(hyper::Error) -> Broken)))
        })
    }
}

/// The connection or one of its streams broke: tonic's `Status` alone cannot tell this from a
/// server's answer.
#[derive(Debug)]
struct Broken(Status);

impl From<hyper::Error> for Broken {
    fn from(error: hyper::Error) -> Self {
        let mut text = error.to_string();
        let mut code = Code::Unavailable;
        let mut source = error.source();
        while let Some(cause) = source {
            if let Some(h2) = cause.downcast_ref::<h2::Error>() {
                code = code_of_reset(h2).unwrap_or(code);
            }
            let cause_text = cause.to_string();
            if !text.ends_with(&cause_text) {
                text = format!("{text}: {cause_text}");
            }
            source = cause.source();
        }
        Self(Status::new(code, text))
    }
}

/// What grpc-go makes of one reset stream; `None` if the whole connection broke.
fn code_of_reset(error: &h2::Error) -> Option<Code> {
    if !error.is_reset() {
        return None;
    }
    Some(match error.reason()? {
        h2::Reason::REFUSED_STREAM => Code::Unavailable,
        h2::Reason::CANCEL => Code::Cancelled,
        h2::Reason::ENHANCE_YOUR_CALM => Code::ResourceExhausted,
        h2::Reason::INADEQUATE_SECURITY => Code::PermissionDenied,
        _ => Code::Internal,
    })
}

impl From<Broken> for CallFailure {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken.0)
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Broken {}

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
