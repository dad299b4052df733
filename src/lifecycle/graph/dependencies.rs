//! What the blocks of a configuration depend on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;

use super::{Blocks, Cycle};
use crate::lifecycle::walk::Graph;
use crate::scenario::{Block, InstanceAddress, ResourceAddress};

/// What each block depends on, directly or through others.
#[derive(Clone, Debug, Default)]
pub(in crate::lifecycle) struct Dependencies {
    of: BTreeMap<ResourceAddress, Blocks>,
}

impl Dependencies {
    /// Those of a configuration. The error names the blocks that depend on each other.
    pub fn of_blocks(blocks: &[Block]) -> Result<Dependencies, Cycle> {
        let mut graph: Graph<&ResourceAddress> = Graph::new();
        let nodes: BTreeMap<&ResourceAddress, NodeIndex> =
            blocks.iter().map(|block| (&block.address, graph.add_node(&block.address))).collect();
        for block in blocks {
            for dependency in block.dependencies() {
                if let Some(node) = nodes.get(&dependency) {
                    graph.add_edge(nodes[&block.address], *node, ());
                }
            }
        }
        if let Some(cycle) = Cycle::of(&graph) {
            return Err(cycle);
        }
        let mut of: BTreeMap<ResourceAddress, Blocks> = BTreeMap::new();
        // Dependencies come before those that depend on them.
        for node in kosaraju_scc(&graph).into_iter().flatten() {
            let mut all = BTreeSet::new();
            for dependency in graph.neighbors(node) {
                all.insert(graph[dependency].clone());
                all.extend(of[graph[dependency]].iter().cloned());
            }
            of.insert(graph[node].clone(), Arc::new(all));
        }
        Ok(Dependencies { of })
    }

    pub fn of(&self, resource: &ResourceAddress) -> Blocks {
        self.of.get(resource).cloned().unwrap_or_default()
    }

    /// What is created before it is destroyed: the objects of blocks that say so, and of everything that these
    /// depend on. Otherwise an object could be destroyed neither before nor after those that need it.
    pub fn created_first<'b>(&self, blocks: impl Iterator<Item = &'b Block> + Clone) -> CreatedFirst {
        let mut found = CreatedFirst::default();
        for block in blocks.clone().filter(|block| block.meta.lifecycle.create_before_destroy) {
            found.whole.insert(block.address.clone());
            found.blocks.insert(block.address.clone());
            found.blocks.extend(self.of(&block.address).iter().cloned());
        }
        for block in blocks.filter(|block| found.blocks.contains(&block.address)) {
            found.instances.extend(block.arguments.used_instances().cloned());
            found.whole.extend(block.named_blocks().cloned());
        }
        found
    }
}

/// What is created before it is destroyed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::lifecycle) struct CreatedFirst {
    /// All blocks of which anything is.
    pub blocks: BTreeSet<ResourceAddress>,
    /// Those of which all instances are, because of the block or of a dependent that uses it as a whole.
    pub whole: BTreeSet<ResourceAddress>,
    /// Instances that are used by what is created first.
    pub instances: BTreeSet<InstanceAddress>,
}

impl CreatedFirst {
    /// Whether the state says so of an instance: it is used by something created first, or its whole block is.
    pub fn records(&self, address: &InstanceAddress) -> bool {
        self.whole.contains(&address.resource) || self.instances.contains(address)
    }
}
