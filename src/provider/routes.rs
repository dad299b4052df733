//! Routes requests on a provider's connection.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http::{Request, Response};
use hyper::body::Incoming;
use prost::Message;
use tokio::sync::{mpsc, watch};
use tokio::task::spawn_blocking;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming as Requests;
use tonic::body::Body;
use tonic::server::Grpc;
use tower::service_fn;

use super::channel::RawCodec;
use super::handler::{Handler, MakeHandler};
use super::status::{Code, Status};
use crate::calls::{Protocol, Rpc, Streaming};

/// The services of one connection.
pub struct Routes {
    pub protocol: Protocol,
    pub make: MakeHandler,
    /// Created at the first call; shared if connections share it.
    pub instance: Arc<OnceLock<Arc<dyn Handler>>>,
    /// Set when `Shutdown` is called.
    pub shut: watch::Sender<bool>,
    pub max_message: usize,
}

type Answered<T> = Pin<Box<dyn Future<Output = Result<tonic::Response<T>, tonic::Status>> + Send>>;
type Answers = ReceiverStream<Result<Bytes, tonic::Status>>;

impl Routes {
    /// Answers any request; failures are gRPC statuses.
    pub async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let path = request.uri().path();
        let rpc = Rpc::from_path(path).filter(|(protocol, _)| *protocol == self.protocol).map(|(_, rpc)| rpc);
        match (rpc, path) {
            (Some(rpc), _) => self.answer_rpc(rpc, request).await,
            (None, "/plugin.GRPCController/Shutdown") => {
                let shut = self.shut.clone();
                self.unary(request, move |_| {
                    shut.send_replace(true);
                    Ok(Bytes::new())
                })
                .await
            }
            (None, "/plugin.GRPCStdio/StreamStdio") => self.silence(request).await,
            (None, "/grpc.health.v1.Health/Check") => self.unary(request, check_health).await,
            (None, path) => tonic::Status::from(unknown(path, self.protocol)).into_http(),
        }
    }

    async fn answer_rpc(&self, rpc: Rpc, request: Request<Incoming>) -> Response<Body> {
        let handler = self.instance.get_or_init(|| (self.make)(self.protocol));
        let handler = Arc::clone(handler);
        match rpc.streaming() {
            Streaming::Unary => self.unary(request, move |request| handler.call(rpc, request)).await,
            Streaming::Server => {
                let service = service_fn(move |request: tonic::Request<Bytes>| {
                    let handler = Arc::clone(&handler);
                    let request = request.into_inner();
                    async move { Ok(tonic::Response::new(stream(handler, rpc, request))) }
                });
                self.grpc().server_streaming(service, request).await
            }
            Streaming::Client => {
                let service = service_fn(move |requests: tonic::Request<Requests<Bytes>>| {
                    let handler = Arc::clone(&handler);
                    async move {
                        let requests: Result<Vec<Bytes>, _> = requests.into_inner().collect().await;
                        let requests = requests?;
                        blocking(move || handler.client_stream(rpc, requests)).await
                    }
                });
                self.grpc().client_streaming(service, request).await
            }
        }
    }

    async fn unary<F>(&self, request: Request<Incoming>, answer: F) -> Response<Body>
    where
        F: FnOnce(Bytes) -> Result<Bytes, Status> + Send + 'static,
    {
        let mut answer = Some(answer);
        let service = service_fn(move |request: tonic::Request<Bytes>| -> Answered<Bytes> {
            let answer = answer.take();
            Box::pin(async move {
                let answer = answer.ok_or_else(|| tonic::Status::internal("called twice"))?;
                blocking(move || answer(request.into_inner())).await
            })
        });
        self.grpc().unary(service, request).await
    }

    /// The provider's standard streams: empty until shutdown.
    async fn silence(&self, request: Request<Incoming>) -> Response<Body> {
        let mut shutdown = self.shut.subscribe();
        let service = service_fn(move |_: tonic::Request<Bytes>| {
            let (sender, receiver) = mpsc::channel(1);
            let mut shutdown = std::mem::replace(&mut shutdown, watch::channel(true).1);
            async move {
                tokio::spawn(async move {
                    let _ = shutdown.wait_for(|shut| *shut).await;
                    drop(sender);
                });
                Ok(tonic::Response::new(Answers::new(receiver)))
            }
        });
        self.grpc().server_streaming(service, request).await
    }

    fn grpc(&self) -> Grpc<RawCodec> {
        Grpc::new(RawCodec)
            .max_decoding_message_size(self.max_message)
            .max_encoding_message_size(self.max_message)
    }
}

/// Runs blocking code on a thread that may block.
async fn blocking(
    answer: impl FnOnce() -> Result<Bytes, Status> + Send + 'static,
) -> Result<tonic::Response<Bytes>, tonic::Status> {
    match spawn_blocking(answer).await {
        Ok(Ok(answer)) => Ok(tonic::Response::new(answer)),
        Ok(Err(status)) => Err(status.into()),
        Err(panicked) => Err(tonic::Status::internal(panicked.to_string())),
    }
}

fn stream(handler: Arc<dyn Handler>, rpc: Rpc, request: Bytes) -> Answers {
    let (sender, receiver) = mpsc::channel(16);
    spawn_blocking(move || {
        let mut answer = |answer| sender.blocking_send(Ok(answer)).is_ok();
        if let Err(status) = handler.server_stream(rpc, request, &mut answer) {
            let _ = sender.blocking_send(Err(status.into()));
        }
    });
    Answers::new(receiver)
}

#[derive(Clone, PartialEq, Message)]
struct HealthCheckRequest {
    #[prost(string, tag = "1")]
    service: String,
}

/// The answer of `grpc.health.v1`, `status = SERVING`.
const SERVING: &[u8] = &[0x08, 0x01];

fn check_health(request: Bytes) -> Result<Bytes, Status> {
    match HealthCheckRequest::decode(request) {
        Ok(request) if matches!(request.service.as_str(), "" | "plugin") => Ok(Bytes::from_static(SERVING)),
        Ok(_) => Err(Status::new(Code::NotFound, "unknown service")),
        Err(error) => Err(Status::new(Code::Internal, error.to_string())),
    }
}

/// What a Go server answers to an unknown path.
fn unknown(path: &str, protocol: Protocol) -> Status {
    let (service, method) = path.trim_start_matches('/').rsplit_once('/').unwrap_or((path, ""));
    let ours = service == format!("tfplugin{protocol}.Provider") || service.starts_with("plugin.");
    let text = match ours {
        true => format!("unknown method {method} for service {service}"),
        false => format!("unknown service {service}"),
    };
    Status::new(Code::Unimplemented, text)
}
