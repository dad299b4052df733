//! The server side: a provider's process, from cookie to shutdown.
//!
//! Only transports bytes; the handler knows what they mean.

use std::env;
use std::future::Future;
use std::io::{self, Write};
use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::ServerConfig;
use tempfile::NamedTempFile;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use super::handler::{Handler, MakeHandler};
use super::handshake;
use super::reattach::{self, Reattach};
use super::routes::Routes;
use super::tls::Identity;
use crate::calls::Protocol;
use crate::process::Address;

/// How to serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The majors that the handlers speak; never empty.
    pub protocols: Vec<Protocol>,
    /// Whether to listen on 127.0.0.1 instead of a socket file.
    pub tcp: bool,
    /// Largest message received or sent, in bytes; 256 MiB with plugin-go.
    pub max_message: usize,
}

impl Default for Server {
    fn default() -> Self {
        Self { protocols: Protocol::ALL.to_vec(), tcp: false, max_message: 256 << 20 }
    }
}

/// How long connections may take to end after `Shutdown`; Core waits 2 s for the process.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(300);
/// How often a server checks whether its parent is alive.
const PARENT_POLL: Duration = Duration::from_millis(250);

/// Why serving failed.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error(
        "this program is a provider for Terraform and OpenTofu, which start it themselves; \
         it cannot be run by hand"
    )]
    Cookie,
    #[error("no protocol version to speak")]
    NoProtocol,
    #[error("failed to listen: {0}")]
    Listen(#[source] io::Error),
    #[error("failed to announce the address: {0}")]
    Announce(#[source] io::Error),
    #[error("{0}")]
    Tls(#[from] super::tls::TlsError),
    #[error("the parent process is gone")]
    Orphaned,
}

/// Serves as a plugin started by Core, until Core calls `Shutdown`.
///
/// Everything is taken from the environment: cookie, majors on offer, client
/// certificate, where to listen. Without the cookie the program prints an explanation to stderr and
/// returns exit code 1. All connections share one instance. Exits when the parent does.
///
/// Creates its own runtime; must not be called inside one.
pub fn serve_plugin(server: &Server, make: &MakeHandler) -> ExitCode {
    finish(|| {
        let (cookie, expected) = handshake::COOKIE;
        if env::var(cookie).ok().as_deref() != Some(expected) {
            return Err(ServeError::Cookie);
        }
        block_on(plugin(server, make))
    })
}

/// Serves for a debugger: in plaintext, without a cookie, until interrupted,
/// one instance per connection, as Core expects of a reattached provider.
///
/// Prints how to reattach, with `source` (such as `namespace/type`) as the
/// provider's address, on stdout. Speaks the highest of its majors.
pub fn serve_debug(server: &Server, source: &str, make: &MakeHandler) -> ExitCode {
    finish(|| block_on(debug(server, source, make)))
}

fn finish(serve: impl FnOnce() -> Result<(), ServeError>) -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // There may be no reader left.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn block_on(serve: impl Future<Output = Result<(), ServeError>>) -> Result<(), ServeError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Listen)?;
    let served = runtime.block_on(serve);
    // A handler that is stuck must not hold up the end.
    runtime.shutdown_background();
    served
}

async fn plugin(server: &Server, make: &MakeHandler) -> Result<(), ServeError> {
    let offered = env::var(handshake::PROTOCOL_VERSIONS).ok();
    let protocol =
        handshake::negotiate(offered.as_deref(), &server.protocols).ok_or(ServeError::NoProtocol)?;
    let client = env::var(handshake::CLIENT_CERT).ok();
    let tls = match client.filter(|pem| !pem.is_empty()) {
        Some(pem) => {
            let identity = Identity::generate()?;
            let config = identity.server_config(&pem)?;
            Some((identity, config))
        }
        None => None,
    };
    let listener = Listener::bind(server.tcp).map_err(ServeError::Listen)?;
    let certificate = tls.as_ref().map(|(identity, _)| identity.der());
    let line = handshake::announce(protocol, &listener.address()?, certificate);
    print(&line)?;
    // Ctrl-C in a terminal reaches the whole group; Core says when to stop.
    tokio::spawn(async { while tokio::signal::ctrl_c().await.is_ok() {} });
    let instance: Arc<OnceLock<Arc<dyn Handler>>> = Arc::default();
    let (shut, shutdown) = watch::channel(false);
    let connections = Connections {
        tls: tls.map(|(_, config)| config.into()),
        routes: Box::new(|| Routes {
            protocol,
            make: Arc::clone(make),
            instance: Arc::clone(&instance),
            shut: shut.clone(),
            max_message: server.max_message,
        }),
        shutdown,
    };
    tokio::select! {
        () = connections.accept(&listener) => Ok(()),
        () = orphaned() => Err(ServeError::Orphaned),
    }
}

async fn debug(server: &Server, source: &str, make: &MakeHandler) -> Result<(), ServeError> {
    let highest = server.protocols.iter().max();
    let protocol = *highest.ok_or(ServeError::NoProtocol)?;
    let listener = Listener::bind(server.tcp).map_err(ServeError::Listen)?;
    let reattach = Reattach {
        source: source.to_owned(),
        protocol,
        address: listener.address()?,
        pid: i64::from(std::process::id()),
        test: true,
    };
    print(&format!(
        "Serving {source} for a debugger. To use it, set this variable:\n\n\t{}='{}'\n",
        reattach::VARIABLE,
        reattach.to_json()
    ))?;
    let (shut, shutdown) = watch::channel(false);
    let connections = Connections {
        tls: None,
        routes: Box::new(|| Routes {
            protocol,
            make: Arc::clone(make),
            instance: Arc::default(),
            shut: shut.clone(),
            max_message: server.max_message,
        }),
        shutdown,
    };
    tokio::select! {
        () = connections.accept(&listener) => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    Ok(())
}

fn print(line: &str) -> Result<(), ServeError> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}").and_then(|()| stdout.flush()).map_err(ServeError::Announce)
}

/// Resolves once our parent is a different process than at the start.
async fn orphaned() {
    let parent = nix::unistd::getppid();
    while nix::unistd::getppid() == parent {
        sleep(PARENT_POLL).await;
    }
}

enum Listener {
    /// Dropping this removes the file.
    Unix(NamedTempFile<UnixListener>),
    Tcp(TcpListener),
}

impl Listener {
    fn bind(tcp: bool) -> io::Result<Self> {
        if tcp {
            let listener = bind_tcp()?;
            listener.set_nonblocking(true)?;
            return TcpListener::from_std(listener).map(Self::Tcp);
        }
        let dir = env::var_os(handshake::SOCKET_DIR).filter(|dir| !dir.is_empty());
        let dir = dir.map_or_else(env::temp_dir, PathBuf::from);
        let file = tempfile::Builder::new().prefix("plugin").make_in(dir, |path| UnixListener::bind(path))?;
        Ok(Self::Unix(file))
    }

    fn address(&self) -> Result<Address, ServeError> {
        match self {
            Self::Unix(file) => Ok(Address::Unix(file.path().to_owned())),
            Self::Tcp(listener) => {
                let bound = listener.local_addr().map_err(ServeError::Listen)?;
                Ok(Address::Tcp(bound.ip().to_string(), bound.port()))
            }
        }
    }
}

/// The first free port of the range in the environment, or any.
fn bind_tcp() -> io::Result<std::net::TcpListener> {
    let [min, max] = handshake::PORTS.map(|(name, _)| {
        let port = env::var(name).ok()?;
        port.parse::<u16>().ok()
    });
    let (Some(min), Some(max)) = (min, max) else {
        return std::net::TcpListener::bind(("127.0.0.1", 0));
    };
    let mut refused = io::Error::from(io::ErrorKind::AddrInUse);
    for port in min..=max {
        match std::net::TcpListener::bind(("127.0.0.1", port)) {
            Ok(listener) => return Ok(listener),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

struct Connections<'a> {
    tls: Option<Arc<ServerConfig>>,
    /// Creates the routes of one connection.
    routes: Box<dyn Fn() -> Routes + Send + Sync + 'a>,
    shutdown: watch::Receiver<bool>,
}

impl Connections<'_> {
    /// Accepts connections until `Shutdown`, and gives the last ones a moment to finish.
    async fn accept(&self, listener: &Listener) {
        let mut open = JoinSet::new();
        let mut shutdown = self.shutdown.clone();
        loop {
            let accepted = async {
                match listener {
                    Listener::Unix(file) => match file.as_file().accept().await {
                        Ok((io, _)) => self.serve(io, &mut open),
                        Err(_) => sleep(PARENT_POLL).await,
                    },
                    Listener::Tcp(listener) => match listener.accept().await {
                        Ok((io, _)) => {
                            // Otherwise the small frames of a call wait for each other.
                            let _ = io.set_nodelay(true);
                            self.serve(io, &mut open);
                        }
                        Err(_) => sleep(PARENT_POLL).await,
                    },
                }
            };
            tokio::select! {
                () = accepted => {}
                () = told(&mut shutdown) => break,
            }
        }
        let _ = timeout(SHUTDOWN_TIMEOUT, async { while open.join_next().await.is_some() {} }).await;
    }

    /// Serves a connection in its own task: one that is silent, or fails its TLS handshake, must
    /// not hold up the others.
    fn serve<T>(&self, io: T, open: &mut JoinSet<()>)
    where
        T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let routes = (self.routes)();
        let shutdown = self.shutdown.clone();
        let tls = self.tls.clone();
        open.spawn(async move {
            match tls {
                None => serve_http(io, routes, shutdown).await,
                Some(config) => {
                    if let Ok(io) = TlsAcceptor::from(config).accept(io).await {
                        serve_http(io, routes, shutdown).await;
                    }
                }
            }
        });
        // Otherwise finished ones would pile up.
        while open.try_join_next().is_some() {}
    }
}

async fn told(shutdown: &mut watch::Receiver<bool>) {
    // A dropped sender means the same.
    let _ = shutdown.wait_for(|shut| *shut).await;
}

async fn serve_http<T>(io: T, routes: Routes, mut shutdown: watch::Receiver<bool>)
where
    T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    const MAX_STREAMS: u32 = 1 << 16;
    const MAX_HEADER_LIST: u32 = 16 << 20;
    let routes = Arc::new(routes);
    let service = hyper::service::service_fn(move |request| {
        let routes = Arc::clone(&routes);
        async move { Ok::<_, std::convert::Infallible>(routes.answer(request).await) }
    });
    let mut connection = pin!(
        hyper::server::conn::http2::Builder::new(TokioExecutor::new())
            .max_concurrent_streams(MAX_STREAMS)
            .max_header_list_size(MAX_HEADER_LIST)
            .serve_connection(TokioIo::new(io), service)
    );
    // A broken connection is the client's problem.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = told(&mut shutdown) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
