//! A place where a provider can do no harm: it can read the machine's programs, write to one
//! scratch folder, and talk only to us.
//!
//! Everything is started by a supervisor: this same program, started again in a separate role. On
//! Linux it first enters namespaces (network, mount, process, IPC, host name; a user namespace too,
//! unless it is root) and makes a root folder of its own, which shows a few folders of the machine as
//! read-only overlays: the machine's sockets and pipes are dead there. As root, it starts everything as
//! `nobody`. What it started cannot outlive it, however we end. If the system refuses that, it still
//! ends everything it started, and `Isolation` says what is open and why. Whatever is reported as
//! isolated was tested.
//!
//! What stays open by design: files of the system that anyone may read; the machine's clock and
//! processors.

mod canaries;
mod client;
mod config;
#[cfg(target_os = "linux")]
mod descendants;
mod environment;
mod error;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod group;
#[cfg(target_os = "linux")]
mod hint;
mod ipc;
mod isolation;
#[cfg(target_os = "linux")]
mod kernel;
mod limits;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod namespaces;
mod openness;
mod orders;
mod probe;
mod role;
#[cfg(target_os = "linux")]
mod root;
mod running;
mod service;
mod supervisor;
#[cfg(target_os = "linux")]
mod user;
mod visible;
#[cfg(target_os = "linux")]
mod watch;

use std::env;
use std::path::Path;

pub use config::SandboxConfig;
pub use environment::{INHERITED, scrubbed_environment};
pub use error::SandboxError;
pub use isolation::Isolation;
pub use limits::Limits;
pub use openness::Openness;
pub use running::Sandbox;
pub use service::{Output, Ready, Service};

/// Becomes the supervisor of a sandbox, or the probe that tries to get out of one, if this process
/// was started for that; does not return then.
///
/// Every program that starts a sandbox must call this first, while it has only one thread.
pub fn main_if_asked() {
    let role = env::var(role::ROLE).unwrap_or_default();
    match role.as_str() {
        role::SUPERVISOR => std::process::exit(supervisor::main()),
        role::PROBE => std::process::exit(probe::main()),
        _ => {}
    }
}

/// Whether a folder can be shown: it is not a home, nor the parent of a folder to hide. The path must
/// have its symlinks resolved.
pub fn can_be_shown(folder: &Path) -> bool {
    visible::can_be_shown(folder, &visible::hidden())
}
