//! Visiting the vertices of a graph, several at once.

use std::collections::BTreeSet;
use std::future::Future;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};

use super::End;

/// An edge leads from a vertex to one that waits for it.
pub(super) type Graph<V> = DiGraph<V, ()>;

/// The outcome of a vertex.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Visited {
    Done,
    Failed(End),
    /// One of its dependencies failed or was skipped.
    Skipped,
}

/// Visits every vertex after its dependencies, at most `parallelism` at once; if several could be
/// next, in the order they were added. If one fails its dependents are skipped; the others
/// continue.
///
/// The graph has no cycle. The result is in the order of the vertices.
pub(super) async fn walk<V, F>(
    graph: &Graph<V>,
    parallelism: usize,
    visit: impl Fn(NodeIndex) -> F,
) -> Vec<Visited>
where
    F: Future<Output = Result<(), End>>,
{
    let mut visited: Vec<Option<Visited>> = vec![None; graph.node_count()];
    let mut waits_for = n_dependencies(graph);
    let mut ready: BTreeSet<NodeIndex> =
        graph.node_indices().filter(|vertex| waits_for[vertex.index()] == 0).collect();
    let mut in_flight = FuturesUnordered::new();
    loop {
        while in_flight.len() < parallelism.max(1)
            && let Some(vertex) = ready.pop_first()
        {
            let visiting = visit(vertex);
            in_flight.push(async move { (vertex, visiting.await) });
        }
        let Some((vertex, outcome)) = in_flight.next().await else { break };
        visited[vertex.index()] = Some(match outcome {
            Ok(()) => Visited::Done,
            Err(end) => Visited::Failed(end),
        });
        settle(graph, vertex, &mut visited, &mut waits_for, &mut ready);
    }
    visited.into_iter().map(|visited| visited.expect("without a cycle every vertex has its turn")).collect()
}

/// The position of each vertex if they are visited one at a time.
pub(super) fn ranks<V>(graph: &Graph<V>) -> Vec<u32> {
    let mut ranks = vec![0; graph.node_count()];
    let mut waits_for = n_dependencies(graph);
    let mut ready: BTreeSet<NodeIndex> =
        graph.node_indices().filter(|vertex| waits_for[vertex.index()] == 0).collect();
    let mut rank = 0;
    while let Some(vertex) = ready.pop_first() {
        ranks[vertex.index()] = rank;
        rank += 1;
        for dependent in graph.neighbors_directed(vertex, Direction::Outgoing) {
            waits_for[dependent.index()] -= 1;
            if waits_for[dependent.index()] == 0 {
                ready.insert(dependent);
            }
        }
    }
    ranks
}

fn n_dependencies<V>(graph: &Graph<V>) -> Vec<usize> {
    let count = |vertex| graph.neighbors_directed(vertex, Direction::Incoming).count();
    graph.node_indices().map(count).collect()
}

/// Notifies the dependents of a vertex that it is done, failed or skipped.
fn settle<V>(
    graph: &Graph<V>,
    vertex: NodeIndex,
    visited: &mut [Option<Visited>],
    waits_for: &mut [usize],
    ready: &mut BTreeSet<NodeIndex>,
) {
    let mut settled = vec![vertex];
    while let Some(vertex) = settled.pop() {
        let is_done = visited[vertex.index()] == Some(Visited::Done);
        for dependent in graph.neighbors_directed(vertex, Direction::Outgoing) {
            let idx = dependent.index();
            waits_for[idx] -= 1;
            if !is_done && visited[idx].is_none() {
                visited[idx] = Some(Visited::Skipped);
            }
            match (waits_for[idx], &visited[idx]) {
                (0, None) => {
                    ready.insert(dependent);
                }
                (0, Some(_)) => settled.push(dependent),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    /// Walks a graph of five, in which `fails` fails; returns the outcome of each, the order of the
    /// visits, and how many ran at once.
    fn walked(
        edges: &[(u32, u32)],
        fails: Option<usize>,
        parallelism: usize,
    ) -> (Vec<Visited>, Vec<usize>, usize) {
        let mut graph = Graph::new();
        for idx in 0..5 {
            graph.add_node(idx);
        }
        graph.extend_with_edges(edges);
        let (order, now, most) = (RefCell::new(Vec::new()), Cell::new(0), Cell::new(0));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let visited = runtime.block_on(walk(&graph, parallelism, |vertex| {
            let (order, now, most) = (&order, &now, &most);
            async move {
                order.borrow_mut().push(vertex.index());
                now.set(now.get() + 1);
                most.set(most.get().max(now.get()));
                tokio::task::yield_now().await;
                now.set(now.get() - 1);
                match fails == Some(vertex.index()) {
                    true => Err(End::Lost { why: String::new() }),
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
}
