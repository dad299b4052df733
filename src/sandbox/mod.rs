//! A place where a provider can do no harm: it can read the machine's programs, write to one
//! scratch folder, and talk only to us.
//!
//! Everything is started by a supervisor: this same program, started again in a separate role. On
//! Linux it first enters namespaces (user, network, mount, process, IPC, host name), and what it
//! started cannot outlive it, however we end. If the system refuses that, it still ends everything
//! it started, and `Isolation` says what is open and why. Whatever is reported as isolated was
//! tested.
//!
//! What stays open by design: world-readable files can be read, except in homes and `/run`; the
//! machine's clock, processors and memory are shared; a socket file made outside later on, in a
//! folder that is not hidden, answers.

mod canaries;
mod client;
mod config;
mod environment;
mod error;
mod hidden_dirs;
mod ipc;
mod isolation;
#[cfg(target_os = "linux")]
mod namespaces;
mod openness;
mod probe;
mod role;
mod running;
mod service;
mod supervisor;

use std::env;
use std::path::Path;

pub use config::SandboxConfig;
pub use environment::{INHERITED, scrubbed_environment};
pub use error::SandboxError;
pub use isolation::Isolation;
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

/// Whether a folder can stay visible although it is in a hidden one: it is not a home, nor the
/// parent of a folder to hide. The path must have its symlinks resolved.
pub fn can_be_shown(folder: &Path) -> bool {
    hidden_dirs::can_be_shown(folder, &hidden_dirs::hidden())
}
