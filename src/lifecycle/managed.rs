//! The calls for a managed instance at each vertex, and their order.
//!
//! Beyond what an engine calls, most calls are repeated: a second plan and read must give the same
//! result, and after an apply nothing may be left to do.

use std::fmt::Display;

use super::instance::{DestroyPlan, Instance, InstancePlan, PlanBasis};
use super::player::Impossible;
use super::visit::Visit;
use super::{Changed, End, NOTHING_CHANGES_IT, Outcome, RemoteChange};
use crate::core::{Action, FinalPlanStep, PlannedChange};
use crate::scenario::NewValue;
use crate::transcript::{Drift, DriftKind, ExchangeId, Phase, Purpose};
use crate::value::{SchemaPath, Value};

/// Why a run ends if a read finds no object right after an apply.
pub(super) const GONE: &str = "the object is gone after it was applied";

impl<E: Display> Visit<'_, '_, E> {
    /// Validates a configuration, first while upstream results are unknown.
    ///
    /// If it is refused with unknowns it is tried without, to see whether they are the reason.
    pub(super) async fn validate_both(
        &mut self,
        instance: &Instance,
        unresolved: Option<&Value>,
        resolved: &Value,
    ) -> Outcome<()> {
        let with_unknowns = match unresolved {
            Some(unresolved) => self.validate(instance, unresolved).await,
            None => Ok(()),
        };
        if matches!(with_unknowns, Ok(()) | Err(End::Refused { .. })) {
            self.validate(instance, resolved).await?;
        }
        with_unknowns
    }

    /// Plans without applying: twice, in two processes.
    pub(super) async fn plan_only(
        &mut self,
        instance: &mut Instance,
        config: &Value,
    ) -> Outcome<InstancePlan> {
        self.bring_up_to_date(instance).await?;
        self.phase = phase_of_plan(instance, config);
        let planned = self.plan_change(instance, Purpose::Ordinary, config).await?;
        self.next_process();
        self.repeat_plan(instance, &planned, config).await?;
        Ok(planned)
    }

    /// Plans what will be applied, twice; with `validates` the configuration is validated before.
    pub(super) async fn plan_to_apply(
        &mut self,
        instance: &mut Instance,
        config: &Value,
        validates: bool,
    ) -> Outcome<InstancePlan> {
        let changes_nothing = instance.changes_nothing && instance.is_whole();
        let read = self.bring_up_to_date(instance).await?;
        self.phase = phase_of_plan(instance, config);
        if validates {
            self.validate(instance, config).await?;
        }
        let purpose = match read.filter(|_| changes_nothing) {
            Some(after) => Purpose::NothingChanged { after },
            None => instance.purpose(),
        };
        let planned = self.plan_change(instance, purpose, config).await?;
        // An update is planned twice in the same process, and applied in one that has not seen the plan.
        if instance.object.is_none() {
            self.next_process();
        }
        self.repeat_plan(instance, &planned, config).await?;
        Ok(planned)
    }

    /// Has the object upgraded and read, if there is one. Returns the read, or the upgrade without one.
    pub(super) async fn bring_up_to_date(&mut self, instance: &mut Instance) -> Outcome<Option<ExchangeId>> {
        if instance.object.is_none() {
            return Ok(None);
        }
        self.phase = Phase::Refresh;
        self.upgrade_and_read(instance).await.map(Some)
    }

    /// Reads an object that is no longer configured, in a run that changes nothing.
    pub(super) async fn refresh_orphan(&mut self, instance: &mut Instance) -> Outcome<()> {
        match self.player.subject.engine.plans_orphans_when_it_refreshes() {
            true => self.plan_orphan(instance).await.map(drop),
            false => self.bring_up_to_date(instance).await.map(drop),
        }
    }

    /// Has the object upgraded, and read if it exists and the run reads what it plans with.
    async fn upgrade_and_read(&mut self, instance: &mut Instance) -> Outcome<ExchangeId> {
        let upgraded = self.upgrade(instance, instance.purpose()).await?;
        match instance.is_read() {
            true => self.refresh(instance, instance.purpose()).await,
            false => Ok(upgraded),
        }
    }

    /// One plan, including the second call that a replacement needs.
    pub(super) async fn plan_change(
        &mut self,
        instance: &Instance,
        purpose: Purpose,
        config: &Value,
    ) -> Outcome<InstancePlan> {
        let (initial, mut plan) = self.plan(instance, purpose, PlanBasis::object(instance), config).await?;
        if plan.action.is_replace() && self.phase == Phase::Update {
            self.phase = Phase::Replace;
        }
        if let Some(second) = self.second_plan(instance, initial, &plan, config).await? {
            plan = super::instance::Plan { action: plan.action, ..second };
        }
        Ok(InstancePlan { initial, plan, phase: self.phase })
    }

    async fn repeat_plan(
        &mut self,
        instance: &Instance,
        planned: &InstancePlan,
        config: &Value,
    ) -> Outcome<()> {
        let purpose = Purpose::Repeat { of: planned.initial };
        self.plan(instance, purpose, PlanBasis::object(instance), config).await?;
        Ok(())
    }

    /// Creates or updates the object: the final plan, then the apply. `None` if that turned out to
    /// be no change.
    pub(super) async fn carry_out(
        &mut self,
        instance: &mut Instance,
        planned: InstancePlan,
        config: &Value,
    ) -> Outcome<Option<ExchangeId>> {
        self.phase = if planned.phase == Phase::PlanUnknown { Phase::Create } else { planned.phase };
        if instance.object.is_some() {
            self.upgrade(instance, Purpose::Ordinary).await?;
        }
        self.validate(instance, config).await?;
        let subject = self.player.subject;
        let mut basis = PlanBasis::object(instance);
        if subject.protocol >= 6 && subject.engine.sends_planned_private() {
            basis.planned_private = planned.plan.private.clone();
        }
        let purpose = Purpose::FinalPlan { initial: planned.initial };
        let (id, last) = self.plan(instance, purpose, basis, config).await?;
        let initially = PlannedChange { action: planned.plan.action, state: planned.plan.planned };
        let finally = PlannedChange { action: last.action, state: last.planned.clone() };
        let (engine, block) = (subject.engine, &instance.schema.block);
        let step = FinalPlanStep { engine, block, initial: &initially, last: &finally };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        if last.action == Action::NoOp {
            return Ok(None);
        }
        self.apply(instance, config, &last).await.map(Some)
    }

    /// Checks that nothing is left to do after an apply: storing, reading and planning change nothing.
    pub(super) async fn settle(
        &mut self,
        instance: &mut Instance,
        config: &Value,
        applied: ExchangeId,
    ) -> Outcome<()> {
        self.phase = Phase::Refresh;
        self.upgrade(instance, Purpose::RoundTrip { of: applied }).await?;
        let read = self.refresh(instance, Purpose::NothingChanged { after: applied }).await?;
        if instance.object.is_none() {
            return Err(self.stopped(read, GONE));
        }
        self.refresh(instance, Purpose::Repeat { of: read }).await?;
        self.phase = Phase::NoOp;
        self.validate(instance, config).await?;
        let purpose = Purpose::NothingChanged { after: read };
        self.plan(instance, purpose, PlanBasis::object(instance), config).await?;
        Ok(())
    }

    /// Changes the remote object behind the provider's back; `None` if that is not possible.
    pub(super) async fn change_remotely(
        &self,
        instance: &Instance,
        kind: DriftKind,
        to: Option<&NewValue>,
    ) -> Option<Drift> {
        let note = |at, why| self.player.log().impossible.push(Impossible { kind, at, why });
        let impossible = |why: String| {
            note(to.map(|to| to.path.clone()), why);
            None
        };
        let (Some(remote), Some(object)) = (self.player.remote, &instance.object) else {
            return impossible(NOTHING_CHANGES_IT.to_owned());
        };
        // What is left of a failed create is replaced, whatever becomes of it.
        if !object.is_whole() {
            return impossible("the apply before ended in an error".to_owned());
        }
        let words = self.player.options.words;
        let state = words.renamed_value(&object.value);
        let to = to.map(|to| NewValue { value: words.renamed_json(&to.value), ..to.clone() });
        let Instance { type_name, schema, .. } = instance;
        match remote.change(RemoteChange { type_name, schema, state: &state, kind, to: to.as_ref() }).await {
            Changed::Done { path } => {
                // Another attribute is another drift, which is judged as such.
                if to.is_some_and(|to| SchemaPath::named_by(&path) != SchemaPath::named_by(&to.path)) {
                    const OTHER: &str =
                        "the hook does not say that it changed the `path` that it was asked for";
                    note(None, OTHER.to_owned());
                }
                Some(Drift { kind, path })
            }
            Changed::Impossible { why } => impossible(why),
        }
    }

    /// Reads an object that was changed remotely.
    pub(super) async fn read_drifted(
        &mut self,
        instance: &mut Instance,
        drift: Drift,
    ) -> Outcome<ExchangeId> {
        self.phase = Phase::Drift;
        self.upgrade(instance, Purpose::Ordinary).await?;
        self.refresh(instance, Purpose::AfterDrift(drift)).await
    }

    /// Reads an object that was changed remotely, and plans with the configuration as it was.
    pub(super) async fn plan_after_drift(
        &mut self,
        instance: &mut Instance,
        drift: Drift,
        config: &Value,
    ) -> Outcome<InstancePlan> {
        let kind = drift.kind;
        let read = self.read_drifted(instance, drift).await?;
        self.validate(instance, config).await?;
        let purpose = match kind {
            // The same value in a different spelling is not a change.
            DriftKind::Respell => Purpose::NothingChanged { after: read },
            DriftKind::Change | DriftKind::Vanish | DriftKind::AddElement => Purpose::Ordinary,
        };
        self.plan_change(instance, purpose, config).await
    }

    /// Plans the destruction of an object. `None` if a read finds that it is gone.
    pub(super) async fn plan_to_destroy(&mut self, instance: &mut Instance) -> Outcome<Option<DestroyPlan>> {
        self.upgrade_and_read(instance).await?;
        self.destroy_plan(instance).await
    }

    /// Plans the destruction of an object that is no longer configured. `None` if a read finds that it is gone.
    pub(super) async fn plan_orphan(&mut self, instance: &mut Instance) -> Outcome<Option<DestroyPlan>> {
        if !self.player.subject.engine.plans_orphans_before_reading() {
            return self.plan_to_destroy(instance).await;
        }
        self.upgrade(instance, Purpose::Ordinary).await?;
        let plan = self.destroy_plan(instance).await?;
        if instance.is_read() {
            self.refresh(instance, Purpose::Ordinary).await?;
        }
        Ok(plan.filter(|_| instance.object.is_some()))
    }

    /// Looks at an object that stays in the remote system and not in the state.
    pub(super) async fn plan_to_forget(&mut self, instance: &mut Instance) -> Outcome<()> {
        self.phase = Phase::Refresh;
        match self.player.subject.engine.reads_what_it_forgets() {
            true => self.upgrade_and_read(instance).await.map(drop),
            false => self.upgrade(instance, Purpose::Ordinary).await.map(drop),
        }
    }

    /// The destroy plan: the provider's if it wants to plan destroys, the engine's own otherwise.
    async fn destroy_plan(&mut self, instance: &Instance) -> Outcome<Option<DestroyPlan>> {
        let Some(object) = &instance.object else { return Ok(None) };
        if self.player.subject.schema.capabilities.plan_destroy {
            return self.plan_destroy(instance, object).await.map(Some);
        }
        Ok(Some(DestroyPlan { private: object.private.clone(), identity: None }))
    }

    /// Destroys an object as planned.
    pub(super) async fn destroy(&mut self, instance: &mut Instance, plan: &DestroyPlan) -> Outcome<()> {
        self.upgrade(instance, Purpose::Ordinary).await?;
        self.delete(instance, Purpose::Ordinary, plan).await?;
        Ok(())
    }

    /// Destroys a deposed object, whose destruction is planned when a run is applied.
    pub(super) async fn destroy_deposed(&mut self, instance: &mut Instance) -> Outcome<()> {
        self.upgrade(instance, Purpose::Ordinary).await?;
        let plan = self.destroy_plan(instance).await?;
        self.delete(instance, Purpose::Ordinary, &plan.unwrap_or_default()).await?;
        Ok(())
    }
}

fn phase_of_plan(instance: &Instance, config: &Value) -> Phase {
    match (&instance.object, config.is_wholly_known()) {
        (None, false) => Phase::PlanUnknown,
        (None, true) => Phase::Create,
        (Some(_), _) => Phase::Update,
    }
}
