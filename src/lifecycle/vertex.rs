//! What is done at one vertex of a walk, and what the engine knows afterwards.

use std::fmt::Display;

use super::configuration::Configuration;
use super::graph::{Change, Vertex};
use super::instance::{DestroyPlan, Instance};
use super::refactoring::set_status;
use super::run::{Engine, Target};
use super::task::Task;
use super::visit::Visit;
use super::{End, Outcome};
use crate::calls::Rpc;
use crate::core::Action;
use crate::scenario::{DeposedKey, InstanceAddress, Object, Operation, Status};
use crate::transcript::{Phase, Purpose};
use crate::value::Value;

impl<'p, E: Display> Engine<'_, 'p, E> {
    pub async fn perform(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        task: Task,
        vertex: &Vertex,
    ) -> Outcome<()> {
        let address = &vertex.address;
        visit.mishap = config.run.options.mishap.filter(|_| task == Task::Apply);
        match (task, &vertex.change) {
            (Task::Look | Task::Synthesise, _) if !address.is_managed() => {
                let arguments = config.planned(address, &self.results());
                visit.validate_data(&address.resource.type_name, &self.schema(address), &arguments).await
            }
            (Task::Look, _) => self.look_at(visit, config, address).await,
            (Task::UpgradeOldStates, _) => self.upgrade_old_states_of(visit, config, address).await,
            (Task::Synthesise, _) => self.synthesise_instance(visit, config, address).await,
            (Task::Validate, _) if !address.is_managed() => self.validate_data(visit, config, address).await,
            (Task::Validate, _) => self.validate(visit, config, address).await,
            (Task::Move, _) => self.move_to_type(visit, config, address).await,
            (Task::Plan, Change::Destroy(None)) if config.forgets(address, self.player.subject.engine) => {
                let mut instance = self.instance_of(config, &(address.clone(), None));
                let outcome = visit.plan_to_forget(&mut instance).await;
                self.put(&(address.clone(), None), instance.object);
                outcome
            }
            (Task::Plan, Change::Destroy(deposed)) => {
                visit.phase = Phase::Destroy;
                self.plan_orphan(visit, config, &(address.clone(), *deposed)).await
            }
            (Task::Plan, _) if !address.is_managed() => self.plan_data(visit, config, address).await,
            (Task::Plan, _) => self.plan(visit, config, address).await,
            (Task::Apply, _) if visit.mishap.is_some() && self.has_begun() => Ok(()),
            (Task::Apply, Change::Destroy(None)) => self.destroy_object(visit, config, address).await,
            (Task::Apply, Change::Destroy(deposed)) => {
                self.destroy_deposed(visit, config, &(address.clone(), *deposed)).await
            }
            (Task::Apply, Change::DestroyReplaced) => self.destroy_replaced(visit, config, address).await,
            (Task::Apply, Change::Apply) if !address.is_managed() => {
                self.read_data(visit, config, address).await
            }
            (Task::Apply, Change::Apply) => self.carry_out(visit, config, address).await,
            (Task::Settle, _) => self.settle_instance(visit, config, address).await,
            (Task::Refresh, Change::Destroy(deposed)) => {
                let target = (address.clone(), *deposed);
                let mut instance = self.instance_of(config, &target);
                let drift = self.known().drifts.get(address).cloned().filter(|_| deposed.is_none());
                let is_orphan = deposed.is_none() && config.is_orphan(address);
                let outcome = match drift {
                    Some(drift) => visit.read_drifted(&mut instance, drift).await.map(drop),
                    None if is_orphan => visit.refresh_orphan(&mut instance).await,
                    None => visit.bring_up_to_date(&mut instance).await.map(drop),
                };
                if deposed.is_none() {
                    self.known().results.insert(address.clone(), instance.prior());
                }
                self.put(&target, instance.object);
                outcome
            }
            (Task::Refresh, _) if !address.is_managed() => self.plan_data(visit, config, address).await,
            (Task::Refresh, _) => Ok(()),
            (Task::PlanToDestroy, change) => {
                self.plan_to_destroy(visit, config, &(address.clone(), change.deposed())).await
            }
            (Task::ReadGone, _) => {
                let (mut instance, _) = self.destroyed(config, address);
                visit.refresh(&mut instance, Purpose::Gone).await.map(|_| ())
            }
            (Task::DeleteGone, _) => {
                let (mut instance, plan) = self.destroyed(config, address);
                visit.delete(&mut instance, Purpose::Gone, &plan).await.map(|_| ())
            }
            (Task::Delete, change) => {
                let target = (address.clone(), change.deposed());
                let mut instance = self.instance_of(config, &target);
                let private = instance.object.as_ref().map(|object| object.private.clone());
                let plan = DestroyPlan { private: private.unwrap_or_default(), identity: None };
                let outcome = visit.delete(&mut instance, Purpose::Ordinary, &plan).await;
                self.put(&target, instance.object);
                outcome.map(|_| ())
            }
        }
    }

    /// Whether this was asked before in the run.
    fn has_begun(&self) -> bool {
        std::mem::replace(&mut self.known().has_begun, true)
    }

    /// Validates, and plans if the run plans, or would apply if allowed.
    async fn look_at(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let mut instance = self.instance_of(config, &(address.clone(), None));
        if let Some(import) = config.import_of(address).filter(|import| import.generates) {
            return match self.importable(&import.forgotten) {
                Some(existing) => visit.plan_generated(&mut instance, &existing, import.by).await,
                None => Ok(()),
            };
        }
        let arguments = config.planned(address, &self.results());
        visit.validate(&instance, &arguments).await?;
        if config.run.options.operation == Operation::Validate {
            return Ok(());
        }
        let planned = visit.plan_only(&mut instance, &arguments).await?;
        self.known().results.insert(address.clone(), planned.plan.planned);
        Ok(())
    }

    async fn validate(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let instance = self.instance_of(config, &(address.clone(), None));
        let (unresolved, resolved) = self.both(config, address);
        visit.validate_both(&instance, unresolved.as_ref(), &resolved).await
    }

    async fn plan(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let target = (address.clone(), None);
        let mut instance = self.instance_of(config, &target);
        let arguments = config.planned(address, &self.results());
        let drift = self.known().drifts.get(address).cloned();
        let import = config.import_of(address).filter(|_| instance.object.is_none());
        let import = import.and_then(|import| Some((import, self.importable(&import.forgotten)?)));
        let planned = match (drift, &import) {
            (Some(drift), _) => visit.plan_after_drift(&mut instance, drift, &arguments).await,
            (None, Some((import, existing))) => {
                visit.plan_import(&mut instance, existing, import.by, &arguments).await
            }
            (None, None) => visit.plan_to_apply(&mut instance, &arguments, config.refers(address)).await,
        };
        if let Some((import, _)) = import.filter(|_| instance.object.is_some()) {
            self.known().forgotten.remove(&import.forgotten);
        }
        let is_no_op = planned.as_ref().is_ok_and(|planned| planned.plan.action == Action::NoOp);
        instance.record_order(is_no_op);
        let prior = instance.prior();
        self.put(&target, instance.object);
        let planned = planned?;
        let mut known = self.known();
        let result = if is_no_op { &prior } else { &planned.plan.planned };
        known.results.insert(address.clone(), result.clone());
        known.plans.insert(address.clone(), planned);
        Ok(())
    }

    /// Creates, updates or replaces; if a replacement destroys first, the old object is already gone.
    async fn carry_out(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let target = (address.clone(), None);
        let planned = self.known().plans[address].clone();
        let action = planned.plan.action;
        let deposed = {
            let mut known = self.known();
            let engine = self.player.subject.engine;
            match action {
                _ if action.is_replace() && config.forgets_replaced(address, &known.state, engine) => {
                    known.forget_current(address);
                    None
                }
                Action::CreateThenDelete => known.state.depose(address),
                _ => None,
            }
        };
        let mut instance = self.instance_of(config, &target);
        let arguments = config.applied(address, &self.results());
        let applied = visit.carry_out(&mut instance, planned, &arguments).await;
        let result = instance.prior();
        self.put(&target, instance.object);
        let mut known = self.known();
        if let Some(key) = deposed {
            known.state.restore(address, key);
            known.replaced.insert(address.clone(), key);
        }
        known.results.insert(address.clone(), result);
        if let (Action::Update, Err(End::Refused { rpc: Rpc::ApplyResourceChange, .. })) = (action, &applied)
        {
            known.refused_updates.insert(address.clone());
        }
        let Some(applied) = applied? else { return Ok(()) };
        if action != Action::Update && config.instances[address].meta.provisioner_fails {
            set_status(&mut known.state, address, Status::Tainted);
            known.failed_provisioners.insert(address.clone());
            return Ok(());
        }
        known.applied.insert(address.clone(), applied);
        Ok(())
    }

    async fn settle_instance(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let target = (address.clone(), None);
        let mut instance = self.instance_of(config, &target);
        let applied = self.known().applied[address];
        let arguments = config.applied(address, &self.results());
        let outcome = visit.settle(&mut instance, &arguments, applied).await;
        self.put(&target, instance.object);
        outcome
    }
}

/// What the engine knows about one instance.
impl<E: Display> Engine<'_, '_, E> {
    pub fn schema(&self, address: &InstanceAddress) -> std::sync::Arc<crate::schema::Schema> {
        let (kind, name) = (address.resource.kind, &address.resource.type_name);
        let schema = self.player.subject.schema.get(kind, name);
        schema.cloned().expect("scenarios are made from the provider's own schema")
    }

    /// An instance with that object of the state.
    pub fn instance_of(&self, config: &Configuration<'_>, (address, deposed): &Target) -> Instance {
        let is_triggered = self.is_triggered(config, address);
        let known = self.known();
        let state = known.state.instances.get(address);
        let object = state.and_then(|state| match deposed {
            Some(key) => state.deposed.get(key),
            None => state.current.as_ref(),
        });
        let block = config.instances.get(address);
        Instance {
            type_name: address.resource.type_name.clone(),
            schema: self.schema(address),
            object: object.cloned(),
            create_before_destroy: config.creates_first(&address.resource),
            recorded_create_before_destroy: config.records_create_before_destroy(address)
                || known.created_first.contains(address),
            ignore_changes: block.and_then(|block| block.meta.lifecycle.ignore_changes.clone()),
            replace: is_triggered || config.replaces(address),
            changes_nothing: config.run.changes_nothing,
            without_refresh: config.run.options.without_refresh,
            dependencies: config.dependencies(&address.resource),
            provider: match block {
                Some(block) => block.meta.provider.clone(),
                None => object.and_then(|object| object.provider.clone()),
            },
            type_move: known.type_moves.get(address).filter(|_| deposed.is_none()).cloned(),
        }
    }

    /// An object that was destroyed, as it was before, and how that was planned.
    fn destroyed(&self, config: &Configuration<'_>, address: &InstanceAddress) -> (Instance, DestroyPlan) {
        let (object, plan) = self.known().destroyed[address].clone();
        let instance = self.instance_of(config, &(address.clone(), None));
        (Instance { object: Some(object), ..instance }, plan)
    }

    /// Stores the new version of an object, or removes it.
    pub fn put(&self, (address, deposed): &Target, object: Option<Object>) {
        let state = &mut self.known().state;
        match (deposed, object) {
            (None, object) => state.set_current(address, object),
            (Some(key), None) => state.remove_deposed(address, *key),
            (Some(key), Some(object)) => {
                state.instances.entry(address.clone()).or_default().deposed.insert(*key, object);
            }
        }
    }

    /// The values of references to other instances.
    pub fn results(&self) -> impl Fn(&InstanceAddress) -> Option<Value> {
        |of| self.known().results.get(of).cloned()
    }

    /// The arguments before upstream results exist, if that makes a difference, and after.
    /// References are unknown: no engine has read any object when it validates.
    pub fn both(&self, config: &Configuration<'_>, address: &InstanceAddress) -> (Option<Value>, Value) {
        let resolved = config.applied(address, &|_| None);
        let has_upstream = config.instances[address].arguments.has_upstream() && !config.is_resolved();
        (has_upstream.then(|| config.planned(address, &|_| None)), resolved)
    }
}

impl Change {
    fn deposed(&self) -> Option<DeposedKey> {
        match self {
            Change::Destroy(deposed) => *deposed,
            Change::Apply | Change::DestroyReplaced => None,
        }
    }
}
