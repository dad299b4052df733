//! Scenarios a user could have written.
//!
//! What is built is legal by construction; nothing is thrown away. All decisions
//! go through [`choices::Choices`], so that the same seed gives the same bytes.
//! Pure: no clock, no disk, no network.

pub mod build;
pub mod choices;
mod collect;
mod draft;
pub mod legal;
pub mod model;
mod names;
pub mod pins;
mod scenarios;
pub mod shape;
mod spec;
pub mod store;
mod target;
pub mod unknown;
pub mod value_class;
mod witness;

use std::path::PathBuf;

pub use pins::{PinProblem, Pins};
pub use scenarios::{scenarios, shown};

/// What scenarios are made for.
#[derive(Clone, Debug)]
pub struct Options {
    pub seed: u64,
    /// Scenarios for each type.
    pub cases: usize,
    /// Whether objects are made and data is read. Otherwise configurations are validated and planned.
    pub apply: bool,
    /// Whether arguments that run programs may be filled where objects are made or data is read.
    pub safe_to_run: bool,
    /// Below which file paths stay where objects are made. Without it they are bare names, for a provider
    /// that works in a folder for them. The same folder sends the same bytes.
    pub scratch: Option<PathBuf>,
    pub pins: Pins,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 0, cases: 24, apply: false, safe_to_run: false, scratch: None, pins: Pins::default() }
    }
}

#[cfg(test)]
mod strategy;
#[cfg(test)]
mod tests;
