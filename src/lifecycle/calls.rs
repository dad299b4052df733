//! The calls of a managed object's life, each with what an engine keeps of its answer.

use std::fmt::Display;

use bytes::Bytes;

use super::End;
use super::ask::{Outcome, Player};
use super::object::{Against, Life, Object, Plan};
use crate::core::{
    ApplyStep, CheckKind, Circumstances, DestroyPlanStep, PlanStep, ReadStep, UpgradeStep,
    prepare_computed_blocks, proposed_new, without_write_only,
};
use crate::transcript::{
    AnyCall, ApplyResourceChangeRequest, Call, Encoded, ExchangeId, PlanResourceChangeRequest, PriorOrigin,
    Purpose, RawState, ReadResourceRequest, UpgradeResourceStateRequest, ValidateResourceConfigRequest,
};
use crate::value::{Value, state_json};

/// The identity that an engine keeps: a null is none.
fn stored(identity: &Option<Encoded>) -> Option<Encoded> {
    identity.clone().filter(|identity| !identity.value().is_some_and(Value::is_null))
}

impl<E: Display> Player<'_, E> {
    pub(super) async fn validate(&mut self, life: &Life, config: &Value) -> Outcome<()> {
        let request = ValidateResourceConfigRequest {
            type_name: life.type_name.clone(),
            config: life.encode(config),
            capabilities: Some(self.subject.client_capabilities()),
        };
        let call = AnyCall::ValidateResource(Call::unanswered(request));
        let id = self.ask(Purpose::Ordinary, PriorOrigin::None, call).await?;
        self.succeeded(id)?;
        self.reached.validated = true;
        Ok(())
    }

    /// Stores the object as an engine does, and has it read back.
    pub(super) async fn upgrade(&mut self, life: &mut Life, purpose: Purpose) -> Outcome<ExchangeId> {
        let object = life.object.as_ref().expect("only what exists is stored");
        let json = state_json::encode(&object.state, life.schema.implied_type());
        let json = json.map_err(|error| End::Stopped {
            step: self.step,
            rpc: "UpgradeResourceState",
            why: format!("the state cannot be stored: {error}"),
        })?;
        let request = UpgradeResourceStateRequest {
            type_name: life.type_name.clone(),
            version: life.schema.version,
            raw_state: RawState { json: Bytes::from(json), ..RawState::default() },
        };
        let id = self.ask(purpose, life.origin(), AnyCall::Upgrade(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::Upgrade(call) = self.call(id) else { unreachable!("an upgrade was asked for") };
        let upgraded = call.outcome.as_ref().map(|response| response.upgraded_state.clone());
        let upgraded = self.decoded(id, &upgraded.expect("the answer succeeded"))?;
        if upgraded.is_null() {
            return Err(self.stopped(id, "the upgraded state is null"));
        }
        let step =
            UpgradeStep { engine: self.subject.engine, block: &life.schema.block, upgraded: &upgraded };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        if let Some(object) = &mut life.object {
            object.state = upgraded;
        }
        Ok(id)
    }

    /// Reads the object; afterwards it is what the provider says, or gone.
    pub(super) async fn refresh(&mut self, life: &mut Life, purpose: Purpose) -> Outcome<ExchangeId> {
        let object = life.object.as_ref().expect("only what exists is read");
        let request = ReadResourceRequest {
            type_name: life.type_name.clone(),
            current_state: life.encode(&object.state),
            private: object.private.clone(),
            provider_meta: self.provider_meta(),
            capabilities: Some(self.subject.client_capabilities()),
            current_identity: object.identity.clone(),
        };
        let tainted = object.tainted;
        let id = self.ask(purpose, life.origin(), AnyCall::Read(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::Read(call) = self.call(id) else { unreachable!("a read was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        let (private, identity) = (response.private.clone(), stored(&response.new_identity));
        let state = self.decoded(id, &response.new_state)?;
        let step = ReadStep {
            engine: self.subject.engine,
            block: &life.schema.block,
            new: &state,
            is_deferred: response.deferred.is_some(),
        };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        let state = if crate::core::normalizes_reads(&life.schema.block, self.subject.engine) {
            crate::core::normalize_legacy(&life.schema.block, &state)
        } else {
            state
        };
        life.object = (!state.is_null()).then_some(Object {
            state: state.unknowns_as_nulls(),
            private,
            identity,
            tainted,
            origin: PriorOrigin::Applied,
        });
        Ok(id)
    }

    pub(super) async fn plan(
        &mut self,
        life: &Life,
        purpose: Purpose,
        against: Against,
        config: &Value,
    ) -> Outcome<(ExchangeId, Plan)> {
        let (block, engine) = (&life.schema.block, self.subject.engine);
        let config = prepare_computed_blocks(block, config, engine);
        let request = PlanResourceChangeRequest {
            type_name: life.type_name.clone(),
            prior_state: life.encode(&against.prior),
            proposed_new_state: life.encode(&proposed_new(block, &against.prior, &config, engine)),
            config: life.encode(&config),
            prior_private: against.private,
            provider_meta: self.provider_meta(),
            capabilities: Some(self.subject.client_capabilities()),
            prior_identity: against.identity,
            planned_private: against.planned_private,
        };
        let id = self.ask(purpose, against.origin, AnyCall::Plan(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::Plan(call) = self.call(id) else { unreachable!("a plan was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        let planned = self.decoded(id, &response.planned_state)?;
        let step = PlanStep {
            engine,
            block,
            prior: &against.prior,
            config: &config,
            planned: &planned,
            requires_replace: response.requires_replace.iter().map(|path| path.to_path()).collect(),
            is_deferred: response.deferred.is_some(),
            is_legacy: response.legacy_type_system,
        };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        let tainted = life.object.as_ref().filter(|object| object.tainted).map(|object| &object.state);
        let action = step.action(Circumstances { tainted, ..Circumstances::default() });
        let plan = Plan {
            planned,
            private: response.planned_private.clone(),
            identity: stored(&response.planned_identity),
            action,
        };
        self.reached.planned = true;
        Ok((id, plan))
    }

    /// The create half of a replacement, planned by itself; nothing where there is none.
    pub(super) async fn second_plan(
        &mut self,
        life: &Life,
        first: ExchangeId,
        plan: &Plan,
        config: &Value,
    ) -> Outcome<Option<Plan>> {
        let tainted = life.object.as_ref().is_some_and(|object| object.tainted);
        if !plan.action.is_replace() || tainted {
            return Ok(None);
        }
        let against = Against {
            private: plan.private.clone(),
            identity: plan.identity.clone().filter(|_| self.subject.engine.second_plan_has_identity()),
            ..Against::nothing(life)
        };
        let (_, second) = self.plan(life, Purpose::ReplaceCreate { first }, against, config).await?;
        Ok(Some(second))
    }

    pub(super) async fn plan_destroy(
        &mut self,
        life: &Life,
        object: &Object,
    ) -> Outcome<(Bytes, Option<Encoded>)> {
        let null = life.schema.null();
        let request = PlanResourceChangeRequest {
            type_name: life.type_name.clone(),
            prior_state: life.encode(&object.state),
            proposed_new_state: life.encode(&null),
            config: life.encode(&null),
            prior_private: object.private.clone(),
            provider_meta: self.provider_meta(),
            capabilities: Some(self.subject.client_capabilities()),
            prior_identity: object.identity.clone(),
            planned_private: Bytes::new(),
        };
        let id = self.ask(Purpose::Ordinary, life.origin(), AnyCall::Plan(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::Plan(call) = self.call(id) else { unreachable!("a plan was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        let (private, identity) = (response.planned_private.clone(), stored(&response.planned_identity));
        let planned = self.decoded(id, &response.planned_state)?;
        let is_deferred = response.deferred.is_some();
        let step = DestroyPlanStep { engine: self.subject.engine, planned: &planned, is_deferred };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        Ok((private, identity))
    }

    pub(super) async fn apply(
        &mut self,
        life: &mut Life,
        config: &Value,
        plan: &Plan,
    ) -> Outcome<ExchangeId> {
        let request = ApplyResourceChangeRequest {
            type_name: life.type_name.clone(),
            prior_state: life.encode(&life.prior()),
            planned_state: life.encode(&plan.planned),
            config: life.encode(config),
            planned_private: plan.private.clone(),
            provider_meta: self.provider_meta(),
            planned_identity: plan.identity.clone(),
        };
        let id =
            self.ask(Purpose::Ordinary, life.origin(), AnyCall::Apply(Call::unanswered(request))).await?;
        self.keep(life, id, &plan.planned)?;
        self.reached.applied = true;
        Ok(id)
    }

    /// Deletes the object; the configuration of a delete is a null of no type.
    pub(super) async fn delete(
        &mut self,
        life: &mut Life,
        purpose: Purpose,
        private: Bytes,
        identity: Option<Encoded>,
    ) -> Outcome<ExchangeId> {
        let null = life.schema.null();
        let request = ApplyResourceChangeRequest {
            type_name: life.type_name.clone(),
            prior_state: life.encode(&life.prior()),
            planned_state: life.encode(&null),
            config: life.encode(&null),
            planned_private: private,
            provider_meta: self.provider_meta(),
            planned_identity: identity,
        };
        let id = self.ask(purpose, life.origin(), AnyCall::Apply(Call::unanswered(request))).await?;
        self.keep(life, id, &null)?;
        Ok(id)
    }

    /// Keeps what an engine would keep of an apply, even of one that failed.
    pub(super) fn keep(&mut self, life: &mut Life, id: ExchangeId, planned: &Value) -> Outcome<()> {
        let AnyCall::Apply(call) = self.call(id) else { unreachable!("an apply was asked for") };
        let creates = life.object.is_none();
        let Ok(response) = &call.outcome else {
            self.leaves_something |= !planned.is_null();
            return self.succeeded(id);
        };
        let has_failed = !self.call(id).succeeded();
        let (private, identity) = (response.private.clone(), stored(&response.new_identity));
        let new = self.decoded(id, &response.new_state)?;
        let step = ApplyStep {
            engine: self.subject.engine,
            block: &life.schema.block,
            planned,
            new: &new,
            has_failed,
            is_legacy: response.legacy_type_system,
        };
        let stop = step.stop();
        if let Some(stop) = stop.as_ref().filter(|stop| stop.kind == CheckKind::Conforms) {
            // No engine can store it. What was there before still serves to destroy the object.
            return Err(self.stopped(id, stop.to_string()));
        }
        // What the provider itself calls an error is told in its own words.
        let stop = stop.filter(|_| !has_failed);
        let errs = has_failed || stop.is_some();
        if !new.is_null() {
            let tainted = creates && errs;
            let state = without_write_only(&life.schema.block, &new).unknowns_as_nulls();
            life.object = Some(Object { state, private, identity, tainted, origin: PriorOrigin::Applied });
        } else if !errs {
            life.object = None;
        }
        match stop {
            Some(stop) => Err(self.stopped(id, stop.to_string())),
            None => self.succeeded(id),
        }
    }
}
