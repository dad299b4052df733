//! Runs that are only planned, on states that are made up from the plans.
//!
//! Where nothing may be applied, this is how updates, replacements, upgrades and destroys are planned
//! at all. The state is what was planned, with something plain in place of each unknown
//! ([`synthesis`]). It is never read, applied or deleted: nothing like it exists.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::clean_up::unless_refused;
use super::configuration::Configuration;
use super::graph::in_order;
use super::instance::{Instance, InstancePlan, PlanBasis};
use super::run::Engine;
use super::task::Task;
use super::visit::Visit;
use super::{End, Outcome};
use crate::core::Action;
use crate::generate::synthesis;
use crate::scenario::{EngineRun, InstanceAddress, Object, Status};
use crate::transcript::{Encoded, Phase, PriorOrigin, Purpose};
use crate::value::Value;

impl<E: Display> Engine<'_, '_, E> {
    /// Plans a run, with its unknown values too, and makes up the state that an apply might leave.
    pub async fn synthesise(&mut self, config: &Configuration<'_>) -> Outcome<()> {
        let looked = if config.has_upstream() { self.look(config).await } else { Ok(()) };
        // The unknown values may be the reason for a refusal.
        if !matches!(looked, Ok(()) | Err(End::Refused { .. })) {
            return looked;
        }
        self.forget();
        let resolved = config.resolved();
        let graph = in_order(resolved.vertices());
        let known = self.walk(&resolved, graph, Task::Synthesise, Phase::Validate).await;
        self.first_refused(looked, known)
    }

    pub async fn synthesise_instance(
        &self,
        visit: &mut Visit<'_, '_, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let target = (address.clone(), None);
        let mut instance = self.instance_of(config, &target);
        let is_real = instance.object.is_some() && !instance.is_synthesised();
        let arguments = config.planned(address, &self.results());
        visit.validate(&instance, &arguments).await?;
        let planned = visit.plan_only(&mut instance, &arguments).await?;
        if is_real || !arguments.is_wholly_known() {
            self.known().results.insert(address.clone(), planned.plan.planned);
            return Ok(());
        }
        let settled = visit.settle_synthesised(&mut instance, planned, &arguments).await;
        self.known().results.insert(address.clone(), instance.prior());
        self.put(&target, instance.object);
        settled
    }

    /// Plans the destruction of everything that was made up, where the provider plans destroys.
    ///
    /// A refusal ends nothing, for the values are ours; it is asked for once more, in another process.
    pub async fn plan_to_destroy_synthesised(&mut self) -> Outcome<()> {
        let nothing = EngineRun::destroy();
        let config = Configuration::of(&nothing)?;
        let made_up: BTreeSet<InstanceAddress> = self.known().state.synthesised().cloned().collect();
        let mut planned = Ok(());
        if made_up.is_empty() || !self.player.subject.schema.capabilities.plan_destroy {
            return planned;
        }
        for _ in 0..2 {
            self.forget();
            self.turn += 1;
            let objects = in_order(self.objects(&config, |address| made_up.contains(address)));
            planned = self.walk(&config, objects, Task::PlanToDestroy, Phase::Destroy).await;
            if !matches!(planned, Err(End::Refused { .. })) {
                break;
            }
        }
        planned.or_else(unless_refused)
    }
}

impl<E: Display> Visit<'_, '_, E> {
    /// Makes up the object that an apply of the plan might leave, and checks that nothing is left to do:
    /// storing and planning change nothing. An object that the provider refuses is forgotten.
    async fn settle_synthesised(
        &mut self,
        instance: &mut Instance,
        planned: InstancePlan,
        config: &Value,
    ) -> Outcome<()> {
        if planned.plan.action == Action::NoOp {
            return Ok(());
        }
        let initial = planned.initial;
        instance.object = Some(self.synthesised(instance, planned));
        let settled = async {
            self.phase = Phase::Refresh;
            let stored = self.upgrade(instance, Purpose::RoundTrip { of: initial }).await?;
            self.phase = Phase::NoOp;
            let purpose = Purpose::NothingChanged { after: stored };
            self.plan(instance, purpose, PlanBasis::object(instance), config).await
        };
        match settled.await {
            // The reason may be a value that we made up.
            Err(End::Refused { .. }) => {
                instance.object = None;
                Ok(())
            }
            settled => settled.map(drop),
        }
    }

    fn synthesised(&self, instance: &Instance, planned: InstancePlan) -> Object {
        let (subject, plan) = (self.player.subject, planned.plan);
        let value = synthesis::state(&instance.schema.block, &plan.planned);
        let schema = subject.identity(&instance.type_name).filter(|_| subject.engine.knows_identity());
        let identity = schema.and_then(|schema| {
            let planned = plan.identity.as_ref().and_then(Encoded::value);
            let identity = synthesis::identity(schema, planned, &value)?;
            Some(Encoded::of(identity, &schema.implied_type()))
        });
        Object {
            value,
            private: plan.private,
            identity,
            status: Status::Ready,
            schema_version: instance.schema.version,
            dependencies: (*instance.dependencies).clone(),
            create_before_destroy: instance.create_before_destroy,
            provider: instance.provider.clone(),
            origin: PriorOrigin::Synthesised,
        }
    }
}
