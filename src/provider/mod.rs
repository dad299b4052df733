//! Calls to a provider, over whatever carries them.

pub mod channel;
mod child;
pub mod client;
pub mod crash;
pub mod error;
mod fork;
pub mod handshake;
pub mod launch;
pub mod memory;
pub mod note;
pub mod pool;
pub mod process;
pub mod reattach;
pub mod reattached;
mod routes;
pub mod sandbox;
pub mod serve;
pub mod spawn;
pub mod status;
pub mod stderr;
pub mod tls;
pub mod transport;
pub mod usage;

/// The RPCs and the majors, as those who carry them call them.
pub use crate::calls as rpc;
