//! How parts of a scenario are serialized that have no serialization of their own.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// A path without set elements, in the wire's form.
pub(super) mod path {
    use super::*;
    use crate::transcript::WirePath;
    use crate::value::AttributePath;

    pub fn serialize<S: Serializer>(path: &AttributePath, serializer: S) -> Result<S::Ok, S::Error> {
        WirePath::of(path).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AttributePath, D::Error> {
        Ok(WirePath::deserialize(deserializer)?.to_path())
    }
}

/// What `ignore_changes` names: `"all"`, or paths.
pub(super) mod ignored {
    use super::*;
    use crate::core::Ignored;
    use crate::transcript::WirePath;

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Written {
        Word(String),
        Paths(Vec<WirePath>),
    }

    pub fn serialize<S: Serializer>(ignored: &Option<Ignored>, serializer: S) -> Result<S::Ok, S::Error> {
        let written = ignored.as_ref().map(|ignored| match ignored {
            Ignored::All => Written::Word("all".to_owned()),
            Ignored::Paths(paths) => Written::Paths(paths.iter().map(WirePath::of).collect()),
        });
        written.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Ignored>, D::Error> {
        Ok(match Option::<Written>::deserialize(deserializer)? {
            None => None,
            Some(Written::Word(word)) if word == "all" => Some(Ignored::All),
            Some(Written::Word(word)) => {
                return Err(D::Error::custom(format!("ignore_changes is \"all\" or paths, not {word:?}")));
            }
            Some(Written::Paths(paths)) => {
                Some(Ignored::Paths(paths.iter().map(WirePath::to_path).collect()))
            }
        })
    }
}

/// Opaque bytes as base64.
pub(super) mod opaque {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use bytes::Bytes;

    pub fn serialize<S: Serializer>(bytes: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map(Bytes::from).map_err(D::Error::custom)
    }
}
