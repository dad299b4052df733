//! What a provider's process does that works here but not everywhere.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something worth reporting about the process, not about an answer.
///
/// Its text says what Core would make of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    /// The server's certificate has no subject alternative name `localhost`.
    CertificateNotForLocalhost,
    /// The server's certificate is not valid now, or not yet.
    CertificateOutOfDate,
    /// The server's certificate lists key usages, but not that of a server.
    CertificateNotForServers,
    /// The server's RSA key is shorter than 2048 bits.
    WeakKey {
        /// Length of the modulus.
        bits: usize,
    },
    /// The handshake's certificate is padded base64.
    PaddedCertificate,
    /// TLS was negotiated without the protocol name `h2`.
    NoAlpn,
    /// A JSON log line in which this member is not a string.
    LogLineCrashesCore {
        /// The member: `@message`, `@level` or `@timestamp`.
        member: String,
        /// The line, quoted and truncated.
        line: String,
    },
    /// The process did not end within the grace period after `Shutdown`.
    IgnoredShutdown,
    /// The process reported an error during or after shutdown.
    UncleanExit {
        /// How it ended, as a fragment.
        exit: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CertificateNotForLocalhost => {
                f.write_str("the server's certificate does not name localhost, so Core refuses it")
            }
            Self::CertificateOutOfDate => {
                f.write_str("the server's certificate is not valid at this time, so Core refuses it")
            }
            Self::CertificateNotForServers => {
                f.write_str("the server's certificate may not be used by servers, so Core refuses it")
            }
            Self::WeakKey { bits } => {
                write!(
                    f,
                    "the server's RSA key has {bits} bits; Core accepts it, other clients refuse fewer than 2048"
                )
            }
            Self::PaddedCertificate => {
                f.write_str("the handshake's certificate is padded base64, which Core cannot read")
            }
            Self::NoAlpn => f.write_str(
                "the server does not negotiate h2 by ALPN, which Terraform 1.12 and later require",
            ),
            Self::LogLineCrashesCore { member, line } => {
                write!(f, "a JSON log line whose {member} is not a string crashes Terraform: {line}")
            }
            Self::IgnoredShutdown => {
                f.write_str("the process did not end after Shutdown and had to be killed")
            }
            Self::UncleanExit { exit } => {
                write!(f, "the process ended with {exit} after Shutdown")
            }
        }
    }
}
