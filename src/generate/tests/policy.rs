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
            assert!(run.only_looks(), "{run:?}");
        }
        // What only looks needs no state; the last step is one that would be applied.
        let last = scenario.runs.last().expect("a scenario has a run");
        assert_eq!(last.options.operation, Operation::Synthesise, "{last:?}");
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

/// The texts that the scenarios of a default run have at a top-level argument.
fn texts_at(schema: &Schema, kind: Kind, name: &str) -> BTreeSet<String> {
    let all = scenarios(schema, kind, "acme_thing", &applied(24));
    let configs = all.flat_map(|scenario| configs(&scenario).into_iter().cloned().collect::<Vec<_>>());
    configs.filter_map(|config| config.member(name).as_str().map(str::to_owned)).collect()
}

#[test]
fn every_free_text_meets_what_users_write_early() {
    let attributes = vec![
        Attribute::typed("name", Type::String).required(),
        Attribute::typed("note", Type::String).optional(),
        Attribute::typed("port", Type::Number).optional(),
        Attribute::typed("enabled", Type::Bool).optional(),
    ];
    let schema = Schema { version: 0, block: Block::new(attributes, vec![]) };
    type Test = fn(&str) -> bool;
    let has: [(&str, Test); 14] = [
        ("a capital letter", |text| text.starts_with('T') && text.bytes().all(|b| b.is_ascii_alphabetic())),
        ("blanks inside", |text| text.trim() == text && text.contains("  ")),
        ("blanks around", |text| text.starts_with(' ') && text.ends_with(' ')),
        ("an accent", |text| text.contains('\u{e9}')),
        ("a combining accent", |text| text.contains('\u{307}')),
        ("an emoji", |text| text.contains('\u{1f680}')),
        ("256 letters", |text| text.len() == 256),
        ("a quote", |text| text.contains('"') && !text.starts_with('{')),
        ("a backslash", |text| text.contains('\\')),
        ("a line end", |text| text.contains('\n')),
        ("a leading zero", |text| text.starts_with('0') && text.parse::<u32>().is_ok()),
        ("a bool", |text| text == "true"),
        ("JSON", |text| text.contains("  \"a\"") && serde_json::from_str::<serde_json::Value>(text).is_ok()),
        ("a template", |text| text.contains("${")),
    ];
    for name in ["name", "note"] {
        let texts = texts_at(&schema, Kind::Resource, name);
        let missing: Vec<&str> = has
            .iter()
            .filter(|(_, test)| !texts.iter().any(|text| test(text)))
            .map(|(what, _)| *what)
            .collect();
        assert_eq!(missing, [""; 0], "{name}: {texts:?}");
    }
}

#[test]
fn timeouts_are_arguments_with_short_durations() {
    let create = || vec![Attribute::typed("create", Type::String).optional()];
    let in_block = NestedBlock::new("timeouts", Nesting::Single, Block::new(create(), vec![]));
    let name = || Attribute::typed("name", Type::String).required();
    let as_attribute = Attribute::nested("timeouts", Nesting::Single, create()).optional();
    for block in [Block::new(vec![name()], vec![in_block]), Block::new(vec![name(), as_attribute], vec![])] {
        let schema = Schema { version: 0, block };
        let all = managed(&schema, &applied(24));
        let set: BTreeSet<String> = all
            .iter()
            .flat_map(configs)
            .filter_map(|config| config.member("timeouts").member("create").as_str().map(str::to_owned))
            .collect();
        assert!(!set.is_empty() && set.iter().all(|text| text.len() == 2 && text.ends_with('s')), "{set:?}");
        let mut pinned = applied(24);
        pinned.pins.values.insert("timeouts.create".to_owned(), vec![json!("3m")]);
        let values = managed(&schema, &pinned);
        for config in values.iter().flat_map(configs) {
            let timeouts = config.member("timeouts");
            let is_as_pinned = !timeouts.is_set()
                || timeouts.is_unknown()
                || timeouts.member("create") == Value::string("3m")
                || timeouts.member("create").is_unknown();
            assert!(is_as_pinned, "{config}");
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
