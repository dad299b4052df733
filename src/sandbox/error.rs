//! Why a sandbox could not be created, or failed at something.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::transcript::ExitKind;

/// Why a sandbox could not be created, or failed at something.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The folder is missing, or cannot be written to.
    #[error("the scratch folder {} cannot be used: {source}", .path.display())]
    Scratch { path: PathBuf, source: io::Error },
    /// The folder contains something that must be hidden.
    #[error("the scratch folder {} cannot be used: it contains {}", .path.display(), .hidden.display())]
    ScratchTooWide { path: PathBuf, hidden: PathBuf },
    /// Something that must stay readable does not exist.
    #[error("{} cannot be kept readable: {source}", .path.display())]
    Readable { path: PathBuf, source: io::Error },
    /// A program or another named file can be read by root only.
    #[error("{} cannot be read in the sandbox: only root may, and there the provider runs as `nobody`", .path.display())]
    RootOnly { path: PathBuf },
    /// The supervisor could not be started.
    #[error("failed to start the sandbox's supervisor: {0}")]
    Start(#[source] io::Error),
    /// The supervisor started, but did not report success.
    #[error("the sandbox's supervisor gave up: {0}")]
    Supervisor(String),
    /// A program's `main` does not check whether it was started as the supervisor.
    #[error("a supervisor tried to start a sandbox: the program's main must call main_if_asked first")]
    Nested,
    /// A command has no program.
    #[error("the command is empty")]
    EmptyCommand,
    /// A command could not be started inside.
    #[error("failed to start {command}: {source}")]
    Command { command: String, source: io::Error },
    /// A service ended before it was ready.
    #[error("{command} ended ({exit}) before it was ready{}", quoted(.output))]
    ServiceEnded { command: String, exit: ExitKind, output: String },
    /// A service or command took too long.
    #[error("{command} took longer than {limit:?}{}", quoted(.output))]
    TooSlow { command: String, limit: Duration, output: String },
}

fn quoted(output: &str) -> String {
    match output.trim_end() {
        "" => String::new(),
        output => format!("; its output ends with:\n{output}"),
    }
}
