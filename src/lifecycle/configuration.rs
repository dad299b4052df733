//! The configuration of a run, instance by instance.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{Change, Dependencies, Vertex};
use super::{End, Outcome};
use crate::scenario::{Block, EngineRun, Import, InstanceAddress};
use crate::transcript::Phase;
use crate::value::Value;

/// The configuration that a run uses.
#[derive(Clone)]
pub(super) struct Configuration<'r> {
    pub run: &'r EngineRun,
    /// The instances that the run targets.
    pub instances: BTreeMap<InstanceAddress, &'r Block>,
    dependencies: Dependencies,
    /// Whether upstream results are known from the start.
    resolved: bool,
}

impl<'r> Configuration<'r> {
    /// Fails if blocks depend on each other.
    pub fn of(run: &'r EngineRun) -> Outcome<Configuration<'r>> {
        let cycle = |why| End::Stopped { phase: Phase::Validate, rpc: "", why };
        let dependencies = Dependencies::of_blocks(&run.blocks).map_err(cycle)?;
        let of_block = |block: &'r Block| block.instances().into_iter().map(move |address| (address, block));
        let mut instances: BTreeMap<_, _> = run.blocks.iter().flat_map(of_block).collect();
        let targets = &run.options.targets;
        if !targets.is_empty() {
            let needed: BTreeSet<_> =
                targets.iter().flat_map(|target| dependencies.of(&target.resource)).collect();
            instances.retain(|address, _| targets.contains(address) || needed.contains(&address.resource));
        }
        Ok(Configuration { run, instances, dependencies, resolved: false })
    }

    /// The same for a run that starts with every upstream result.
    pub fn resolved(&self) -> Configuration<'r> {
        Configuration { resolved: true, ..self.clone() }
    }

    pub fn is_resolved(&self) -> bool {
        self.resolved
    }

    pub fn has_upstream(&self) -> bool {
        self.instances.values().any(|block| block.arguments.has_upstream())
    }

    /// The arguments of an instance while the run is planned; `result` is as with
    /// [`Arguments::evaluate`](crate::scenario::Arguments::evaluate).
    pub fn planned(
        &self,
        address: &InstanceAddress,
        result: &dyn Fn(&InstanceAddress) -> Option<Value>,
    ) -> Value {
        self.evaluate(address, self.resolved, result)
    }

    /// The arguments of an instance with every upstream result.
    pub fn applied(
        &self,
        address: &InstanceAddress,
        result: &dyn Fn(&InstanceAddress) -> Option<Value>,
    ) -> Value {
        self.evaluate(address, true, result)
    }

    fn evaluate(
        &self,
        address: &InstanceAddress,
        resolved: bool,
        result: &dyn Fn(&InstanceAddress) -> Option<Value>,
    ) -> Value {
        self.instances[address].arguments.evaluate(resolved, address.key.as_ref(), result)
    }

    pub fn vertex(&self, address: &InstanceAddress, change: Change) -> Vertex {
        let dependencies = self.dependencies.of(&address.resource);
        Vertex { address: address.clone(), change, dependencies }
    }

    /// A vertex for each instance.
    pub fn vertices(&self) -> Vec<Vertex> {
        self.instances.keys().map(|address| self.vertex(address, Change::Apply)).collect()
    }

    /// The `import` block of an instance.
    pub fn import_of(&self, address: &InstanceAddress) -> Option<&'r Import> {
        self.run.imports.iter().find(|import| import.to == *address)
    }

    pub fn dependencies(&self, address: &InstanceAddress) -> BTreeSet<crate::scenario::ResourceAddress> {
        self.dependencies.of(&address.resource)
    }

    /// Whether an instance in the state is no longer in the configuration, and the run targets it.
    pub fn is_orphan(&self, address: &InstanceAddress) -> bool {
        let targets = &self.run.options.targets;
        let is_configured = self
            .run
            .blocks
            .iter()
            .any(|block| block.address == address.resource && block.instances().contains(address));
        !is_configured && (targets.is_empty() || targets.contains(address))
    }
}
