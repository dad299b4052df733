//! Runs in which a provider only upgrades states that no version of it stored.

use std::fmt::Display;

use super::Outcome;
use super::configuration::Configuration;
use super::graph::in_order;
use super::run::Engine;
use super::task::Task;
use super::visit::Visit;
use crate::generate::stored_state::StoredState;
use crate::scenario::InstanceAddress;
use crate::transcript::{AnyCall, Call, Phase, PriorOrigin, Purpose, UpgradeResourceStateRequest};

impl<E: Display> Engine<'_, '_, E> {
    /// Has the states of a run upgraded. Nothing is kept of them.
    pub async fn upgrade_old_states(&mut self, config: &Configuration<'_>) -> Outcome<()> {
        self.forget();
        self.walk(config, in_order(config.vertices()), Task::UpgradeOldStates, Phase::OldState).await
    }

    /// An error is a proper answer to an odd state; after a crash or a hang the rest is left out.
    pub async fn upgrade_old_states_of(
        &self,
        visit: &mut Visit<'_, '_, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let schema = self.schema(address);
        let arguments = config.planned(address, &self.results());
        let Some(stored) = StoredState::of(&schema, &arguments) else { return Ok(()) };
        for old in &config.run.old_states {
            let Some(raw_state) = stored.altered(old) else { continue };
            let request = UpgradeResourceStateRequest {
                type_name: address.resource.type_name.clone(),
                version: old.version,
                raw_state,
            };
            let call = AnyCall::UpgradeResourceState(Call::unanswered(request));
            let id = visit.ask(Purpose::UpgradeOf(old.clone()), PriorOrigin::Injected, call).await?;
            visit.survived(id)?;
        }
        Ok(())
    }
}
