//! State as an engine stored it.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// State as stored: JSON, or the flat map of the oldest states; never both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RawState {
    #[serde(default, with = "base64_bytes")]
    pub json: Bytes,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub flatmap: BTreeMap<String, String>,
}

/// Opaque bytes as base64 text.
pub(super) mod base64_bytes {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use bytes::Bytes;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bytes: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(Bytes::from).map_err(D::Error::custom)
    }
}
