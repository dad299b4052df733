//! The conforming half: how each call is answered, one file per call.

mod apply_resource_change;
mod call_function;
mod configure_provider;
mod get_metadata;
mod get_provider_schema;
mod get_resource_identity_schemas;
mod import_resource_state;
mod move_resource_state;
mod plan_resource_change;
mod read_data_source;
mod read_resource;
mod upgrade_resource_state;
mod validate_data_resource_config;
mod validate_provider_config;
mod validate_resource_config;

use super::Reference;
use super::definition::Definition;
use super::objects::Objects;
use super::schema::identity_of;
use super::validate::validate;
use crate::calls::{AnyCall, Call, Diagnostic, DiagnosticsResponse, Encoded, Method};
use crate::schema::{Kind, Schema};
use crate::transcript::RpcFailure;
use crate::value::Value;

/// How the reference provider answers an RPC: as the contract demands, whatever is armed, except for
/// corrupted schemas.
trait Answer: Method {
    fn answer(reference: &Reference, request: &Self::Request) -> Self::Response;
}

impl Reference {
    /// Fills in the outcome of a call. Unknown types are refused, as in the SDKs.
    pub(super) fn conform(&self, call: &mut AnyCall) {
        match call {
            AnyCall::GetMetadata(call) => self.fill(call),
            AnyCall::GetProviderSchema(call) => self.fill(call),
            AnyCall::GetResourceIdentitySchemas(call) => self.fill(call),
            AnyCall::ValidateProviderConfig(call) => self.fill(call),
            AnyCall::ValidateResourceConfig(call) => self.fill(call),
            AnyCall::ValidateDataResourceConfig(call) => self.fill(call),
            AnyCall::UpgradeResourceState(call) => self.fill(call),
            AnyCall::ConfigureProvider(call) => self.fill(call),
            AnyCall::ReadResource(call) => self.fill(call),
            AnyCall::PlanResourceChange(call) => self.fill(call),
            AnyCall::ApplyResourceChange(call) => self.fill(call),
            AnyCall::ImportResourceState(call) => self.fill(call),
            AnyCall::MoveResourceState(call) => self.fill(call),
            AnyCall::ReadDataSource(call) => self.fill(call),
            AnyCall::CallFunction(call) => self.fill(call),
            AnyCall::ListResource(_) => call.fail(RpcFailure::unimplemented(call.rpc())),
        }
    }

    fn fill<M: Answer>(&self, call: &mut Call<M>) {
        call.outcome = Ok(M::answer(self, &call.request));
    }

    fn known<'r>(&'r self, type_name: &'r str) -> Result<Known<'r>, Diagnostic> {
        match (self.definitions.get(type_name), self.schema.resources.get(type_name)) {
            (Some(definition), Some(schema)) => Ok(Known { definition, schema, type_name }),
            _ => Err(unknown_type(type_name)),
        }
    }

    fn objects<'r>(&'r self, known: &Known<'r>) -> Objects<'r> {
        Objects {
            store: &self.store,
            seed: self.seed,
            type_name: known.definition.kept_as(known.type_name),
            definition: known.definition,
            schema: known.schema,
        }
    }

    fn identity(&self, known: &Known<'_>, state: &Value) -> Option<Encoded> {
        let schema = self.schema.identities.get(known.type_name)?;
        let identity = identity_of(schema, known.type_name, state)?;
        Some(Encoded::of(identity, &schema.implied_type()))
    }

    /// What is wrong with the configuration of a type.
    fn validated(&self, kind: Kind, type_name: &str, config: &Encoded) -> DiagnosticsResponse {
        let diagnostics = match (self.schema.get(kind, type_name), given(config, "config")) {
            (None, _) => vec![unknown_type(type_name)],
            (_, Err(diagnostic)) => vec![diagnostic],
            (Some(schema), Ok(config)) => validate(&schema.block, config),
        };
        DiagnosticsResponse { diagnostics }
    }
}

fn unknown_type(name: &str) -> Diagnostic {
    Diagnostic::error("No such type", &format!("This provider has no type {name:?}."))
}

fn unreadable(what: &str) -> Diagnostic {
    Diagnostic::error("Request cannot be read", &format!("The value of {what} does not decode."))
}

/// The value of a request field.
fn given<'v>(value: &'v Encoded, what: &str) -> Result<&'v Value, Diagnostic> {
    value.value().ok_or_else(|| unreadable(what))
}

/// A managed type, as far as the schema (which a fault may have corrupted) and the definition know it.
struct Known<'r> {
    definition: &'r Definition,
    schema: &'r Schema,
    type_name: &'r str,
}
