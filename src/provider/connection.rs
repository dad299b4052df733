//! One HTTP/2 connection, and why calls over it break.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use http::{Request, Response};
use http_body_util::BodyExt as _;
use http_body_util::combinators::MapErr;
use hyper::body::Incoming;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tower::Service;

use super::status::{Code, Status};

/// Size of trailers that Core accepts; hyper's default of 16 KiB would turn a long error message
/// into a broken stream.
const MAX_HEADER_LIST: u32 = 16 << 20;

/// hyper's connection as the service that tonic's client expects; cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    sender: http2::SendRequest<tonic::body::Body>,
    /// Whether the server ended it by GOAWAY, after it answered what it had accepted.
    went_away: Arc<AtomicBool>,
}

impl Connection {
    /// Starts HTTP/2 on a connected stream.
    pub async fn open<T>(io: T) -> Result<Self, hyper::Error>
    where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .max_header_list_size(MAX_HEADER_LIST)
            .handshake(TokioIo::new(io))
            .await?;
        let went_away = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&went_away);
        // Every call that it breaks gets its error. Only a GOAWAY ends it without one; it is noted before
        // the calls that were not sent are told.
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            let ended = connection.as_mut().await;
            flag.store(ended.is_ok(), Ordering::Release);
        });
        Ok(Self { sender, went_away })
    }

    pub fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    /// Whether both are the same connection.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.went_away, &other.went_away)
    }
}

impl Service<Request<tonic::body::Body>> for Connection {
    type Response = Response<MapErr<Incoming, fn(hyper::Error) -> Broken>>;
    type Error = Broken;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Broken>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Broken>> {
        let went_away = &self.went_away;
        self.sender.poll_ready(cx).map_err(|error| Broken::unsent(error, went_away))
    }

    fn call(&mut self, request: Request<tonic::body::Body>) -> Self::Future {
        let sent = self.sender.send_request(request);
        let went_away = Arc::clone(&self.went_away);
        Box::pin(async move {
            let response = sent.await.map_err(|error| match error.is_canceled() {
                true => Broken::unsent(error, &went_away),
                false => Broken::from(error),
            })?;
            Ok(response.map(|body| body.map_err(Broken::from as fn(hyper::Error) -> Broken)))
        })
    }
}

/// The connection or one of its streams broke: tonic's `Status` alone cannot tell this from a
/// server's answer.
#[derive(Clone, Debug)]
pub(super) struct Broken {
    pub status: Status,
    /// Whether the server said GOAWAY, and that it has not processed the call and will not.
    pub is_unprocessed: bool,
}

impl Broken {
    /// Of a call that was not sent.
    fn unsent(error: hyper::Error, went_away: &AtomicBool) -> Self {
        let broken = Self::from(error);
        Self { is_unprocessed: broken.is_unprocessed || went_away.load(Ordering::Acquire), ..broken }
    }
}

impl From<hyper::Error> for Broken {
    fn from(error: hyper::Error) -> Self {
        let mut text = error.to_string();
        let mut code = Code::Unavailable;
        let mut is_unprocessed = false;
        let mut source = error.source();
        while let Some(cause) = source {
            if let Some(h2) = cause.downcast_ref::<h2::Error>() {
                code = code_of_reset(h2).unwrap_or(code);
                // Streams that the server did accept end otherwise.
                is_unprocessed |=
                    h2.is_go_away() && h2.is_remote() && h2.reason() == Some(h2::Reason::NO_ERROR);
            }
            // Not in the words of the TLS library, which are about itself.
            let is_end = |io: &std::io::Error| io.kind() == std::io::ErrorKind::UnexpectedEof;
            let of_stream = cause.downcast_ref::<h2::Error>().and_then(h2::Error::get_io);
            let cause_text = match of_stream.or_else(|| cause.downcast_ref()).is_some_and(is_end) {
                true => "the connection was closed".to_owned(),
                false => cause.to_string(),
            };
            if !text.ends_with(&cause_text) {
                text = format!("{text}: {cause_text}");
            }
            source = cause.source();
        }
        Self { status: Status::new(code, text), is_unprocessed }
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

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.status.fmt(f)
    }
}

impl Error for Broken {}
