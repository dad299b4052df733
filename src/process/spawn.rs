//! Starting processes and connecting to them, behind a trait: a sandbox does both from inside.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::address::Address;
use super::socket_dir::SocketDir;
use crate::transcript::ExitKind;

/// What to start. Only the user and the resource limits are inherited.
#[derive(Clone, Debug, Default)]
pub struct SpawnSpec {
    /// The program; looked up in `PATH` of `env` if it has no slash.
    pub program: PathBuf,
    /// Its arguments, without the program's name.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub env: BTreeMap<OsString, OsString>,
    /// Its working folder; ours by default.
    pub cwd: Option<PathBuf>,
}

/// A started process.
///
/// It leads its own process group, its stdin is empty, and it dies with us, even if we are killed.
pub struct Spawned {
    /// Its PID, as this process sees it; 0 if it exited before it was looked up.
    pub pid: u32,
    /// The reading end of a pipe.
    pub stdout: OwnedFd,
    /// The reading end of a pipe.
    pub stderr: OwnedFd,
    /// Set once the process is reaped; the whole group is gone then.
    pub exit: watch::Receiver<Option<Exit>>,
    /// Kills the whole group; does nothing once it is reaped.
    pub kill: Arc<dyn Fn() + Send + Sync>,
}

/// How a process ended and the CPU time it used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exit {
    /// Code or signal.
    pub kind: ExitKind,
    /// User and system time of the process and its reaped children; `None` if unknown.
    pub cpu: Option<Duration>,
}

impl Exit {
    /// The end of a process about which nothing is known.
    pub const UNKNOWN: Self = Self { kind: ExitKind::Unknown, cpu: None };
}

/// Starts processes and connects to where they listen.
pub trait Spawner: Send + Sync {
    /// Starts a process.
    fn spawn(&self, spec: &SpawnSpec) -> io::Result<Spawned>;

    /// A connected stream socket, blocking or not. May block for some seconds.
    fn dial(&self, address: &Address) -> io::Result<OwnedFd>;

    /// A folder for the sockets of one process that it is about to start.
    ///
    /// `root` is where the caller wants it, if anywhere.
    fn socket_dir(&self, root: Option<&Path>) -> io::Result<SocketDir> {
        SocketDir::new(root)
    }
}
