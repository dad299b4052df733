//! Where a process listens.

use std::fmt;
use std::path::PathBuf;

use super::stderr::quote;

/// Where a process listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A socket file.
    Unix(PathBuf),
    /// A host name or number, without brackets, and a port.
    Tcp(String, u16),
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unix(path) => write!(f, "unix {}", path.display()),
            Self::Tcp(host, port) if host.contains(':') => write!(f, "tcp [{host}]:{port}"),
            Self::Tcp(host, port) => write!(f, "tcp {host}:{port}"),
        }
    }
}

impl Address {
    /// Reads a network (`unix` or `tcp`) and an address as given in a handshake or reattach
    /// configuration.
    pub fn parse(network: &str, address: &str) -> Result<Self, AddressError> {
        match network {
            "unix" => Ok(Self::Unix(address.into())),
            "tcp" => {
                let (host, port) = address
                    .rsplit_once(':')
                    .and_then(|(host, port)| Some((host, port.parse().ok()?)))
                    .ok_or_else(|| AddressError::Syntax(quote(address)))?;
                let host = host.trim_start_matches('[').trim_end_matches(']');
                Ok(Self::Tcp(host.to_owned(), port))
            }
            _ => Err(AddressError::Network(quote(network))),
        }
    }

    /// The network's name in a handshake.
    pub const fn network(&self) -> &'static str {
        match self {
            Self::Unix(_) => "unix",
            Self::Tcp(..) => "tcp",
        }
    }

    /// The address without its network, as given in a handshake.
    pub fn text(&self) -> String {
        let shown = self.to_string();
        shown[self.network().len() + 1..].to_owned()
    }
}

/// Why an address cannot be parsed. What was printed is quoted and truncated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The network is neither `unix` nor `tcp`.
    #[error("the handshake's network is {0}, not \"unix\" or \"tcp\"")]
    Network(String),
    /// The address is not `host:port`.
    #[error("the handshake's address is not host:port: {0}")]
    Syntax(String),
}
