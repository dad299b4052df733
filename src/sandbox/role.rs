//! The environment variables that tell a process that a sandbox started it.

/// The role of this process, if a sandbox started it.
pub const ROLE: &str = "TFCONFORM_ROLE";
pub const SUPERVISOR: &str = "supervisor";
pub const PROBE: &str = "probe";
/// The descriptor of the connection to a supervisor.
pub const FD: &str = "TFCONFORM_FD";
