//! Where a provider can do no harm: it reads the machine's programs, writes into
//! one scratch folder, and talks to nobody but us.
//!
//! Everything is started by a supervisor: this very program, started again in a
//! role of its own. On Linux it enters namespaces first (user, network, mount,
//! process, IPC, host name), and what it started cannot outlive it, however we
//! end. Where the system refuses that, it still ends everything it started, and
//! `Isolation` says what is open and why. What is called closed was tried.
//!
//! What stays open by design: files that everybody may read can be read, but for
//! homes and `/run`; the machine's clock, processors and memory are shared; a
//! socket file made outside later on, in a folder that is not hidden, answers.

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
mod probe;
mod role;
mod running;
mod service;
mod supervisor;

use std::env;
use std::path::Path;

pub use config::{NO_NAMESPACES, SandboxConfig};
pub use environment::{INHERITED, scrubbed_environment};
pub use error::SandboxError;
pub use isolation::Isolation;
pub use running::Sandbox;
pub use service::{Output, Ready, Service};

/// Becomes the supervisor of a sandbox, or the attempt to get out of one, where
/// that is what this process was started for; does not return then.
///
/// Every program that starts a sandbox must call it before anything else, while
/// it has one thread.
pub fn main_if_asked() {
    let role = env::var(role::ROLE).unwrap_or_default();
    match role.as_str() {
        role::SUPERVISOR => std::process::exit(supervisor::main()),
        role::PROBE => std::process::exit(probe::main()),
        _ => {}
    }
}

/// Whether a folder can stay visible although it lies in a hidden one: it is no home, nor
/// does it lead to one that would be hidden. The path must be without links.
pub fn can_be_shown(folder: &Path) -> bool {
    hidden_dirs::can_be_shown(folder, &hidden_dirs::hidden())
}
