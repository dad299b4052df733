//! What the provider keeps in the private bytes beside a state.
//!
//! Any of it may be missing: after an import, or where an engine or a breach lost the bytes.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::computed_values::hash;
use crate::value::Value;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Private {
    /// Which object of the remote system this is; the `id` says the same as long as nobody changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// How often the object was written.
    pub writes: u64,
    /// Of a legacy type: what was configured last, and what came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
}

/// A configuration and the state that was made of it, as digests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled(String, String);

impl Settled {
    pub fn of(config: &Value, state: &Value) -> Settled {
        let digest = |value: &Value| format!("{:016x}", hash(&[&value.to_string()]));
        Settled(digest(config), digest(state))
    }
}

impl Private {
    /// Bytes that are not ours count as none.
    pub fn read(bytes: &[u8]) -> Private {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    pub fn write(&self) -> Bytes {
        Bytes::from(serde_json::to_vec(self).expect("a handle and a number are JSON"))
    }
}
