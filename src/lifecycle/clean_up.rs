//! Destroying what exists, and what is asked about it afterwards.

use std::fmt::Display;

use super::configuration::Configuration;
use super::graph::{Change, in_order, of_changes, unordered};
use super::run::Engine;
use super::task::Task;
use super::{End, Outcome};
use crate::calls::Rpc;
use crate::scenario::{EngineRun, InstanceAddress};
use crate::transcript::Phase;

impl<E: Display> Engine<'_, '_, E> {
    /// Destroys everything, and checks that it is gone.
    pub async fn destroy(&mut self, phase: Phase) -> Outcome<()> {
        let nothing = EngineRun::destroy();
        let config = Configuration::of(&nothing)?;
        self.forget();
        let objects = self.objects(&config, |_| true);
        if objects.is_empty() {
            return Ok(());
        }
        self.turn += 1;
        self.walk(&config, in_order(objects), Task::PlanToDestroy, phase).await?;
        let changes = self.changes(&config);
        if changes.is_empty() {
            return Ok(());
        }
        self.turn += 1;
        self.walk(&config, of_changes(changes), Task::Apply, phase).await?;
        let gone = if phase == Phase::CleanUp { phase } else { Phase::Gone };
        self.look_for_the_destroyed(&config, gone).await
    }

    /// Reads what was destroyed, and deletes it again. No engine asks for either, so an error ends nothing.
    pub async fn look_for_the_destroyed(&mut self, config: &Configuration<'_>, phase: Phase) -> Outcome<()> {
        let destroyed: Vec<InstanceAddress> = self.known().destroyed.keys().cloned().collect();
        let vertices = || destroyed.iter().map(|address| config.vertex(address, Change::Destroy(None)));
        for task in [Task::ReadGone, Task::DeleteGone] {
            if !destroyed.is_empty() {
                self.turn += 1;
                let asked = self.walk(config, in_order(vertices().collect()), task, phase).await;
                asked.or_else(unless_lost)?;
            }
        }
        Ok(())
    }

    /// Destroys everything. What the provider refuses to destroy it is asked for once more, in another
    /// process. If an engine would stop before the delete, the object is deleted anyway, as it was last
    /// known: a test leaves nothing behind that it can remove.
    ///
    /// The configuration is not to blame for an error here, so the scenario does not end as refused.
    pub async fn clean_up(&mut self, phase: Phase) -> Outcome<()> {
        let mut destroyed = self.destroy(phase).await;
        if let Err(End::Refused { rpc, .. }) = destroyed {
            // Plans go to one process and deletes to the next: what was refused goes to another one.
            self.turn += usize::from(rpc == Rpc::ApplyResourceChange);
            destroyed = self.destroy(phase).await.or_else(unless_refused);
        }
        let nothing = EngineRun::destroy();
        let config = Configuration::of(&nothing)?;
        let deletes = std::mem::take(&mut self.known().deletes);
        let left = self.objects(&config, |address| !deletes.contains(address));
        let order = of_changes(left.clone()).or_else(|_| Ok(unordered(left)));
        let deleted = self.walk(&config, order, Task::Delete, Phase::CleanUp).await;
        destroyed.and(deleted.or_else(unless_refused))
    }
}

/// An outcome that only a provider that is gone makes a failure.
fn unless_lost(end: End) -> Outcome<()> {
    if matches!(end, End::Lost { .. }) { Err(end) } else { Ok(()) }
}

pub(super) fn unless_refused(end: End) -> Outcome<()> {
    if matches!(end, End::Refused { .. }) { Ok(()) } else { Err(end) }
}
