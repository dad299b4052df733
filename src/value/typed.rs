//! A value with its type, as JSON: `#[serde(with = "crate::value::typed")]`.
//!
//! The type in cty's JSON form, the value as MessagePack in base64, and its text for people, which is not
//! read back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{Type, Value, msgpack};

#[derive(Serialize, Deserialize)]
struct Typed {
    r#type: serde_json::Value,
    msgpack: String,
    #[serde(default)]
    reads: String,
}

impl Typed {
    fn of(value: &Value) -> Typed {
        Typed {
            r#type: value.ty().to_json(),
            msgpack: STANDARD.encode(msgpack::encode(value, value.ty())),
            reads: value.to_string(),
        }
    }

    fn value(&self) -> Result<Value, String> {
        let ty = Type::from_json(&self.r#type).map_err(|error| format!("a value's type: {error}"))?;
        let bytes = STANDARD.decode(&self.msgpack).map_err(|error| format!("a value: {error}"))?;
        msgpack::decode(&bytes, &ty).value.ok_or_else(|| "a value does not decode".to_owned())
    }
}

pub fn serialize<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    Typed::of(value).serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Typed::deserialize(deserializer)?.value().map_err(D::Error::custom)
}

/// The same for a value that may be absent.
pub mod optional {
    use super::*;

    pub fn serialize<S: Serializer>(value: &Option<Value>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_ref().map(Typed::of).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
        let typed = Option::<Typed>::deserialize(deserializer)?;
        typed.map(|typed| typed.value()).transpose().map_err(D::Error::custom)
    }
}
