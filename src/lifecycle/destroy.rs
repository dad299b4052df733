//! Destroying objects: how that is planned, and how it is done.

use std::fmt::Display;

use super::Outcome;
use super::configuration::Configuration;
use super::instance::{DestroyPlan, Instance};
use super::run::{Engine, Target};
use super::visit::Visit;
use crate::scenario::InstanceAddress;
use crate::transcript::{Phase, Purpose};

impl<'p, E: Display> Engine<'_, 'p, E> {
    pub(super) async fn plan_to_destroy(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        target: &Target,
    ) -> Outcome<()> {
        let mut instance = self.instance_of(config, target);
        let planned = visit.plan_to_destroy(&mut instance).await;
        self.keep_destroy_plan(target, instance, planned)
    }

    /// The same for an object that is no longer configured, or that is deposed.
    pub(super) async fn plan_orphan(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        target: &Target,
    ) -> Outcome<()> {
        let mut instance = self.instance_of(config, target);
        let planned = match target {
            (_, None) => visit.plan_orphan(&mut instance).await,
            (_, Some(_)) => visit.plan_to_destroy(&mut instance).await,
        };
        self.keep_destroy_plan(target, instance, planned)
    }

    fn keep_destroy_plan(
        &self,
        target: &Target,
        instance: Instance,
        planned: Outcome<Option<DestroyPlan>>,
    ) -> Outcome<()> {
        self.put(target, instance.object);
        if let Some(plan) = planned? {
            self.known().destroy_plans.insert(target.clone(), plan);
        }
        Ok(())
    }

    /// Destroys a current object, or the old object of a replacement that destroys first.
    pub(super) async fn destroy_object(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let target = (address.clone(), None);
        let mut instance = self.instance_of(config, &target);
        let (planned, replacement) = {
            let known = self.known();
            (known.destroy_plans.get(&target).cloned(), known.plans.get(address).cloned())
        };
        let plan = match (planned, replacement) {
            (Some(plan), _) => plan,
            (None, Some(replacement)) => {
                visit.phase = replacement.phase;
                let plan = DestroyPlan { private: replacement.plan.private, identity: None };
                let outcome = visit.destroy(&mut instance, &plan).await;
                self.put(&target, instance.object);
                return outcome;
            }
            (None, None) => return Ok(()),
        };
        let outcome = visit.upgrade(&mut instance, Purpose::Ordinary).await;
        let before = instance.object.clone();
        let outcome = match outcome {
            Ok(_) => {
                self.known().deletes.insert(address.clone());
                visit.delete(&mut instance, Purpose::Ordinary, &plan).await.map(|_| ())
            }
            Err(end) => Err(end),
        };
        if let (Ok(()), None, Some(object)) = (&outcome, &instance.object, before) {
            self.known().destroyed.insert(address.clone(), (object, plan));
        }
        self.put(&target, instance.object);
        outcome
    }

    /// Destroys the old object of a replacement that creates first.
    pub(super) async fn destroy_replaced(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let Some(key) = self.known().replaced.get(address).copied() else { return Ok(()) };
        visit.phase = Phase::Replace;
        self.destroy_deposed(visit, config, &(address.clone(), Some(key))).await
    }

    /// Destroys a deposed object. An engine plans that once more before it does it.
    pub(super) async fn destroy_deposed(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        target: &Target,
    ) -> Outcome<()> {
        let mut instance = self.instance_of(config, target);
        let outcome = visit.destroy_deposed(&mut instance).await;
        self.put(target, instance.object);
        outcome
    }
}
