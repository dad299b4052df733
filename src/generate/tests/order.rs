//! Which scenarios are generated, and in which order.

use std::collections::BTreeSet;

use super::*;
use crate::generate::strategy::tiny;

#[test]
fn every_value_class_of_the_example_has_its_turn() {
    let schema = example_thing();
    let scenarios = managed(&schema, &applied(900));
    for class in [
        "empty string",
        "é",
        "blanks around",
        "\"01\"",
        "two lines",
        "\"1.0\"",
        "combining mark",
        "4,096 letters",
        "looks like a template",
        "emoji",
        "\"86400000\"",
        "capital letters",
        "blanks inside",
        "300 letters",
        "quotes",
        "backslashes",
        "\"true\"",
        "JSON with white space, its keys unsorted",
        "0",
        "1",
        "-1",
        "2^31",
        "2^53+1",
        "2^63-1",
        "2^63",
        "0.5",
        "0.1",
        "1e30",
        "1e-7",
        "empty",
        "two elements",
        "descending order",
        "equal elements",
        "a null element",
        "a key with a dot",
        "a key with a blank",
        "a key with é",
        "members partly null",
        "optional members null",
        "a number",
        "a bool",
        "a tuple",
        "an object",
    ] {
        let ending = format!(" = {class}");
        assert!(abouts(&scenarios).iter().any(|about| about.ends_with(&ending)), "{class}");
    }
}

#[test]
fn the_default_cases_of_the_example_touch_every_class() {
    let schema = example_thing();
    let scenarios = managed(&schema, &applied(Options::default().cases));
    insta::assert_snapshot!(abouts(&scenarios).join("\n"), @r#"
    only required
    all unknown, only required
    everything on
    absent: to another value
    absent alone
    absent = empty string
    zones: null to value and back
    zones: null to empty and back
    chosen: element added, removed
    mapped: key added, removed
    disk: block added, moved, removed
    each leaf unknown, 1 to 24 of 37
    whole blocks unknown
    only required, applied twice
    drift: change, only required
    drift: vanish, only required
    drift: add-element, chosen alone
    drift: respell, everything on
    every free text: capital letters, blanks inside, "01", "true", 300 letters
    every free text: blanks around, é, combining mark, emoji, two lines
    every free text: quotes, JSON with white space, its keys unsorted, looks like a template, backslashes
    absent: capital letters, blanks inside, "01", "true", 300 letters
    all unknown, everything on
    name: to another value
    "#);
}

#[test]
fn a_tiny_schema_has_scenarios_enough_and_no_two_objects_of_one_name() {
    let schema = tiny();
    let scenarios = managed(&schema, &applied(24));
    insta::assert_snapshot!(abouts(&scenarios).join("\n"), @r#"
    only required
    all unknown, only required
    name: to another value
    name = empty string
    each leaf unknown
    only required, applied twice
    drift: change, only required
    drift: vanish, only required
    drift: add-element, only required
    drift: respell, only required
    every free text: capital letters, blanks inside, "01", "true", 300 letters
    every free text: blanks around, é, combining mark, emoji, two lines
    every free text: quotes, JSON with white space, its keys unsorted, looks like a template, backslashes
    name = "1.0"
    name = 4,096 letters
    name = "86400000"
    name = capital letters
    name = é
    name = blanks around
    name = "01"
    name = JSON with white space, its keys unsorted
    name = two lines
    name = combining mark
    name = looks like a template
    "#);
    let typical: Vec<String> = scenarios
        .iter()
        .filter_map(|scenario| configs(scenario).last().map(|config| config.member("name").to_string()))
        .collect();
    let distinct: BTreeSet<&String> = typical.iter().collect();
    assert_eq!(typical.len(), distinct.len(), "{typical:?}");
}

#[test]
fn other_seeds_give_other_strings_and_the_same_classes() {
    let schema = example_thing();
    let (first, second) =
        (managed(&schema, &applied(24)), managed(&schema, &Options { seed: 8, ..applied(24) }));
    assert_eq!(abouts(&first), abouts(&second));
    assert_ne!(bytes(&schema, &first), bytes(&schema, &second));
}

#[test]
fn fewer_cases_are_a_prefix() {
    let schema = example_thing();
    let (all, few) = (managed(&schema, &applied(50)), managed(&schema, &applied(10)));
    assert_eq!(bytes(&schema, &all[..10]), bytes(&schema, &few));
}

/// Where a provider may plan otherwise because it does not know how many blocks there will be, only
/// the plan made while applying shows it.
#[test]
fn every_block_type_is_wholly_unknown_before_an_apply() {
    let schema = example_thing();
    let scenarios = managed(&schema, &applied(Options::default().cases));
    let applied = scenarios.iter().flat_map(|scenario| &scenario.runs).filter(|run| !run.only_looks());
    let arguments: Vec<_> = applied.flat_map(|run| &run.blocks).map(|block| &block.arguments).collect();
    for nested in &schema.block.block_types {
        let name = &nested.name;
        let is_unknown = |before: &Value| before.member(name).is_unknown();
        assert!(arguments.iter().any(|given| is_unknown(given.unresolved())), "{name}");
    }
}
