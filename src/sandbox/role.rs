//! The environment by which a process learns that a sandbox has started it.

/// What this process is to be, where a sandbox has started it.
pub const ROLE: &str = "TFCONFORM_ROLE";
pub const SUPERVISOR: &str = "supervisor";
pub const PROBE: &str = "probe";
/// The number of the descriptor by which a supervisor is spoken to.
pub const FD: &str = "TFCONFORM_FD";
