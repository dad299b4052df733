//! Why a call has no answer.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::crash::CrashReport;

/// Why a call has no response. Data to be judged, not a failure of ours.
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
    /// We ended the process because of another call while this one was in flight.
    Abandoned { why: String },
    /// The answer is not the protobuf message it should be.
    Garbled { message: String },
}

impl RpcFailure {
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
            RpcFailure::TimedOut { .. } => "(an engine waits forever)",
            RpcFailure::Abandoned { .. } => "(nothing: an engine would have waited)",
        }
    }
}

impl fmt::Display for RpcFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RpcFailure::Status { name, message, .. } => write!(f, "gRPC status {name}: {message}"),
            RpcFailure::Crashed(report) => write!(f, "{report}"),
            RpcFailure::TimedOut { after } => write!(f, "no answer within {}", seconds(*after)),
            RpcFailure::TooLarge { limit, message } => {
                write!(f, "the answer is larger than the {} MiB an engine accepts: {message}", limit >> 20)
            }
            RpcFailure::Abandoned { why } => {
                write!(f, "abandoned by the harness, because the process was {why}")
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
