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

/// Enough for a few steps; the decisions after them are the simplest ones.
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
    let scenario = |bytes: &[u8]| drawn(&schema, Kind::Resource, bytes);
    // Of the values that are set, how many stay, and how many there are.
    let kept = |before: &Scenario, after: &Scenario| -> (usize, usize) {
        let (before, after) = (configs(before), configs(after));
        let attributes = before.iter().enumerate().flat_map(|(idx, config)| {
            config
                .attributes()
                .filter(|(_, value)| value.is_set())
                .map(move |(name, value)| (idx, name, value))
        });
        let stays = |(idx, name, value): &(usize, &str, &Value)| {
            after.get(*idx).is_some_and(|config| config.member(name) == **value)
        };
        let attributes: Vec<_> = attributes.collect();
        (attributes.iter().filter(|attribute| stays(attribute)).count(), attributes.len())
    };
    let percent = |change: &dyn Fn(&[u8], u64) -> Vec<u8>| {
        let (mut n_kept, mut n_set, mut n_changed) = (0, 0, 0);
        for seed in 0..300 {
            let bytes = some_bytes(seed);
            let (before, after) = (scenario(&bytes), scenario(&change(&bytes, seed)));
            if before.runs != after.runs {
                let (kept, set) = kept(&before, &after);
                (n_kept, n_set, n_changed) = (n_kept + kept, n_set + set, n_changed + 1);
            }
        }
        (n_kept * 100 / n_set, n_changed)
    };
    let (by_mutation, n_changed) = percent(&|bytes, seed| mutator.mutated(bytes, seed));
    let (by_byte, n_changed_by_byte) = percent(&|bytes, seed| {
        let mut changed = bytes.to_vec();
        changed[seed as usize % 40] ^= 1 << (seed % 8);
        changed
    });
    assert!(n_changed > 200, "{n_changed} of 300 mutations change the scenario");
    assert!(
        by_mutation > by_byte + 20,
        "{by_mutation} % of the values stay as they were, {by_byte} % after a changed byte ({n_changed_by_byte})"
    );
}

#[test]
fn a_splice_takes_over_what_another_scenario_decides() {
    let schema = example_thing();
    let mutator = mutator(&schema);
    let runs = |bytes: &[u8]| drawn(&schema, Kind::Resource, bytes).runs;
    // From no bytes, whatever is set beyond the smallest configuration comes from the other scenario.
    let simplest = runs(&[]);
    let different: HashSet<String> = (0..100)
        .map(|seed| runs(&mutator.spliced(&[], &some_bytes(seed), seed)))
        .filter(|runs| *runs != simplest)
        .map(|runs| format!("{runs:?}"))
        .collect();
    assert!(different.len() > 25, "{}", different.len());
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
