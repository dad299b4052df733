//! Calls to a provider that others started and will end.

use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::net::{TcpStream, UnixStream};
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::StreamExt as _;

use super::channel::{self, CallFailure, Channel, MAX_MESSAGE};
use super::error::{Cause, ProviderError};
use super::reattach::Reattach;
use super::status::Status;
use super::transport::{Answers, BoxFuture, Transport};
use crate::calls::{Protocol, Rpc};
use crate::process::Address;
use crate::transcript::{CrashReport, ExitKind, RpcFailure};

/// How long dialling is usually retried: the configuration may be printed just before the server listens.
pub const DIAL_TIMEOUT: Duration = Duration::from_secs(2);
const DIAL_POLL: Duration = Duration::from_millis(100);
/// How long a process may still listen once its connection broke: an exiting process closes one
/// after the other.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// A connection to a provider that we do not own: it is never shut down, and a call that takes too
/// long is abandoned, not ended.
pub struct Reattached {
    reattach: Reattach,
    /// `None` once closed.
    channel: Mutex<Option<Channel>>,
    call_limit: Option<Duration>,
}

impl Reattach {
    /// Connects to it. One connection is one provider instance.
    ///
    /// `call_limit` is for one call; usually `None` under a debugger. `dial_limit` is how long dialling is retried.
    pub async fn connect(
        &self,
        call_limit: Option<Duration>,
        dial_limit: Duration,
    ) -> Result<Reattached, ProviderError> {
        let failed =
            |cause| ProviderError { program: self.source.clone(), cause, stderr_tail: String::new() };
        let channel = self.open(dial_limit).await.map_err(failed)?;
        let reattach = self.clone();
        let channel = channel.redialing(Arc::new(move || {
            let reattach = reattach.clone();
            Box::pin(async move {
                match reattach.dial().await.ok()? {
                    Socket::Unix(io) => open(io).await.ok(),
                    Socket::Tcp(io) => open(io).await.ok(),
                }
            })
        }));
        Ok(Reattached { reattach: self.clone(), channel: Mutex::new(Some(channel)), call_limit })
    }

    async fn open(&self, dial_limit: Duration) -> Result<Channel, Cause> {
        let began = Instant::now();
        loop {
            match self.dial().await {
                Ok(Socket::Unix(io)) => return open(io).await,
                Ok(Socket::Tcp(io)) => return open(io).await,
                Err(source) if began.elapsed() >= dial_limit => {
                    return Err(Cause::Dial { address: self.address.clone(), source });
                }
                Err(_) => sleep(DIAL_POLL).await,
            }
        }
    }

    async fn dial(&self) -> io::Result<Socket> {
        match &self.address {
            Address::Unix(path) => Ok(Socket::Unix(UnixStream::connect(path).await?)),
            Address::Tcp(host, port) => {
                let stream = TcpStream::connect((host.as_str(), *port)).await?;
                stream.set_nodelay(true)?;
                Ok(Socket::Tcp(stream))
            }
        }
    }

    /// Whether nothing listens there any more, or stops listening shortly.
    async fn is_gone(&self) -> bool {
        let began = Instant::now();
        while began.elapsed() < EXIT_TIMEOUT {
            if self.dial().await.is_err() {
                return true;
            }
            sleep(DIAL_POLL).await;
        }
        false
    }
}

enum Socket {
    Unix(UnixStream),
    Tcp(TcpStream),
}

async fn open<T>(io: T) -> Result<Channel, Cause>
where
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin + 'static,
{
    Channel::open(io, MAX_MESSAGE).await.map_err(|error| Cause::Http(error.to_string()))
}

impl Reattached {
    /// Closes the connection, which is all we own.
    pub fn close(&self) {
        self.lock().take();
    }

    /// Whether either side has closed the connection.
    pub fn is_closed(&self) -> bool {
        self.lock().as_ref().is_none_or(Channel::is_closed)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Channel>> {
        self.channel.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn channel(&self) -> Result<Channel, RpcFailure> {
        self.lock().clone().ok_or_else(|| RpcFailure::Abandoned { why: "closed".to_owned() })
    }

    async fn limited<T>(&self, call: impl Future<Output = Result<T, CallFailure>>) -> Result<T, RpcFailure> {
        let answer = match self.call_limit {
            Some(after) => {
                timeout(after, call).await.map_err(|_| RpcFailure::TimedOut { after, busy: None })?
            }
            None => call.await,
        };
        match answer {
            Err(CallFailure::Broken(status)) => Err(self.broken(status).await),
            answer => Ok(answer?),
        }
    }

    /// Reports whether the process is gone, as far as we can see from outside.
    async fn broken(&self, status: Status) -> RpcFailure {
        if self.reattach.is_gone().await {
            RpcFailure::Crashed(CrashReport {
                exit: ExitKind::Unknown,
                stderr_tail: String::new(),
                go_panic: None,
            })
        } else {
            status.into()
        }
    }
}

impl Transport for Reattached {
    fn protocol(&self) -> Protocol {
        self.reattach.protocol
    }

    fn call(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move {
            let path = channel::path(rpc, self.protocol())?;
            self.limited(self.channel()?.unary(path, request)).await
        })
    }

    fn server_stream(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Answers, RpcFailure>> {
        Box::pin(async move {
            let path = channel::path(rpc, self.protocol())?;
            let answers = self.limited(self.channel()?.server_stream(path, request)).await?;
            let answers = answers.map(|answer| answer.map_err(RpcFailure::from));
            Ok(Box::pin(answers) as Answers)
        })
    }

    fn client_stream(&self, rpc: Rpc, requests: Vec<Bytes>) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move {
            let path = channel::path(rpc, self.protocol())?;
            self.limited(self.channel()?.client_stream(path, requests)).await
        })
    }
}
