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

fn mutator(schema: &Schema) -> Mutator<'_> {
    Mutator::new(schema, Kind::Resource, "acme_thing", &applied(1))
}

/// Bytes without the end that stands for the simplest decisions anyway.
fn some_bytes(seed: u64) -> Vec<u8> {
    (0..20).flat_map(|n| scenario_seed(seed, "bytes", n).to_le_bytes()).collect()
}

#[test]
fn a_mutation_without_changes_is_the_same_scenario() {
    let schema = example_thing();
    let mutator = mutator(&schema);
    for seed in 0..200 {
        let bytes = some_bytes(seed);
        let spliced = mutator.spliced(&bytes, &bytes, seed);
        let runs = |bytes: &[u8]| drawn(&schema, Kind::Resource, bytes).runs;
        assert_eq!(runs(&spliced), runs(&bytes), "seed {seed}");
    }
}

/// What a mutation is for: most of a scenario stays, wherever in it something is changed.
#[test]
fn a_mutation_keeps_more_of_a_scenario_than_a_changed_byte() {
    let schema = example_thing();
    let mutator = mutator(&schema);
    let configs = |bytes: &[u8]| -> Vec<Value> {
        configs(&drawn(&schema, Kind::Resource, bytes)).into_iter().cloned().collect()
    };
    let n_kept = |before: &[u8], after: &[u8]| -> usize {
        let (before, after) = (configs(before), configs(after));
        let attributes = |config: &Value| -> Vec<(String, Value)> {
            config.attributes().map(|(name, value)| (name.to_owned(), value.clone())).collect()
        };
        let pairs = before.iter().map(attributes).zip(after.iter().map(attributes));
        pairs.flat_map(|(before, after)| before.into_iter().zip(after)).filter(|(a, b)| a == b).count()
    };
    let (mut by_mutation, mut by_byte, mut n_changed) = (0, 0, 0);
    for seed in 0..300 {
        let bytes = some_bytes(seed);
        let mutated = mutator.mutated(&bytes, seed);
        n_changed += usize::from(
            drawn(&schema, Kind::Resource, &mutated).runs != drawn(&schema, Kind::Resource, &bytes).runs,
        );
        by_mutation += n_kept(&bytes, &mutated);
        let mut changed = bytes.clone();
        changed[seed as usize % 12] ^= 1 << (seed % 8);
        by_byte += n_kept(&bytes, &changed);
    }
    assert!(n_changed > 200, "{n_changed} of 300 mutations change the scenario");
    assert!(
        by_mutation > by_byte,
        "{by_mutation} attributes stay as they were, {by_byte} after a changed byte"
    );
}

#[test]
fn a_splice_takes_over_what_another_scenario_decides() {
    let schema = example_thing();
    let mutator = mutator(&schema);
    // From zeros, whatever is set beyond the smallest configuration comes from the other scenario.
    let different: HashSet<String> = (0..100)
        .map(|seed| mutator.spliced(&[], &some_bytes(seed), seed))
        .map(|bytes| format!("{:?}", drawn(&schema, Kind::Resource, &bytes).runs))
        .collect();
    assert!(different.len() > 10, "{}", different.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn mutated_bytes_are_a_scenario_that_an_engine_could_play(
        schema in schemas(),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        other in prop::collection::vec(any::<u8>(), 0..200),
        seed in any::<u64>()
    ) {
        let mutator = mutator(&schema);
        for mutated in [mutator.mutated(&bytes, seed), mutator.spliced(&bytes, &other, seed)] {
            assert_legal(&schema, &drawn(&schema, Kind::Resource, &mutated));
        }
    }
}
