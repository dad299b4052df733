//! Connecting to a provider that was started.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpStream, UnixStream};
use tokio::time::{Instant, sleep, timeout};

use super::channel::{Channel, Redial};
use super::error::Cause;
use super::tls;
use crate::process::{Address, Child, Spawner};

/// How long a connection may take once the address is known.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long connecting is retried after a refusal; Core's client takes about as long.
const REFUSED_TIMEOUT: Duration = Duration::from_secs(1);

/// How to reach a provider, as its handshake says.
#[derive(Clone)]
pub(super) struct Way {
    pub spawner: Arc<dyn Spawner>,
    pub address: Address,
    /// `None` for a connection in clear.
    pub tls: Option<rustls::ClientConfig>,
    /// In bytes.
    pub max_message: usize,
}

/// A connection that is ready for calls.
pub(super) struct Opened {
    pub channel: Channel,
    /// Whether the TLS handshake settled on HTTP/2; true without TLS, where there is nothing to settle.
    pub agreed_on_h2: bool,
}

pub(super) enum Socket {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Way {
    /// Connects to a process that has just announced its address.
    pub async fn first_dial(&self, child: &Child) -> Result<Socket, Cause> {
        let began = Instant::now();
        loop {
            match self.dial().await {
                Ok(socket) => return Ok(socket),
                Err(source) if child.exit().is_some() || began.elapsed() >= REFUSED_TIMEOUT => {
                    return Err(Cause::Dial { address: self.address.clone(), source });
                }
                // A server may announce its address a moment before it listens.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    async fn dial(&self) -> io::Result<Socket> {
        let (spawner, address) = (Arc::clone(&self.spawner), self.address.clone());
        let dialing = tokio::task::spawn_blocking(move || spawner.dial(&address));
        let dialed = match timeout(CONNECT_TIMEOUT, dialing).await {
            Ok(Ok(dialed)) => dialed,
            Ok(Err(panicked)) => Err(io::Error::other(panicked)),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        };
        adopt(dialed?, &self.address)
    }

    /// Makes a socket ready for calls.
    pub async fn open(&self, socket: Socket) -> Result<Opened, Cause> {
        match socket {
            Socket::Unix(io) => self.open_io(io).await,
            Socket::Tcp(io) => self.open_io(io).await,
        }
    }

    async fn open_io<T>(&self, io: T) -> Result<Opened, Cause>
    where
        T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin + 'static,
    {
        let http = |error: hyper::Error| Cause::Http(error.to_string());
        let Some(config) = self.tls.clone() else {
            let channel = Channel::open(io, self.max_message).await.map_err(http)?;
            return Ok(Opened { channel, agreed_on_h2: true });
        };
        let io = secure(config, io).await?;
        let agreed_on_h2 = tls::agreed_on_h2(&io);
        Ok(Opened { channel: Channel::open(io, self.max_message).await.map_err(http)?, agreed_on_h2 })
    }

    /// The same way once more.
    pub fn redial(self) -> Redial {
        Arc::new(move || {
            let way = self.clone();
            Box::pin(async move { Some(way.open(way.dial().await.ok()?).await.ok()?.channel) })
        })
    }
}

fn adopt(fd: OwnedFd, address: &Address) -> io::Result<Socket> {
    match address {
        Address::Unix(_) => {
            let stream = StdUnixStream::from(fd);
            stream.set_nonblocking(true)?;
            UnixStream::from_std(stream).map(Socket::Unix)
        }
        Address::Tcp(..) => {
            let stream = std::net::TcpStream::from(fd);
            stream.set_nonblocking(true)?;
            TcpStream::from_std(stream).map(Socket::Tcp)
        }
    }
}

async fn secure<T>(config: rustls::ClientConfig, io: T) -> Result<tokio_rustls::client::TlsStream<T>, Cause>
where
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    let failed = |error: io::Error| match tls::is_mismatch(&error) {
        true => Cause::CertificateMismatch,
        false => Cause::TlsHandshake(error),
    };
    match timeout(CONNECT_TIMEOUT, tls::connect(config, io)).await {
        Ok(secured) => secured.map_err(failed),
        Err(_) => Err(Cause::TlsHandshake(io::ErrorKind::TimedOut.into())),
    }
}
