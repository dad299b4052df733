//! Calls to a provider, over whatever carries them.

pub mod channel;
pub mod crash;
pub mod proto;
pub mod rpc;
pub mod status;
pub mod transport;
