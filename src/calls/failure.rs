//! Why a call has no answer.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Rpc;
use super::crash::CrashReport;

/// The gRPC status code of a method that is not implemented.
pub const UNIMPLEMENTED: i32 = 12;

/// Why a call has no response. Data to be judged, not a failure of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RpcFailure {
    /// A gRPC status other than OK, with the code and message grpc-go would report.
    Status { code: i32, name: String, message: String },
    /// The process ended during the call.
    Crashed(CrashReport),
    /// No answer within our own deadline.
    TimedOut {
        after: Duration,
        /// What the process did meanwhile; `None` if that was not measured.
        #[serde(default)]
        busy: Option<Busy>,
    },
    /// The answer exceeds what an engine accepts, in bytes.
    TooLarge { limit: u64, message: String },
    /// We ended the process because of another call while this one was in flight.
    Abandoned { why: String },
    /// The answer is not the protobuf message it should be.
    Garbled { message: String },
}

/// What a process did while a call was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Busy {
    /// It hardly used the processor, and did not want to.
    Waited,
    /// It used the processor most of the time.
    Computed,
    /// It was ready to go on most of the time, but other processes had the processors.
    Starved,
}

impl RpcFailure {
    /// The answer of a server that does not know the RPC.
    pub fn unimplemented(rpc: Rpc) -> RpcFailure {
        RpcFailure::Status {
            code: UNIMPLEMENTED,
            name: "Unimplemented".to_owned(),
            message: format!("{rpc} is not implemented"),
        }
    }

    pub fn is_unimplemented(&self) -> bool {
        matches!(self, RpcFailure::Status { code: UNIMPLEMENTED, .. })
    }

    /// Every text in it that is the provider's.
    pub fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        match self {
            RpcFailure::Status { message, .. }
            | RpcFailure::TooLarge { message, .. }
            | RpcFailure::Garbled { message } => change(message),
            RpcFailure::Crashed(report) => {
                change(&mut report.stderr_tail);
                if let Some(panic) = &mut report.go_panic {
                    change(&mut panic.message);
                }
            }
            RpcFailure::TimedOut { .. } | RpcFailure::Abandoned { .. } => {}
        }
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
            RpcFailure::TimedOut { after, busy } => {
                write!(f, "no answer within {}", seconds(*after))?;
                f.write_str(match busy {
                    None => "",
                    Some(Busy::Waited) => ", in which the process waited",
                    Some(Busy::Computed) => ", in which the process computed",
                    Some(Busy::Starved) => ", in which other processes had the processors",
                })
            }
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
