//! The calls, under their protocol 6 names, whatever major carried them.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{Call, Encoded, RpcFailure};
use crate::engine::ClientCapabilities;
use crate::schema::{ProviderSchema, ServerCapabilities};
use crate::value::{AttributePath, PathStep, Type};

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
    /// As Core reads it: steps without a selector are dropped.
    pub fn to_path(&self) -> AttributePath {
        AttributePath::new(self.0.iter().flatten().map(|step| match step {
            WireStep::Attribute(name) => PathStep::Attribute(name.clone()),
            WireStep::Key(key) => PathStep::Key(key.clone()),
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
    pub schema: Box<ProviderSchema>,
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

/// Any call. A new kind lights up every place that has to think about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnyCall {
    Schema(Call<SchemaRequest, SchemaResponse>),
    Metadata(Call<SchemaRequest, MetadataResponse>),
    ValidateProvider(Call<ValidateProviderConfigRequest, ValidateProviderConfigResponse>),
    Configure(Call<ConfigureProviderRequest, DiagnosticsResponse>),
    ValidateResource(Call<ValidateResourceConfigRequest, DiagnosticsResponse>),
    ValidateData(Call<ValidateDataResourceConfigRequest, DiagnosticsResponse>),
    Upgrade(Call<UpgradeResourceStateRequest, UpgradeResourceStateResponse>),
    Read(Call<ReadResourceRequest, ReadResourceResponse>),
    Plan(Call<PlanResourceChangeRequest, PlanResourceChangeResponse>),
    Apply(Call<ApplyResourceChangeRequest, ApplyResourceChangeResponse>),
    ReadData(Call<ReadDataSourceRequest, ReadDataSourceResponse>),
}

/// Which value of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Request,
    Response,
}

/// Does the same to every kind of call.
macro_rules! each_call {
    ($any:expr, $call:ident => $body:expr) => {
        match $any {
            AnyCall::Schema($call) => $body,
            AnyCall::Metadata($call) => $body,
            AnyCall::ValidateProvider($call) => $body,
            AnyCall::Configure($call) => $body,
            AnyCall::ValidateResource($call) => $body,
            AnyCall::ValidateData($call) => $body,
            AnyCall::Upgrade($call) => $body,
            AnyCall::Read($call) => $body,
            AnyCall::Plan($call) => $body,
            AnyCall::Apply($call) => $body,
            AnyCall::ReadData($call) => $body,
        }
    };
}

impl AnyCall {
    /// The RPC, by its protocol 6 name.
    pub fn rpc_name(&self) -> &'static str {
        match self {
            AnyCall::Schema(_) => "GetProviderSchema",
            AnyCall::Metadata(_) => "GetMetadata",
            AnyCall::ValidateProvider(_) => "ValidateProviderConfig",
            AnyCall::Configure(_) => "ConfigureProvider",
            AnyCall::ValidateResource(_) => "ValidateResourceConfig",
            AnyCall::ValidateData(_) => "ValidateDataResourceConfig",
            AnyCall::Upgrade(_) => "UpgradeResourceState",
            AnyCall::Read(_) => "ReadResource",
            AnyCall::Plan(_) => "PlanResourceChange",
            AnyCall::Apply(_) => "ApplyResourceChange",
            AnyCall::ReadData(_) => "ReadDataSource",
        }
    }

    pub fn failure(&self) -> Option<&RpcFailure> {
        each_call!(self, call => call.outcome.as_ref().err())
    }

    pub fn failure_mut(&mut self) -> Option<&mut RpcFailure> {
        each_call!(self, call => call.outcome.as_mut().err())
    }

    /// Puts a failure in place of whatever the outcome was.
    pub fn fail(&mut self, failure: RpcFailure) {
        each_call!(self, call => call.outcome = Err(failure));
    }

    /// Takes over the outcome of another call of the same kind; of another kind none.
    pub fn take_outcome(&mut self, from: AnyCall) {
        macro_rules! same_kind {
            ($($kind:ident),+) => {
                match (self, from) {
                    $((AnyCall::$kind(call), AnyCall::$kind(from)) => call.outcome = from.outcome,)+
                    _ => {}
                }
            };
        }
        same_kind!(
            Schema,
            Metadata,
            ValidateProvider,
            Configure,
            ValidateResource,
            ValidateData,
            Upgrade,
            Read,
            Plan,
            Apply,
            ReadData
        );
    }

    /// What the provider said to the user; nothing where the call failed.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        each_call!(self, call => call.outcome.as_ref().map_or(&[], |response| &response.diagnostics))
    }

    pub fn diagnostics_mut(&mut self) -> Option<&mut Vec<Diagnostic>> {
        each_call!(self, call => call.outcome.as_mut().ok().map(|response| &mut response.diagnostics))
    }

    /// Whether there is an answer without an error diagnostic.
    pub fn succeeded(&self) -> bool {
        self.failure().is_none() && !has_errors(self.diagnostics())
    }

    pub fn type_name(&self) -> Option<&str> {
        match self {
            AnyCall::Schema(_)
            | AnyCall::Metadata(_)
            | AnyCall::ValidateProvider(_)
            | AnyCall::Configure(_) => None,
            AnyCall::ValidateResource(call) => Some(&call.request.type_name),
            AnyCall::ValidateData(call) => Some(&call.request.type_name),
            AnyCall::Upgrade(call) => Some(&call.request.type_name),
            AnyCall::Read(call) => Some(&call.request.type_name),
            AnyCall::Plan(call) => Some(&call.request.type_name),
            AnyCall::Apply(call) => Some(&call.request.type_name),
            AnyCall::ReadData(call) => Some(&call.request.type_name),
        }
    }

    /// Whether the response asks to be forgiven what the legacy SDK does.
    pub fn legacy_type_system(&self) -> bool {
        match self {
            AnyCall::Plan(call) => call.outcome.as_ref().is_ok_and(|response| response.legacy_type_system),
            AnyCall::Apply(call) => call.outcome.as_ref().is_ok_and(|response| response.legacy_type_system),
            _ => false,
        }
    }

    /// Visits every value of the message with its name in the protocol and the type of its place.
    ///
    /// The one place that knows which schema each value goes by.
    pub fn values_mut(
        &mut self,
        schema: &ProviderSchema,
        visit: &mut dyn FnMut(Side, &'static str, &mut Encoded, &Type),
    ) {
        use Side::{Request, Response};
        let dynamic = Type::Dynamic;
        let type_name = self.type_name().unwrap_or_default();
        let provider = schema.provider.as_ref().map_or(&dynamic, |schema| schema.implied_type());
        let resource = schema.resources.get(type_name).map_or(&dynamic, |schema| schema.implied_type());
        let data = schema.data_sources.get(type_name).map_or(&dynamic, |schema| schema.implied_type());
        let meta = schema.provider_meta.as_ref().map_or(&dynamic, |schema| schema.implied_type());
        let identity = schema.identities.get(type_name).map_or(Type::Dynamic, |schema| schema.implied_type());
        let optional =
            |side,
             name,
             value: &mut Option<Encoded>,
             ty: &Type,
             visit: &mut dyn FnMut(Side, &'static str, &mut Encoded, &Type)| {
                if let Some(value) = value {
                    visit(side, name, value, ty);
                }
            };
        match self {
            AnyCall::Schema(_) | AnyCall::Metadata(_) => {}
            AnyCall::ValidateProvider(call) => {
                visit(Request, "config", &mut call.request.config, provider);
                if let Ok(response) = &mut call.outcome {
                    optional(Response, "prepared_config", &mut response.prepared_config, provider, visit);
                }
            }
            AnyCall::Configure(call) => visit(Request, "config", &mut call.request.config, provider),
            AnyCall::ValidateResource(call) => visit(Request, "config", &mut call.request.config, resource),
            AnyCall::ValidateData(call) => visit(Request, "config", &mut call.request.config, data),
            AnyCall::Upgrade(call) => {
                if let Ok(response) = &mut call.outcome {
                    visit(Response, "upgraded_state", &mut response.upgraded_state, resource);
                }
            }
            AnyCall::Read(call) => {
                visit(Request, "current_state", &mut call.request.current_state, resource);
                optional(Request, "provider_meta", &mut call.request.provider_meta, meta, visit);
                optional(Request, "current_identity", &mut call.request.current_identity, &identity, visit);
                if let Ok(response) = &mut call.outcome {
                    visit(Response, "new_state", &mut response.new_state, resource);
                    optional(Response, "new_identity", &mut response.new_identity, &identity, visit);
                }
            }
            AnyCall::Plan(call) => {
                visit(Request, "prior_state", &mut call.request.prior_state, resource);
                visit(Request, "config", &mut call.request.config, resource);
                visit(Request, "proposed_new_state", &mut call.request.proposed_new_state, resource);
                optional(Request, "provider_meta", &mut call.request.provider_meta, meta, visit);
                optional(Request, "prior_identity", &mut call.request.prior_identity, &identity, visit);
                if let Ok(response) = &mut call.outcome {
                    visit(Response, "planned_state", &mut response.planned_state, resource);
                    optional(Response, "planned_identity", &mut response.planned_identity, &identity, visit);
                }
            }
            AnyCall::Apply(call) => {
                visit(Request, "prior_state", &mut call.request.prior_state, resource);
                visit(Request, "config", &mut call.request.config, resource);
                visit(Request, "planned_state", &mut call.request.planned_state, resource);
                optional(Request, "provider_meta", &mut call.request.provider_meta, meta, visit);
                optional(Request, "planned_identity", &mut call.request.planned_identity, &identity, visit);
                if let Ok(response) = &mut call.outcome {
                    visit(Response, "new_state", &mut response.new_state, resource);
                    optional(Response, "new_identity", &mut response.new_identity, &identity, visit);
                }
            }
            AnyCall::ReadData(call) => {
                visit(Request, "config", &mut call.request.config, data);
                optional(Request, "provider_meta", &mut call.request.provider_meta, meta, visit);
                if let Ok(response) = &mut call.outcome {
                    visit(Response, "state", &mut response.state, data);
                }
            }
        }
    }

    /// Decodes every value that is not decoded yet.
    pub fn decode(&mut self, schema: &ProviderSchema) {
        self.values_mut(schema, &mut |_, _, value, ty| value.decode(ty));
    }

    /// The values of one side, by their names in the protocol, in the order a person compares them.
    pub fn values(&self, side: Side) -> Vec<(&'static str, &Encoded)> {
        let mut values: Vec<(&'static str, &Encoded)> = Vec::new();
        match (self, side) {
            (AnyCall::Schema(_) | AnyCall::Metadata(_), _) => {}
            (AnyCall::ValidateProvider(call), Side::Request) => values.push(("config", &call.request.config)),
            (AnyCall::ValidateProvider(call), Side::Response) => {
                if let Ok(response) = &call.outcome {
                    values.extend(response.prepared_config.as_ref().map(|value| ("prepared_config", value)));
                }
            }
            (AnyCall::Configure(call), Side::Request) => values.push(("config", &call.request.config)),
            (AnyCall::ValidateResource(call), Side::Request) => values.push(("config", &call.request.config)),
            (AnyCall::ValidateData(call), Side::Request) => values.push(("config", &call.request.config)),
            (
                AnyCall::Configure(_) | AnyCall::ValidateResource(_) | AnyCall::ValidateData(_),
                Side::Response,
            ) => {}
            (AnyCall::Upgrade(_), Side::Request) => {}
            (AnyCall::Upgrade(call), Side::Response) => {
                values
                    .extend(call.outcome.iter().map(|response| ("upgraded_state", &response.upgraded_state)));
            }
            (AnyCall::Read(call), Side::Request) => {
                values.push(("current_state", &call.request.current_state));
                values
                    .extend(call.request.current_identity.as_ref().map(|value| ("current_identity", value)));
            }
            (AnyCall::Read(call), Side::Response) => {
                if let Ok(response) = &call.outcome {
                    values.push(("new_state", &response.new_state));
                    values.extend(response.new_identity.as_ref().map(|value| ("new_identity", value)));
                }
            }
            (AnyCall::Plan(call), Side::Request) => {
                values.push(("prior_state", &call.request.prior_state));
                values.push(("config", &call.request.config));
                values.push(("proposed_new_state", &call.request.proposed_new_state));
                values.extend(call.request.prior_identity.as_ref().map(|value| ("prior_identity", value)));
            }
            (AnyCall::Plan(call), Side::Response) => {
                if let Ok(response) = &call.outcome {
                    values.push(("planned_state", &response.planned_state));
                    values
                        .extend(response.planned_identity.as_ref().map(|value| ("planned_identity", value)));
                }
            }
            (AnyCall::Apply(call), Side::Request) => {
                values.push(("prior_state", &call.request.prior_state));
                values.push(("config", &call.request.config));
                values.push(("planned_state", &call.request.planned_state));
                values
                    .extend(call.request.planned_identity.as_ref().map(|value| ("planned_identity", value)));
            }
            (AnyCall::Apply(call), Side::Response) => {
                if let Ok(response) = &call.outcome {
                    values.push(("new_state", &response.new_state));
                    values.extend(response.new_identity.as_ref().map(|value| ("new_identity", value)));
                }
            }
            (AnyCall::ReadData(call), Side::Request) => values.push(("config", &call.request.config)),
            (AnyCall::ReadData(call), Side::Response) => {
                values.extend(call.outcome.iter().map(|response| ("state", &response.state)));
            }
        }
        values
    }
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
