//! The minimal client of a provider: tonic's client half over TLS, and nothing else.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tfconform::calls::Protocol;
use tfconform::process::Address;
use tfconform::provider::channel::{Channel, MAX_MESSAGE};
use tfconform::provider::handshake;
use tfconform::provider::launch::QUICK;
use tfconform::provider::tls::{self, Identity};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};

use super::recorder::Sent;
use super::{IN_FLIGHT, cpu_of, own_cpu};

/// A provider process without a harness around it. It is killed when dropped.
pub struct Bare {
    child: Child,
    channel: Channel,
    _sockets: tempfile::TempDir,
}

impl Bare {
    pub async fn start(program: &Path, home: &Path) -> Bare {
        let sockets = tempfile::tempdir().expect("a folder can be made");
        let identity = Identity::generate().expect("a certificate can be made");
        let mut child = Command::new(program)
            .env_clear()
            .envs([handshake::COOKIE])
            .envs(handshake::PORTS)
            .env(handshake::PROTOCOL_VERSIONS, handshake::offer(&Protocol::ALL))
            .env(handshake::SOCKET_DIR, sockets.path())
            .env(handshake::CLIENT_CERT, identity.pem())
            .env("HOME", home)
            .env("PATH", "/usr/bin:/bin")
            .envs(QUICK)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("the provider starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).await.expect("the provider announces itself");
        let handshake = handshake::parse(line.trim_end(), &Protocol::ALL).expect("a plugin's handshake");
        let Address::Unix(socket) = &handshake.address else { panic!("providers listen on sockets here") };
        let certificate = handshake.certificate.expect("TLS was asked for");
        let config = identity.client_config(certificate).expect("a certificate that can be pinned");
        let socket = UnixStream::connect(socket).await.expect("the provider listens");
        let secured = tls::connect(config, socket).await.expect("the certificates match");
        let channel = Channel::open(secured, MAX_MESSAGE).await.expect("the provider speaks HTTP/2");
        Bare { child, channel, _sockets: sockets }
    }

    /// Makes a call again, and returns the size of its answer, or 0 if it fails.
    pub async fn call(&self, sent: &Sent) -> usize {
        self.channel.unary(sent.path, sent.request.clone()).await.map_or(0, |answer| answer.len())
    }

    fn cpu(&self) -> Duration {
        self.child.id().map(cpu_of).unwrap_or_default()
    }
}

/// The cost of a loop over calls.
#[derive(Clone, Copy)]
pub struct Loop {
    pub calls: u64,
    pub wall: Duration,
    pub client_cpu: Duration,
    pub provider_cpu: Duration,
    /// Calls whose answers have about the length that they had when they were recorded.
    pub alike: u64,
}

/// Makes the calls of many scenarios again: several scenarios at once, each in its order.
pub async fn replay(processes: Vec<Bare>, scenarios: Arc<Vec<Vec<Sent>>>) -> Loop {
    let processes = Arc::new(processes);
    let provider_cpu = || processes.iter().map(Bare::cpu).sum::<Duration>();
    let (next, alike) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
    let (began, client, provider) = (Instant::now(), own_cpu(), provider_cpu());
    let workers: Vec<_> = (0..IN_FLIGHT)
        .map(|_| {
            let (processes, scenarios) = (Arc::clone(&processes), Arc::clone(&scenarios));
            let (next, alike) = (Arc::clone(&next), Arc::clone(&alike));
            tokio::spawn(async move {
                while let Some(scenario) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for sent in scenario {
                        let answered = processes[sent.process].call(sent).await;
                        let is_alike = answered.abs_diff(sent.answered) * 10 <= sent.answered;
                        alike.fetch_add(u64::from(is_alike), Ordering::Relaxed);
                    }
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.expect("a loop does not panic");
    }
    Loop {
        calls: scenarios.iter().map(|scenario| scenario.len() as u64).sum(),
        wall: began.elapsed(),
        client_cpu: own_cpu() - client,
        provider_cpu: provider_cpu() - provider,
        alike: alike.load(Ordering::Relaxed),
    }
}
