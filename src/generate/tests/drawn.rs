//! Scenarios from any bytes.

use std::collections::{BTreeSet, HashSet};

use super::*;
use crate::generate::choices::scenario_seed;

fn drawn(schema: &Schema, kind: Kind, bytes: &[u8]) -> Scenario {
    from_bytes(schema, kind, "acme_thing", &applied(1), bytes)
}

#[test]
fn no_bytes_and_only_zeros_are_the_simplest_scenario() {
    let schema = example_thing();
    let simplest = drawn(&schema, Kind::Resource, &[]);
    assert_eq!(simplest.runs.len(), 1);
    assert_eq!(drawn(&schema, Kind::Resource, &[0; 400]).runs, simplest.runs);
    let [config] = configs(&simplest)[..] else { panic!("one configuration, all of it known") };
    let required = &managed(&schema, &applied(1))[0];
    let set = |config: &Value| -> Vec<String> {
        config.attributes().filter(|(_, value)| value.is_set()).map(|(name, _)| name.to_owned()).collect()
    };
    assert_eq!(set(config), set(configs(required)[0]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_are_a_scenario_that_an_engine_could_play(
        schema in schemas(), bytes in prop::collection::vec(any::<u8>(), 0..300)
    ) {
        for kind in [Kind::Resource, Kind::DataSource] {
            let scenario = drawn(&schema, kind, &bytes);
            assert_legal(&schema, &scenario);
            prop_assert_eq!(drawn(&schema, kind, &bytes).runs, scenario.runs);
        }
    }
}

/// What a fuzzer needs: other bytes are another scenario, and all that a scenario can do comes up.
#[test]
fn bytes_reach_every_kind_of_run() {
    let schema = example_thing();
    let mut seen = BTreeSet::new();
    let mut different = HashSet::new();
    for seed in 0_u64..400 {
        let bytes: Vec<u8> = (0..40).flat_map(|n| scenario_seed(seed, "bytes", n).to_le_bytes()).collect();
        let scenario = drawn(&schema, Kind::Resource, &bytes);
        different.insert(format!("{:?}", scenario.runs));
        for run in &scenario.runs {
            seen.insert(format!("{:?}", run.options.operation));
            seen.extend(run.before.iter().map(|change| format!("{change:?}").chars().take(5).collect()));
            let unknown = run.blocks.iter().any(|block| block.arguments.has_upstream());
            seen.extend(unknown.then(|| "unknown".to_owned()));
        }
    }
    for expected in ["Apply", "Plan", "Drift", "unknown"] {
        assert!(seen.contains(expected), "{expected} is not among {seen:?}");
    }
    assert!(different.len() > 390, "{}", different.len());
}
