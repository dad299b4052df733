//! What became of a call that has no answer.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Why a call came back without a response. Data to be judged, not a failure of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RpcFailure {
    /// A gRPC status other than OK, with the code and message grpc-go would report.
    Status { code: i32, name: String, message: String },
    /// The process ended during the call.
    Crashed(CrashReport),
    /// No answer within our own deadline.
    TimedOut { after: Duration },
    /// The answer exceeds what an engine accepts, in bytes.
    TooLarge { limit: u64, message: String },
    /// We ended the process for another call's sake while this one was under way: nobody's fault.
    Abandoned { why: String },
    /// The answer is not the protobuf message it should be.
    Garbled { message: String },
}

/// What is known about the end of a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrashReport {
    pub exit: ExitKind,
    /// The last of its standard error, at most a few kilobytes.
    pub stderr_tail: String,
    pub go_panic: Option<GoPanic>,
    /// Whether the same call killed a fresh process too; `None` where that was not tried.
    #[serde(default)]
    pub confirmed: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitKind {
    Code(i32),
    Signal(i32),
    /// The connection broke and the process is still there, or its end was not seen.
    Unknown,
}

/// A Go panic, found in standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoPanic {
    /// The text behind `panic: ` or `fatal error: `.
    pub message: String,
    /// The first frame of the provider's own code, such as `main.(*thing).Create`.
    pub frame: Option<String>,
}

impl RpcFailure {
    pub fn is_crash(&self) -> bool {
        matches!(self, RpcFailure::Crashed(_))
    }

    /// The diagnostic title an engine shows for it.
    pub fn engine_title(&self) -> &'static str {
        match self {
            RpcFailure::Crashed(_) => "Plugin did not respond",
            RpcFailure::Status { code: 14, .. } => "Plugin did not respond",
            RpcFailure::Status { code: 1, .. } => "Request cancelled",
            RpcFailure::Status { code: 12, .. } => "Unsupported plugin method",
            RpcFailure::Status { .. } | RpcFailure::TooLarge { .. } | RpcFailure::Garbled { .. } => {
                "Plugin error"
            }
            RpcFailure::TimedOut { .. } => "(an engine waits for ever)",
            RpcFailure::Abandoned { .. } => "(nothing: an engine would have waited)",
        }
    }
}

impl fmt::Display for ExitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExitKind::Code(code) => write!(f, "exit status {code}"),
            ExitKind::Signal(signal) => write!(f, "signal {signal}"),
            ExitKind::Unknown => f.write_str("no exit status"),
        }
    }
}

impl fmt::Display for RpcFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RpcFailure::Status { name, message, .. } => write!(f, "gRPC status {name}: {message}"),
            RpcFailure::Crashed(report) => {
                write!(f, "the provider process ended ({})", report.exit)?;
                match &report.go_panic {
                    Some(GoPanic { message, frame: Some(frame) }) => {
                        write!(f, ": panic: {message} in {frame}")
                    }
                    Some(GoPanic { message, frame: None }) => write!(f, ": panic: {message}"),
                    None => Ok(()),
                }
            }
            RpcFailure::TimedOut { after } => write!(f, "no answer within {}", seconds(*after)),
            RpcFailure::TooLarge { limit, message } => {
                write!(f, "the answer is larger than the {} MiB an engine accepts: {message}", limit >> 20)
            }
            RpcFailure::Abandoned { why } => {
                write!(f, "given up by the harness, because the process was {why}")
            }
            RpcFailure::Garbled { message } => write!(f, "the answer is not the expected message: {message}"),
        }
    }
}

fn seconds(duration: Duration) -> String {
    if duration.subsec_millis() == 0 {
        format!("{} s", duration.as_secs())
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}
