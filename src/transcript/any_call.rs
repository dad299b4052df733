//! Any call, and what all of them have in common.

use serde::{Deserialize, Serialize};

use super::message::*;
use super::{Call, Encoded, RpcFailure};
use crate::schema::{Kind, ProviderSchema};
use crate::value::Type;

/// Any call. A new kind lights up every place that has to think about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum AnyCall {
    GetProviderSchema(Call<SchemaRequest, SchemaResponse>),
    GetMetadata(Call<SchemaRequest, MetadataResponse>),
    ValidateProviderConfig(Call<ValidateProviderConfigRequest, ValidateProviderConfigResponse>),
    ConfigureProvider(Call<ConfigureProviderRequest, DiagnosticsResponse>),
    ValidateResourceConfig(Call<ValidateResourceConfigRequest, DiagnosticsResponse>),
    ValidateDataResourceConfig(Call<ValidateDataResourceConfigRequest, DiagnosticsResponse>),
    UpgradeResourceState(Call<UpgradeResourceStateRequest, UpgradeResourceStateResponse>),
    ReadResource(Call<ReadResourceRequest, ReadResourceResponse>),
    PlanResourceChange(Call<PlanResourceChangeRequest, PlanResourceChangeResponse>),
    ApplyResourceChange(Call<ApplyResourceChangeRequest, ApplyResourceChangeResponse>),
    ReadDataSource(Call<ReadDataSourceRequest, ReadDataSourceResponse>),
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
            AnyCall::GetProviderSchema($call) => $body,
            AnyCall::GetMetadata($call) => $body,
            AnyCall::ValidateProviderConfig($call) => $body,
            AnyCall::ConfigureProvider($call) => $body,
            AnyCall::ValidateResourceConfig($call) => $body,
            AnyCall::ValidateDataResourceConfig($call) => $body,
            AnyCall::UpgradeResourceState($call) => $body,
            AnyCall::ReadResource($call) => $body,
            AnyCall::PlanResourceChange($call) => $body,
            AnyCall::ApplyResourceChange($call) => $body,
            AnyCall::ReadDataSource($call) => $body,
        }
    };
}

/// Which schema a value goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GoesBy {
    Provider,
    ProviderMeta,
    Resource,
    Identity,
    Data,
}

impl GoesBy {
    /// The type of such a value of the named type; anything goes where the schema does not know it.
    fn in_schema(self, schema: &ProviderSchema, type_name: &str) -> Type {
        let declared = match self {
            GoesBy::Provider => schema.provider.as_ref(),
            GoesBy::ProviderMeta => schema.provider_meta.as_ref(),
            GoesBy::Resource => schema.resources.get(type_name),
            GoesBy::Data => schema.data_sources.get(type_name),
            GoesBy::Identity => {
                let identity = schema.identities.get(type_name);
                return identity.map_or(Type::Dynamic, |identity| identity.implied_type());
            }
        };
        declared.map_or(Type::Dynamic, |schema| schema.implied_type().clone())
    }
}

/// Hands every value of a message to `$visit`, borrowed as `$borrow` says (`as_ref` with `&`, `as_mut`
/// with `&mut`).
///
/// The one place that knows which values each message has, and which schema each goes by.
macro_rules! each_value {
    ($any:expr, $borrow:ident, [$($by:tt)+], $visit:ident) => {{
        use GoesBy::{Data, Identity, Provider, ProviderMeta, Resource};
        use Side::{Request, Response};
        macro_rules! there {
            ($side:ident, $message:expr, $name:ident: $goes_by:ident) => {
                $visit($side, stringify!($name), $goes_by, $($by)+ $message.$name)
            };
        }
        macro_rules! perhaps {
            ($side:ident, $message:expr, $name:ident: $goes_by:ident) => {
                if let Some(value) = $message.$name.$borrow() {
                    $visit($side, stringify!($name), $goes_by, value);
                }
            };
        }
        match $any {
            AnyCall::GetProviderSchema(_) | AnyCall::GetMetadata(_) => {}
            AnyCall::ValidateProviderConfig(call) => {
                there!(Request, call.request, config: Provider);
                if let Ok(response) = call.outcome.$borrow() {
                    perhaps!(Response, response, prepared_config: Provider);
                }
            }
            AnyCall::ConfigureProvider(call) => there!(Request, call.request, config: Provider),
            AnyCall::ValidateResourceConfig(call) => there!(Request, call.request, config: Resource),
            AnyCall::ValidateDataResourceConfig(call) => there!(Request, call.request, config: Data),
            AnyCall::UpgradeResourceState(call) => {
                if let Ok(response) = call.outcome.$borrow() {
                    there!(Response, response, upgraded_state: Resource);
                }
            }
            AnyCall::ReadResource(call) => {
                there!(Request, call.request, current_state: Resource);
                perhaps!(Request, call.request, provider_meta: ProviderMeta);
                perhaps!(Request, call.request, current_identity: Identity);
                if let Ok(response) = call.outcome.$borrow() {
                    there!(Response, response, new_state: Resource);
                    perhaps!(Response, response, new_identity: Identity);
                }
            }
            AnyCall::PlanResourceChange(call) => {
                there!(Request, call.request, prior_state: Resource);
                there!(Request, call.request, config: Resource);
                there!(Request, call.request, proposed_new_state: Resource);
                perhaps!(Request, call.request, provider_meta: ProviderMeta);
                perhaps!(Request, call.request, prior_identity: Identity);
                if let Ok(response) = call.outcome.$borrow() {
                    there!(Response, response, planned_state: Resource);
                    perhaps!(Response, response, planned_identity: Identity);
                }
            }
            AnyCall::ApplyResourceChange(call) => {
                there!(Request, call.request, prior_state: Resource);
                there!(Request, call.request, config: Resource);
                there!(Request, call.request, planned_state: Resource);
                perhaps!(Request, call.request, provider_meta: ProviderMeta);
                perhaps!(Request, call.request, planned_identity: Identity);
                if let Ok(response) = call.outcome.$borrow() {
                    there!(Response, response, new_state: Resource);
                    perhaps!(Response, response, new_identity: Identity);
                }
            }
            AnyCall::ReadDataSource(call) => {
                there!(Request, call.request, config: Data);
                perhaps!(Request, call.request, provider_meta: ProviderMeta);
                if let Ok(response) = call.outcome.$borrow() {
                    there!(Response, response, state: Data);
                }
            }
        }
    }};
}

impl AnyCall {
    /// The RPC, by its protocol 6 name.
    pub fn rpc_name(&self) -> &'static str {
        match self {
            AnyCall::GetProviderSchema(_) => "GetProviderSchema",
            AnyCall::GetMetadata(_) => "GetMetadata",
            AnyCall::ValidateProviderConfig(_) => "ValidateProviderConfig",
            AnyCall::ConfigureProvider(_) => "ConfigureProvider",
            AnyCall::ValidateResourceConfig(_) => "ValidateResourceConfig",
            AnyCall::ValidateDataResourceConfig(_) => "ValidateDataResourceConfig",
            AnyCall::UpgradeResourceState(_) => "UpgradeResourceState",
            AnyCall::ReadResource(_) => "ReadResource",
            AnyCall::PlanResourceChange(_) => "PlanResourceChange",
            AnyCall::ApplyResourceChange(_) => "ApplyResourceChange",
            AnyCall::ReadDataSource(_) => "ReadDataSource",
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
            GetProviderSchema,
            GetMetadata,
            ValidateProviderConfig,
            ConfigureProvider,
            ValidateResourceConfig,
            ValidateDataResourceConfig,
            UpgradeResourceState,
            ReadResource,
            PlanResourceChange,
            ApplyResourceChange,
            ReadDataSource
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
            AnyCall::GetProviderSchema(_)
            | AnyCall::GetMetadata(_)
            | AnyCall::ValidateProviderConfig(_)
            | AnyCall::ConfigureProvider(_) => None,
            AnyCall::ValidateResourceConfig(call) => Some(&call.request.type_name),
            AnyCall::ValidateDataResourceConfig(call) => Some(&call.request.type_name),
            AnyCall::UpgradeResourceState(call) => Some(&call.request.type_name),
            AnyCall::ReadResource(call) => Some(&call.request.type_name),
            AnyCall::PlanResourceChange(call) => Some(&call.request.type_name),
            AnyCall::ApplyResourceChange(call) => Some(&call.request.type_name),
            AnyCall::ReadDataSource(call) => Some(&call.request.type_name),
        }
    }

    /// The kind of type the call is for; `None` for a call that is for none.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            AnyCall::GetProviderSchema(_) | AnyCall::GetMetadata(_) => None,
            AnyCall::ValidateProviderConfig(_) | AnyCall::ConfigureProvider(_) => Some(Kind::Provider),
            AnyCall::ValidateDataResourceConfig(_) | AnyCall::ReadDataSource(_) => Some(Kind::DataSource),
            AnyCall::ValidateResourceConfig(_)
            | AnyCall::UpgradeResourceState(_)
            | AnyCall::ReadResource(_)
            | AnyCall::PlanResourceChange(_)
            | AnyCall::ApplyResourceChange(_) => Some(Kind::Resource),
        }
    }

    /// Whether the response asks to be forgiven what the legacy SDK does.
    pub fn legacy_type_system(&self) -> bool {
        match self {
            AnyCall::PlanResourceChange(call) => {
                call.outcome.as_ref().is_ok_and(|response| response.legacy_type_system)
            }
            AnyCall::ApplyResourceChange(call) => {
                call.outcome.as_ref().is_ok_and(|response| response.legacy_type_system)
            }
            _ => false,
        }
    }

    /// Visits every value of the message with its name in the protocol and the type of its place.
    pub fn values_mut(
        &mut self,
        schema: &ProviderSchema,
        visit: &mut dyn FnMut(Side, &'static str, &mut Encoded, &Type),
    ) {
        let type_name = self.type_name().unwrap_or_default().to_owned();
        let mut typed = |side, name, goes_by: GoesBy, value: &mut Encoded| {
            visit(side, name, value, &goes_by.in_schema(schema, &type_name));
        };
        each_value!(self, as_mut, [&mut], typed);
    }

    /// Decodes every value that is not decoded yet.
    pub fn decode(&mut self, schema: &ProviderSchema) {
        self.values_mut(schema, &mut |_, _, value, ty| value.decode(ty));
    }

    /// The values of one side, by their names in the protocol, in the order a person compares them.
    pub fn values(&self, side: Side) -> Vec<(&'static str, &Encoded)> {
        let mut values = Vec::new();
        let mut keep = |of, name, goes_by, value| {
            // Nobody compares what the configuration says about the provider.
            if of == side && goes_by != GoesBy::ProviderMeta {
                values.push((name, value));
            }
        };
        each_value!(self, as_ref, [&], keep);
        values
    }
}
