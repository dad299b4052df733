//! What an engine keeps of an object between phases.

use bytes::Bytes;

use crate::transcript::{Encoded, PriorOrigin};
use crate::value::Value;

/// A managed object as an engine's state has it.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Wholly known, never null.
    pub state: Value,
    pub private: Bytes,
    pub identity: Option<Encoded>,
    /// A failed create left it behind.
    pub tainted: bool,
    pub origin: PriorOrigin,
}

/// What a plan came to, as an engine records it between its phases.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub planned: Value,
    pub private: Bytes,
    pub identity: Option<Encoded>,
    pub action: crate::core::Action,
}
