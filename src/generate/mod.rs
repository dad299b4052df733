//! Scenarios a user could have written.
//!
//! What is built is legal by construction; nothing is discarded. All decisions go through
//! [`choices::Choices`], so the same seed gives the same bytes. Pure: no clock, no disk, no
//! network.

mod base;
pub mod behaviour;
pub mod build;
pub mod candidates;
mod cases;
pub mod catalogue;
pub(crate) mod chain;
pub mod choices;
mod collect;
mod contested;
mod digit;
mod draft;
mod example;
pub mod facts;
pub mod group_rules;
pub(crate) mod learned;
pub mod legal;
pub mod lesson;
pub mod limit;
pub mod model;
mod moves;
mod mutation;
mod names;
pub mod obligation;
mod old_states;
mod pair_plan;
mod pairs;
pub mod pins;
pub mod presence;
pub mod ranking;
mod scenarios;
pub mod shape;
pub(crate) mod spec;
pub mod store;
pub mod stored_state;
pub mod supplier;
pub mod suppliers;
pub mod synthesis;
pub(crate) mod target;
pub mod universe;
pub mod unknown;
mod usual;
pub mod value_class;
pub(crate) mod witness;
mod written;

use std::path::PathBuf;

use crate::schema::Schema;

pub use cases::Cases;
pub(crate) use draft::turns_before_pairs;
pub use example::{MADE_UP, as_written, example, tested};
pub use facts::{Facts, Shown};
pub use moves::{Successor, successors};
pub use mutation::Mutator;
pub use old_states::old_states;
pub use pins::{PinProblem, Pins, unused};
pub use scenarios::{Manner, Retry, from_bytes, retried, scenarios, shown};
pub use suppliers::Suppliers;
pub use universe::{infeasible, obligations};
pub use usual::Usual;
pub(crate) use witness::published_keys;

/// Whether each call for an object of the schema takes long.
pub(crate) fn is_huge(schema: &Schema) -> bool {
    model::SchemaModel::new(schema).is_huge()
}

/// How to generate scenarios.
#[derive(Clone, Debug)]
pub struct Options {
    pub seed: u64,
    /// Scenarios for each type.
    pub cases: Cases,
    /// Whether objects are created and data is read. Otherwise configurations are only validated and planned.
    pub apply: bool,
    /// Whether arguments that run programs may be filled when objects are created or data is read.
    pub safe_to_run: bool,
    /// The folder for all file paths when objects are created. Without it they are bare names, for
    /// a provider whose working folder is meant for them. The same folder gives the same bytes.
    pub scratch: Option<PathBuf>,
    /// The folder for paths that the provider wants to be absolute, if it has no `scratch`.
    pub temporary: Option<PathBuf>,
    pub pins: Pins,
    /// What the provider's answers taught about the type.
    pub facts: Facts,
    /// The types that it can refer to.
    pub suppliers: Suppliers,
    /// Whether the type declares an identity.
    pub has_identity: bool,
    /// The types that objects of the type may be moved to; `None` if the provider declares no moves.
    pub successors: Option<Vec<Successor>>,
    /// Whether the provider was already running: it is neither told to stop nor killed.
    pub is_reattached: bool,
    /// Whether something can change remote objects behind the provider's back.
    pub drifts: bool,
    /// Runs of a random walk after its first.
    pub walk_length: usize,
}

/// The length of a random walk by default.
pub const WALK_LENGTH: usize = 12;

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            cases: Cases::Auto,
            apply: false,
            safe_to_run: false,
            scratch: None,
            temporary: None,
            pins: Pins::default(),
            facts: Facts::default(),
            suppliers: Suppliers::default(),
            has_identity: false,
            successors: None,
            is_reattached: false,
            drifts: false,
            walk_length: WALK_LENGTH,
        }
    }
}

#[cfg(test)]
pub(crate) mod strategy;
#[cfg(test)]
mod tests;
