//! What the blocks of a configuration depend on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::NodeIndex;

use super::{Blocks, Cycle};
use crate::lifecycle::walk::Graph;
use crate::scenario::{Block, ResourceAddress};

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

    /// The blocks whose objects are created before they are destroyed: those that say so, and everything that
    /// these depend on. Otherwise an object could neither be destroyed before nor after those that need it.
    pub fn created_first<'b>(&self, blocks: impl Iterator<Item = &'b Block>) -> BTreeSet<ResourceAddress> {
        let own = blocks.filter(|block| block.meta.lifecycle.create_before_destroy);
        own.flat_map(|block| {
            self.of(&block.address).iter().chain([&block.address]).cloned().collect::<Vec<_>>()
        })
        .collect()
    }
}
