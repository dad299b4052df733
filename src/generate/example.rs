//! The scenario of an example of the provider's documentation.

use std::collections::BTreeMap;

use super::Options;
use super::chain;
use super::choices::scenario_seed;
use super::facts::Shown;
use super::model::{Form, SchemaModel};
use super::names;
use super::obligation::ObligationKind;
use super::pins::WORD;
use super::spec::{ConfigSpec, TypeGenerator};
use super::supplier::{Mark, marks};
use super::universe::of_node;
use super::witness::{self, Format, Nth};
use crate::scenario::{Arguments, Block, EngineRun, ObligationId, Operation, Scenario};
use crate::schema::{Kind, Schema};
use crate::transcript::{ExampleOrigin, ScenarioLabel};
use crate::value::Value;

/// The numbers of examples, and of the configurations of tests, apart from those of other scenarios: their words
/// differ.
const FIRST: u32 = 2_000_000;
const FIRST_OF_TESTS: u32 = 2_500_000;

/// Stands in a configuration for what a test makes up when it runs. Nobody has it as a value.
pub const MADE_UP: &str = "tfconformMadeUp";

/// Plays the `n`-th example of a type, counted from 0: as it is, and then changed to a configuration that is made up.
/// An example that decides otherwise than the user did is only planned.
///
/// The first of the blocks is the example, the others are what it refers to. An example that no engine would play
/// is not played: in its place the smallest configuration is validated.
pub fn example(
    schema: &Schema,
    kind: Kind,
    options: &Options,
    blocks: &[Block],
    origin: &ExampleOrigin,
    n: u32,
) -> Option<Scenario> {
    let block = blocks.first()?;
    let type_name = &block.address.type_name;
    let generator = TypeGenerator::new(schema, kind, type_name, options);
    let config = |shape| generator.config(u64::from(FIRST + n), &ConfigSpec::plain(shape));
    let changed_to = |value| Block { arguments: Arguments::known(value), ..block.clone() };
    let operation = operation(&generator.model, kind, options, blocks);
    let mut as_it_is = EngineRun::new(operation, blocks.to_vec());
    let mut made = Vec::new();
    if !origin.problems.is_empty() {
        let block = changed_to(config(generator.minimal.clone()));
        made.push(EngineRun::new(Operation::Validate, vec![block]));
    } else if matches!(operation, Operation::Apply | Operation::Synthesise) && kind == Kind::Resource {
        let largest = config(generator.everything().clone());
        let changed = match largest.is_wholly_known() {
            true => changed_to(largest),
            false => changed_to(config(generator.minimal.clone())),
        };
        as_it_is.aims.together = set(&generator, block);
        let others = blocks.iter().skip(1).cloned();
        made.push(EngineRun::new(operation, [changed].into_iter().chain(others).collect()));
    }
    let label = ScenarioLabel {
        type_name: type_name.clone(),
        kind: "example".to_owned(),
        about: format!("the example in {}:{}", origin.file, origin.line),
        number: FIRST + n,
        seed: options.seed,
        example: Some(origin.clone()),
        optional: None,
    };
    let mut scenario = Scenario::new(label, made);
    // The example itself says what it refers to.
    chain::complete(&mut scenario, &generator.suppliers);
    if origin.problems.is_empty() {
        scenario.runs.insert(0, as_it_is);
    }
    Some(scenario)
}

/// Plays configurations that acceptance tests give one block, one after the other: the steps of one test, or those of
/// several. `None` if one of them is not to be applied.
///
/// The first block of each step is the one under test; `place` is where the first step is.
pub fn tested(
    schema: &Schema,
    options: &Options,
    steps: &[&[Block]],
    place: &str,
    n: u32,
) -> Option<Scenario> {
    let type_name = &steps.first()?.first()?.address.type_name;
    let generator = TypeGenerator::new(schema, Kind::Resource, type_name, options);
    let number = FIRST_OF_TESTS + n;
    let salt = scenario_seed(options.seed, type_name, u64::from(number));
    let run = |step: &&[Block]| {
        let may_apply = operation(&generator.model, Kind::Resource, options, step) == Operation::Apply;
        let blocks = step.iter().map(|block| {
            let word = witness::word(&block.address.to_string(), salt, Nth::new(0, 0));
            let made = |config: &Value| config.transform(&mut |_, value| with_word(value, &word));
            Block { arguments: block.arguments.map(made), ..block.clone() }
        });
        let mut run = EngineRun::new(Operation::Apply, blocks.collect());
        run.aims.together = set(&generator, step.first()?);
        may_apply.then_some(run)
    };
    let label = ScenarioLabel {
        type_name: type_name.clone(),
        kind: "test".to_owned(),
        about: format!("configurations of tests, the first in {place}"),
        number,
        seed: options.seed,
        ..ScenarioLabel::default()
    };
    Some(Scenario::new(label, steps.iter().map(run).collect::<Option<_>>()?))
}

/// A text with a word in place of what is made up.
fn with_word(value: Value, word: &str) -> Value {
    match value.as_str() {
        Some(text) if text.contains(MADE_UP) => Value::string(&text.replace(MADE_UP, word)),
        _ => value,
    }
}

/// The values of an example by argument; `None` if it cannot be sent as it is.
pub fn as_written(
    example: &Shown,
    model: &SchemaModel<'_>,
    options: &Options,
) -> Option<BTreeMap<String, Value>> {
    let config = example.config.as_ref()?;
    let is_there = |mark: &Mark| options.suppliers.get(&mark.supplier.type_name).is_some();
    let is_safe = options.safe_to_run || !reaches_the_machine(model, config);
    if !is_safe || !marks(config).iter().all(is_there) {
        return None;
    }
    let in_words = |value: &Value| value.transform(&mut |_, value| with_word(value, WORD));
    let set = config.attributes().filter(|(_, value)| value.is_set());
    Some(set.map(|(name, value)| (name.to_owned(), in_words(value))).collect())
}

/// How far an example is played.
fn operation(model: &SchemaModel<'_>, kind: Kind, options: &Options, blocks: &[Block]) -> Operation {
    let is_alone = blocks.len() == 1;
    let config = blocks[0].arguments.resolved();
    let is_safe = options.safe_to_run || (is_alone && !reaches_the_machine(model, config));
    let may_apply = options.apply && is_safe && !options.pins.contradict(config);
    match kind {
        _ if may_apply => Operation::Apply,
        Kind::Resource if is_alone && !options.apply => Operation::Synthesise,
        Kind::Resource => Operation::Plan,
        _ => Operation::Validate,
    }
}

/// Whether a configuration names files of the provider's machine, or programs that run there.
fn reaches_the_machine(model: &SchemaModel<'_>, config: &Value) -> bool {
    let reaches = |path: &str| {
        let name = path.rsplit('.').next().unwrap_or(path);
        path.split('.').any(names::runs_programs) || names::format_of(name, path) == Some(Format::Path)
    };
    let leaves = model.ids().map(|id| model.node(id)).filter(|node| matches!(node.form, Form::Leaf));
    let suspected: Vec<&str> = leaves.map(|node| node.path.as_str()).filter(|path| reaches(path)).collect();
    let mut found = false;
    config.walk(&mut |at, value| {
        found |= value.is_set() && suspected.contains(&at.schema_path().to_string().as_str());
        !found
    });
    found
}

/// The arguments that the example sets, among others.
fn set(generator: &TypeGenerator<'_>, block: &Block) -> Vec<ObligationId> {
    let set = Shown::of(block, String::new()).set;
    let optional =
        generator.targets().optional.iter().filter(|id| set.contains(&generator.model.node(**id).path));
    let met = optional.map(|id| of_node(generator, *id, ObligationKind::Set));
    met.filter_map(|met| generator.universe().id(&met)).collect()
}
