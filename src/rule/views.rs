//! The views of exchanges that checks take, each as narrow as suffices.

use std::sync::Arc;

use super::{Context, Finding, Findings};
use crate::core::{
    ApplyStep, Circumstances, DataReadStep, DestroyPlanStep, MoveStep, PlanStep, ReadStep, UpgradeStep,
};
use crate::engine::Engine;
use crate::schema::{ProviderSchema, Schema};
use crate::transcript::{
    AnyCall, ApplyResourceChangeRequest, ApplyResourceChangeResponse, Diagnostic, Encoded, Exchange,
    MoveResourceStateRequest, MoveResourceStateResponse, PlanResourceChangeRequest,
    PlanResourceChangeResponse, ReadDataSourceRequest, ReadDataSourceResponse, ReadResourceRequest,
    ReadResourceResponse, RpcFailure, UpgradeResourceStateRequest, UpgradeResourceStateResponse,
};
use crate::value::{AttributePath, Type, Value, state_json};

/// Any call: the request, and its outcome.
pub struct Asked<'t> {
    pub call: &'t AnyCall,
    pub failure: Option<&'t RpcFailure>,
    pub diagnostics: Vec<&'t Diagnostic>,
}

/// A plan of a create or update, answered without errors.
pub struct Planned<'t> {
    pub schema: &'t Schema,
    pub request: &'t PlanResourceChangeRequest,
    pub response: &'t PlanResourceChangeResponse,
    pub prior: &'t Value,
    pub config: &'t Value,
    pub proposed: &'t Value,
    pub planned: &'t Value,
}

impl Planned<'_> {
    /// The answer as an engine checks it.
    pub fn step(&self, engine: Engine) -> PlanStep<'_> {
        PlanStep {
            engine,
            block: &self.schema.block,
            prior: self.prior,
            config: self.config,
            planned: self.planned,
            requires_replace: self.response.requires_replace.iter().map(|path| path.to_path()).collect(),
            is_deferred: self.response.deferred.is_some(),
            is_legacy: self.response.legacy_type_system,
        }
    }

    /// Whether it changes a place of the prior state, or replaces the object because of it.
    pub fn changes(&self, path: &AttributePath) -> bool {
        let (prior, planned) = (self.prior.at(path), self.planned.at(path));
        let is_required = self.response.requires_replace.iter().any(|of| of.to_path() == *path);
        is_required || prior.zip(planned).is_none_or(|(prior, planned)| !planned.equals(&prior).is_true())
    }

    /// Reports each change that replaces an object although its configuration is the one that it was created with;
    /// `prior` is the label of the prior state's values.
    pub fn report_replacement(
        &self,
        engine: Engine,
        prior: &'static str,
        message: &str,
        findings: &mut Findings,
    ) {
        let step = self.step(engine);
        if !step.action(Circumstances::default()).is_replace() {
            return;
        }
        for path in step.required_replaces().kept {
            let of = |value: &Value| value.at(&path).unwrap_or_else(|| Value::null(Type::Dynamic));
            findings.add(
                Finding::new(path.clone(), message)
                    .allow(prior, &of(self.prior))
                    .actual("planned", &of(self.planned))
                    .guarded(&self.schema.block),
            );
        }
    }
}

/// A plan of a destroy, answered without errors.
pub struct DestroyPlan<'t> {
    pub schema: &'t Schema,
    pub request: &'t PlanResourceChangeRequest,
    pub response: &'t PlanResourceChangeResponse,
    pub prior: &'t Value,
    pub planned: &'t Value,
}

impl DestroyPlan<'_> {
    pub fn step(&self, engine: Engine) -> DestroyPlanStep<'_> {
        DestroyPlanStep { engine, planned: self.planned, is_deferred: self.response.deferred.is_some() }
    }
}

/// An apply, answered; perhaps with errors, because its state counts even then.
pub struct Applied<'t> {
    pub schema: &'t Schema,
    pub request: &'t ApplyResourceChangeRequest,
    pub response: &'t ApplyResourceChangeResponse,
    pub prior: &'t Value,
    pub config: &'t Value,
    pub planned: &'t Value,
    pub new: &'t Value,
    /// Whether the response reports an error.
    pub failed: bool,
}

impl Applied<'_> {
    pub fn step(&self, engine: Engine) -> ApplyStep<'_> {
        ApplyStep {
            engine,
            block: &self.schema.block,
            planned: self.planned,
            new: self.new,
            has_failed: self.failed,
            is_legacy: self.response.legacy_type_system,
        }
    }
}

/// A read, answered without errors.
pub struct Read<'t> {
    pub schema: &'t Schema,
    pub request: &'t ReadResourceRequest,
    pub response: &'t ReadResourceResponse,
    pub current: &'t Value,
    pub new: &'t Value,
}

impl Read<'_> {
    pub fn step(&self, engine: Engine) -> ReadStep<'_> {
        let is_deferred = self.response.deferred.is_some();
        ReadStep { engine, block: &self.schema.block, new: self.new, is_deferred }
    }
}

/// An upgrade of stored state, answered without errors.
pub struct Upgraded<'t> {
    pub schema: &'t Schema,
    pub request: &'t UpgradeResourceStateRequest,
    pub response: &'t UpgradeResourceStateResponse,
    pub upgraded: &'t Value,
}

impl Upgraded<'_> {
    pub fn step(&self, engine: Engine) -> UpgradeStep<'_> {
        UpgradeStep { engine, block: &self.schema.block, upgraded: self.upgraded }
    }

    /// The stored state, where it is JSON that decodes by the current schema.
    pub fn stored(&self) -> Option<Value> {
        state_json::decode(&self.request.raw_state.json, self.schema.implied_type()).ok()
    }
}

/// A move of stored state to another type, answered without errors.
pub struct Moved<'t> {
    /// Of the type that it is moved to.
    pub schema: &'t Schema,
    pub request: &'t MoveResourceStateRequest,
    pub response: &'t MoveResourceStateResponse,
    pub moved: &'t Value,
}

impl Moved<'_> {
    pub fn step(&self, engine: Engine) -> MoveStep<'_> {
        MoveStep { engine, block: &self.schema.block, moved: self.moved }
    }
}

/// A read of a data source, answered without errors.
pub struct DataRead<'t> {
    pub schema: &'t Schema,
    pub request: &'t ReadDataSourceRequest,
    pub response: &'t ReadDataSourceResponse,
    pub config: &'t Value,
    pub state: &'t Value,
}

impl DataRead<'_> {
    pub fn step(&self, engine: Engine) -> DataReadStep<'_> {
        let is_deferred = self.response.deferred.is_some();
        DataReadStep { engine, block: &self.schema.block, state: self.state, is_deferred }
    }
}

/// Why there is no view of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoView {
    OtherCall,
    Failed,
    Refused,
    Undecodable,
    NoSchema,
}

pub(super) fn schema_shown(exchange: &Exchange) -> Option<&Arc<ProviderSchema>> {
    match &exchange.call {
        AnyCall::GetProviderSchema(call) => call.outcome.as_ref().ok().map(|response| &response.schema),
        _ => None,
    }
}

fn decoded(value: &Encoded) -> Result<&Value, NoView> {
    value.value().ok_or(NoView::Undecodable)
}

impl<'t> Asked<'t> {
    pub(crate) fn of(exchange: &'t Exchange) -> Asked<'t> {
        let call = &exchange.call;
        Asked { call, failure: call.failure(), diagnostics: call.diagnostics() }
    }
}

impl<'t> Context<'t> {
    fn resource(&self, type_name: &str) -> Result<&'t Schema, NoView> {
        self.transcript.subject.resource(type_name).map(|schema| &**schema).ok_or(NoView::NoSchema)
    }

    pub(crate) fn schema(&self) -> Result<&'t ProviderSchema, NoView> {
        schema_shown(self.exchange).map(|schema| &**schema).ok_or(NoView::OtherCall)
    }

    /// A schema that no earlier exchange returned; one that exchanges share counts as the same.
    pub(crate) fn new_schema(&self) -> Result<&'t ProviderSchema, NoView> {
        let schema = schema_shown(self.exchange).ok_or(NoView::OtherCall)?;
        let earlier = &self.transcript.exchanges[..self.exchange.id.0 as usize];
        let is_known = earlier.iter().filter_map(schema_shown).any(|known| Arc::ptr_eq(known, schema));
        if is_known { Err(NoView::OtherCall) } else { Ok(schema) }
    }

    pub(crate) fn planned(&self) -> Result<Planned<'t>, NoView> {
        let AnyCall::PlanResourceChange(call) = &self.exchange.call else { return Err(NoView::OtherCall) };
        if call.request.proposed_new_state.value().is_some_and(Value::is_null) {
            return Err(NoView::OtherCall);
        }
        let response = self.answered(&call.outcome)?;
        Ok(Planned {
            schema: self.resource(&call.request.type_name)?,
            request: &call.request,
            response,
            prior: decoded(&call.request.prior_state)?,
            config: decoded(&call.request.config)?,
            proposed: decoded(&call.request.proposed_new_state)?,
            planned: decoded(&response.planned_state)?,
        })
    }

    pub(crate) fn destroy_plan(&self) -> Result<DestroyPlan<'t>, NoView> {
        let AnyCall::PlanResourceChange(call) = &self.exchange.call else { return Err(NoView::OtherCall) };
        if !call.request.proposed_new_state.value().is_some_and(Value::is_null) {
            return Err(NoView::OtherCall);
        }
        let response = self.answered(&call.outcome)?;
        Ok(DestroyPlan {
            schema: self.resource(&call.request.type_name)?,
            request: &call.request,
            response,
            prior: decoded(&call.request.prior_state)?,
            planned: decoded(&response.planned_state)?,
        })
    }

    pub(crate) fn applied(&self) -> Result<Applied<'t>, NoView> {
        let AnyCall::ApplyResourceChange(call) = &self.exchange.call else { return Err(NoView::OtherCall) };
        let response = call.outcome.as_ref().map_err(|_| NoView::Failed)?;
        Ok(Applied {
            schema: self.resource(&call.request.type_name)?,
            request: &call.request,
            response,
            prior: decoded(&call.request.prior_state)?,
            config: decoded(&call.request.config)?,
            planned: decoded(&call.request.planned_state)?,
            new: decoded(&response.new_state)?,
            failed: !self.exchange.call.succeeded(),
        })
    }

    pub(crate) fn read(&self) -> Result<Read<'t>, NoView> {
        let AnyCall::ReadResource(call) = &self.exchange.call else { return Err(NoView::OtherCall) };
        let response = self.answered(&call.outcome)?;
        Ok(Read {
            schema: self.resource(&call.request.type_name)?,
            request: &call.request,
            response,
            current: decoded(&call.request.current_state)?,
            new: decoded(&response.new_state)?,
        })
    }

    pub(crate) fn upgraded(&self) -> Result<Upgraded<'t>, NoView> {
        let AnyCall::UpgradeResourceState(call) = &self.exchange.call else { return Err(NoView::OtherCall) };
        let response = self.answered(&call.outcome)?;
        Ok(Upgraded {
            schema: self.resource(&call.request.type_name)?,
            request: &call.request,
            response,
            upgraded: decoded(&response.upgraded_state)?,
        })
    }

    pub(crate) fn moved(&self) -> Result<Moved<'t>, NoView> {
        let AnyCall::MoveResourceState(call) = &self.exchange.call else { return Err(NoView::OtherCall) };
        let response = self.answered(&call.outcome)?;
        Ok(Moved {
            schema: self.resource(&call.request.target_type_name)?,
            request: &call.request,
            response,
            moved: decoded(&response.target_state)?,
        })
    }

    pub(crate) fn data_read(&self) -> Result<DataRead<'t>, NoView> {
        let AnyCall::ReadDataSource(call) = &self.exchange.call else { return Err(NoView::OtherCall) };
        let response = self.answered(&call.outcome)?;
        let schema = self.transcript.subject.data_source(&call.request.type_name).ok_or(NoView::NoSchema)?;
        Ok(DataRead {
            schema,
            request: &call.request,
            response,
            config: decoded(&call.request.config)?,
            state: decoded(&response.state)?,
        })
    }

    fn answered<R>(&self, outcome: &'t Result<R, RpcFailure>) -> Result<&'t R, NoView> {
        match outcome {
            Err(_) => Err(NoView::Failed),
            Ok(_) if !self.exchange.call.succeeded() => Err(NoView::Refused),
            Ok(response) => Ok(response),
        }
    }
}
