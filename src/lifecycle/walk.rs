//! Visiting the nodes of a graph, several at once.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::scenario::Schedule;

/// An edge leads from a node to one that waits for it.
pub(super) type Graph<N> = DiGraph<N, ()>;

/// A node of a graph that is walked.
pub(super) trait HasAction {
    /// Whether something is done at the node. If not, those that wait for it need only wait for what it waits for.
    fn has_action(&self) -> bool;
}

/// The outcome of a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Visited<E> {
    Done,
    Failed(E),
    /// One of its dependencies failed or was skipped.
    Skipped,
}

/// Visits every node that has an action after its dependencies, at most `parallelism` at once; if several
/// could be next, in the order they were added, or the other way round if the schedule says so. If one fails
/// its dependents are skipped; the others continue.
///
/// The graph has no cycle. The result is in the order of the nodes.
pub(super) async fn walk<N, F, E>(
    graph: &Graph<N>,
    schedule: Schedule,
    parallelism: usize,
    visit: impl Fn(NodeIndex) -> F,
) -> Vec<Visited<E>>
where
    N: HasAction,
    F: Future<Output = Result<(), E>>,
{
    let mut turns = Turns::of(graph, schedule);
    let parallelism = if schedule == Schedule::Backwards { 1 } else { parallelism.max(1) };
    let mut failures = BTreeMap::new();
    let mut in_flight = FuturesUnordered::new();
    loop {
        while in_flight.len() < parallelism
            && let Some(node) = turns.next()
        {
            let visiting = visit(node);
            in_flight.push(async move { (node, visiting.await) });
        }
        let Some((node, outcome)) = in_flight.next().await else { break };
        turns.settle(node, outcome.is_ok());
        if let Err(end) = outcome {
            failures.insert(node, end);
        }
    }
    let visited = |node: NodeIndex| match failures.remove(&node) {
        Some(end) => Visited::Failed(end),
        None if turns.is_blocked[node.index()] => Visited::Skipped,
        None => Visited::Done,
    };
    graph.node_indices().map(visited).collect()
}

/// The position of each node if they are visited one at a time; 0 for those without an action.
pub(super) fn ranks<N: HasAction>(graph: &Graph<N>, schedule: Schedule) -> Vec<u32> {
    let mut ranks = vec![0; graph.node_count()];
    let mut turns = Turns::of(graph, schedule);
    let mut rank = 0;
    while let Some(node) = turns.next() {
        ranks[node.index()] = rank;
        rank += 1;
        turns.settle(node, true);
    }
    ranks
}

/// The nodes whose turn it is.
struct Turns<'g, N> {
    graph: &'g Graph<N>,
    schedule: Schedule,
    /// How many dependencies of each node are not settled.
    n_open: Vec<usize>,
    /// Whether each node failed or was skipped.
    is_blocked: Vec<bool>,
    /// With an action, and with nothing left to wait for.
    ready: BTreeSet<NodeIndex>,
}

impl<'g, N: HasAction> Turns<'g, N> {
    fn of(graph: &'g Graph<N>, schedule: Schedule) -> Turns<'g, N> {
        let n_dependencies = |node| graph.neighbors_directed(node, Direction::Incoming).count();
        let n_open = graph.node_indices().map(n_dependencies).collect();
        let is_blocked = vec![false; graph.node_count()];
        let mut turns = Turns { graph, schedule, n_open, is_blocked, ready: BTreeSet::new() };
        for node in graph.externals(Direction::Incoming) {
            match graph[node].has_action() {
                true => {
                    turns.ready.insert(node);
                }
                false => turns.settle(node, true),
            }
        }
        turns
    }

    fn next(&mut self) -> Option<NodeIndex> {
        match self.schedule {
            Schedule::AtOnce => self.ready.pop_first(),
            Schedule::Backwards => self.ready.pop_last(),
        }
    }

    /// Notifies the dependents of a node that it is done, failed or skipped.
    fn settle(&mut self, node: NodeIndex, is_done: bool) {
        self.is_blocked[node.index()] |= !is_done;
        let mut settled = vec![node];
        while let Some(node) = settled.pop() {
            for dependent in self.graph.neighbors_directed(node, Direction::Outgoing) {
                let idx = dependent.index();
                self.n_open[idx] -= 1;
                self.is_blocked[idx] |= self.is_blocked[node.index()];
                let is_passed = self.is_blocked[idx] || !self.graph[dependent].has_action();
                match (self.n_open[idx], is_passed) {
                    (0, true) => settled.push(dependent),
                    (0, false) => {
                        self.ready.insert(dependent);
                    }
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    impl HasAction for bool {
        fn has_action(&self) -> bool {
            *self
        }
    }

    /// Walks a graph of five, in which `fails` fails; returns the outcome of each, the order of the
    /// visits, and how many ran at once.
    fn walked(
        edges: &[(u32, u32)],
        fails: Option<usize>,
        parallelism: usize,
    ) -> (Vec<Visited<&'static str>>, Vec<usize>, usize) {
        walked_at([true; 5], edges, fails, parallelism)
    }

    /// The same if something is done only at some of them.
    fn walked_at(
        has_action: [bool; 5],
        edges: &[(u32, u32)],
        fails: Option<usize>,
        parallelism: usize,
    ) -> (Vec<Visited<&'static str>>, Vec<usize>, usize) {
        let mut graph = Graph::new();
        for has_action in has_action {
            graph.add_node(has_action);
        }
        graph.extend_with_edges(edges);
        let (order, now, most) = (RefCell::new(Vec::new()), Cell::new(0), Cell::new(0));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let visited = runtime.block_on(walk(&graph, Schedule::AtOnce, parallelism, |vertex| {
            let (order, now, most) = (&order, &now, &most);
            async move {
                order.borrow_mut().push(vertex.index());
                now.set(now.get() + 1);
                most.set(most.get().max(now.get()));
                tokio::task::yield_now().await;
                now.set(now.get() - 1);
                match fails == Some(vertex.index()) {
                    true => Err("it failed"),
                    false => Ok(()),
                }
            }
        }));
        (visited, order.into_inner(), most.get())
    }

    #[test]
    fn a_vertex_waits_for_all_that_it_depends_on() {
        let (visited, order, most) = walked(&[(4, 0), (3, 0), (0, 1)], None, 10);
        assert!(visited.iter().all(|visited| *visited == Visited::Done));
        assert_eq!(order, [2, 3, 4, 0, 1]);
        assert_eq!(most, 3);
        assert_eq!(walked(&[], None, 2).2, 2);
    }

    #[test]
    fn what_depends_on_a_failure_is_skipped_and_the_rest_goes_on() {
        let (visited, order, _) = walked(&[(0, 1), (1, 2), (3, 2)], Some(0), 10);
        assert_eq!(order, [0, 3, 4]);
        assert_eq!(visited[1..3], [Visited::Skipped, Visited::Skipped]);
        assert_eq!(visited[3], Visited::Done);
    }

    #[test]
    fn nodes_without_an_action_hold_nothing_up() {
        let has_action = [true, true, true, false, false];
        // 1 waits for 0 through 4 and 3; 2 waits for nothing.
        let edges = [(0, 4), (4, 3), (3, 1)];
        let (visited, order, _) = walked_at(has_action, &edges, None, 1);
        assert_eq!(order, [0, 1, 2]);
        assert!(visited.iter().all(|visited| *visited == Visited::Done));
        let (visited, order, _) = walked_at(has_action, &edges, Some(0), 1);
        assert_eq!(order, [0, 2]);
        assert_eq!(visited[1], Visited::Skipped);
    }

    #[test]
    fn positions_are_those_of_a_walk_with_one_visit_at_a_time() {
        let mut graph = Graph::new();
        let nodes: Vec<NodeIndex> =
            [true, true, false, true].into_iter().map(|has_action| graph.add_node(has_action)).collect();
        graph.extend_with_edges([(nodes[3], nodes[2]), (nodes[2], nodes[0])]);
        assert_eq!(ranks(&graph, Schedule::AtOnce), [2, 0, 0, 1]);
        assert_eq!(ranks(&graph, Schedule::Backwards), [2, 1, 0, 0]);
    }
}
