//! The graphs of a run: which instance waits for which.
//!
//! Source: contract section 6.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::walk::Graph;
use crate::scenario::{Block, DeposedKey, InstanceAddress, ResourceAddress};

/// What each block depends on, directly or through others.
#[derive(Clone, Debug, Default)]
pub(super) struct Dependencies {
    of: BTreeMap<ResourceAddress, BTreeSet<ResourceAddress>>,
}

impl Dependencies {
    /// Those of a configuration. The error names the blocks that depend on each other.
    pub fn of_blocks(blocks: &[Block]) -> Result<Dependencies, String> {
        let mut graph: DiGraph<&ResourceAddress, ()> = DiGraph::new();
        let nodes: BTreeMap<&ResourceAddress, NodeIndex> =
            blocks.iter().map(|block| (&block.address, graph.add_node(&block.address))).collect();
        for block in blocks {
            for dependency in block.dependencies() {
                if let Some(node) = nodes.get(&dependency) {
                    graph.add_edge(nodes[&block.address], *node, ());
                }
            }
        }
        let mut of: BTreeMap<ResourceAddress, BTreeSet<ResourceAddress>> = BTreeMap::new();
        // Dependencies come before those that depend on them.
        for component in tarjan_scc(&graph) {
            if let [first, .., _] = component[..] {
                let mut names: Vec<String> = component.iter().map(|node| graph[*node].to_string()).collect();
                names.sort();
                debug_assert!(graph.contains_edge(first, first) || names.len() > 1);
                return Err(format!("the configuration has a cycle: {}", names.join(", ")));
            }
            let node = component[0];
            if graph.contains_edge(node, node) {
                return Err(format!("the configuration has a cycle: {}", graph[node]));
            }
            let mut all = BTreeSet::new();
            for dependency in graph.neighbors(node) {
                all.insert(graph[dependency].clone());
                all.extend(of[graph[dependency]].iter().cloned());
            }
            of.insert(graph[node].clone(), all);
        }
        Ok(Dependencies { of })
    }

    pub fn of(&self, resource: &ResourceAddress) -> BTreeSet<ResourceAddress> {
        self.of.get(resource).cloned().unwrap_or_default()
    }
}

/// What is done to one object when a run is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Create or update the current object, or read a data source.
    Apply,
    /// Destroy the current object, or one that was deposed before the run.
    Destroy(Option<DeposedKey>),
    /// Destroy the object that this run replaces first.
    DestroyReplaced,
}

/// A vertex of the apply walk, with what its order depends on.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub address: InstanceAddress,
    pub change: Change,
    /// The blocks it depends on, directly or through others.
    pub dependencies: BTreeSet<ResourceAddress>,
}

/// A graph in which every instance waits for those it depends on.
pub(super) fn in_order(vertices: Vec<Vertex>) -> Graph<Vertex> {
    connected(vertices, &|first, second| {
        second.dependencies.contains(&first.address.resource) && first.address != second.address
    })
}

/// The graph of an apply walk: creates and updates after those of their dependencies, destroys in
/// reverse order, and the old object of a replacement before or after the new one, as planned.
pub(super) fn of_changes(vertices: Vec<Vertex>) -> Graph<Vertex> {
    connected(vertices, &|first, second| {
        let (depends, is_needed) = (
            second.dependencies.contains(&first.address.resource),
            first.dependencies.contains(&second.address.resource),
        );
        let is_same = first.address == second.address;
        match (&first.change, &second.change) {
            (Change::Apply, Change::Apply) => depends && !is_same,
            (Change::Destroy(None), Change::Apply) => is_same,
            // A dependent stops using the old object before that is destroyed.
            (Change::Apply, Change::DestroyReplaced) => is_same || is_needed,
            (Change::Apply, _) => false,
            (_, Change::Apply) => false,
            (_, _) => is_needed && !is_same,
        }
    })
}

fn connected(vertices: Vec<Vertex>, is_first: &dyn Fn(&Vertex, &Vertex) -> bool) -> Graph<Vertex> {
    let mut graph = Graph::new();
    for vertex in vertices {
        graph.add_node(vertex);
    }
    let mut by_resource: BTreeMap<&ResourceAddress, Vec<NodeIndex>> = BTreeMap::new();
    for node in graph.node_indices() {
        by_resource.entry(&graph[node].address.resource).or_default().push(node);
    }
    let mut edges = BTreeSet::new();
    for node in graph.node_indices() {
        let vertex = &graph[node];
        let related = vertex.dependencies.iter().chain([&vertex.address.resource]);
        for other in related.filter_map(|resource| by_resource.get(resource)).flatten() {
            for (first, second) in [(node, *other), (*other, node)] {
                if first != second && is_first(&graph[first], &graph[second]) {
                    edges.insert((first, second));
                }
            }
        }
    }
    drop(by_resource);
    for (first, second) in edges {
        graph.add_edge(first, second, ());
    }
    graph
}

#[cfg(test)]
mod tests {
    use petgraph::algo::toposort;

    use super::*;
    use crate::scenario::{Arguments, Source};
    use crate::schema::Kind;
    use crate::value::{AttributePath, Type, Value};

    fn thing(name: &str) -> ResourceAddress {
        ResourceAddress::new(Kind::Resource, "acme_thing", name)
    }

    fn block(name: &str, needs: &[&str]) -> Block {
        let null = Value::object([("other", Value::null(Type::String))]);
        let other = AttributePath::root().attribute("other");
        let arguments = needs.iter().fold(Arguments::known(null), |arguments, name| {
            let (of, path) = (thing(name).instance(None), AttributePath::root().attribute("id"));
            arguments.refer(other.clone(), Source::Attribute { of, path })
        });
        Block::new(thing(name), arguments)
    }

    fn ordered(vertices: &[(&str, Change)], dependencies: &Dependencies) -> Vec<String> {
        let vertices = vertices.iter().map(|(name, change)| Vertex {
            address: thing(name).instance(None),
            change: change.clone(),
            dependencies: dependencies.of(&thing(name)),
        });
        let graph = of_changes(vertices.collect());
        let order = toposort(&graph, None).expect("there is no cycle");
        order
            .iter()
            .map(|node| format!("{} {:?}", graph[*node].address.resource.name, graph[*node].change))
            .collect()
    }

    #[test]
    fn dependencies_reach_through_others() {
        let dependencies =
            Dependencies::of_blocks(&[block("c", &["b"]), block("b", &["a"]), block("a", &[])]);
        assert_eq!(dependencies.unwrap().of(&thing("c")), [thing("a"), thing("b")].into());
    }

    #[test]
    fn a_cycle_is_refused_with_its_blocks() {
        let cycle = Dependencies::of_blocks(&[block("a", &["b"]), block("b", &["a"]), block("c", &[])]);
        assert_eq!(cycle.unwrap_err(), "the configuration has a cycle: acme_thing.a, acme_thing.b");
        let own = Dependencies::of_blocks(&[block("a", &["a"])]);
        assert_eq!(own.unwrap_err(), "the configuration has a cycle: acme_thing.a");
    }

    #[test]
    fn dependents_are_destroyed_first_and_created_last() {
        let dependencies = Dependencies::of_blocks(&[block("b", &["a"]), block("a", &[])]).unwrap();
        let changes = [
            ("a", Change::Apply),
            ("a", Change::Destroy(None)),
            ("b", Change::Destroy(None)),
            ("b", Change::Apply),
        ];
        assert_eq!(
            ordered(&changes, &dependencies),
            ["b Destroy(None)", "a Destroy(None)", "a Apply", "b Apply"]
        );
    }

    #[test]
    fn a_replaced_object_goes_when_no_dependent_holds_on_to_it() {
        let dependencies = Dependencies::of_blocks(&[block("b", &["a"]), block("a", &[])]).unwrap();
        let changes = [("a", Change::DestroyReplaced), ("b", Change::Apply), ("a", Change::Apply)];
        assert_eq!(ordered(&changes, &dependencies), ["a Apply", "b Apply", "a DestroyReplaced"]);
    }
}
