//! The graphs of a run: which object waits for which.
//!
//! A graph has a node for each object that something is done to; an object that is replaced has two, because
//! destroys are ordered otherwise than creates. A block with several objects has one more node, at which
//! nothing is done: others wait for that instead of for each object (`order`). The provider's configuration,
//! its end and the root surround them.
//!
//! Source: contract section 6, and the document "Resource Graph".

mod dependencies;
mod forced;
mod order;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use petgraph::algo::kosaraju_scc;

use super::walk::{Graph, HasAction};
use crate::scenario::{DeposedKey, InstanceAddress, ResourceAddress};

pub(super) use dependencies::{CreatedFirst, Dependencies};
pub(super) use forced::{defect_of_the_order, force_created_first};
pub(super) use order::{Stage, comes_before, in_order, of_changes, unordered};

/// The addresses of blocks.
pub(super) type Blocks = Arc<BTreeSet<ResourceAddress>>;

/// What a graph consists of.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// One object; the only nodes at which something is done.
    Object(Vertex),
    /// All objects of a block that are at the same stage and wait for the same blocks, if there are several.
    Group { of: ResourceAddress, stage: Stage },
    /// A provider configuration, by its alias if it has one: before the first object that it serves.
    Provider(Option<String>),
    /// It is no longer needed: after the last object that it serves.
    ProviderClose(Option<String>),
    /// Waits for everything.
    Root,
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

/// A change of an object, with what its place in the order depends on.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub address: InstanceAddress,
    pub change: Change,
    /// The blocks that it waits for when it is validated, planned or applied, directly or through others.
    pub dependencies: Blocks,
    /// The blocks that the object depends on as far as the state knows, directly or through others; those of
    /// the configuration if it does not exist.
    pub recorded: Blocks,
    /// Whether the object, if it is destroyed, is destroyed after everything that depends on it has changed.
    pub create_before_destroy: bool,
    /// The alias of the provider configuration that serves it, if it has one.
    pub provider: Option<String>,
    /// Whether a provisioner runs after the object is created.
    pub is_provisioned: bool,
}

/// Nodes that wait for each other, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cycle(Vec<String>);

impl Cycle {
    /// One of the cycles of a graph that has one.
    fn of<N: fmt::Display>(graph: &Graph<N>) -> Option<Cycle> {
        let component = kosaraju_scc(graph)
            .into_iter()
            .find(|nodes| nodes.len() > 1 || graph.contains_edge(nodes[0], nodes[0]))?;
        let mut names: Vec<String> = component.into_iter().map(|node| graph[node].to_string()).collect();
        names.sort();
        Some(Cycle(names))
    }
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl HasAction for Node {
    fn has_action(&self) -> bool {
        matches!(self, Node::Object(_))
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Object(vertex) => write!(f, "{vertex}"),
            Node::Group { of, stage: Stage::Create } => write!(f, "{of} (all)"),
            Node::Group { of, .. } => write!(f, "{of} (all, destroy)"),
            Node::Provider(None) => f.write_str("provider"),
            Node::Provider(Some(alias)) => write!(f, "provider.{alias}"),
            Node::ProviderClose(None) => f.write_str("provider (close)"),
            Node::ProviderClose(Some(alias)) => write!(f, "provider.{alias} (close)"),
            Node::Root => f.write_str("root"),
        }
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Vertex { address, change, is_provisioned, .. } = self;
        match change {
            Change::Apply if *is_provisioned => write!(f, "{address} (then its provisioner)"),
            Change::Apply => write!(f, "{address}"),
            Change::Destroy(Some(deposed)) => write!(f, "{address} (destroy deposed {deposed})"),
            Change::Destroy(None) | Change::DestroyReplaced => write!(f, "{address} (destroy)"),
        }
    }
}

#[cfg(test)]
mod tests;
