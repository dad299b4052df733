//! How to reach a provider that was started by others, often under a debugger.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::calls::Protocol;
use crate::process::{Address, AddressError, quote};

/// The variable that carries the configuration.
pub const VARIABLE: &str = "TF_REATTACH_PROVIDERS";

/// One provider of a reattach configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reattach {
    /// Its source address as written: `type`, `namespace/type` or
    /// `host/namespace/type`.
    pub source: String,
    /// The major it speaks; a missing or zero number means 5.
    pub protocol: Protocol,
    /// Where it listens, in plaintext.
    pub address: Address,
    /// Its process; Core cancels every call if this process is not alive.
    pub pid: i64,
    /// Whether Core leaves it running; Core crashes if this is false and the protocol is 6.
    pub test: bool,
}

/// Why a reattach configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReattachError {
    /// It is not a JSON object of objects.
    #[error("the reattach configuration is not a JSON object of providers: {0}")]
    Syntax(String),
    /// A member is missing or of the wrong type.
    #[error("the reattach configuration of {source_address} lacks a usable `{member}`")]
    Member {
        /// The provider's key.
        source_address: String,
        /// The member's name.
        member: &'static str,
    },
    /// It speaks a protocol other than gRPC.
    #[error("{source_address} speaks {protocol}, not \"grpc\"")]
    Kind {
        /// The provider's key.
        source_address: String,
        /// What it speaks.
        protocol: String,
    },
    /// It speaks a different major version.
    #[error("{source_address} speaks protocol {version}, not 5 or 6")]
    Version {
        /// The provider's key.
        source_address: String,
        /// The major.
        version: i64,
    },
    /// Its address cannot be parsed.
    #[error("{source_address}: {error}")]
    Address {
        /// The provider's key.
        source_address: String,
        /// What is wrong with it.
        error: AddressError,
    },
}

/// Parses the value of `TF_REATTACH_PROVIDERS`, providers in the order written.
///
/// Keys are matched case-insensitively, unknown keys ignored.
pub fn parse(json: &str) -> Result<Vec<Reattach>, ReattachError> {
    let providers: Map<String, Value> =
        serde_json::from_str(json).map_err(|error| ReattachError::Syntax(error.to_string()))?;
    let mut parsed = Vec::new();
    for (source, config) in providers {
        parsed.push(parse_provider(source, &config)?);
    }
    Ok(parsed)
}

fn parse_provider(source: String, config: &Value) -> Result<Reattach, ReattachError> {
    let lacks = |member| ReattachError::Member { source_address: source.clone(), member };
    let kind = member(config, "Protocol").and_then(Value::as_str);
    // Core takes an empty protocol to mean net/rpc, from before gRPC.
    match kind.ok_or_else(|| lacks("Protocol"))? {
        "grpc" => {}
        other => {
            return Err(ReattachError::Kind {
                source_address: source.clone(),
                protocol: quote(if other.is_empty() { "netrpc" } else { other }),
            });
        }
    }
    let version = match member(config, "ProtocolVersion") {
        None | Some(Value::Null) => 0,
        Some(value) => value.as_i64().ok_or_else(|| lacks("ProtocolVersion"))?,
    };
    let protocol = Protocol::from_major(if version == 0 { 5 } else { version })
        .ok_or_else(|| ReattachError::Version { source_address: source.clone(), version })?;
    let address = member(config, "Addr").ok_or_else(|| lacks("Addr"))?;
    let text = |name| member(address, name).and_then(Value::as_str);
    let (network, string) = text("Network").zip(text("String")).ok_or_else(|| lacks("Addr"))?;
    let address = Address::parse(network, string)
        .map_err(|error| ReattachError::Address { source_address: source.clone(), error })?;
    Ok(Reattach {
        protocol,
        address,
        pid: member(config, "Pid").and_then(Value::as_i64).unwrap_or(0),
        test: member(config, "Test").and_then(Value::as_bool).unwrap_or(false),
        source,
    })
}

fn member<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    let members = object.as_object()?;
    members.iter().find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value))
}

impl Reattach {
    /// The configuration that makes Core connect to this provider.
    pub fn to_json(&self) -> String {
        let config = Written {
            protocol: "grpc",
            protocol_version: self.protocol.major(),
            pid: self.pid,
            test: self.test,
            addr: WrittenAddress { network: self.address.network(), string: self.address.text() },
        };
        let providers = std::collections::BTreeMap::from([(&self.source, config)]);
        serde_json::to_string(&providers).expect("a record of texts and numbers is JSON")
    }
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Written {
    protocol: &'static str,
    protocol_version: u32,
    pid: i64,
    test: bool,
    addr: WrittenAddress,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct WrittenAddress {
    network: &'static str,
    string: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_is_read_as_core_reads_it() {
        let parsed = parse(
            r#"{"ns/type": {"protocol":"grpc","PROTOCOLVERSION":6,"Pid":12345,"Test":true,"More":1,
                "Addr":{"Network":"unix","String":"/tmp/plugin123"}}}"#,
        );
        let expected = Reattach {
            source: "ns/type".into(),
            protocol: Protocol::V6,
            address: Address::Unix("/tmp/plugin123".into()),
            pid: 12345,
            test: true,
        };
        assert_eq!(parsed, Ok(vec![expected.clone()]));
        assert_eq!(parse(&expected.to_json()), Ok(vec![expected]));
    }

    #[test]
    fn a_missing_version_means_5() {
        let parsed = parse(r#"{"t":{"Protocol":"grpc","Addr":{"Network":"tcp","String":"127.0.0.1:9"}}}"#);
        let parsed = parsed.unwrap();
        assert_eq!(parsed[0].protocol, Protocol::V5);
        assert_eq!(parsed[0].address, Address::Tcp("127.0.0.1".into(), 9));
    }

    #[track_caller]
    fn assert_refused(json: &str, message: &str) {
        assert_eq!(parse(json).unwrap_err().to_string(), message);
    }

    #[test]
    fn a_bad_configuration_is_refused_by_naming_the_provider() {
        assert_refused(
            "[]",
            "the reattach configuration is not a JSON object of providers: \
             invalid type: sequence, expected a map at line 1 column 0",
        );
        assert_refused(r#"{"t":{}}"#, "the reattach configuration of t lacks a usable `Protocol`");
        assert_refused(r#"{"t":{"Protocol":""}}"#, r#"t speaks "netrpc", not "grpc""#);
        assert_refused(r#"{"t":{"Protocol":"grpc","ProtocolVersion":4}}"#, "t speaks protocol 4, not 5 or 6");
        assert_refused(
            r#"{"t":{"Protocol":"grpc","Addr":{"Network":"udp","String":"x"}}}"#,
            r#"t: the handshake's network is "udp", not "unix" or "tcp""#,
        );
    }
}
