//! Which object waits for which.
//!
//! The order is one between groups: all objects of a block that are at the same stage and have the same
//! dependencies. Where several wait for several, they wait for the node of the group, so that a graph has
//! about as many edges as objects.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction;
use petgraph::algo::toposort;
use petgraph::algo::tred::{dag_to_toposorted_adjacency_list, dag_transitive_reduction_closure};
use petgraph::graph::NodeIndex;
use petgraph::visit::IntoNodeReferences as _;

use super::{Change, Cycle, Node, Vertex};
use crate::lifecycle::walk::Graph;
use crate::scenario::{InstanceAddress, ResourceAddress};

/// What happens to an object, as far as the order depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lifecycle) enum Stage {
    /// It is created, updated or read; or the order is that of its dependencies, whatever happens.
    Create,
    /// It is destroyed before what takes its place is created, and before what it depends on changes.
    DestroyFirst,
    /// It is destroyed once everything that depends on it has changed.
    DestroyLast,
}

/// A graph in which every object waits for those it depends on.
pub(in crate::lifecycle) fn in_order(vertices: Vec<Vertex>) -> Result<Graph<Node>, Cycle> {
    connected(vertices, |_| Stage::Create)
}

/// The graph of an apply walk: creates and updates after those of their dependencies, destroys in
/// reverse order, and the old object of a replacement before or after the new one, as planned.
pub(in crate::lifecycle) fn of_changes(vertices: Vec<Vertex>) -> Result<Graph<Node>, Cycle> {
    connected(vertices, stage_of)
}

fn stage_of(vertex: &Vertex) -> Stage {
    match vertex.change {
        Change::Apply => Stage::Create,
        Change::Destroy(None) if !vertex.create_before_destroy => Stage::DestroyFirst,
        // Something else has taken the place of a deposed object already.
        Change::Destroy(_) | Change::DestroyReplaced => Stage::DestroyLast,
    }
}

/// Whether a change comes before another one because at least one of them destroys.
pub(in crate::lifecycle) fn comes_before(first: &Vertex, second: &Vertex) -> bool {
    let (one, other) = (Place::of(first, stage_of(first)), Place::of(second, stage_of(second)));
    match (one.stage, other.stage) {
        (Stage::Create, Stage::Create) => false,
        (Stage::DestroyFirst, Stage::Create) | (Stage::Create, Stage::DestroyLast)
            if first.address == second.address =>
        {
            true
        }
        _ => (one.uses(&other) && one.precedes(&other)) || (other.uses(&one) && !other.precedes(&one)),
    }
}

/// A graph in which no object waits for another.
pub(in crate::lifecycle) fn unordered(vertices: Vec<Vertex>) -> Graph<Node> {
    let mut graph = objects(vertices);
    enclose(&mut graph);
    graph
}

/// What the order of an object depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place<'v> {
    block: &'v ResourceAddress,
    stage: Stage,
    dependencies: &'v BTreeSet<ResourceAddress>,
    recorded: &'v BTreeSet<ResourceAddress>,
}

/// Objects at one place.
struct Group {
    /// Stands for all of them if there are several.
    node: Option<Node>,
    members: Vec<NodeIndex>,
}

fn connected(vertices: Vec<Vertex>, stage: impl Fn(&Vertex) -> Stage) -> Result<Graph<Node>, Cycle> {
    let (groups, order) = groups(&vertices, &stage);
    let halves = halves(&vertices, &stage);
    let mut graph = objects(vertices);
    let ends: Vec<NodeIndex> = groups.iter().map(|group| end_of(&mut graph, group)).collect();
    for (first, second) in reduced(&order) {
        for member in &groups[second.index()].members {
            graph.add_edge(ends[first.index()], *member, ());
        }
    }
    for (first, second) in halves {
        graph.add_edge(first, second, ());
    }
    match Cycle::of(&graph) {
        Some(cycle) => Err(cycle),
        None => {
            enclose(&mut graph);
            Ok(graph)
        }
    }
}

/// The objects alone, in order.
fn objects(vertices: Vec<Vertex>) -> Graph<Node> {
    let mut graph = Graph::new();
    for vertex in vertices {
        graph.add_node(Node::Object(vertex));
    }
    graph
}

/// The groups of objects, and a graph of which comes before which, with the same indices.
fn groups(vertices: &[Vertex], stage: &impl Fn(&Vertex) -> Stage) -> (Vec<Group>, Graph<()>) {
    let mut members: BTreeMap<Place<'_>, Vec<NodeIndex>> = BTreeMap::new();
    for (idx, vertex) in vertices.iter().enumerate() {
        members.entry(Place::of(vertex, stage(vertex))).or_default().push(NodeIndex::new(idx));
    }
    let mut order = Graph::new();
    let mut of_block: BTreeMap<&ResourceAddress, Vec<(NodeIndex, Place<'_>)>> = BTreeMap::new();
    for place in members.keys() {
        of_block.entry(place.block).or_default().push((order.add_node(()), *place));
    }
    for (node, place) in of_block.values().flatten() {
        for (other, needed) in place.needs().into_iter().filter_map(|block| of_block.get(block)).flatten() {
            if place.uses(needed) {
                let is_first = place.precedes(needed);
                let (first, second) = if is_first { (node, other) } else { (other, node) };
                order.add_edge(*first, *second, ());
            }
        }
    }
    let group = |(place, members): (Place<'_>, Vec<NodeIndex>)| {
        let node = (members.len() > 1).then(|| Node::Group { of: place.block.clone(), stage: place.stage });
        Group { node, members }
    };
    (members.into_iter().map(group).collect(), order)
}

impl<'v> Place<'v> {
    fn of(vertex: &'v Vertex, stage: Stage) -> Place<'v> {
        let (dependencies, recorded) = (&*vertex.dependencies, &*vertex.recorded);
        Place { block: &vertex.address.resource, stage, dependencies, recorded }
    }

    fn needs(&self) -> BTreeSet<&'v ResourceAddress> {
        self.dependencies.iter().chain(self.recorded).collect()
    }

    /// Whether the objects at this place use those of another block: the new ones if both are created, and
    /// the ones that exist if not.
    fn uses(&self, other: &Place<'_>) -> bool {
        let is_new = self.stage == Stage::Create && other.stage == Stage::Create;
        if is_new { self.dependencies.contains(other.block) } else { self.recorded.contains(other.block) }
    }

    /// Whether objects come before the ones that they use.
    fn precedes(&self, used: &Place<'_>) -> bool {
        match (self.stage, used.stage) {
            (Stage::Create, Stage::Create) => false,
            // What they use is gone before they change, or stays until they have changed.
            (Stage::Create, Stage::DestroyFirst) => false,
            (Stage::Create, Stage::DestroyLast) => true,
            // They are gone before what they use changes, or stay until everything has.
            (Stage::DestroyFirst, Stage::Create) => true,
            (Stage::DestroyLast, Stage::Create) => false,
            // Nothing is destroyed that is still in use.
            (Stage::DestroyFirst | Stage::DestroyLast, Stage::DestroyFirst | Stage::DestroyLast) => true,
        }
    }
}

/// The destroys and creates of the same objects, in order.
fn halves(vertices: &[Vertex], stage: &impl Fn(&Vertex) -> Stage) -> Vec<(NodeIndex, NodeIndex)> {
    let numbered = || vertices.iter().enumerate().map(|(idx, vertex)| (NodeIndex::new(idx), vertex));
    let created: BTreeMap<&InstanceAddress, NodeIndex> = numbered()
        .filter(|(_, vertex)| stage(vertex) == Stage::Create)
        .map(|(node, vertex)| (&vertex.address, node))
        .collect();
    let ordered = |(node, vertex): (NodeIndex, &Vertex)| {
        let create = *created.get(&vertex.address)?;
        match stage(vertex) {
            Stage::Create => None,
            Stage::DestroyFirst => Some((node, create)),
            Stage::DestroyLast => Some((create, node)),
        }
    };
    numbered().filter_map(ordered).collect()
}

/// The edges of an order that do not follow from others; all of them if it has a cycle.
fn reduced(order: &Graph<()>) -> Vec<(NodeIndex, NodeIndex)> {
    let Ok(sorted) = toposort(order, None) else {
        return order.raw_edges().iter().map(|edge| (edge.source(), edge.target())).collect();
    };
    let (list, _) = dag_to_toposorted_adjacency_list::<_, NodeIndex>(order, &sorted);
    let (reduction, _) = dag_transitive_reduction_closure(&list);
    let edges = reduction.edge_indices().filter_map(|edge| reduction.edge_endpoints(edge));
    edges.map(|(first, second)| (sorted[first.index()], sorted[second.index()])).collect()
}

/// The node to wait for in place of every object of a group.
fn end_of(graph: &mut Graph<Node>, group: &Group) -> NodeIndex {
    let Some(node) = &group.node else { return group.members[0] };
    let end = graph.add_node(node.clone());
    for member in &group.members {
        graph.add_edge(*member, end, ());
    }
    end
}

/// Adds the configuration of each provider before the first objects that it serves, its end after the last
/// ones, and the root.
fn enclose(graph: &mut Graph<Node>) {
    let objects: Vec<(NodeIndex, Option<String>)> = graph
        .node_references()
        .filter_map(|(node, weight)| match weight {
            Node::Object(vertex) => Some((node, vertex.provider.clone())),
            _ => None,
        })
        .collect();
    let served: BTreeSet<&Option<String>> = objects.iter().map(|(_, provider)| provider).collect();
    // With one configuration what waits for another object waits for it, too.
    let is_only = served.len() <= 1;
    let ends = |graph: &Graph<Node>, direction: Direction| -> Vec<(NodeIndex, Option<String>)> {
        let is_end = |node: NodeIndex| graph.neighbors_directed(node, direction).next().is_none();
        objects.iter().filter(|(node, _)| !is_only || is_end(*node)).cloned().collect()
    };
    let is_needed = |(_, provider): &&(NodeIndex, Option<String>), of: &Option<String>| provider == of;
    let (first, last) = (ends(graph, Direction::Incoming), ends(graph, Direction::Outgoing));
    let mut closes = Vec::new();
    for alias in served {
        let provider = graph.add_node(Node::Provider(alias.clone()));
        let close = graph.add_node(Node::ProviderClose(alias.clone()));
        for (node, _) in first.iter().filter(|one| is_needed(one, alias)) {
            graph.add_edge(provider, *node, ());
        }
        for (node, _) in last.iter().filter(|one| is_needed(one, alias)) {
            graph.add_edge(*node, close, ());
        }
        closes.push(close);
    }
    let root = graph.add_node(Node::Root);
    for close in closes {
        graph.add_edge(close, root, ());
    }
}
