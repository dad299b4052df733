//! Which run of its scenario a finding was found in.

use std::collections::BTreeSet;

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
        let earlier: Vec<&Exchange> = transcript.before(exchange.id, &exchange.instance).collect();
        let (mut run, mut last) = (None, None);
        // Runs are played in order, and a later one may have the configuration of an earlier one again.
        for asked in earlier.into_iter().rev().chain([exchange]) {
            let Some(config) = config(asked).filter(|config| config.is_set()) else { continue };
            let from = run.unwrap_or(0);
            let ahead = scenario.runs[from..].iter().position(|run| is_asked_in(asked, config, run));
            let found = ahead.map(|ahead| from + ahead);
            run = found.or(run);
            last = Some((found, config));
        }
        let was_unknown = matches!(exchange.purpose, Purpose::FinalPlan { .. });
        FoundIn {
            run: last.and_then(|(run, _)| run),
            has_unknowns: was_unknown || last.is_some_and(|(_, config)| !config.is_wholly_known()),
        }
    }
}

/// The runs of a scenario, counted from 0, in which a call failed.
pub fn failed_runs(transcript: &Transcript, scenario: &Scenario) -> BTreeSet<usize> {
    let failed = transcript.exchanges.iter().filter(|exchange| !exchange.call.succeeded());
    failed.filter_map(|exchange| FoundIn::of(exchange, transcript, scenario).run).collect()
}

/// Whether a run has the configuration of an exchange.
fn is_asked_in(asked: &Exchange, config: &Value, run: &EngineRun) -> bool {
    let is_its =
        |block: &&Block| block.instances().iter().any(|instance| instance.to_string() == asked.instance);
    let drifts = asked.phase != Phase::Drift || !run.before.is_empty();
    drifts && run.blocks.iter().filter(is_its).any(|block| has(block, config))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::example;
    use crate::scenario::{Arguments, Operation, ResourceAddress};
    use crate::schema::Kind;
    use crate::transcript::{ExchangeId, ScenarioLabel};

    #[test]
    fn a_run_with_the_configuration_of_an_earlier_one_is_another_run() {
        let mut transcript = example::lifecycle();
        let planned = |phase: Phase| {
            let is_it =
                |asked: &&Exchange| asked.phase == phase && asked.call.rpc_name() == "PlanResourceChange";
            transcript.exchanges.iter().find(is_it).expect("the example has it").clone()
        };
        let (create, update) = (planned(Phase::Create), planned(Phase::Update));
        let run = |asked: &Exchange| {
            let (_, name) = asked.instance.split_once('.').expect("an instance has a name");
            let address = ResourceAddress::new(Kind::Resource, example::THING, name);
            let arguments = Arguments::known(config(asked).expect("a plan has one").clone());
            EngineRun::new(Operation::Apply, vec![Block::new(address, arguments)])
        };
        let runs = vec![run(&create), run(&update), run(&create)];
        let scenario = Scenario::new(ScenarioLabel::default(), runs);
        let asked = [create.clone(), update, create].into_iter().zip(0..);
        transcript.exchanges = asked.map(|(asked, id)| Exchange { id: ExchangeId(id), ..asked }).collect();
        let found = transcript.exchanges.iter().map(|asked| FoundIn::of(asked, &transcript, &scenario).run);
        assert_eq!(found.collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    }
}
