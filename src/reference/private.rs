//! What the provider keeps in a state's private data.
//!
//! Any of it may be missing: after an import, or if an engine or a fault lost the bytes.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::computed_values::hash;
use crate::value::Value;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Private {
    /// Which object of the remote system this is; the same as the `id`, unless that was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// How often the object was written.
    pub writes: u64,
    /// For a legacy type: the last configuration, and the state that resulted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
}

/// A configuration and the resulting state, as digests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled(String, String);

impl Settled {
    pub fn of(config: &Value, state: &Value) -> Settled {
        let digest = |value: &Value| format!("{:016x}", hash(&[&value.to_string()]));
        Settled(digest(config), digest(state))
    }
}

impl Private {
    /// Foreign bytes count as none.
    pub fn read(bytes: &[u8]) -> Private {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    pub fn write(&self) -> Bytes {
        Bytes::from(serde_json::to_vec(self).expect("a handle and a number are JSON"))
    }
}
