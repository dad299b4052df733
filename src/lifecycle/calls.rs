//! The calls for a managed instance, and what an engine keeps of each answer.

use std::fmt::Display;

use bytes::Bytes;

use super::instance::{DestroyPlan, Instance, Plan, PlanBasis, TypeMove};
use super::visit::Visit;
use super::{End, Outcome};
use crate::calls::Rpc;
use crate::core::{
    ApplyStep, CheckKind, DestroyPlanStep, PlanStep, ReadStep, UpgradeStep, ignore_changes,
    ignore_changes_in_legacy_plan, prepare_computed_blocks, proposed_new, without_write_only,
};
use crate::engine::Engine;
use crate::scenario::{Object, Status};
use crate::schema::Kind;
use crate::transcript::{
    AnyCall, ApplyResourceChangeRequest, Call, Encoded, ExchangeId, PlanResourceChangeRequest, PriorOrigin,
    Purpose, RawState, ReadResourceRequest, UpgradeResourceStateRequest, ValidateResourceConfigRequest,
};
use crate::value::{Value, state_json};

/// The identity that an engine keeps: null means none.
pub(super) fn stored(engine: Engine, identity: &Option<Encoded>) -> Option<Encoded> {
    let is_null = |identity: &Encoded| identity.value().is_some_and(Value::is_null);
    identity.clone().filter(|identity| engine.knows_identity() && !is_null(identity))
}

impl<E: Display> Visit<'_, '_, E> {
    pub(super) async fn validate(&mut self, instance: &Instance, config: &Value) -> Outcome<()> {
        self.validate_for(Purpose::Ordinary, instance, config).await
    }

    pub(super) async fn validate_for(
        &mut self,
        purpose: Purpose,
        instance: &Instance,
        config: &Value,
    ) -> Outcome<()> {
        let request = ValidateResourceConfigRequest {
            type_name: instance.type_name.clone(),
            config: instance.encode(config),
            capabilities: Some(self.capabilities()),
        };
        let call = AnyCall::ValidateResourceConfig(Call::unanswered(request));
        let id = self.ask(purpose, PriorOrigin::None, call).await?;
        self.succeeded(id)?;
        self.player.reach(Kind::Resource, &instance.type_name, |reached| reached.validated = true);
        Ok(())
    }

    /// Stores the object as an engine does, and has the provider read it back.
    ///
    /// What OpenTofu has yet to move to its type is moved instead.
    pub(super) async fn upgrade(&mut self, instance: &mut Instance, purpose: Purpose) -> Outcome<ExchangeId> {
        if let Some(TypeMove::Pending(former)) = instance.type_move.clone() {
            return self.move_state(instance, &former).await;
        }
        let object = instance.object.as_ref().expect("only what exists is stored");
        let json = state_json::encode(&object.value, instance.schema.implied_type());
        let json = json.map_err(|error| End::Stopped {
            phase: self.phase,
            rpc: Some(Rpc::UpgradeResourceState),
            why: format!("the state cannot be stored: {error}"),
        })?;
        let request = UpgradeResourceStateRequest {
            type_name: instance.type_name.clone(),
            version: object.schema_version,
            raw_state: RawState { json: Bytes::from(json), ..RawState::default() },
        };
        let id = self
            .ask(purpose, instance.origin(), AnyCall::UpgradeResourceState(Call::unanswered(request)))
            .await?;
        self.succeeded(id)?;
        let AnyCall::UpgradeResourceState(call) = self.call(id) else {
            unreachable!("an upgrade was asked for")
        };
        let upgraded = call.outcome.as_ref().map(|response| response.upgraded_state.clone());
        let upgraded = self.decoded(id, &upgraded.expect("the answer succeeded"))?;
        if upgraded.is_null() {
            return Err(self.stopped(id, "the upgraded state is null"));
        }
        let (engine, block) = (self.player.subject.engine, &instance.schema.block);
        if let Some(stop) = (UpgradeStep { engine, block, upgraded: &upgraded }).stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        if let Some(object) = &mut instance.object {
            object.value = upgraded;
            object.schema_version = instance.schema.version;
        }
        Ok(id)
    }

    /// Reads the object; afterwards it is what the provider returned, or gone.
    pub(super) async fn refresh(&mut self, instance: &mut Instance, purpose: Purpose) -> Outcome<ExchangeId> {
        let object = instance.object.as_ref().expect("only what exists is read");
        let request = ReadResourceRequest {
            type_name: instance.type_name.clone(),
            current_state: instance.encode(&object.value),
            private: object.private.clone(),
            provider_meta: self.provider_meta(),
            capabilities: Some(self.capabilities()),
            current_identity: object.identity.clone(),
        };
        let before = object.clone();
        let id =
            self.ask(purpose, instance.origin(), AnyCall::ReadResource(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::ReadResource(call) = self.call(id) else { unreachable!("a read was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        let (private, identity) =
            (response.private.clone(), stored(self.player.subject.engine, &response.new_identity));
        let state = self.decoded(id, &response.new_state)?;
        let (engine, block) = (self.player.subject.engine, &instance.schema.block);
        let step = ReadStep { engine, block, new: &state, is_deferred: response.deferred.is_some() };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        let state = if crate::core::normalizes_reads(block, engine) {
            crate::core::normalize_legacy(block, &state)
        } else {
            state
        };
        instance.object = (!state.is_null()).then(|| Object {
            value: state.unknowns_as_nulls(),
            private,
            identity,
            origin: match before.origin {
                PriorOrigin::Imported => PriorOrigin::Imported,
                PriorOrigin::Injected => PriorOrigin::Injected,
                // What a failed create left behind is no whole object, whatever a read adds to it.
                PriorOrigin::Failed if before.is_tainted() => PriorOrigin::Failed,
                _ => PriorOrigin::Applied,
            },
            ..before
        });
        Ok(id)
    }

    pub(super) async fn plan(
        &mut self,
        instance: &Instance,
        purpose: Purpose,
        basis: PlanBasis,
        unchanged: &Value,
    ) -> Outcome<(ExchangeId, Plan)> {
        let (block, engine) = (&instance.schema.block, self.player.subject.engine);
        let ignored = instance.ignore_changes.as_ref().filter(|_| !basis.prior.is_null());
        let config = ignored.map(|ignored| ignore_changes(block, &basis.prior, unchanged, ignored));
        let config = prepare_computed_blocks(block, config.as_ref().unwrap_or(unchanged), engine);
        let request = PlanResourceChangeRequest {
            type_name: instance.type_name.clone(),
            prior_state: instance.encode(&basis.prior),
            proposed_new_state: instance.encode(&proposed_new(block, &basis.prior, &config, engine)),
            config: instance.encode(&config),
            prior_private: basis.private,
            provider_meta: self.provider_meta(),
            capabilities: Some(self.capabilities()),
            prior_identity: basis.identity,
            planned_private: basis.planned_private,
        };
        let id =
            self.ask(purpose, basis.origin, AnyCall::PlanResourceChange(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::PlanResourceChange(call) = self.call(id) else { unreachable!("a plan was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        let planned = self.decoded(id, &response.planned_state)?;
        let step = PlanStep {
            engine,
            block,
            prior: &basis.prior,
            config: &config,
            planned: &planned,
            requires_replace: response.requires_replace.iter().map(|path| path.to_path()).collect(),
            is_deferred: response.deferred.is_some(),
            is_legacy: response.legacy_type_system,
        };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        let restored = ignored
            .filter(|_| step.is_legacy)
            .map(|ignored| ignore_changes_in_legacy_plan(&basis.prior, &planned, ignored));
        let step = PlanStep { planned: restored.as_ref().unwrap_or(&planned), ..step };
        let action = step.action(instance.circumstances());
        let planned = step.planned.clone();
        let plan = Plan {
            planned,
            private: response.planned_private.clone(),
            identity: stored(self.player.subject.engine, &response.planned_identity),
            action,
        };
        self.player.reach(Kind::Resource, &instance.type_name, |reached| reached.planned = true);
        Ok((id, plan))
    }

    /// The separately planned create half of a replacement; `None` if there is none.
    pub(super) async fn second_plan(
        &mut self,
        instance: &Instance,
        first: ExchangeId,
        plan: &Plan,
        config: &Value,
    ) -> Outcome<Option<Plan>> {
        if !plan.action.is_replace() || instance.is_tainted() {
            return Ok(None);
        }
        let basis = PlanBasis {
            private: plan.private.clone(),
            identity: plan.identity.clone().filter(|_| self.player.subject.engine.second_plan_has_identity()),
            ..PlanBasis::nothing(instance)
        };
        let (_, second) = self.plan(instance, Purpose::ReplaceCreate { first }, basis, config).await?;
        Ok(Some(second))
    }

    pub(super) async fn plan_destroy(
        &mut self,
        instance: &Instance,
        object: &Object,
    ) -> Outcome<DestroyPlan> {
        let null = instance.schema.null();
        let request = PlanResourceChangeRequest {
            type_name: instance.type_name.clone(),
            prior_state: instance.encode(&object.value),
            proposed_new_state: instance.encode(&null),
            config: instance.encode(&null),
            prior_private: object.private.clone(),
            provider_meta: self.provider_meta(),
            capabilities: Some(self.capabilities()),
            prior_identity: object.identity.clone(),
            planned_private: Bytes::new(),
        };
        let id = self
            .ask(Purpose::Ordinary, instance.origin(), AnyCall::PlanResourceChange(Call::unanswered(request)))
            .await?;
        self.succeeded(id)?;
        let AnyCall::PlanResourceChange(call) = self.call(id) else { unreachable!("a plan was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        let plan = DestroyPlan {
            private: response.planned_private.clone(),
            identity: stored(self.player.subject.engine, &response.planned_identity),
        };
        let planned = self.decoded(id, &response.planned_state)?;
        let is_deferred = response.deferred.is_some();
        let step = DestroyPlanStep { engine: self.player.subject.engine, planned: &planned, is_deferred };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        Ok(plan)
    }

    pub(super) async fn apply(
        &mut self,
        instance: &mut Instance,
        config: &Value,
        plan: &Plan,
    ) -> Outcome<ExchangeId> {
        let request = ApplyResourceChangeRequest {
            type_name: instance.type_name.clone(),
            prior_state: instance.encode(&instance.prior()),
            planned_state: instance.encode(&plan.planned),
            config: instance.encode(config),
            planned_private: plan.private.clone(),
            provider_meta: self.provider_meta(),
            planned_identity: plan.identity.clone(),
        };
        let id = self
            .ask(
                Purpose::Ordinary,
                instance.origin(),
                AnyCall::ApplyResourceChange(Call::unanswered(request)),
            )
            .await?;
        self.keep(instance, id, &plan.planned)?;
        self.player.reach(Kind::Resource, &instance.type_name, |reached| reached.applied = true);
        Ok(id)
    }

    /// Deletes the object; the configuration of a delete is an untyped null.
    pub(super) async fn delete(
        &mut self,
        instance: &mut Instance,
        purpose: Purpose,
        plan: &DestroyPlan,
    ) -> Outcome<ExchangeId> {
        let null = instance.schema.null();
        let request = ApplyResourceChangeRequest {
            type_name: instance.type_name.clone(),
            prior_state: instance.encode(&instance.prior()),
            planned_state: instance.encode(&null),
            config: instance.encode(&null),
            planned_private: plan.private.clone(),
            provider_meta: self.provider_meta(),
            planned_identity: plan.identity.clone(),
        };
        let id = self
            .ask(purpose, instance.origin(), AnyCall::ApplyResourceChange(Call::unanswered(request)))
            .await?;
        self.keep(instance, id, &null)?;
        Ok(id)
    }

    /// Keeps what an engine would keep of an apply, even if it failed.
    pub(super) fn keep(&mut self, instance: &mut Instance, id: ExchangeId, planned: &Value) -> Outcome<()> {
        let AnyCall::ApplyResourceChange(call) = self.call(id) else {
            unreachable!("an apply was asked for")
        };
        let creates = instance.object.is_none();
        let Ok(response) = &call.outcome else {
            // An object that was being updated when the provider was killed is still in the state, and is
            // destroyed at the end.
            self.player.log().leaves_something |= !planned.is_null() && self.mishap.is_none();
            return self.succeeded(id);
        };
        let has_failed = !self.call(id).succeeded();
        let (private, identity) =
            (response.private.clone(), stored(self.player.subject.engine, &response.new_identity));
        let new = self.decoded(id, &response.new_state)?;
        let step = ApplyStep {
            engine: self.player.subject.engine,
            block: &instance.schema.block,
            planned,
            new: &new,
            has_failed,
            is_legacy: response.legacy_type_system,
        };
        let stop = step.stop();
        if let Some(stop) = stop.as_ref().filter(|stop| stop.kind == CheckKind::Conforms) {
            // No engine can store it. The previous object is still good enough to destroy it.
            return Err(self.stopped(id, stop.to_string()));
        }
        // If the provider itself reports an error, its own message is used.
        let stop = stop.filter(|_| !has_failed);
        let errs = has_failed || stop.is_some();
        if !new.is_null() {
            instance.object = Some(Object {
                value: without_write_only(&instance.schema.block, &new).unknowns_as_nulls(),
                private,
                identity,
                status: if creates && errs { Status::Tainted } else { Status::Ready },
                schema_version: instance.schema.version,
                dependencies: (*instance.dependencies).clone(),
                create_before_destroy: instance.recorded_create_before_destroy,
                provider: instance.provider.clone(),
                origin: if has_failed { PriorOrigin::Failed } else { PriorOrigin::Applied },
            });
        } else if !errs {
            instance.object = None;
        }
        match stop {
            Some(stop) => Err(self.stopped(id, stop.to_string())),
            None => self.succeeded(id),
        }
    }
}
