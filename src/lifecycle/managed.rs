//! The life of a managed object.

use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;

use super::ask::{Outcome, Player};
use super::object::{Object, Plan};
use super::{Changed, End, stops};
use crate::core::{
    Action, Circumstances, Planned, choose_action, prepare_computed_blocks, proposed_new, requires_replace,
};
use crate::rule::misshapen;
use crate::scenario::{Intent, Node};
use crate::schema::Schema;
use crate::transcript::{
    AnyCall, ApplyResourceChangeRequest, Call, Drift, DriftKind, Encoded, ExchangeId,
    PlanResourceChangeRequest, PriorOrigin, Purpose, RawState, ReadResourceRequest, Step,
    UpgradeResourceStateRequest, ValidateResourceConfigRequest,
};
use crate::value::{AttributePath, Value, state_json};

/// The object under test, and what its schema is.
struct Life {
    type_name: String,
    schema: Arc<Schema>,
    /// `None` before it exists and after it is gone.
    object: Option<Object>,
    /// The configuration last applied.
    config: Option<Value>,
}

impl Life {
    fn encode(&self, value: &Value) -> Encoded {
        Encoded::of(value.clone(), self.schema.implied_type())
    }

    fn prior(&self) -> Value {
        self.object.as_ref().map_or_else(|| self.schema.null(), |object| object.state.clone())
    }

    fn origin(&self) -> PriorOrigin {
        self.object.as_ref().map_or(PriorOrigin::None, |object| object.origin)
    }
}

/// What a plan is made against.
struct Against {
    prior: Value,
    private: Bytes,
    identity: Option<Encoded>,
    /// What the initial plan returned, for the plan of the apply phase.
    planned_private: Bytes,
    origin: PriorOrigin,
}

impl Against {
    fn nothing(life: &Life) -> Against {
        Against {
            prior: life.schema.null(),
            private: Bytes::new(),
            identity: None,
            planned_private: Bytes::new(),
            origin: PriorOrigin::None,
        }
    }

    /// A tainted object is planned as if there were none.
    fn object(life: &Life) -> Against {
        match &life.object {
            Some(object) if !object.tainted => Against {
                prior: object.state.clone(),
                private: object.private.clone(),
                identity: object.identity.clone(),
                planned_private: Bytes::new(),
                origin: object.origin,
            },
            _ => Against::nothing(life),
        }
    }
}

impl<E: Display> Player<'_, E> {
    pub(super) async fn managed(&mut self, node: &Node) -> Outcome<()> {
        let schema = self.schema(node);
        let mut life = Life { type_name: node.type_name.clone(), schema, object: None, config: None };
        let mut played = Ok(());
        for intent in &node.steps {
            let leaves_nothing = matches!(intent, Intent::Validate { .. } | Intent::Plan { .. });
            match self.intent(&mut life, intent).await {
                Ok(()) => {}
                // One configuration of a sweep that is refused says nothing about the next.
                Err(refused @ End::Refused { .. }) if leaves_nothing => played = played.and(Err(refused)),
                Err(stop) => {
                    played = Err(stop);
                    break;
                }
            }
        }
        if life.object.is_some() {
            if played.is_err() {
                self.step = Step::CleanUp;
            }
            let destroyed = self.destroy(&mut life).await;
            // The first thing that went wrong is the one to tell.
            played = played.and(destroyed);
        }
        played
    }

    async fn intent(&mut self, life: &mut Life, intent: &Intent) -> Outcome<()> {
        match intent {
            Intent::Validate { config } => {
                self.step = Step::Validate;
                self.validate(life, config).await
            }
            Intent::Plan { config } => self.plan_only(life, config).await,
            Intent::Apply { unknown, config } if self.options.apply => {
                self.bring_to(life, unknown.as_ref(), config).await
            }
            Intent::Apply { unknown, config } => {
                for config in unknown.iter().chain([config]) {
                    self.plan_only(life, config).await?;
                }
                Ok(())
            }
            Intent::Drift { kind } if self.options.apply => self.drift(life, *kind).await,
            Intent::Destroy if life.object.is_some() => self.destroy(life).await,
            Intent::Drift { .. } | Intent::Destroy | Intent::ReadData { .. } => Ok(()),
        }
    }

    /// Validates and plans twice, in two processes, without applying.
    async fn plan_only(&mut self, life: &Life, config: &Value) -> Outcome<()> {
        self.step = Step::Validate;
        self.validate(life, config).await?;
        self.step = if config.is_wholly_known() { Step::Create } else { Step::PlanUnknown };
        let (first, plan) = self.plan(life, Purpose::Ordinary, Against::object(life), config).await?;
        self.second_plan(life, first, &plan, config).await?;
        self.next_phase();
        self.plan(life, Purpose::Repeat { of: first }, Against::object(life), config).await?;
        Ok(())
    }

    /// Takes the object to a configuration: refresh, plan, plan again, apply, and look whether all is quiet.
    async fn bring_to(&mut self, life: &mut Life, unknown: Option<&Value>, config: &Value) -> Outcome<()> {
        self.step = Step::Validate;
        if let Some(unknown) = unknown {
            self.validate(life, unknown).await?;
        }
        self.validate(life, config).await?;
        self.next_phase();
        if life.object.is_some() {
            self.step = Step::Refresh;
            self.upgrade(life, Purpose::Ordinary).await?;
            self.refresh(life, Purpose::Ordinary).await?;
        }
        let create = life.object.is_none();
        self.step = match (create, unknown) {
            (true, Some(_)) => Step::PlanUnknown,
            (true, None) => Step::Create,
            (false, _) => Step::Update,
        };
        let first_config = unknown.unwrap_or(config);
        let (initial, mut plan) =
            self.plan(life, Purpose::Ordinary, Against::object(life), first_config).await?;
        if plan.action.is_replace() {
            self.step = Step::Replace;
        }
        if let Some(second) = self.second_plan(life, initial, &plan, first_config).await? {
            plan.planned = second.planned;
            plan.private = second.private;
            plan.identity = second.identity;
        }
        self.next_phase();
        self.plan(life, Purpose::Repeat { of: initial }, Against::object(life), first_config).await?;
        if plan.action == Action::NoOp {
            return self.leave(life, unknown, config).await;
        }
        self.next_phase();
        self.carry_out(life, initial, plan, config).await
    }

    /// A plan without a change is not carried out, and not planned again either: what was unknown is known
    /// only to the next run.
    async fn leave(&mut self, life: &mut Life, unknown: Option<&Value>, config: &Value) -> Outcome<()> {
        match unknown {
            Some(_) => Box::pin(self.bring_to(life, None, config)).await,
            None => {
                life.config = Some(config.clone());
                Ok(())
            }
        }
    }

    /// The apply phase: the final plan, and what it says.
    async fn carry_out(
        &mut self,
        life: &mut Life,
        initial: ExchangeId,
        plan: Plan,
        config: &Value,
    ) -> Outcome<()> {
        if self.step == Step::PlanUnknown {
            self.step = Step::Create;
        }
        if life.object.is_some() {
            self.upgrade(life, Purpose::Ordinary).await?;
        }
        if plan.action.is_replace() {
            self.delete(life, Purpose::Ordinary, plan.private.clone(), None).await?;
        }
        self.validate(life, config).await?;
        let mut against = Against::object(life);
        if self.subject.protocol >= 6 && self.subject.engine.sends_planned_private() {
            against.planned_private = plan.private.clone();
        }
        let purpose = Purpose::FinalPlan { initial };
        let (id, last) = self.plan(life, purpose, against, config).await?;
        let initially = Planned { action: plan.action, state: plan.planned };
        let finally = Planned { action: last.action, state: last.planned.clone() };
        if let Some(why) = stops::after_final_plan(&life.schema, &initially, &finally, self.subject.engine) {
            return Err(self.stopped(id, why));
        }
        life.config = Some(config.clone());
        if last.action == Action::NoOp {
            return Ok(());
        }
        let applied = self.apply(life, config, &last).await?;
        self.settle(life, config, applied).await
    }

    /// After an apply nothing is left to do: neither by storing, nor by reading, nor by planning.
    async fn settle(&mut self, life: &mut Life, config: &Value, applied: ExchangeId) -> Outcome<()> {
        self.next_phase();
        self.step = Step::Refresh;
        self.upgrade(life, Purpose::RoundTrip { of: applied }).await?;
        let read = self.refresh(life, Purpose::NothingChanged { after: applied }).await?;
        if life.object.is_none() {
            return Err(self.stopped(read, "the object is gone after it was applied"));
        }
        self.refresh(life, Purpose::Repeat { of: read }).await?;
        self.step = Step::NoOp;
        self.validate(life, config).await?;
        self.plan(life, Purpose::NothingChanged { after: read }, Against::object(life), config).await?;
        Ok(())
    }

    async fn drift(&mut self, life: &mut Life, kind: DriftKind) -> Outcome<()> {
        let (Some(remote), Some(object), Some(config)) = (self.remote, &life.object, life.config.clone())
        else {
            self.impossible.push((kind, "there is nothing that can change the remote system".to_owned()));
            return Ok(());
        };
        let path = match remote.change(&life.type_name, &life.schema, &object.state, kind).await {
            Changed::Done { path } => path,
            Changed::Impossible { why } => {
                self.impossible.push((kind, why));
                return Ok(());
            }
        };
        self.next_phase();
        self.step = Step::Drift;
        self.upgrade(life, Purpose::Ordinary).await?;
        let read = self.refresh(life, Purpose::AfterDrift(Drift { kind, path })).await?;
        self.validate(life, &config).await?;
        let purpose = match kind {
            // The same meaning in other words is no change at all.
            DriftKind::Respell => Purpose::NothingChanged { after: read },
            DriftKind::Change | DriftKind::Vanish | DriftKind::AddElement => Purpose::Ordinary,
        };
        let (initial, mut plan) = self.plan(life, purpose, Against::object(life), &config).await?;
        if let Some(second) = self.second_plan(life, initial, &plan, &config).await? {
            plan = Plan { action: plan.action, ..second };
        }
        if plan.action == Action::NoOp {
            return Ok(());
        }
        self.next_phase();
        self.carry_out(life, initial, plan, &config).await
    }

    /// Destroys the object and makes sure that it is gone.
    async fn destroy(&mut self, life: &mut Life) -> Outcome<()> {
        self.next_phase();
        if self.step != Step::CleanUp {
            self.step = Step::Destroy;
        }
        self.upgrade(life, Purpose::Ordinary).await?;
        self.refresh(life, Purpose::Ordinary).await?;
        let Some(object) = life.object.clone() else { return Ok(()) };
        let mut private = object.private.clone();
        let mut identity = None;
        if self.subject.schema.capabilities.plan_destroy {
            (private, identity) = self.plan_destroy(life, &object).await?;
        }
        self.next_phase();
        self.upgrade(life, Purpose::Ordinary).await?;
        self.delete(life, Purpose::Ordinary, private.clone(), identity.clone()).await?;
        self.next_phase();
        if self.step != Step::CleanUp {
            self.step = Step::Gone;
        }
        life.object = Some(object.clone());
        let read = self.refresh(life, Purpose::Gone).await;
        life.object = None;
        read?;
        // As where somebody else deletes the object between an engine's read and its delete.
        self.next_phase();
        life.object = Some(object);
        let again = self.delete(life, Purpose::Gone, private, identity).await;
        life.object = None;
        again.map(|_| ())
    }

    async fn validate(&mut self, life: &Life, config: &Value) -> Outcome<()> {
        let request = ValidateResourceConfigRequest {
            type_name: life.type_name.clone(),
            config: life.encode(config),
            capabilities: Some(self.subject.engine.client_capabilities()),
        };
        let call = AnyCall::ValidateResource(Call::unanswered(request));
        let id = self.ask(Purpose::Ordinary, PriorOrigin::None, call).await?;
        self.succeeded(id)?;
        self.reached.validated = true;
        Ok(())
    }

    /// Stores the object as an engine does, and has it read back.
    async fn upgrade(&mut self, life: &mut Life, purpose: Purpose) -> Outcome<ExchangeId> {
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
        if let Some(why) = stops::after_state(&life.schema, &upgraded, self.subject.engine) {
            return Err(self.stopped(id, why));
        }
        if let Some(object) = &mut life.object {
            object.state = upgraded;
        }
        Ok(id)
    }

    /// Reads the object; afterwards it is what the provider says, or gone.
    async fn refresh(&mut self, life: &mut Life, purpose: Purpose) -> Outcome<ExchangeId> {
        let object = life.object.as_ref().expect("only what exists is read");
        let request = ReadResourceRequest {
            type_name: life.type_name.clone(),
            current_state: life.encode(&object.state),
            private: object.private.clone(),
            provider_meta: self.provider_meta(),
            capabilities: Some(self.subject.engine.client_capabilities()),
            current_identity: object.identity.clone(),
        };
        let tainted = object.tainted;
        let id = self.ask(purpose, life.origin(), AnyCall::Read(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::Read(call) = self.call(id) else { unreachable!("a read was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        if response.deferred.is_some() {
            return Err(self.stopped(id, "the provider deferred although it was not allowed to"));
        }
        let (private, identity) = (response.private.clone(), response.new_identity.clone());
        let state = self.decoded(id, &response.new_state)?;
        if let Some(why) = stops::after_state(&life.schema, &state, self.subject.engine) {
            return Err(self.stopped(id, why));
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

    async fn plan(
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
            capabilities: Some(engine.client_capabilities()),
            prior_identity: against.identity,
            planned_private: against.planned_private,
        };
        let id = self.ask(purpose, against.origin, AnyCall::Plan(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::Plan(call) = self.call(id) else { unreachable!("a plan was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        if response.deferred.is_some() {
            return Err(self.stopped(id, "the provider deferred although it was not allowed to"));
        }
        let planned = self.decoded(id, &response.planned_state)?;
        let legacy = response.legacy_type_system;
        if let Some(why) =
            stops::after_plan(&life.schema, [&against.prior, &config, &planned], legacy, engine)
        {
            return Err(self.stopped(id, why));
        }
        let paths: Vec<AttributePath> = response.requires_replace.iter().map(|path| path.to_path()).collect();
        let required = requires_replace(block, &against.prior, &planned, &paths, engine);
        if let Some(problem) = required.problems.first() {
            return Err(self.stopped(id, format!("{} ({})", problem.message, problem.path)));
        }
        let tainted = life.object.as_ref().filter(|object| object.tainted);
        let circumstances = Circumstances { tainted: tainted.is_some(), ..Circumstances::default() };
        let before = tainted.map_or(&against.prior, |object| &object.state);
        let action = choose_action(block, before, &planned, &required.kept, circumstances, engine);
        let plan = Plan {
            planned,
            private: response.planned_private.clone(),
            identity: response.planned_identity.clone(),
            action,
        };
        self.reached.planned = true;
        Ok((id, plan))
    }

    /// The create half of a replacement, planned by itself; nothing where there is none.
    async fn second_plan(
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

    async fn plan_destroy(&mut self, life: &Life, object: &Object) -> Outcome<(Bytes, Option<Encoded>)> {
        let null = life.schema.null();
        let request = PlanResourceChangeRequest {
            type_name: life.type_name.clone(),
            prior_state: life.encode(&object.state),
            proposed_new_state: life.encode(&null),
            config: life.encode(&null),
            prior_private: object.private.clone(),
            provider_meta: self.provider_meta(),
            capabilities: Some(self.subject.engine.client_capabilities()),
            prior_identity: object.identity.clone(),
            planned_private: Bytes::new(),
        };
        let id = self.ask(Purpose::Ordinary, life.origin(), AnyCall::Plan(Call::unanswered(request))).await?;
        self.succeeded(id)?;
        let AnyCall::Plan(call) = self.call(id) else { unreachable!("a plan was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        let (private, identity) = (response.planned_private.clone(), response.planned_identity.clone());
        if !self.decoded(id, &response.planned_state)?.is_null() {
            return Err(self.stopped(id, "the destroy plan is not null"));
        }
        Ok((private, identity))
    }

    async fn apply(&mut self, life: &mut Life, config: &Value, plan: &Plan) -> Outcome<ExchangeId> {
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
    async fn delete(
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
    fn keep(&mut self, life: &mut Life, id: ExchangeId, planned: &Value) -> Outcome<()> {
        let AnyCall::Apply(call) = self.call(id) else { unreachable!("an apply was asked for") };
        let creates = life.object.is_none();
        let Ok(response) = &call.outcome else { return self.succeeded(id) };
        let failed = !self.call(id).succeeded();
        let (private, identity) = (response.private.clone(), response.new_identity.clone());
        let legacy = response.legacy_type_system;
        let new = self.decoded(id, &response.new_state)?;
        if !misshapen(&life.schema.block, &new).is_empty() {
            // No engine can store it. What was there before still serves to destroy the object.
            return Err(self.stopped(id, "the new state does not conform to the schema"));
        }
        let why = if failed {
            None
        } else {
            stops::after_apply(&life.schema, planned, &new, legacy, self.subject.engine)
        };
        let errs = failed || why.is_some();
        if !new.is_null() {
            let tainted = creates && errs;
            let state = new.unknowns_as_nulls();
            life.object = Some(Object { state, private, identity, tainted, origin: PriorOrigin::Applied });
        } else if !errs {
            life.object = None;
        }
        match why {
            Some(why) => Err(self.stopped(id, why)),
            None => self.succeeded(id),
        }
    }
}
