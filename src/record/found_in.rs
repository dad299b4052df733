//! Which run of its scenario a finding was found in.

use serde::{Deserialize, Serialize};

use super::trigger::config;
use crate::scenario::{Block, EngineRun, Scenario};
use crate::transcript::{Exchange, Phase, Purpose, Transcript};
use crate::value::{PathStep, Value};

/// Where in its scenario a finding was found, as far as its exchanges show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FoundIn {
    /// The run, counted from 0: the first with the configuration of the exchange, or with the last one before it.
    pub run: Option<usize>,
    /// Whether something in that configuration was unknown, or had been before.
    pub has_unknowns: bool,
}

impl FoundIn {
    pub(super) fn of(exchange: &Exchange, transcript: &Transcript, scenario: &Scenario) -> FoundIn {
        let earlier = transcript.before(exchange.id, &exchange.instance);
        let configs = [exchange].into_iter().chain(earlier).filter_map(config);
        let config = configs.into_iter().find(|config| config.is_set());
        let is_it = |run: &EngineRun| {
            let own = run.blocks.iter().filter(|block| {
                block.instances().iter().any(|instance| instance.to_string() == exchange.instance)
            });
            let drifts = exchange.phase != Phase::Drift || !run.before.is_empty();
            drifts && config.is_some_and(|config| own.into_iter().any(|block| has(block, config)))
        };
        let was_unknown = matches!(exchange.purpose, Purpose::FinalPlan { .. });
        FoundIn {
            run: scenario.runs.iter().position(is_it),
            has_unknowns: was_unknown || config.is_some_and(|config| !config.is_wholly_known()),
        }
    }
}

/// Whether a block has a configuration, whatever it refers to.
fn has(block: &Block, config: &Value) -> bool {
    let arguments = &block.arguments;
    let referring = arguments.references().iter().filter_map(|reference| reference.at.steps().first());
    let without_references = |config: &Value| {
        referring.clone().fold(config.clone(), |config, step| match step {
            PathStep::Attribute(name) => {
                let unset = Value::null(config.member(name).ty().clone());
                config.with_attribute(name, unset)
            }
            _ => config,
        })
    };
    let asked = without_references(config);
    [arguments.resolved(), arguments.unresolved()].into_iter().any(|own| without_references(own) == asked)
}
