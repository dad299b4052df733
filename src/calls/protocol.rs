//! The two majors of the provider protocol.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A major version of the provider protocol. Minor versions do not exist on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Protocol {
    /// Package `tfplugin5`.
    V5,
    /// Package `tfplugin6`.
    V6,
}

impl Protocol {
    /// Both, lowest first.
    pub const ALL: [Self; 2] = [Self::V5, Self::V6];

    /// The number in the handshake, 5 or 6.
    pub const fn major(self) -> u32 {
        match self {
            Self::V5 => 5,
            Self::V6 => 6,
        }
    }

    /// The protocol of a handshake's number, if it is one we speak.
    pub const fn from_major(major: i64) -> Option<Self> {
        match major {
            5 => Some(Self::V5),
            6 => Some(Self::V6),
            _ => None,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.major())
    }
}

/// Which side of a call sends more than one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streaming {
    /// One request, one response.
    Unary,
    /// One request, any number of responses.
    Server,
    /// Any number of requests, one response.
    Client,
}
