//! The life of a managed object.

use std::fmt::Display;

use super::ask::{Outcome, Player};
use super::object::{Against, Life, Plan};
use super::{Changed, End};
use crate::core::{Action, FinalPlanStep, PlannedChange};
use crate::scenario::{Intent, Node};
use crate::transcript::{AnyCall, Drift, DriftKind, Exchange, ExchangeId, Purpose, Step};
use crate::value::Value;

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
            let destroyed = self.clean_up(&mut life).await;
            // The first thing that went wrong is the one to tell.
            played = played.and(destroyed);
        }
        self.leaves_something |= life.object.is_some();
        played
    }

    /// Destroys what there is. Where an engine would stop before the delete, the object is deleted all the
    /// same, as it was last known: a test leaves nothing behind that can be got rid of.
    async fn clean_up(&mut self, life: &mut Life) -> Outcome<()> {
        let before = self.transcript.exchanges.len();
        let destroyed = self.destroy(life).await;
        let is_delete = |exchange: &Exchange| matches!(exchange.call, AnyCall::Apply(_));
        let was_asked = self.transcript.exchanges[before..].iter().any(is_delete);
        if let Some(object) = life.object.as_ref().filter(|_| !was_asked) {
            self.step = Step::CleanUp;
            let private = object.private.clone();
            return destroyed.and(self.delete(life, Purpose::Ordinary, private, None).await.map(|_| ()));
        }
        destroyed
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
        let undecided = match unknown {
            Some(unknown) => self.validate(life, unknown).await,
            None => Ok(()),
        };
        // What is refused with unknowns is tried without, to see whether that is why.
        if matches!(undecided, Ok(()) | Err(End::Refused { .. })) {
            self.validate(life, config).await?;
        }
        undecided?;
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
        if create {
            self.next_phase();
        }
        // Of an update the same process is asked twice, and the apply meets one that knows of no plan.
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
        let initially = PlannedChange { action: plan.action, state: plan.planned };
        let finally = PlannedChange { action: last.action, state: last.planned.clone() };
        let (engine, block) = (self.subject.engine, &life.schema.block);
        let step = FinalPlanStep { engine, block, initial: &initially, last: &finally };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
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
}
