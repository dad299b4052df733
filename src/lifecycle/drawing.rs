//! The graphs that were walked, to look at.

use petgraph::Direction;
use petgraph::algo::toposort;
use petgraph::graph::NodeIndex;

use super::graph::Node;
use super::walk::{Graph, HasAction};

/// A graph that was walked, and for what.
#[derive(Clone, Debug)]
pub struct Walked {
    title: String,
    graph: Graph<Node>,
}

/// The names of the nodes of a graph, and which waits for which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The run and what was done in it, such as `run 2: apply`.
    pub title: String,
    /// Every node comes after those that it waits for.
    pub nodes: Vec<String>,
    /// For each node the ones that it waits for, as indices of `nodes`, sorted.
    pub waits_for: Vec<Vec<usize>>,
}

impl Walked {
    /// `None` if there was nothing to do.
    pub(super) fn of(title: String, graph: Graph<Node>) -> Option<Walked> {
        graph.node_weights().any(HasAction::has_action).then_some(Walked { title, graph })
    }

    pub fn drawing(&self) -> Drawing {
        let order = toposort(&self.graph, None).expect("a graph that was walked has no cycle");
        let mut position = vec![0; order.len()];
        for (idx, node) in order.iter().enumerate() {
            position[node.index()] = idx;
        }
        let waits_for = |node: &NodeIndex| {
            let before = self.graph.neighbors_directed(*node, Direction::Incoming);
            let mut before: Vec<usize> = before.map(|node| position[node.index()]).collect();
            before.sort_unstable();
            before.dedup();
            before
        };
        Drawing {
            title: self.title.clone(),
            nodes: order.iter().map(|node| self.graph[*node].to_string()).collect(),
            waits_for: order.iter().map(waits_for).collect(),
        }
    }
}
