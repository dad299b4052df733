//! Data sources: when they are read, and the calls for it. They are validated, and read twice.

use std::fmt::Display;

use super::configuration::Configuration;
use super::run::Engine;
use super::visit::Visit;
use super::{End, Outcome};
use crate::core::{Action, placeholder_object, refused_deferral};
use crate::scenario::{InstanceAddress, ResourceAddress};
use crate::schema::{Kind, Schema};
use crate::transcript::{
    AnyCall, Call, Encoded, Phase, PriorOrigin, Purpose, ReadDataSourceRequest,
    ValidateDataResourceConfigRequest,
};
use crate::value::Value;

impl<'p, E: Display> Engine<'_, 'p, E> {
    pub(super) async fn validate_data(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let schema = self.schema(address);
        let (unresolved, resolved) = self.both(config, address);
        let type_name = &address.resource.type_name;
        visit.validate_data_both(type_name, &schema, unresolved.as_ref(), &resolved).await
    }

    /// Reads a data source whose configuration is known, unless something that it depends on is to be
    /// changed, and defers others until apply.
    pub(super) async fn plan_data(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let arguments = config.planned(address, &self.results());
        if arguments.is_wholly_known() && !self.waits_for_changes(config, address) {
            return self.read_data(visit, config, address).await;
        }
        let (schema, engine) = (self.schema(address), self.player.subject.engine);
        let mut known = self.known();
        known.results.insert(address.clone(), placeholder_object(&schema.block, &arguments, engine));
        known.deferred_reads.insert(address.clone());
        Ok(())
    }

    /// Whether a managed block that it refers to, or that its `depends_on` names, is to be changed: what is read
    /// may depend on it. Engines look no further than that, and not at deposed objects.
    fn waits_for_changes(&self, config: &Configuration<'_>, address: &InstanceAddress) -> bool {
        let named = config.instances[address].dependencies();
        let known = self.known();
        let changes = |resource: &ResourceAddress| {
            known.plans_of(resource).any(|planned| planned.plan.action != Action::NoOp)
        };
        let mut destroyed = known.destroy_plans.keys().filter(|(_, deposed)| deposed.is_none());
        named.iter().any(changes) || destroyed.any(|(of, _)| named.contains(&of.resource))
    }

    pub(super) async fn read_data(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let arguments = config.applied(address, &self.results());
        let (type_name, schema) = (&address.resource.type_name, self.schema(address));
        if config.refers(address) {
            visit.validate_data(type_name, &schema, &arguments).await?;
        }
        let found = visit.read_data(type_name, &schema, &arguments).await?;
        self.known().results.insert(address.clone(), found);
        Ok(())
    }
}

impl<E: Display> Visit<'_, '_, E> {
    /// Validates a configuration, first while upstream results are unknown.
    ///
    /// If it is refused with unknowns it is tried without, to see whether they are the reason.
    pub(super) async fn validate_data_both(
        &mut self,
        type_name: &str,
        schema: &Schema,
        unresolved: Option<&Value>,
        resolved: &Value,
    ) -> Outcome<()> {
        let with_unknowns = match unresolved {
            Some(unresolved) => self.validate_data(type_name, schema, unresolved).await,
            None => Ok(()),
        };
        if matches!(with_unknowns, Ok(()) | Err(End::Refused { .. })) {
            self.validate_data(type_name, schema, resolved).await?;
        }
        with_unknowns
    }

    pub(super) async fn validate_data(
        &mut self,
        type_name: &str,
        schema: &Schema,
        config: &Value,
    ) -> Outcome<()> {
        let request = ValidateDataResourceConfigRequest {
            type_name: type_name.to_owned(),
            config: Encoded::of(config.clone(), schema.implied_type()),
        };
        let id = self
            .ask(
                Purpose::Ordinary,
                PriorOrigin::None,
                AnyCall::ValidateDataResourceConfig(Call::unanswered(request)),
            )
            .await?;
        self.succeeded(id)?;
        self.player.reach(Kind::DataSource, type_name, |reached| reached.validated = true);
        Ok(())
    }

    /// Reads a data source twice, in two processes, and returns what the last read found.
    pub(super) async fn read_data(
        &mut self,
        type_name: &str,
        schema: &Schema,
        config: &Value,
    ) -> Outcome<Value> {
        self.phase = Phase::Data;
        let mut first = None;
        let mut found = schema.null();
        for _ in 0..2 {
            let request = ReadDataSourceRequest {
                type_name: type_name.to_owned(),
                config: Encoded::of(config.clone(), schema.implied_type()),
                provider_meta: self.provider_meta(),
                capabilities: Some(self.capabilities()),
            };
            let purpose = first.map_or(Purpose::Ordinary, |of| Purpose::Repeat { of });
            let id = self
                .ask(purpose, PriorOrigin::None, AnyCall::ReadDataSource(Call::unanswered(request)))
                .await?;
            self.succeeded(id)?;
            let AnyCall::ReadDataSource(call) = self.call(id) else {
                unreachable!("a data source was asked for")
            };
            let answer = call.outcome.as_ref().expect("the answer succeeded");
            if let Some(stop) = refused_deferral(self.player.subject.engine, answer.deferred.is_some()) {
                return Err(self.stopped(id, stop.to_string()));
            }
            // An answer that does not decode is left to the rules.
            found = answer.state.value().cloned().unwrap_or(found);
            first = Some(id);
            self.next_process();
        }
        self.player.reach(Kind::DataSource, type_name, |reached| reached.read = true);
        Ok(found)
    }
}
