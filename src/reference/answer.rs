//! The conforming half: each call to its answer.

use std::sync::Arc;

use bytes::Bytes;

use super::Reference;
use super::definition::Definition;
use super::merge::{Mode, merge};
use super::mint::{Mint, hash};
use super::objects::{Object, Objects};
use super::plan::{Plan, plan};
use super::private::{Private, Settled};
use super::schema::identity_of;
use super::upgrade::upgrade;
use super::validate::validate;
use crate::core::nonconforming;
use crate::schema::Schema;
use crate::transcript::*;
use crate::value::Value;

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

/// A managed type, as far as the schema (which a fault may have spoilt) and the definition know it.
struct Known<'r> {
    definition: &'r Definition,
    schema: &'r Schema,
    type_name: &'r str,
}

impl Reference {
    /// Answers as the contract wants it, whatever is armed, spoilt schemas aside.
    pub(super) fn conform(&self, call: &mut AnyCall) {
        match call {
            AnyCall::Schema(call) => {
                call.outcome = Ok(SchemaResponse {
                    schema: Arc::clone(&self.schema),
                    size: 0,
                    digest: String::new(),
                    diagnostics: vec![],
                });
            }
            AnyCall::Metadata(call) => {
                call.outcome = Ok(MetadataResponse {
                    capabilities: self.schema.capabilities,
                    resources: self.schema.resources.keys().cloned().collect(),
                    data_sources: self.schema.data_sources.keys().cloned().collect(),
                    functions: self.schema.functions.keys().cloned().collect(),
                    diagnostics: vec![],
                });
            }
            AnyCall::ValidateProvider(call) => {
                let prepared = (self.protocol == 5).then(|| call.request.config.clone());
                let diagnostics = match given(&call.request.config, "config") {
                    Ok(_) => vec![],
                    Err(diagnostic) => vec![diagnostic],
                };
                call.outcome = Ok(ValidateProviderConfigResponse { prepared_config: prepared, diagnostics });
            }
            AnyCall::Configure(call) => {
                let diagnostics = given(&call.request.config, "config").err().into_iter().collect();
                call.outcome = Ok(DiagnosticsResponse { diagnostics });
            }
            AnyCall::ValidateResource(call) => {
                let schema = self.schema.resources.get(&call.request.type_name);
                call.outcome = Ok(validated(&call.request.type_name, schema, &call.request.config));
            }
            AnyCall::ValidateData(call) => {
                let schema = self.schema.data_sources.get(&call.request.type_name);
                call.outcome = Ok(validated(&call.request.type_name, schema, &call.request.config));
            }
            AnyCall::Upgrade(call) => call.outcome = Ok(self.upgrade(&call.request)),
            AnyCall::Read(call) => call.outcome = Ok(self.read(&call.request)),
            AnyCall::Plan(call) => call.outcome = Ok(self.plan(&call.request)),
            AnyCall::Apply(call) => call.outcome = Ok(self.apply(&call.request)),
            AnyCall::ReadData(call) => call.outcome = Ok(self.read_data(&call.request)),
        }
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
            type_name: known.type_name,
            definition: known.definition,
            schema: known.schema,
        }
    }

    fn identity(&self, known: &Known<'_>, state: &Value) -> Option<Encoded> {
        let schema = self.schema.identities.get(known.type_name)?;
        let identity = identity_of(schema, known.type_name, state)?;
        Some(Encoded::of(identity, &schema.implied_type()))
    }

    fn upgrade(&self, request: &UpgradeResourceStateRequest) -> UpgradeResourceStateResponse {
        let upgraded = self.known(&request.type_name).and_then(|known| {
            let value = upgrade(known.definition, known.schema, request.version, &request.raw_state)?;
            Ok(Encoded::of(value, known.schema.implied_type()))
        });
        match upgraded {
            Ok(upgraded_state) => UpgradeResourceStateResponse { upgraded_state, diagnostics: vec![] },
            Err(diagnostic) => UpgradeResourceStateResponse {
                upgraded_state: Encoded::received(None),
                diagnostics: vec![diagnostic],
            },
        }
    }

    fn read(&self, request: &ReadResourceRequest) -> ReadResourceResponse {
        self.try_read(request).unwrap_or_else(|diagnostic| ReadResourceResponse {
            new_state: request.current_state.clone(),
            diagnostics: vec![diagnostic],
            private: request.private.clone(),
            deferred: None,
            new_identity: request.current_identity.clone(),
        })
    }

    fn try_read(&self, request: &ReadResourceRequest) -> Result<ReadResourceResponse, Diagnostic> {
        let known = self.known(&request.type_name)?;
        let current = given(&request.current_state, "current_state")?;
        let private = Private::read(&request.private);
        let identity = request.current_identity.as_ref().and_then(Encoded::value);
        let id = identity.and_then(|identity| identity.attribute("id")).and_then(Value::as_str);
        let named = current.attribute("id").and_then(Value::as_str).or(id).is_some();
        if !current.is_null() && !named && private.handle.is_none() {
            return Err(Diagnostic::error(
                "Object has no name",
                "Neither state nor identity say which object to read.",
            ));
        }
        let found = self.objects(&known).read(current, id, &private)?;
        let ty = known.schema.implied_type();
        Ok(match found {
            Some(Object { state, private }) => ReadResourceResponse {
                new_identity: self.identity(&known, &state),
                new_state: Encoded::of(state, ty),
                diagnostics: vec![],
                private: private.write(),
                deferred: None,
            },
            None => ReadResourceResponse {
                new_state: Encoded::of(Value::null(ty.clone()), ty),
                diagnostics: vec![],
                private: Bytes::new(),
                deferred: None,
                new_identity: None,
            },
        })
    }

    fn plan(&self, request: &PlanResourceChangeRequest) -> PlanResourceChangeResponse {
        self.try_plan(request).unwrap_or_else(|diagnostic| PlanResourceChangeResponse {
            planned_state: request.prior_state.clone(),
            requires_replace: vec![],
            planned_private: request.prior_private.clone(),
            diagnostics: vec![diagnostic],
            legacy_type_system: false,
            deferred: None,
            planned_identity: None,
        })
    }

    fn try_plan(
        &self,
        request: &PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, Diagnostic> {
        let known = self.known(&request.type_name)?;
        let ty = known.schema.implied_type();
        let prior = given(&request.prior_state, "prior_state")?;
        let proposed = given(&request.proposed_new_state, "proposed_new_state")?;
        let config = given(&request.config, "config")?;
        // As the legacy SDK suppresses differences: what was made of a configuration stays, whatever it is.
        let is_settled = Private::read(&request.prior_private)
            .settled
            .is_some_and(|settled| config.is_wholly_known() && settled == Settled::of(config, prior));
        let planned = if proposed.is_null() {
            Plan { planned_state: Value::null(ty.clone()), requires_replace: vec![] }
        } else if is_settled {
            Plan { planned_state: prior.clone(), requires_replace: vec![] }
        } else {
            plan(known.definition, &known.schema.block, prior, config)
        };
        let planned_identity = match &request.prior_identity {
            Some(identity) if !prior.is_null() && identity.value().is_some_and(Value::is_set) => {
                Some(identity.clone())
            }
            _ if proposed.is_null() || !prior.is_null() => self.identity(&known, prior),
            _ => self.identity(&known, &planned.planned_state),
        };
        let planned_private = match request.prior_private.is_empty() {
            true if proposed.is_null() => Bytes::new(),
            true => Private::default().write(),
            false => request.prior_private.clone(),
        };
        Ok(PlanResourceChangeResponse {
            planned_state: Encoded::of(planned.planned_state, ty),
            requires_replace: planned.requires_replace.iter().map(WirePath::of).collect(),
            planned_private,
            diagnostics: vec![],
            legacy_type_system: known.definition.legacy,
            deferred: None,
            planned_identity,
        })
    }

    fn apply(&self, request: &ApplyResourceChangeRequest) -> ApplyResourceChangeResponse {
        // What cannot be changed stays as it was, and says so.
        self.try_apply(request).unwrap_or_else(|diagnostic| ApplyResourceChangeResponse {
            new_state: request.prior_state.clone(),
            private: request.planned_private.clone(),
            diagnostics: vec![diagnostic],
            legacy_type_system: false,
            new_identity: None,
        })
    }

    fn try_apply(
        &self,
        request: &ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, Diagnostic> {
        let known = self.known(&request.type_name)?;
        let ty = known.schema.implied_type();
        let prior = given(&request.prior_state, "prior_state")?;
        let planned = given(&request.planned_state, "planned_state")?;
        let private = Private::read(&request.planned_private);
        let objects = self.objects(&known);
        if planned.is_null() {
            objects.delete(prior, &private)?;
            return Ok(ApplyResourceChangeResponse {
                new_state: Encoded::of(Value::null(ty.clone()), ty),
                private: Bytes::new(),
                diagnostics: vec![],
                legacy_type_system: known.definition.legacy,
                new_identity: None,
            });
        }
        let config = given(&request.config, "config")?;
        let object = if prior.is_null() {
            objects.create(planned, config)?
        } else {
            objects.update(prior, planned, config, &private)?
        };
        Ok(ApplyResourceChangeResponse {
            new_identity: self.identity(&known, &object.state),
            new_state: Encoded::of(object.state, ty),
            private: object.private.write(),
            diagnostics: vec![],
            legacy_type_system: known.definition.legacy,
        })
    }

    /// A data source finds what the configuration and the seed make it find.
    fn read_data(&self, request: &ReadDataSourceRequest) -> ReadDataSourceResponse {
        let read = || {
            let schema = self
                .schema
                .data_sources
                .get(&request.type_name)
                .ok_or_else(|| unknown_type(&request.type_name))?;
            let config = given(&request.config, "config")?;
            let none = Definition::default();
            let planned = merge(&none, &schema.block, Mode::Renew, &schema.null(), config);
            let handle = format!("{}-{:016x}", request.type_name, hash(&[&config.to_string()]));
            let mint = Mint { seed: self.seed, handle: &handle, revision: 1 };
            Ok(Encoded::of(mint.fill(&schema.block, &planned, &planned), schema.implied_type()))
        };
        match read() {
            Ok(state) => ReadDataSourceResponse { state, diagnostics: vec![], deferred: None },
            Err(diagnostic) => ReadDataSourceResponse {
                state: Encoded::received(None),
                diagnostics: vec![diagnostic],
                deferred: None,
            },
        }
    }

    /// The handle and the state of a successful create or update.
    pub(super) fn applied(&self, call: &AnyCall) -> Option<(String, Value)> {
        let AnyCall::Apply(call) = call else { return None };
        let response = call.outcome.as_ref().ok().filter(|response| !has_errors(&response.diagnostics))?;
        let handle = Private::read(&response.private).handle?;
        Some((handle, response.new_state.value().filter(|state| state.is_set())?.clone()))
    }

    /// What an armed provider says it made, it made: else the next read would tell of a second
    /// breach that nobody armed.
    pub(super) fn remember_what_was_said(&self, call: &AnyCall, honest: Option<(String, Value)>) {
        let (AnyCall::Apply(call), Some((handle, state))) = (call, honest) else { return };
        let Ok(response) = &call.outcome else { return };
        let Some(said) = response.new_state.value() else { return };
        let (Ok(known), Some(config)) = (self.known(&call.request.type_name), call.request.config.value())
        else {
            return;
        };
        let fits = said.is_set()
            && said.is_wholly_known()
            && said.ty().conforms(known.schema.implied_type())
            && nonconforming(&known.schema.block, said).is_empty();
        if fits
            && *said != state
            && let Ok(Some(record)) = self.store.get(known.type_name, &handle)
        {
            // A state that cannot be kept is left to be found out by the next read.
            let _ = self.objects(&known).put(&handle, record.revision, said, config);
        }
    }
}

fn validated(
    type_name: &str,
    schema: Option<&std::sync::Arc<Schema>>,
    config: &Encoded,
) -> DiagnosticsResponse {
    let diagnostics = match (schema, given(config, "config")) {
        (None, _) => vec![unknown_type(type_name)],
        (_, Err(diagnostic)) => vec![diagnostic],
        (Some(schema), Ok(config)) => validate(&schema.block, config),
    };
    DiagnosticsResponse { diagnostics }
}
