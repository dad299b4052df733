//! From a program on disk to a provider that answers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe;
use tokio::time::{sleep, timeout};

use super::dial::Way;
use super::error::{Cause, ProviderError};
use super::handshake;
use super::plugin::{Connected, Limits, PluginProcess};
use super::tls::{self, Identity};
use crate::calls::Protocol;
use crate::process::{Child, DirectSpawner, Note, SpawnSpec, Spawner, quote};

/// Variables that make Go providers answer faster without changing any answer.
///
/// Without `TF_LOG_SDK=off` their SDKs write some 70 KB of trace per call. By default the garbage
/// collector runs whenever the heap has doubled, which takes much of a small provider's time.
pub const QUICK: [(&str, &str); 3] = [("TF_LOG_SDK", "off"), ("GOGC", "400"), ("GOMEMLIMIT", "2GiB")];

/// How to start a provider.
///
/// Nothing is inherited: `env` is the whole environment except for what the plugin protocol itself
/// needs, which is added here.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program; looked up in `PATH` of `env` if it has no slash.
    pub program: PathBuf,
    /// Its arguments, without the program's name. Core gives none.
    pub args: Vec<OsString>,
    /// Its environment. What [`QUICK`] names is added unless it is set.
    pub env: BTreeMap<OsString, OsString>,
    /// Its working folder; ours by default.
    pub cwd: Option<PathBuf>,
    /// The only major to offer; both by default.
    pub protocol: Option<Protocol>,
    /// Whether to require mutual TLS, as Core does by default.
    pub tls: bool,
    /// How long everything may take, and how large an answer may be.
    pub limits: Limits,
    /// A file to which all of stderr is copied; replaced if it exists.
    pub stderr_copy: Option<PathBuf>,
    /// Where the socket's private folder is created, unless the path is too long for a socket; by
    /// default where the spawner prefers, or in the system's folder for temporary files.
    pub socket_root: Option<PathBuf>,
}

impl Launch {
    /// Starts a program as Core would, with TLS, both majors on offer, and an
    /// empty environment.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
            protocol: None,
            tls: true,
            limits: Limits::default(),
            stderr_copy: None,
            socket_root: None,
        }
    }

    /// Starts the provider and connects to it, without a sandbox.
    ///
    /// Fails if the provider cannot be used; no process is left running.
    /// Must be called inside a tokio runtime, which must outlive the process.
    pub async fn start(&self) -> Result<PluginProcess, ProviderError> {
        self.start_with(Arc::new(DirectSpawner::default())).await
    }

    /// The same through a sandbox.
    pub async fn start_with(&self, spawner: Arc<dyn Spawner>) -> Result<PluginProcess, ProviderError> {
        let program = self.program.display().to_string();
        let unstarted = |cause| ProviderError { program: program.clone(), cause, stderr_tail: String::new() };
        let identity = match self.tls {
            true => Some(Identity::generate().map_err(|error| unstarted(error.into()))?),
            false => None,
        };
        let prepare = |error| unstarted(Cause::Prepare(error));
        let dir = spawner.socket_dir(self.socket_root.as_deref()).map_err(prepare)?;
        let copy = self.stderr_copy.as_ref().map(File::create);
        let copy = copy.transpose().map_err(prepare)?;
        let spec = SpawnSpec {
            program: self.program.clone(),
            args: self.args.clone(),
            env: self.environment(dir.seen(), identity.as_ref()),
            cwd: self.cwd.clone(),
        };
        let spawn = |error| unstarted(Cause::Spawn(error));
        let spawned = spawner.spawn(&spec).map_err(spawn)?;
        let (child, mut stdout) = Child::watch(spawned, dir, copy).map_err(spawn)?;
        match self.connect(&child, &mut stdout, identity, spawner).await {
            Ok(connected) => Ok(PluginProcess::new(child, stdout, connected, self.limits)),
            Err(cause) => Err(ProviderError { program, cause, stderr_tail: child.discard().await }),
        }
    }

    async fn connect(
        &self,
        child: &Child,
        stdout: &mut pipe::Receiver,
        identity: Option<Identity>,
        spawner: Arc<dyn Spawner>,
    ) -> Result<Connected, Cause> {
        let line = timeout(self.limits.start, first_line(child, stdout))
            .await
            .map_err(|_| Cause::Timeout(self.limits.start))??;
        let handshake = handshake::parse(&line, self.offered())?;
        let mut notes = Vec::new();
        if handshake.padded {
            notes.push(Note::PaddedCertificate);
        }
        let offers_tls = identity.is_some();
        let tls = match (identity, &handshake.certificate) {
            (_, None) => None,
            (None, Some(_)) => return Err(Cause::UnaskedCertificate),
            (Some(identity), Some(der)) => {
                notes.extend(tls::inspect(der)?);
                Some(identity.client_config(der.clone())?)
            }
        };
        let way = Way { spawner, address: handshake.address, tls, max_message: self.limits.message };
        let socket = way.first_dial(child).await?;
        if offers_tls && way.tls.is_none() {
            return Err(Cause::NoCertificate);
        }
        let opened = way.open(socket).await?;
        if !opened.agreed_on_h2 {
            notes.push(Note::NoAlpn);
        }
        let channel = opened.channel.redialing(way.redial());
        Ok(Connected { protocol: handshake.protocol, channel, notes })
    }

    fn offered(&self) -> &[Protocol] {
        self.protocol.as_ref().map_or(&Protocol::ALL, std::slice::from_ref)
    }

    fn environment(&self, socket_dir: &Path, identity: Option<&Identity>) -> BTreeMap<OsString, OsString> {
        let mut env = self.env.clone();
        // Settings of a Core that may have started us do not apply here.
        for stale in [handshake::CLIENT_CERT, "PLUGIN_MULTIPLEX_GRPC", "PLUGIN_UNIX_SOCKET_GROUP"] {
            env.remove(std::ffi::OsStr::new(stale));
        }
        let mut set = |name: &str, value: OsString| env.insert(name.into(), value);
        for (name, value) in handshake::PORTS.into_iter().chain([handshake::COOKIE]) {
            set(name, value.into());
        }
        set(handshake::PROTOCOL_VERSIONS, handshake::offer(self.offered()).into());
        set(handshake::SOCKET_DIR, socket_dir.into());
        if let Some(identity) = identity {
            set(handshake::CLIENT_CERT, identity.pem().into());
        }
        for (name, value) in QUICK {
            env.entry(name.into()).or_insert_with(|| value.into());
        }
        env
    }
}

/// The first line of stdout without its line end, or as much as there was.
async fn first_line(child: &Child, stdout: &mut pipe::Receiver) -> Result<String, Cause> {
    // What a dead process printed is still in the pipe, but a process that left its group may hold
    // the pipe open.
    const STDOUT_TIMEOUT: Duration = Duration::from_millis(500);
    let mut line = Vec::new();
    let dead = async {
        child.exited().await;
        sleep(STDOUT_TIMEOUT).await;
    };
    tokio::pin!(dead);
    let ended = loop {
        let mut piece = [0; 4096];
        let n = tokio::select! {
            n = stdout.read(&mut piece) => n.map_err(Cause::Read)?,
            () = &mut dead => 0,
        };
        let piece = &piece[..n];
        if let Some(end) = piece.iter().position(|byte| *byte == b'\n') {
            line.extend_from_slice(&piece[..end]);
            break false;
        }
        line.extend_from_slice(piece);
        if line.len() > handshake::MAX_LINE || n == 0 {
            break true;
        }
    };
    let text = String::from_utf8_lossy(&line).into_owned();
    if line.len() > handshake::MAX_LINE {
        let start: String = text.chars().take(60).collect();
        return Err(Cause::Flood(quote(&start)));
    }
    if line.is_empty() && ended {
        return Err(match timeout(STDOUT_TIMEOUT, child.exited()).await {
            Ok(exit) => Cause::Exited(exit.kind),
            Err(_) => Cause::NoOutput,
        });
    }
    Ok(text)
}
