//! Which of the changes that a run with targets planned are made.
//!
//! While a plan is made, a target needs whole blocks: those that it depends on, directly or through others. When
//! it is applied, only what the target waits for is done: the instances that it refers to, what these refer to,
//! and what is destroyed before. The rest is left to a later run: other instances of those blocks, and the old
//! object of a replacement that creates first, because nothing waits for that.
//!
//! Source: the requests of Terraform 1.11.4 and OpenTofu 1.12.6.

use std::collections::BTreeSet;

use super::configuration::Configuration;
use super::graph::{Change, Vertex, comes_before};
use crate::engine::Engine;
use crate::scenario::{InstanceAddress, ResourceAddress, State};

/// Keeps the changes that the targets of a run wait for; all if it has none.
pub(super) fn keep_needed(changes: &mut Vec<Vertex>, config: &Configuration<'_>, engine: Engine) {
    if config.targets.is_empty() {
        return;
    }
    let mut needed =
        Needed { config, changes, blocks: BTreeSet::new(), is_needed: vec![false; changes.len()] };
    for target in &config.targets {
        needed.add_changes(&|change| change.address == **target);
        if engine.applies_for_unchanged_targets() {
            needed.add_block(&target.resource);
        }
    }
    let mut is_needed = needed.is_needed.into_iter();
    changes.retain(|_| is_needed.next().unwrap_or(false));
}

/// The instances of the state that a run destroys because they are no longer configured.
pub(super) fn orphans(
    state: &State,
    config: &Configuration<'_>,
    engine: Engine,
) -> BTreeSet<InstanceAddress> {
    let instances = || state.instances.iter();
    let mut orphans: BTreeSet<InstanceAddress> = instances()
        .map(|(address, _)| address)
        .filter(|address| config.is_orphan(address))
        .cloned()
        .collect();
    if config.targets.is_empty() || !engine.destroys_users_of_targets() {
        return orphans;
    }
    let is_targeted =
        |address: &InstanceAddress| config.is_configured(address) && config.is_targeted(address);
    let deposed = instances().filter(|(address, one)| !one.deposed.is_empty() && is_targeted(address));
    let mut destroyed: BTreeSet<&ResourceAddress> = deposed.map(|(address, _)| &address.resource).collect();
    destroyed.extend(
        instances().map(|(address, _)| address).filter(|one| orphans.contains(*one)).map(|one| &one.resource),
    );
    let users = || instances().filter(|(address, _)| !config.is_configured(address));
    loop {
        let n_found = orphans.len();
        for (address, instance) in users() {
            let uses = instance.current.as_ref().map(|object| &object.dependencies);
            if uses.is_some_and(|uses| uses.iter().any(|used| destroyed.contains(used)))
                && orphans.insert(address.clone())
            {
                destroyed.insert(&address.resource);
            }
        }
        if orphans.len() == n_found {
            return orphans;
        }
    }
}

struct Needed<'a, 'r> {
    config: &'a Configuration<'r>,
    changes: &'a [Vertex],
    /// The blocks whose references were followed.
    blocks: BTreeSet<ResourceAddress>,
    /// Of each change, whether something needs it.
    is_needed: Vec<bool>,
}

impl Needed<'_, '_> {
    /// Adds changes and what they need. Returns whether there are any, new or not.
    fn add_changes(&mut self, is_meant: &dyn Fn(&Vertex) -> bool) -> bool {
        let mut is_any = false;
        for (idx, change) in self.changes.iter().enumerate().filter(|(_, change)| is_meant(change)) {
            is_any = true;
            if !std::mem::replace(&mut self.is_needed[idx], true) {
                self.add_changes(&|other| comes_before(other, change));
                if change.change == Change::Apply {
                    self.add_block(&change.address.resource);
                }
            }
        }
        is_any
    }

    /// Adds what a block refers to. Where a reference names one instance, the others are not needed, unless
    /// nothing is done to that instance.
    fn add_block(&mut self, resource: &ResourceAddress) {
        let Some(block) = self.config.blocks.get(resource).filter(|_| self.blocks.insert(resource.clone()))
        else {
            return;
        };
        for of in block.arguments.used_instances() {
            if !self.add_changes(&|change| change.change == Change::Apply && change.address == *of) {
                self.add_resource(&of.resource);
            }
        }
        for named in block.meta.depends_on.iter().chain(&block.meta.lifecycle.replace_triggered_by) {
            self.add_resource(named);
        }
    }

    fn add_resource(&mut self, resource: &ResourceAddress) {
        self.add_changes(&|change| change.change == Change::Apply && change.address.resource == *resource);
        self.add_block(resource);
    }
}
