//! Values that the user decides.

use std::collections::BTreeSet;

use serde_json::json;

use super::*;
use crate::scenario::Operation;

#[test]
fn without_apply_nothing_is_made() {
    let schema = example_thing();
    for scenario in managed(&schema, &Options { apply: false, ..applied(40) }) {
        for run in &scenario.runs {
            assert_eq!(run.options.operation, Operation::Plan, "{run:?}");
        }
    }
}

#[test]
fn what_runs_programs_is_not_filled_where_it_could_run() {
    let attributes = || {
        vec![
            Attribute::typed("name", Type::String).required(),
            Attribute::typed("command", Type::String).optional(),
        ]
    };
    let must_run = Block::new(vec![Attribute::typed("program", Type::list(Type::String)).required()], vec![]);
    let block = Block::new(attributes(), vec![NestedBlock::new("hook", Nesting::List, must_run.clone())]);
    let schema = Schema { version: 0, block };
    let filled = |options: &Options| {
        managed(&schema, options).iter().flat_map(configs).any(|config| {
            let hooks = config.member("hook");
            config.member("command").is_set() || hooks.elements().is_some_and(|hooks| !hooks.is_empty())
        })
    };
    assert!(!filled(&applied(60)));
    assert!(filled(&Options { safe_to_run: true, ..applied(60) }));
    let mut pinned = applied(60);
    pinned.pins.values.insert("command".to_owned(), vec![json!("true")]);
    assert!(filled(&pinned));

    // If one is required, the object is only validated and planned.
    let schema = Schema { version: 0, block: must_run };
    for kind in [Kind::Resource, Kind::DataSource] {
        for scenario in scenarios(&schema, kind, "acme_thing", &applied(30)) {
            for config in configs(&scenario) {
                assert!(config.member("program").is_unknown());
            }
        }
    }
}

#[test]
fn pinned_arguments_have_their_values_and_others_never_any() {
    let schema = example_thing();
    let mut options = applied(120);
    options.pins.values.insert("choice".to_owned(), vec![json!("red"), json!("blue")]);
    options.pins.values.insert("disk.size".to_owned(), vec![json!(10)]);
    options.pins.never.insert("note".to_owned());
    let mut choices = BTreeSet::new();
    for scenario in managed(&schema, &options) {
        for config in configs(&scenario).into_iter().filter(|config| config.is_wholly_known()) {
            choices.insert(config.member("choice").to_string());
            assert!(config.member("note").is_null());
            for disk in config.member("disk").elements().unwrap_or_default() {
                assert_eq!(disk.member("size"), Value::number(10), "{}", scenario.label.about);
            }
        }
    }
    let expected: BTreeSet<String> = ["red", "blue"].map(|text| Value::string(text).to_string()).into();
    assert!(choices.is_superset(&expected) && choices.len() <= 3, "{choices:?}");
}

#[test]
fn file_paths_stay_below_the_scratch_folder_where_objects_are_made() {
    let attributes = vec![
        Attribute::typed("filename", Type::String).required(),
        Attribute::typed("paths", Type::list(Type::String)).optional(),
    ];
    let schema = Schema { version: 0, block: Block::new(attributes, vec![]) };
    let options = Options { scratch: Some("/scratch/run".into()), ..applied(60) };
    for scenario in managed(&schema, &options) {
        for config in configs(&scenario) {
            config.walk(&mut |_, value| {
                if let Some(text) = value.as_str() {
                    assert!(text.starts_with("/scratch/run/tfc"), "{text}");
                }
                true
            });
        }
    }
}

/// OpenTofu crashes on a null element in the configuration of nested attributes.
#[test]
fn no_element_of_nested_attributes_is_null() {
    let schema = example_thing();
    for scenario in managed(&schema, &applied(900)) {
        for config in configs(&scenario) {
            for name in ["listed", "mapped", "keyed"] {
                let nested = config.member(name);
                let is_null = nested.children().into_iter().any(|(_, element)| element.is_null());
                assert!(!is_null, "{}: {config}", scenario.label.about);
            }
        }
    }
}
