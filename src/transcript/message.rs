//! Requests and responses, under their protocol 6 names, whatever major carried them.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::Encoded;
use crate::engine::ClientCapabilities;
use crate::schema::{ProviderSchema, ServerCapabilities};
use crate::value::{AttributePath, PathStep, nfc};

/// A message for the user, as the protocol carries it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The number on the wire: 1 is an error, 2 a warning, all else neither.
    pub severity: i32,
    pub summary: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<WirePath>,
}

/// An attribute path as sent: a step without a selector is possible, and `None` here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WirePath(pub Vec<Option<WireStep>>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WireStep {
    Attribute(String),
    Key(String),
    Index(i64),
}

impl WirePath {
    /// As Core reads it: steps without a selector are dropped, and texts are normalised as all texts are.
    pub fn to_path(&self) -> AttributePath {
        AttributePath::new(self.0.iter().flatten().map(|step| match step {
            WireStep::Attribute(name) => PathStep::Attribute(nfc(name).to_string()),
            WireStep::Key(key) => PathStep::Key(nfc(key).to_string()),
            WireStep::Index(index) => PathStep::Index(*index),
        }))
    }

    /// The path as it is written on the wire; cut where a set element would have to be named.
    pub fn of(path: &AttributePath) -> WirePath {
        let steps = path.steps().iter().map_while(|step| match step {
            PathStep::Attribute(name) => Some(Some(WireStep::Attribute(name.clone()))),
            PathStep::Key(key) => Some(Some(WireStep::Key(key.clone()))),
            PathStep::Index(index) => Some(Some(WireStep::Index(*index))),
            PathStep::Element(_) => None,
        });
        WirePath(steps.collect())
    }
}

impl Diagnostic {
    pub const ERROR: i32 = 1;
    pub const WARNING: i32 = 2;

    pub fn error(summary: &str, detail: &str) -> Diagnostic {
        Diagnostic {
            severity: Diagnostic::ERROR,
            summary: summary.to_owned(),
            detail: detail.to_owned(),
            attribute: None,
        }
    }

    #[must_use]
    pub fn at(mut self, path: &AttributePath) -> Diagnostic {
        self.attribute = Some(WirePath::of(path));
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Diagnostic::ERROR
    }
}

/// Whether a response reports an error, which voids the rest of it.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// State as stored: JSON, or the flat map of the oldest states; never both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RawState {
    #[serde(default, with = "base64_bytes")]
    pub json: Bytes,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub flatmap: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SchemaRequest {}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SchemaResponse {
    /// What the provider declared; not written to files with the exchange, they hold it once.
    #[serde(skip)]
    pub schema: Arc<ProviderSchema>,
    /// Bytes of the serialised message.
    pub size: u64,
    /// A hash of the serialised message, after sorting what has no order.
    pub digest: String,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MetadataResponse {
    pub capabilities: ServerCapabilities,
    pub resources: Vec<String>,
    pub data_sources: Vec<String>,
    pub functions: Vec<String>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidateProviderConfigRequest {
    pub config: Encoded,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidateProviderConfigResponse {
    /// Protocol 5 only.
    pub prepared_config: Option<Encoded>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConfigureProviderRequest {
    pub terraform_version: String,
    pub config: Encoded,
    pub capabilities: Option<ClientCapabilities>,
}

/// The answer to a call that returns nothing but diagnostics.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DiagnosticsResponse {
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidateResourceConfigRequest {
    pub type_name: String,
    pub config: Encoded,
    pub capabilities: Option<ClientCapabilities>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ValidateDataResourceConfigRequest {
    pub type_name: String,
    pub config: Encoded,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UpgradeResourceStateRequest {
    pub type_name: String,
    pub version: i64,
    pub raw_state: RawState,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UpgradeResourceStateResponse {
    pub upgraded_state: Encoded,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadResourceRequest {
    pub type_name: String,
    pub current_state: Encoded,
    #[serde(with = "base64_bytes")]
    pub private: Bytes,
    pub provider_meta: Option<Encoded>,
    pub capabilities: Option<ClientCapabilities>,
    pub current_identity: Option<Encoded>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadResourceResponse {
    pub new_state: Encoded,
    pub diagnostics: Vec<Diagnostic>,
    #[serde(with = "base64_bytes")]
    pub private: Bytes,
    /// The reason's number on the wire.
    pub deferred: Option<i32>,
    pub new_identity: Option<Encoded>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlanResourceChangeRequest {
    pub type_name: String,
    pub prior_state: Encoded,
    pub proposed_new_state: Encoded,
    pub config: Encoded,
    #[serde(with = "base64_bytes")]
    pub prior_private: Bytes,
    pub provider_meta: Option<Encoded>,
    pub capabilities: Option<ClientCapabilities>,
    pub prior_identity: Option<Encoded>,
    /// Protocol 6 and an engine that stores it: what the initial plan returned.
    #[serde(with = "base64_bytes")]
    pub planned_private: Bytes,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlanResourceChangeResponse {
    pub planned_state: Encoded,
    pub requires_replace: Vec<WirePath>,
    #[serde(with = "base64_bytes")]
    pub planned_private: Bytes,
    pub diagnostics: Vec<Diagnostic>,
    pub legacy_type_system: bool,
    pub deferred: Option<i32>,
    pub planned_identity: Option<Encoded>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ApplyResourceChangeRequest {
    pub type_name: String,
    pub prior_state: Encoded,
    pub planned_state: Encoded,
    pub config: Encoded,
    #[serde(with = "base64_bytes")]
    pub planned_private: Bytes,
    pub provider_meta: Option<Encoded>,
    pub planned_identity: Option<Encoded>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ApplyResourceChangeResponse {
    pub new_state: Encoded,
    #[serde(with = "base64_bytes")]
    pub private: Bytes,
    pub diagnostics: Vec<Diagnostic>,
    pub legacy_type_system: bool,
    pub new_identity: Option<Encoded>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadDataSourceRequest {
    pub type_name: String,
    pub config: Encoded,
    pub provider_meta: Option<Encoded>,
    pub capabilities: Option<ClientCapabilities>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReadDataSourceResponse {
    pub state: Encoded,
    pub diagnostics: Vec<Diagnostic>,
    pub deferred: Option<i32>,
}

/// Opaque bytes as base64 text.
mod base64_bytes {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_s_letters_are_composed_as_those_of_values() {
        let steps = [WireStep::Attribute("cafe\u{301}".to_owned()), WireStep::Key("e\u{301}".to_owned())];
        let path = WirePath(steps.into_iter().map(Some).chain([None]).collect()).to_path();
        assert_eq!(path, AttributePath::root().attribute("caf\u{e9}").key("\u{e9}"));
    }
}
