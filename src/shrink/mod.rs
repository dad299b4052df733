//! Smaller scenarios that may show the same finding.
//!
//! Guesses leave out at once all that seems not to matter; candidates leave out one thing after the other, the
//! largest first. Each is one that an engine could play, and smaller by a well-founded measure ([`Size`]), so that
//! whoever goes on from a candidate that shows the finding comes to an end. Pure: nothing is played here.

mod arguments;
mod config;
mod guess;
mod reduce;
mod size;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::generate::Usual;
use crate::generate::legal::why_impossible;
use crate::scenario::{Block, ResourceAddress, Scenario};
use crate::schema::{Kind, ProviderSchema, Schema};
use crate::transcript::Phase;
use crate::value::Value;

pub use guess::guesses;
pub use reduce::candidates;
pub use size::Size;

/// What is known about a scenario and its finding.
pub struct About<'s> {
    pub schema: &'s ProviderSchema,
    /// The type that the finding is about.
    pub kind: Kind,
    pub type_name: String,
    pub usual: Usual,
    pub clue: Clue,
}

/// Where a finding was found.
#[derive(Clone, Debug, Default)]
pub struct Clue {
    pub phase: Option<Phase>,
    pub rpc: String,
    /// The attributes, by schema path.
    pub paths: BTreeSet<String>,
    /// The run, counted from 0.
    pub run: Option<usize>,
    /// Whether something in the configuration was unknown, or had been before.
    pub has_unknowns: bool,
    /// What is special about the upgraded state.
    pub altered: Option<String>,
}

impl Clue {
    /// Whether it was found in a run that changes what an earlier one made.
    fn needs_object(&self) -> bool {
        matches!(self.phase, Some(Phase::Update | Phase::Replace | Phase::Drift))
    }
}

impl About<'_> {
    fn schema_of(&self, block: &Block) -> Option<&Arc<Schema>> {
        self.schema.get(block.address.kind, &block.address.type_name)
    }

    fn is_of_type(&self, address: &ResourceAddress) -> bool {
        (address.kind, &address.type_name) == (self.kind, &self.type_name)
    }

    fn usual_value(&self, block: &Block, path: &str) -> Option<&Value> {
        self.usual.values.get(path).filter(|_| self.is_of_type(&block.address))
    }
}

/// Those that are smaller and could be played.
fn smaller<'a>(
    scenario: &'a Scenario,
    about: &'a About<'a>,
    made: impl Iterator<Item = Scenario> + 'a,
) -> impl Iterator<Item = Scenario> + 'a {
    let size = Size::of(scenario, about);
    let made = made.map(|made| tidied(made, about));
    made.filter(move |made| !made.runs.is_empty() && Size::of(made, about) < size && is_legal(made, about))
}

fn is_legal(scenario: &Scenario, about: &About<'_>) -> bool {
    scenario.blocks().all(|block| {
        let is_possible = |schema: &Arc<Schema>| {
            let (set, resolved) = (block.arguments.set(), block.arguments.resolved());
            let referred = block.arguments.references().is_empty();
            why_impossible(schema, &set).is_empty()
                && (!referred || why_impossible(schema, resolved).is_empty())
        };
        about.schema_of(block).is_some_and(is_possible)
    })
}

/// Without what nothing refers to any more, and without obligations: nobody counts them.
fn tidied(mut scenario: Scenario, about: &About<'_>) -> Scenario {
    let mut needed: BTreeSet<ResourceAddress> = BTreeSet::new();
    let own = |block: &&Block| about.is_of_type(&block.address);
    let mut waiting: Vec<ResourceAddress> =
        scenario.blocks().filter(own).map(|block| block.address.clone()).collect();
    while let Some(address) = waiting.pop() {
        if needed.insert(address.clone()) {
            let named = scenario.blocks().filter(|block| block.address == address);
            waiting.extend(named.flat_map(Block::dependencies));
        }
    }
    for run in &mut scenario.runs {
        run.aims = Default::default();
        run.blocks.retain(|block| needed.contains(&block.address));
        let there: BTreeSet<ResourceAddress> = run.blocks.iter().map(|block| block.address.clone()).collect();
        run.before.retain(|change| there.contains(&change.of().resource));
        run.moved.retain(|moved| there.contains(&moved.to.resource));
        run.imports.retain(|import| there.contains(&import.to.resource));
        for block in &mut run.blocks {
            block.meta.depends_on.retain(|address| there.contains(address));
            block.arguments = block.arguments.with_references(|reference| {
                reference.source.used_instances().iter().all(|of| there.contains(&of.resource))
            });
        }
    }
    scenario
}
