//! What we intend to do to a provider: intentions only, as data.
//!
//! A scenario says which configurations an object is taken through. Which calls
//! that takes, in which order and with what in them, is for the lifecycle to know.

use crate::schema::Kind;
use crate::transcript::{DriftKind, ScenarioLabel};
use crate::value::Value;

/// A graph of instances and what is to become of each. Today's have one node.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub label: ScenarioLabel,
    /// In an order that respects dependencies.
    pub nodes: Vec<Node>,
}

/// One instance of the graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// The instance's name within its type, as in `acme_thing.a`.
    pub name: String,
    pub kind: Kind,
    pub type_name: String,
    /// Played in this order; a managed object that still exists afterwards is destroyed.
    pub steps: Vec<Intent>,
}

/// One thing to do with an instance. Every configuration has the schema's implied type.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Validate alone.
    Validate { config: Value },
    /// Validate and plan, twice, and leave it at that: the configuration may hold unknowns.
    Plan { config: Value },
    /// Bring the object to a configuration: create, update or replace it, as the provider's answers have it.
    Apply {
        /// What the configuration looks like while upstream results are unknown; what is known in
        /// it is as in `config`. Where absent the configuration is known from the start.
        unknown: Option<Value>,
        /// Wholly known.
        config: Value,
    },
    /// Change the remote object behind the provider's back, then refresh and plan with the last configuration.
    Drift { kind: DriftKind },
    /// Destroy the object, then look for it.
    Destroy,
    /// Validate and read a data source, twice.
    ReadData { config: Value },
}

impl Node {
    /// The address findings name, such as `acme_thing.a` or `data.acme_lookup.a`.
    pub fn address(&self) -> String {
        format!("{}.{}", self.kind.qualified(&self.type_name), self.name)
    }
}
