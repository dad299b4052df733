//! Calls to a provider over any transport: a process, a socket or memory.

pub mod channel;
pub mod client;
mod connection;
mod dial;
pub mod error;
pub mod handler;
pub mod handshake;
pub mod launch;
pub(crate) mod memory;
pub mod plugin;
pub mod pool;
pub mod reattach;
pub(crate) mod reattached;
mod routes;
pub mod serve;
pub mod status;
pub mod tls;
pub mod transport;
