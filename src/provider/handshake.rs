//! The first line that a plugin prints, and the environment that asks for it.
//!
//! Pure. Parsed exactly as Core does: what Core rejects, we reject.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use crate::calls::Protocol;
use crate::process::{Address, AddressError, quote};

/// Variable and value that tell a plugin that Core started it.
pub const COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");
/// The client's certificate in PEM; its presence asks for mutual TLS.
pub const CLIENT_CERT: &str = "PLUGIN_CLIENT_CERT";
/// The majors on offer, separated by commas.
pub const PROTOCOL_VERSIONS: &str = "PLUGIN_PROTOCOL_VERSIONS";
/// The folder for a plugin's socket.
pub const SOCKET_DIR: &str = "PLUGIN_UNIX_SOCKET_DIR";
/// First and last port for plugins that listen on TCP.
pub const PORTS: [(&str, &str); 2] = [("PLUGIN_MIN_PORT", "10000"), ("PLUGIN_MAX_PORT", "25000")];

/// Longest first line that Core reads, in bytes without the newline.
pub const MAX_LINE: usize = 64 << 10;

/// Field 6 shorter than this is not a certificate; Core ignores it.
const MIN_CERTIFICATE: usize = 51;

/// What a valid first line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handshake {
    /// The major that the server will speak.
    pub protocol: Protocol,
    /// Where it listens.
    pub address: Address,
    /// Its certificate in DER, if it speaks TLS.
    pub certificate: Option<Vec<u8>>,
    /// The certificate is padded base64, which Core cannot read unless the
    /// padding happens to be empty.
    pub padded: bool,
}

/// Why a first line is not a handshake. What was printed is quoted and truncated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeError {
    /// Fewer than four fields: most often a greeting or a help text.
    #[error("the first line on stdout is not a handshake: {0}")]
    Unrecognized(String),
    /// Field 1 is not a number.
    #[error("the handshake's core protocol version is not a number: {0}")]
    CoreVersionSyntax(String),
    /// Field 1 is not 1.
    #[error("the handshake's core protocol version is {0}, not 1")]
    CoreVersion(i64),
    /// Field 2 is not a number.
    #[error("the handshake's provider protocol version is not a number: {0}")]
    ProtocolSyntax(String),
    /// Field 2 was not on offer.
    #[error("the provider speaks protocol {announced}, not {}", alternatives(.offered))]
    Protocol {
        /// The major it announced.
        announced: i64,
        /// What it was offered.
        offered: Vec<Protocol>,
    },
    /// Fields 3 and 4 are not an address.
    #[error("{0}")]
    Address(#[from] AddressError),
    /// Field 5 is not `grpc`.
    #[error("the provider speaks {0}, not \"grpc\"")]
    RpcKind(String),
    /// Field 6 is not base64.
    #[error("the handshake's certificate is not base64: {0}")]
    Certificate(String),
}

fn alternatives(protocols: &[Protocol]) -> String {
    let majors: Vec<String> = protocols.iter().map(Protocol::to_string).collect();
    majors.join(" or ")
}

/// Parses the first line of a plugin's stdout, with or without its line end.
///
/// `offered` is what `PLUGIN_PROTOCOL_VERSIONS` said. Fields after the sixth are ignored, as is
/// white space around the line.
///
/// Source: go-plugin's `Client.Start`, via the wire specification, 1.2.
pub fn parse(line: &str, offered: &[Protocol]) -> Result<Handshake, HandshakeError> {
    let line = line.trim();
    let fields: Vec<&str> = line.split('|').collect();
    let [core, protocol, network, address, rest @ ..] = fields.as_slice() else {
        return Err(HandshakeError::Unrecognized(quote(line)));
    };
    match core.parse::<i64>() {
        Ok(1) => {}
        Ok(other) => return Err(HandshakeError::CoreVersion(other)),
        Err(_) => return Err(HandshakeError::CoreVersionSyntax(quote(core))),
    }
    let announced: i64 = protocol.parse().map_err(|_| HandshakeError::ProtocolSyntax(quote(protocol)))?;
    let protocol = Protocol::from_major(announced)
        .filter(|protocol| offered.contains(protocol))
        .ok_or_else(|| HandshakeError::Protocol { announced, offered: offered.to_vec() })?;
    let address = Address::parse(network, address)?;
    match rest.first() {
        Some(&"grpc") => {}
        // A line without the field is from before gRPC.
        None => return Err(HandshakeError::RpcKind(quote("netrpc"))),
        Some(kind) => return Err(HandshakeError::RpcKind(quote(kind))),
    }
    let encoded = rest.get(1).filter(|field| field.len() >= MIN_CERTIFICATE);
    let certificate = encoded.map(|field| decode_certificate(field)).transpose()?;
    Ok(Handshake {
        protocol,
        address,
        certificate,
        padded: encoded.is_some_and(|field| field.ends_with('=')),
    })
}

fn decode_certificate(encoded: &str) -> Result<Vec<u8>, HandshakeError> {
    let decoded = match encoded.ends_with('=') {
        true => STANDARD.decode(encoded),
        false => STANDARD_NO_PAD.decode(encoded),
    };
    decoded.map_err(|_| HandshakeError::Certificate(quote(encoded)))
}

/// The line in which a server announces where it listens, without the line end.
pub fn announce(protocol: Protocol, address: &Address, certificate: Option<&[u8]>) -> String {
    let certificate = certificate.map_or_else(String::new, |der| STANDARD_NO_PAD.encode(der));
    format!("1|{protocol}|{}|{}|grpc|{certificate}", address.network(), address.text())
}

/// The value of `PLUGIN_PROTOCOL_VERSIONS` that offers these majors.
pub fn offer(protocols: &[Protocol]) -> String {
    let majors: Vec<String> = protocols.iter().map(Protocol::to_string).collect();
    majors.join(",")
}

/// The major that a server with these majors picks from the value of `PLUGIN_PROTOCOL_VERSIONS`:
/// the highest in common, or its own lowest, which leaves the error to the client. `None` only if
/// `ours` is empty.
pub fn negotiate(offered: Option<&str>, ours: &[Protocol]) -> Option<Protocol> {
    let majors: Vec<i64> =
        offered.unwrap_or_default().split(',').filter_map(|major| major.trim().parse().ok()).collect();
    let common = ours.iter().filter(|protocol| majors.contains(&i64::from(protocol.major()))).max();
    common.or_else(|| ours.iter().min()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_refused(line: &str, message: &str) {
        let error = parse(line, &Protocol::ALL).unwrap_err();
        assert_eq!(error.to_string(), message, "{line:?}");
    }

    fn plain(protocol: Protocol, address: Address) -> Handshake {
        Handshake { protocol, address, certificate: None, padded: false }
    }

    #[test]
    fn a_plain_line_is_read_with_white_space_and_extra_fields() {
        let unix = Address::Unix("/tmp/plugin1".into());
        for line in [
            "1|6|unix|/tmp/plugin1|grpc|\n",
            " 1|6|unix|/tmp/plugin1|grpc\r\n",
            "1|6|unix|/tmp/plugin1|grpc||true|more",
            "1|6|unix|/tmp/plugin1|grpc|short",
        ] {
            let expected = plain(Protocol::V6, unix.clone());
            assert_eq!(parse(line, &Protocol::ALL), Ok(expected), "{line:?}");
        }
        assert_eq!(
            parse("1|5|tcp|[::1]:10000|grpc|", &Protocol::ALL),
            Ok(plain(Protocol::V5, Address::Tcp("::1".into(), 10000)))
        );
    }

    #[test]
    fn a_bad_line_is_refused_by_naming_what_was_printed() {
        assert_refused("", r#"the first line on stdout is not a handshake: """#);
        assert_refused(
            "Hello, I am a plugin",
            r#"the first line on stdout is not a handshake: "Hello, I am a plugin""#,
        );
        assert_refused("1|6|unix", r#"the first line on stdout is not a handshake: "1|6|unix""#);
        assert_refused(
            "one|6|unix|/a|grpc",
            r#"the handshake's core protocol version is not a number: "one""#,
        );
        assert_refused("2|6|unix|/a|grpc", "the handshake's core protocol version is 2, not 1");
        assert_refused("1||unix|/a|grpc", r#"the handshake's provider protocol version is not a number: """#);
        assert_refused("1|4|unix|/a|grpc", "the provider speaks protocol 4, not 5 or 6");
        assert_refused("1|6|udp|/a|grpc", r#"the handshake's network is "udp", not "unix" or "tcp""#);
        assert_refused("1|6|tcp|localhost|grpc", r#"the handshake's address is not host:port: "localhost""#);
        assert_refused("1|6|unix|/a", r#"the provider speaks "netrpc", not "grpc""#);
        assert_refused(
            &format!("1|6|unix|/a|grpc|{}", "!".repeat(60)),
            &format!("the handshake's certificate is not base64: {:?}", "!".repeat(60)),
        );
    }

    #[test]
    fn a_certificate_is_read_back_padded_or_not() {
        let der = [7_u8; 61];
        let address = Address::Unix("/s".into());
        let line = announce(Protocol::V6, &address, Some(&der));
        let handshake = parse(&line, &[Protocol::V6]).unwrap();
        assert_eq!(handshake.certificate.as_deref(), Some(&der[..]));
        assert!(!handshake.padded);
        let padded = format!("1|6|unix|/s|grpc|{}", STANDARD.encode(der));
        let handshake = parse(&padded, &[Protocol::V6]).unwrap();
        assert_eq!(handshake.certificate.as_deref(), Some(&der[..]));
        assert!(handshake.padded);
    }

    #[test]
    fn a_server_picks_the_highest_common_major_or_its_lowest() {
        let picked = |offered, ours: &[Protocol]| negotiate(offered, ours);
        assert_eq!(picked(Some("6,5"), &Protocol::ALL), Some(Protocol::V6));
        assert_eq!(picked(Some("abc,5"), &Protocol::ALL), Some(Protocol::V5));
        assert_eq!(picked(Some("7"), &Protocol::ALL), Some(Protocol::V5));
        assert_eq!(picked(None, &Protocol::ALL), Some(Protocol::V5));
        assert_eq!(picked(Some("5"), &[Protocol::V6]), Some(Protocol::V6));
    }
}
