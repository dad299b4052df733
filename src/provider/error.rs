//! Why a provider cannot be started or reached.

use std::fmt;
use std::io;
use std::time::Duration;

use super::handshake::HandshakeError;
use super::tls::TlsError;
use crate::calls::{CrashReport, KILLED};
use crate::process::{Address, Level, parse_go_panic, parse_line};
use crate::transcript::ExitKind;

/// A provider that could not be started or reached.
///
/// Shown as one line that names the program and the cause, then a hint and the end of its stderr,
/// each on separate lines.
#[derive(Debug)]
pub struct ProviderError {
    /// The program, or the key of a reattached provider, as the user named it.
    pub program: String,
    /// What went wrong.
    pub cause: Cause,
    /// The end of the program's stderr; empty if it wrote nothing.
    pub stderr_tail: String,
}

/// Why a provider cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// The operating system refuses to run the program.
    #[error("failed to start: {0}")]
    Spawn(#[source] io::Error),
    /// The scratch folder for the socket, or a log file, could not be created.
    #[error("failed to prepare the start: {0}")]
    Prepare(#[source] io::Error),
    /// It exited without printing a line.
    #[error("ended before the handshake ({0})")]
    Exited(ExitKind),
    /// It closed stdout without printing a line, but keeps running.
    #[error("closed stdout before the handshake")]
    NoOutput,
    /// It printed no line within the limit.
    #[error("printed no handshake within {0:?}")]
    Timeout(Duration),
    /// Its first line is longer than Core reads.
    #[error("the first line on stdout is longer than 64 KiB and starts with {0}")]
    Flood(String),
    /// Its stdout could not be read.
    #[error("failed to read the handshake: {0}")]
    Read(#[source] io::Error),
    /// Its first line is not a handshake, or one we do not support.
    #[error("{0}")]
    Handshake(#[from] HandshakeError),
    /// It announced TLS although no client certificate was offered.
    #[error("announced a certificate without being asked for one")]
    UnaskedCertificate,
    /// It announced no certificate although Core demands TLS.
    #[error("announced no certificate, and Core speaks only TLS")]
    NoCertificate,
    /// TLS could not be set up, or the announced certificate cannot be parsed.
    #[error("{0}")]
    Tls(#[from] TlsError),
    /// Nothing listens at the announced address.
    #[error("failed to connect to {address}: {source}")]
    Dial {
        /// Where it said it listens.
        address: Address,
        /// What the operating system answered.
        source: io::Error,
    },
    /// The connection is open, but the TLS handshake fails.
    #[error("the TLS handshake failed: {0}")]
    TlsHandshake(#[source] io::Error),
    /// The server presents a different certificate than it announced.
    #[error("the server's certificate is not the one that the handshake announced")]
    CertificateMismatch,
    /// The connection is open, but HTTP/2 cannot be started.
    #[error("failed to start HTTP/2: {0}")]
    Http(String),
    /// A reattach configuration that cannot be used.
    #[error("{0}")]
    Reattach(#[from] super::reattach::ReattachError),
}

impl Cause {
    /// What the user may try, if there is more to say than the cause does.
    fn hint(&self, stderr: &str) -> Option<&'static str> {
        let of_another_product =
            stderr.contains("magic cookie") || stderr.contains("This binary is a plugin");
        match self {
            Self::Spawn(error) => match error.kind() {
                io::ErrorKind::PermissionDenied => Some("is the file executable?"),
                io::ErrorKind::NotFound => Some("do the file and its interpreter exist?"),
                _ => match error.raw_os_error() {
                    Some(libc::ENOEXEC) => Some("is it built for this machine?"),
                    _ => None,
                },
            },
            Self::Exited(_) | Self::NoOutput if of_another_product => {
                Some("it is a plugin, but did not accept Terraform's magic cookie")
            }
            Self::Timeout(_) => Some("a provider must print one line as soon as it listens"),
            Self::Handshake(HandshakeError::Unrecognized(_)) | Self::Flood(_) => {
                Some("nothing may be printed to stdout before the handshake line")
            }
            Self::Handshake(HandshakeError::RpcKind(_)) => {
                Some("providers from before Terraform 0.12 are not supported")
            }
            Self::UnaskedCertificate => Some("Terraform crashes on this; use TLS with this provider"),
            Self::NoCertificate => Some(
                "serve TLS when PLUGIN_CLIENT_CERT is set, as go-plugin does; without it Terraform ends in \"Failed to load plugin schemas\"",
            ),
            Self::CertificateMismatch => Some("is another program listening at its address?"),
            _ => None,
        }
    }
}

impl ProviderError {
    /// The limit of the sandbox, the kernel or the machine that ended the program.
    fn limit(&self) -> Option<String> {
        let stderr_tail = self.stderr_tail.clone();
        let exit = match &self.cause {
            Cause::Exited(exit) => *exit,
            // Its end shows as a connection that breaks.
            _ if stderr_tail.contains(KILLED) => ExitKind::Signal(libc::SIGKILL),
            _ => ExitKind::Unknown,
        };
        CrashReport { exit, go_panic: parse_go_panic(&stderr_tail), stderr_tail }.limit().map(str::to_owned)
    }
}

/// Lines of stderr shown with an error.
const SHOWN_LINES: usize = 10;

impl fmt::Display for ProviderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.program)?;
        match self.limit() {
            Some(limit) => write!(f, "stopped by a limit: {limit} ({})", self.cause)?,
            None => write!(f, "{}", self.cause)?,
        }
        if let Some(hint) = self.cause.hint(&self.stderr_tail) {
            write!(f, "\nhint: {hint}")?;
        }
        let lines: Vec<String> = self.stderr_tail.lines().filter_map(worth_showing).collect();
        for line in &lines[lines.len().saturating_sub(SHOWN_LINES)..] {
            write!(f, "\nstderr: {line}")?;
        }
        Ok(())
    }
}

/// A line of stderr without log formatting; `None` for what a healthy start logs.
fn worth_showing(line: &str) -> Option<String> {
    let parsed = parse_line(line);
    let routine = parsed.is_record && parsed.level < Level::Warn;
    let message = parsed.message.trim();
    (!routine && !message.is_empty()).then(|| message.to_owned())
}

impl std::error::Error for ProviderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.cause)
    }
}
