//! What holds for every schema and every seed.

mod drawn;
mod drifts;
mod exclusive;
mod limits;
mod old_states;
mod order;
mod policy;
mod references;
mod retry;
mod secret;
mod shown;
mod synthesis;

use proptest::prelude::*;

use super::legal::why_impossible;
use super::strategy::schemas;
use super::unknown::relaxes;
use super::*;
use crate::engine::Engine;
use crate::rule::example;
use crate::scenario::Scenario;
use crate::schema::Kind;
use crate::schema::{self, Attribute, Block, NestedBlock, Nesting, Schema};
use crate::value::{Type, Value, msgpack};

fn applied(cases: usize) -> Options {
    Options { seed: 7, cases: Cases::Number(cases), apply: true, ..Options::default() }
}

fn managed(schema: &Schema, options: &Options) -> Vec<Scenario> {
    scenarios(schema, Kind::Resource, "acme_thing", options).collect()
}

fn example_thing() -> std::sync::Arc<Schema> {
    example::schema().resources[example::THING].clone()
}

fn configs(scenario: &Scenario) -> Vec<&Value> {
    let values = scenario.blocks().flat_map(|block| match block.arguments.has_upstream() {
        true => vec![block.arguments.unresolved(), block.arguments.resolved()],
        false => vec![block.arguments.resolved()],
    });
    values.collect()
}

fn abouts(scenarios: &[Scenario]) -> Vec<&str> {
    scenarios.iter().map(|scenario| scenario.label.about.as_str()).collect()
}

/// Possible, no computed-only attribute set, and unchanged by a round trip over the wire.
#[track_caller]
fn assert_legal(schema: &Schema, scenario: &Scenario) {
    for config in configs(scenario) {
        let about = &scenario.label.about;
        assert_eq!(why_impossible(schema, config), [], "{about}: {config}");
        assert_computed_null(&schema.block.attributes, config);
        for nested in &schema.block.block_types {
            for block in config.member(&nested.name).elements().unwrap_or_default() {
                assert_computed_null(&nested.block.attributes, block);
            }
        }
        if schema::check(schema, Engine::Terraform).is_empty() {
            let bytes = msgpack::encode(config, schema.implied_type());
            let decoded = msgpack::decode(&bytes, schema.implied_type());
            assert!(decoded.issues.is_empty(), "{about}: {:?} in {config}", decoded.issues);
        }
    }
    for run in scenario.runs.iter().filter(|run| !run.only_looks()) {
        for arguments in run.blocks.iter().map(|block| &block.arguments) {
            let (unknown, config) = (arguments.unresolved(), arguments.resolved());
            assert!(config.is_wholly_known());
            if arguments.has_upstream() {
                assert!(!unknown.is_wholly_known());
                assert!(relaxes(unknown, config), "{unknown} for {config}");
            }
        }
    }
}

#[test]
fn what_is_shown_is_known_but_for_one_plan_and_the_same_for_any_number_of_cases() {
    let schema = example_thing();
    let shown = |cases| shown(&schema, Kind::Resource, "acme_thing", &applied(cases));
    let scenarios = shown(1);
    let expected = ["only required", "everything on", "all unknown, everything on"];
    assert_eq!(abouts(&scenarios)[..3], expected);
    assert!(abouts(&scenarios)[3..].iter().all(|about| about.ends_with(": to another value")));
    assert_eq!(scenarios.len(), 9);
    let unknown = |scenario: &&Scenario| configs(scenario).iter().any(|config| !config.is_wholly_known());
    assert_eq!(scenarios.iter().filter(unknown).count(), 1);
    for (one, other) in scenarios.iter().zip(shown(24)) {
        assert_legal(&schema, one);
        assert_eq!(one.runs, other.runs);
    }
}

#[track_caller]
fn assert_computed_null(attributes: &[Attribute], object: &Value) {
    for attribute in attributes.iter().filter(|attribute| !attribute.is_configurable()) {
        assert!(!object.member(&attribute.name).is_set(), "{} in {object}", attribute.name);
    }
}

fn bytes(schema: &Schema, scenarios: &[Scenario]) -> Vec<Vec<u8>> {
    let encode = |config: &Value| msgpack::encode(config, schema.implied_type());
    scenarios
        .iter()
        .flat_map(|scenario| configs(scenario).into_iter().map(encode).collect::<Vec<_>>())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_configuration_of_every_schema_is_one_an_engine_could_have_sent(
        schema in schemas(), seed: u64, apply: bool, safe: bool
    ) {
        let options = Options { seed, cases: Cases::Number(40), apply, safe_to_run: safe, ..Options::default() };
        for kind in [Kind::Resource, Kind::DataSource] {
            let scenarios: Vec<Scenario> = scenarios(&schema, kind, "acme_thing", &options).collect();
            prop_assert_eq!(scenarios.len(), 40);
            for scenario in &scenarios {
                assert_legal(&schema, scenario);
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes(schema in schemas(), seed: u64) {
        let options = Options { seed, ..applied(30) };
        let (first, second) = (managed(&schema, &options), managed(&schema, &options));
        prop_assert_eq!(abouts(&first), abouts(&second));
        prop_assert_eq!(bytes(&schema, &first), bytes(&schema, &second));
    }
}

#[test]
fn the_example_gets_legal_scenarios_for_as_long_as_one_likes() {
    let schema = example_thing();
    for scenario in managed(&schema, &applied(600)) {
        assert_legal(&schema, &scenario);
    }
}

#[test]
fn sets_of_blocks_have_as_many_as_must_be() {
    let block = Block::new(vec![Attribute::typed("key", Type::String).optional()], vec![]);
    let nested = NestedBlock::new("rule", Nesting::Set, block).items(3, 5);
    let schema = Schema { version: 0, block: Block::new(vec![], vec![nested]) };
    let mut most = 0;
    for scenario in managed(&schema, &applied(40)) {
        let about = &scenario.label.about;
        for rules in
            configs(&scenario).iter().filter_map(|config| config.member("rule").elements().map(<[_]>::len))
        {
            // Blocks with all members null are equal, and so may be those with one member removed.
            let equal = !about.contains("elements added") && !about.contains("only required");
            assert!(rules >= 3 || (rules == 1 && equal), "{about}: {rules}");
            most = most.max(rules);
        }
    }
    assert!(most >= 4);
}

#[test]
fn a_giant_is_generated_from_all_the_same() {
    let mut block = Block::new(vec![Attribute::typed("leaf", Type::String).required()], vec![]);
    for level in 0..10 {
        let inner = |name: &str, items| NestedBlock::new(name, Nesting::List, block.clone()).items(items, 0);
        let extra = (0..20).map(|n| Attribute::typed(&format!("leaf{n}"), Type::Number).optional());
        block =
            Block::new(extra.collect(), vec![inner("may", 0), inner("must", i64::from(level % 3 == 0) * 2)]);
    }
    let schema = Schema { version: 0, block };
    for scenario in managed(&schema, &applied(30)) {
        for config in configs(&scenario) {
            assert_eq!(why_impossible(&schema, config), []);
        }
    }
}
