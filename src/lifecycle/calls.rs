//! The calls about a managed instance, each with what an engine keeps of its answer.

use std::fmt::Display;

use bytes::Bytes;

use super::instance::{DestroyPlan, Instance, Plan, PlanBasis};
use super::visit::Visit;
use super::{End, Outcome, stops};
use crate::core::{
    choose_action, ignore_changes, ignore_changes_in_legacy_plan, prepare_computed_blocks, proposed_new,
    requires_replace, without_write_only,
};
use crate::rule::misshapen;
use crate::scenario::{Object, Status};
use crate::transcript::{
    AnyCall, ApplyResourceChangeRequest, Call, Encoded, ExchangeId, PlanResourceChangeRequest, PriorOrigin,
    Purpose, RawState, ReadResourceRequest, UpgradeResourceStateRequest, ValidateResourceConfigRequest,
};
use crate::value::{AttributePath, Value, state_json};

/// Why an engine stops at a deferred answer.
pub(super) const DEFERRED: &str = "the provider deferred although it was not allowed to";

/// The identity that an engine keeps: a null is none.
fn stored(identity: &Option<Encoded>) -> Option<Encoded> {
    identity.clone().filter(|identity| !identity.value().is_some_and(Value::is_null))
}

impl<E: Display> Visit<'_, '_, E> {
    pub(super) async fn validate(&mut self, instance: &Instance, config: &Value) -> Outcome<()> {
        let request = ValidateResourceConfigRequest {
            type_name: instance.type_name.clone(),
            config: instance.encode(config),
            capabilities: Some(self.player.subject.client_capabilities()),
        };
        let call = AnyCall::ValidateResourceConfig(Call::unanswered(request));
        let id = self.ask(Purpose::Ordinary, PriorOrigin::None, call).await?;
        self.succeeded(id)?;
        self.player.log().reached.validated = true;
        Ok(())
    }

    /// Stores the object as an engine does, and has it read back.
    pub(super) async fn upgrade(&mut self, instance: &mut Instance, purpose: Purpose) -> Outcome<ExchangeId> {
        let object = instance.object.as_ref().expect("only what exists is stored");
        let json = state_json::encode(&object.value, instance.schema.implied_type());
        let json = json.map_err(|error| End::Stopped {
            step: self.step,
            rpc: "UpgradeResourceState",
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
        if let Some(why) = stops::after_state(&instance.schema, &upgraded, self.player.subject.engine) {
            return Err(self.stopped(id, why));
        }
        if let Some(object) = &mut instance.object {
            object.value = upgraded;
            object.schema_version = instance.schema.version;
        }
        Ok(id)
    }

    /// Reads the object; afterwards it is what the provider says, or gone.
    pub(super) async fn refresh(&mut self, instance: &mut Instance, purpose: Purpose) -> Outcome<ExchangeId> {
        let object = instance.object.as_ref().expect("only what exists is read");
        let request = ReadResourceRequest {
            type_name: instance.type_name.clone(),
            current_state: instance.encode(&object.value),
            private: object.private.clone(),
            provider_meta: self.provider_meta(),
            capabilities: Some(self.player.subject.client_capabilities()),
            current_identity: object.identity.clone(),
        };
        let before = object.clone();
        let id =
            self.ask(purpose, instance.origin(), AnyCall::ReadResource(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::ReadResource(call) = self.call(id) else { unreachable!("a read was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        if response.deferred.is_some() && self.player.subject.engine.knows_deferral() {
            return Err(self.stopped(id, DEFERRED));
        }
        let (private, identity) = (response.private.clone(), stored(&response.new_identity));
        let state = self.decoded(id, &response.new_state)?;
        if let Some(why) = stops::after_state(&instance.schema, &state, self.player.subject.engine) {
            return Err(self.stopped(id, why));
        }
        let state = if crate::core::normalizes_reads(&instance.schema.block, self.player.subject.engine) {
            crate::core::normalize_legacy(&instance.schema.block, &state)
        } else {
            state
        };
        instance.object = (!state.is_null()).then(|| Object {
            value: state.unknowns_as_nulls(),
            private,
            identity,
            origin: PriorOrigin::Applied,
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
            capabilities: Some(self.player.subject.client_capabilities()),
            prior_identity: basis.identity,
            planned_private: basis.planned_private,
        };
        let id =
            self.ask(purpose, basis.origin, AnyCall::PlanResourceChange(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::PlanResourceChange(call) = self.call(id) else { unreachable!("a plan was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        if response.deferred.is_some() && self.player.subject.engine.knows_deferral() {
            return Err(self.stopped(id, DEFERRED));
        }
        let planned = self.decoded(id, &response.planned_state)?;
        let legacy = response.legacy_type_system;
        if let Some(why) =
            stops::after_plan(&instance.schema, [&basis.prior, &config, &planned], legacy, engine)
        {
            return Err(self.stopped(id, why));
        }
        let planned = match ignored.filter(|_| legacy) {
            Some(ignored) => ignore_changes_in_legacy_plan(&basis.prior, &planned, ignored),
            None => planned,
        };
        let paths: Vec<AttributePath> = response.requires_replace.iter().map(|path| path.to_path()).collect();
        let required = requires_replace(block, &basis.prior, &planned, &paths, engine);
        if let Some(problem) = required.problems.first() {
            return Err(self.stopped(id, format!("{} ({})", problem.message, problem.path)));
        }
        let tainted = instance.object.as_ref().filter(|object| object.is_tainted());
        let before = tainted.map_or(&basis.prior, |object| &object.value);
        let circumstances = instance.circumstances();
        let action = choose_action(block, before, &planned, &required.kept, circumstances, engine);
        let plan = Plan {
            planned,
            private: response.planned_private.clone(),
            identity: stored(&response.planned_identity),
            action,
        };
        self.player.log().reached.planned = true;
        Ok((id, plan))
    }

    /// The create half of a replacement, planned by itself; nothing where there is none.
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
            capabilities: Some(self.player.subject.client_capabilities()),
            prior_identity: object.identity.clone(),
            planned_private: Bytes::new(),
        };
        let id = self
            .ask(Purpose::Ordinary, instance.origin(), AnyCall::PlanResourceChange(Call::unanswered(request)))
            .await?;
        self.succeeded(id)?;
        let AnyCall::PlanResourceChange(call) = self.call(id) else { unreachable!("a plan was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        if response.deferred.is_some() && self.player.subject.engine.knows_deferral() {
            return Err(self.stopped(id, DEFERRED));
        }
        let plan = DestroyPlan {
            private: response.planned_private.clone(),
            identity: stored(&response.planned_identity),
        };
        if !self.decoded(id, &response.planned_state)?.is_null() {
            return Err(self.stopped(id, "the destroy plan is not null"));
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
        self.player.log().reached.applied = true;
        Ok(id)
    }

    /// Deletes the object; the configuration of a delete is a null of no type.
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

    /// Keeps what an engine would keep of an apply, even of one that failed.
    pub(super) fn keep(&mut self, instance: &mut Instance, id: ExchangeId, planned: &Value) -> Outcome<()> {
        let AnyCall::ApplyResourceChange(call) = self.call(id) else {
            unreachable!("an apply was asked for")
        };
        let creates = instance.object.is_none();
        let Ok(response) = &call.outcome else {
            self.player.log().leaves_something |= !planned.is_null();
            return self.succeeded(id);
        };
        let failed = !self.call(id).succeeded();
        let (private, identity) = (response.private.clone(), stored(&response.new_identity));
        let legacy = response.legacy_type_system;
        let new = self.decoded(id, &response.new_state)?;
        if !misshapen(&instance.schema.block, &new).is_empty() {
            // No engine can store it. What was there before still serves to destroy the object.
            return Err(self.stopped(id, "the new state does not conform to the schema"));
        }
        let why = if failed {
            None
        } else {
            stops::after_apply(&instance.schema, planned, &new, legacy, self.player.subject.engine)
        };
        let errs = failed || why.is_some();
        if !new.is_null() {
            instance.object = Some(Object {
                value: without_write_only(&instance.schema.block, &new).unknowns_as_nulls(),
                private,
                identity,
                status: if creates && errs { Status::Tainted } else { Status::Ready },
                schema_version: instance.schema.version,
                dependencies: instance.dependencies.clone(),
                create_before_destroy: instance.create_before_destroy,
                origin: PriorOrigin::Applied,
            });
        } else if !errs {
            instance.object = None;
        }
        match why {
            Some(why) => Err(self.stopped(id, why)),
            None => self.succeeded(id),
        }
    }
}
