//! gRPC statuses, as a peer written in Go would report them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::transcript::RpcFailure;

/// A gRPC status other than OK, with which a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The kind of failure.
    pub code: Code,
    /// The peer's message; may be empty.
    pub message: String,
}

impl Status {
    /// A status of this code and message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// What a Go server answers to a method that its service does not have.
    pub fn unimplemented(method: impl fmt::Display) -> Self {
        Self::new(Code::Unimplemented, format!("method {method} not implemented"))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code)?;
        if !self.message.is_empty() {
            write!(f, ": {}", self.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Status {}

/// Declares the codes once for both directions of the conversion.
macro_rules! codes {
    ($($name:ident = $number:literal, $shown:literal;)*) => {
        /// The codes of gRPC, shown as grpc-go spells them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "the names are gRPC's own")]
        pub enum Code { $($name = $number,)* }

        impl Code {
            /// The name that grpc-go prints.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $shown,)* }
            }

            /// The number on the wire.
            pub const fn number(self) -> i32 {
                self as i32
            }

            /// The code of a number; those that gRPC does not define are `Unknown`.
            pub const fn from_number(number: i32) -> Self {
                match number { $($number => Self::$name,)* _ => Self::Unknown }
            }
        }
    };
}

codes! {
    Ok = 0, "OK";
    Cancelled = 1, "Canceled";
    Unknown = 2, "Unknown";
    InvalidArgument = 3, "InvalidArgument";
    DeadlineExceeded = 4, "DeadlineExceeded";
    NotFound = 5, "NotFound";
    AlreadyExists = 6, "AlreadyExists";
    PermissionDenied = 7, "PermissionDenied";
    ResourceExhausted = 8, "ResourceExhausted";
    FailedPrecondition = 9, "FailedPrecondition";
    Aborted = 10, "Aborted";
    OutOfRange = 11, "OutOfRange";
    Unimplemented = 12, "Unimplemented";
    Internal = 13, "Internal";
    Unavailable = 14, "Unavailable";
    DataLoss = 15, "DataLoss";
    Unauthenticated = 16, "Unauthenticated";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Status> for RpcFailure {
    fn from(status: Status) -> Self {
        Self::Status {
            code: status.code.number(),
            name: status.code.name().to_owned(),
            message: status.message,
        }
    }
}

impl From<tonic::Code> for Code {
    fn from(code: tonic::Code) -> Self {
        Self::from_number(code as i32)
    }
}

impl From<Status> for tonic::Status {
    fn from(status: Status) -> Self {
        Self::new(tonic::Code::from_i32(status.code.number()), status.message)
    }
}
