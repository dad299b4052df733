//! The configuration of a run, instance by instance.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::graph::{Blocks, Change, CreatedFirst, Dependencies, Vertex};
use super::{End, Outcome};
use crate::engine::Engine;
use crate::scenario::{
    Block, DeposedKey, EngineRun, Import, InstanceAddress, Object, ResourceAddress, State,
};
use crate::transcript::Phase;
use crate::value::Value;

/// The configuration that a run uses.
#[derive(Clone)]
pub(super) struct Configuration<'r> {
    pub run: &'r EngineRun,
    /// The instances that the run targets.
    pub instances: BTreeMap<InstanceAddress, &'r Block>,
    pub blocks: BTreeMap<&'r ResourceAddress, &'r Block>,
    pub targets: BTreeSet<&'r InstanceAddress>,
    /// The blocks that the targets depend on.
    needed_blocks: BTreeSet<ResourceAddress>,
    replaced: BTreeSet<&'r InstanceAddress>,
    imports: BTreeMap<&'r InstanceAddress, &'r Import>,
    dependencies: Dependencies,
    created_first: CreatedFirst,
    /// The same if every block demanded it, targeted or not.
    created_first_for_all: CreatedFirst,
    /// Whether upstream results are known from the start.
    resolved: bool,
}

impl<'r> Configuration<'r> {
    /// Fails if blocks depend on each other.
    pub fn of(run: &'r EngineRun) -> Outcome<Configuration<'r>> {
        let dependencies = Dependencies::of_blocks(&run.blocks).map_err(|cycle| End::Stopped {
            phase: Phase::Validate,
            rpc: None,
            why: format!("the configuration has a cycle: {cycle}"),
        })?;
        let of_block = |block: &'r Block| block.instances().into_iter().map(move |address| (address, block));
        let mut instances: BTreeMap<_, _> = run.blocks.iter().flat_map(of_block).collect();
        let targets: BTreeSet<&InstanceAddress> = run.options.targets.iter().collect();
        let mut needed_blocks = BTreeSet::new();
        if !targets.is_empty() {
            let needed: Vec<Blocks> =
                targets.iter().map(|target| dependencies.of(&target.resource)).collect();
            needed_blocks = needed.iter().flat_map(|blocks| blocks.iter()).cloned().collect();
            // Of a block that has targets only these are meant, even if another target needs the block.
            for target in &targets {
                needed_blocks.remove(&target.resource);
            }
            instances
                .retain(|address, _| targets.contains(address) || needed_blocks.contains(&address.resource));
        }
        // Only a dependent that the run targets demands that what it needs is created first.
        let used: BTreeSet<&ResourceAddress> = instances.keys().map(|address| &address.resource).collect();
        let created_first =
            dependencies.created_first(run.blocks.iter().filter(|block| used.contains(&block.address)));
        let created_first_for_all = match targets.is_empty() {
            true => created_first.clone(),
            false => dependencies.created_first(run.blocks.iter()),
        };
        Ok(Configuration {
            run,
            instances,
            blocks: run.blocks.iter().map(|block| (&block.address, block)).collect(),
            targets,
            needed_blocks,
            replaced: run.options.replace.iter().collect(),
            imports: run.imports.iter().map(|import| (&import.to, import)).collect(),
            dependencies,
            created_first,
            created_first_for_all,
            resolved: false,
        })
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

    /// Whether an instance refers to others. More of its configuration is known from walk to walk, and an
    /// engine validates it in each of them. What does not change in between, we validate once.
    pub fn refers(&self, address: &InstanceAddress) -> bool {
        let references = self.instances[address].arguments.references();
        references.iter().any(|reference| !reference.source.used_instances().is_empty())
    }

    /// A change of an instance, as the configuration says.
    pub fn vertex(&self, address: &InstanceAddress, change: Change) -> Vertex {
        let dependencies = self.dependencies(&address.resource);
        let block = self.blocks.get(&address.resource);
        Vertex {
            address: address.clone(),
            create_before_destroy: match change {
                Change::Apply => self.created_first_for_all.records(address),
                _ => self.creates_first(&address.resource),
            },
            change,
            recorded: Arc::clone(&dependencies),
            dependencies,
            provider: block.and_then(|block| block.meta.provider.clone()),
            is_provisioned: block.is_some_and(|block| block.meta.provisioner_fails),
        }
    }

    /// A change of an instance, with what the state knows about its object.
    pub fn change(&self, state: &State, address: &InstanceAddress, change: Change) -> Vertex {
        let vertex = self.vertex(address, change);
        match state.current(address) {
            Some(object) => {
                Vertex { recorded: self.recorded(&address.resource, &object.dependencies), ..vertex }
            }
            None => vertex,
        }
    }

    /// The destruction of an object of the state, with what it depended on when it was applied.
    pub fn destruction(
        &self,
        state: &State,
        address: &InstanceAddress,
        deposed: Option<DeposedKey>,
    ) -> Vertex {
        let instance = state.instances.get(address);
        let object = instance.and_then(|instance| match deposed {
            Some(key) => instance.deposed.get(&key),
            None => instance.current.as_ref(),
        });
        let recorded = object.map(|object| self.recorded(&address.resource, &object.dependencies));
        let recorded = recorded.unwrap_or_default();
        // What a block depends on now may depend on what it depended on then.
        let dependencies = match self.blocks.contains_key(&address.resource) {
            true => self.dependencies(&address.resource),
            false => Arc::clone(&recorded),
        };
        Vertex {
            address: address.clone(),
            change: Change::Destroy(deposed),
            dependencies,
            recorded,
            create_before_destroy: object.is_some_and(|object| object.create_before_destroy),
            provider: match self.blocks.get(&address.resource) {
                Some(block) => block.meta.provider.clone(),
                None => object.and_then(|object| object.provider.clone()),
            },
            is_provisioned: false,
        }
    }

    /// A vertex for each instance, and for each import whose configuration the engine writes.
    pub fn vertices(&self) -> Vec<Vertex> {
        let generated = self.imports.values().filter(|import| import.generates).map(|import| &import.to);
        self.instances.keys().chain(generated).map(|address| self.vertex(address, Change::Apply)).collect()
    }

    /// The `import` block of an instance.
    pub fn import_of(&self, address: &InstanceAddress) -> Option<&'r Import> {
        self.imports.get(address).copied()
    }

    /// The blocks that a block depends on, directly or through others.
    pub fn dependencies(&self, resource: &ResourceAddress) -> Blocks {
        self.dependencies.of(resource)
    }

    /// The recorded dependencies of an object of a block; most are those of the configuration.
    fn recorded(&self, resource: &ResourceAddress, recorded: &BTreeSet<ResourceAddress>) -> Blocks {
        let configured = self.dependencies(resource);
        if *configured == *recorded { configured } else { Arc::new(recorded.clone()) }
    }

    /// Whether the objects of a block are created before those that they replace are destroyed.
    pub fn creates_first(&self, resource: &ResourceAddress) -> bool {
        self.created_first.blocks.contains(resource)
    }

    /// Whether the state says so of an instance: it is used by something created first, or its whole block is.
    pub fn records_create_before_destroy(&self, address: &InstanceAddress) -> bool {
        self.created_first.records(address)
    }

    /// Whether the user wants an instance to be replaced.
    pub fn replaces(&self, address: &InstanceAddress) -> bool {
        self.replaced.contains(address)
    }

    /// Whether the run is about an instance, and not only about what that depends on.
    pub fn is_targeted(&self, address: &InstanceAddress) -> bool {
        self.targets.is_empty() || self.targets.contains(address)
    }

    /// Whether an instance in the state is no longer in the configuration, and the run targets it or depends on its
    /// block.
    pub fn is_orphan(&self, address: &InstanceAddress) -> bool {
        !self.is_configured(address)
            && (self.is_targeted(address) || self.needed_blocks.contains(&address.resource))
    }

    /// Whether an instance in the state is to be forgotten, not destroyed: a `removed` block or its own says so.
    pub fn forgets(&self, address: &InstanceAddress, engine: Engine) -> bool {
        let forgets = |block: &&Block| block.meta.lifecycle.forgets && engine.knows_destroy_false();
        let is_forgotten = self.blocks.get(&address.resource).is_some_and(forgets) && self.is_orphan(address);
        is_forgotten || self.run.removed.contains(&address.resource)
    }

    /// Whether the object of an instance that is replaced is forgotten, and not destroyed.
    pub fn forgets_replaced(&self, address: &InstanceAddress, state: &State, engine: Engine) -> bool {
        let is_tainted = state.current(address).is_some_and(Object::is_tainted);
        let block = self.blocks.get(&address.resource);
        block.is_some_and(|block| block.meta.lifecycle.forgets) && engine.forgets_what_it_replaces(is_tainted)
    }

    /// Whether a block of the configuration has the instance, targeted or not.
    pub fn is_configured(&self, address: &InstanceAddress) -> bool {
        let block = self.blocks.get(&address.resource);
        block.is_some_and(|block| block.meta.repetition.has(address.key.as_ref()))
    }
}
