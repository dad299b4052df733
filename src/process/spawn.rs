//! Starting processes and connecting to them, behind a trait: a sandbox does
//! both from inside itself.

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
use crate::transcript::ExitKind;

/// What to start. Nothing is inherited but the user and the limits.
#[derive(Clone, Debug, Default)]
pub struct SpawnSpec {
    /// The program; looked up in `PATH` of `env` where it has no slash.
    pub program: PathBuf,
    /// Its arguments, without the program's name.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub env: BTreeMap<OsString, OsString>,
    /// Its working folder; ours where none is given.
    pub cwd: Option<PathBuf>,
}

/// A started process.
///
/// It leads its own process group, its stdin is empty, and it dies with us,
/// even where we are killed.
pub struct Spawned {
    /// Its number, as this process sees it; 0 where it ended before it was looked up.
    pub pid: u32,
    /// The reading end of a pipe.
    pub stdout: OwnedFd,
    /// The reading end of a pipe.
    pub stderr: OwnedFd,
    /// Turns to the end once the process is reaped; the whole group is gone then.
    pub exit: watch::Receiver<Option<Exit>>,
    /// Kills the whole group; does nothing once it is reaped.
    pub kill: Arc<dyn Fn() + Send + Sync>,
}

/// How a process ended and what it had used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exit {
    /// Code or signal.
    pub kind: ExitKind,
    /// User and system time of the process and its reaped children; none where
    /// it is not known.
    pub cpu: Option<Duration>,
}

impl Exit {
    /// The end of a process of which nothing else is known.
    pub const UNKNOWN: Self = Self { kind: ExitKind::Unknown, cpu: None };
}

/// Starts processes and connects to where they listen.
pub trait Spawner: Send + Sync {
    /// Starts a process.
    fn spawn(&self, spec: &SpawnSpec) -> io::Result<Spawned>;

    /// A connected stream socket, blocking or not. May block for some seconds.
    fn dial(&self, address: &Address) -> io::Result<OwnedFd>;

    /// Where sockets can be made that what it starts sees too; none for the
    /// system's folder for temporary files.
    fn socket_root(&self) -> Option<&Path> {
        None
    }
}
