//! A value as it was on the wire, with what it decodes to.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::value::msgpack::{self, Decoded, Issue, IssueKind};
use crate::value::{Type, Value, state_json};

/// The protocol's message of that name: should contain one of the two encodings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DynamicValue {
    pub msgpack: Bytes,
    pub json: Bytes,
}

/// How a value was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The field was missing; read as null.
    Absent,
    /// The field was present but empty; read as null.
    Empty,
    MessagePack,
    Json,
    /// Both encodings; Core prefers MessagePack, the SDKs JSON.
    Both,
}

/// A value in a request or response.
///
/// It has a decoded value once [`Encoded::decode`] was given its type.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Encoded {
    wire: Option<DynamicValue>,
    decoded: Option<Decoded>,
    /// What was left out of the bytes when they were masked.
    withheld: Option<String>,
}

impl Encoded {
    /// A value of ours, encoded as Core would encode it.
    pub fn of(value: Value, ty: &Type) -> Encoded {
        let msgpack = Bytes::from(msgpack::encode(&value, ty));
        Encoded {
            wire: Some(DynamicValue { msgpack, json: Bytes::new() }),
            decoded: Some(Decoded { value: Some(value), issues: Vec::new() }),
            withheld: None,
        }
    }

    /// What a peer sent, not decoded yet.
    pub fn received(wire: Option<DynamicValue>) -> Encoded {
        Encoded { wire, decoded: None, withheld: None }
    }

    /// The same, and a note for readers of the file: what was left out of the bytes, and why.
    #[must_use]
    pub fn withholding(self, withheld: Option<String>) -> Encoded {
        Encoded { withheld, ..self }
    }

    /// Decodes as Core does, once: MessagePack before JSON, a missing value as null.
    pub fn decode(&mut self, ty: &Type) {
        if self.decoded.is_some() {
            return;
        }
        self.decoded = Some(match &self.wire {
            Some(wire) if !wire.msgpack.is_empty() => msgpack::decode(&wire.msgpack, ty),
            Some(wire) if !wire.json.is_empty() => decode_json(&wire.json, ty),
            _ => Decoded { value: Some(Value::null(ty.clone())), issues: Vec::new() },
        });
    }

    /// What was left out of the bytes, if they are masked.
    pub fn withheld(&self) -> Option<&str> {
        self.withheld.as_deref()
    }

    /// The value; `None` if it did not decode, or has not been decoded.
    pub fn value(&self) -> Option<&Value> {
        self.decoded.as_ref()?.value.as_ref()
    }

    /// Whether decoding was tried and failed.
    pub fn is_undecodable(&self) -> bool {
        self.decoded.as_ref().is_some_and(|decoded| decoded.value.is_none())
    }

    /// What was wrong with the bytes.
    pub fn issues(&self) -> &[Issue] {
        self.decoded.as_ref().map_or(&[], |decoded| &decoded.issues)
    }

    /// How many bytes were sent.
    pub fn size(&self) -> usize {
        self.wire.as_ref().map_or(0, |wire| wire.msgpack.len() + wire.json.len())
    }

    pub fn wire(&self) -> Option<&DynamicValue> {
        self.wire.as_ref()
    }

    pub fn form(&self) -> Form {
        match &self.wire {
            None => Form::Absent,
            Some(wire) => match (wire.msgpack.is_empty(), wire.json.is_empty()) {
                (true, true) => Form::Empty,
                (false, true) => Form::MessagePack,
                (true, false) => Form::Json,
                (false, false) => Form::Both,
            },
        }
    }
}

/// A JSON encoding has no minor issues: it decodes or it does not.
fn decode_json(json: &[u8], ty: &Type) -> Decoded {
    match state_json::decode(json, ty) {
        Ok(value) => Decoded { value: Some(value), issues: Vec::new() },
        Err(error) => {
            let kind = if error.is_beyond_us { IssueKind::TooLarge } else { IssueKind::Json };
            let issue = Issue { path: error.path, offset: 0, kind: kind(error.problem) };
            Decoded { value: None, issues: vec![issue] }
        }
    }
}

/// Two values are equal if they decode to the same value; if one does not decode, the bytes are compared.
impl PartialEq for Encoded {
    fn eq(&self, other: &Encoded) -> bool {
        match (self.value(), other.value()) {
            (Some(a), Some(b)) => a == b,
            _ => self.wire == other.wire,
        }
    }
}

/// The form in files: base64 of what was sent, and the value for human readers, which is not read back.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    msgpack: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    json: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reads: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    withheld: Option<String>,
}

impl From<Encoded> for Written {
    fn from(encoded: Encoded) -> Written {
        let text = |bytes: &Bytes| (!bytes.is_empty()).then(|| STANDARD.encode(bytes));
        Written {
            // An empty string distinguishes a field that was empty from one that was missing.
            msgpack: encoded
                .wire
                .as_ref()
                .and_then(|wire| text(&wire.msgpack).or_else(|| wire.json.is_empty().then(String::new))),
            json: encoded.wire.as_ref().and_then(|wire| text(&wire.json)),
            reads: encoded.value().map(ToString::to_string),
            withheld: encoded.withheld,
        }
    }
}

impl From<Written> for Encoded {
    fn from(written: Written) -> Encoded {
        let bytes = |text: Option<String>| {
            Bytes::from(text.and_then(|text| STANDARD.decode(text).ok()).unwrap_or_default())
        };
        let present = written.msgpack.is_some() || written.json.is_some();
        let wire = DynamicValue { msgpack: bytes(written.msgpack), json: bytes(written.json) };
        Encoded::received(present.then_some(wire)).withholding(written.withheld)
    }
}
