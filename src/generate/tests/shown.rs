//! What examples of the documentation show.

use super::*;
use crate::generate::candidates::{Place, candidates};
use crate::generate::facts::Written;
use crate::generate::witness::Nth;
use crate::scenario::{Arguments, Block as ConfigBlock, Operation, ResourceAddress};
use crate::transcript::ExampleOrigin;

fn shown(path: &str, texts: &[&str]) -> Facts {
    let texts = texts.iter().map(|text| (*text).to_owned()).collect();
    let shown = vec![Shown { texts: [(path.to_owned(), texts)].into(), ..Shown::default() }];
    Facts::of_written(Written { shown, ..Written::default() }.into())
}

/// The first texts that are tried for an argument.
fn first(name: &str, facts: &Facts) -> Vec<String> {
    let place = Place {
        name,
        path: name,
        ty: &Type::String,
        at_apply: false,
        in_set: false,
        scratch: None,
        temporary: None,
    };
    let found = candidates(&place, &facts.values[name]);
    found.iter().take(3).map(|candidate| candidate.render("tfcabcdef", Nth::new(0, 0))).collect()
}

#[test]
fn a_value_of_an_example_is_tried_first_unless_it_names_an_object() {
    assert_eq!(first("code", &shown("code", &["A1", "B2"])), ["A1", "B2", "tfcabcdef"]);
    // Of an enum the members are not known, but one of them is.
    assert_eq!(first("engine_type", &shown("engine_type", &["fast"]))[..2], ["fast", "tfcabcdef"]);
    assert_eq!(first("display_name", &shown("display_name", &["web"]))[..2], ["tfcabcdef", "web"]);
    let mut refused = shown("code", &["A1", "B2"]);
    refused.values.get_mut("code").unwrap().bad.insert("literal A1".to_owned());
    assert_eq!(first("code", &refused)[0], "B2");
}

#[test]
fn how_long_the_provider_waits_is_taken_from_no_example() {
    assert!(shown("timeouts.create", &["60m"]).values.is_empty());
}

#[test]
fn the_values_of_one_example_are_preferred_together() {
    let mut facts = shown("code", &["A1", "B2"]);
    let second = Shown { texts: [("code".to_owned(), vec!["B2".to_owned()])].into(), ..Shown::default() };
    facts.prefer(&second);
    assert_eq!(first("code", &facts)[..2], ["B2", "A1"]);
}

fn played(config: &str, origin: &ExampleOrigin, options: &Options) -> Scenario {
    let schema = schema::Schema {
        version: 0,
        block: Block::new(
            vec![
                Attribute::typed("name", Type::String).required(),
                Attribute::typed("note", Type::String).optional(),
                Attribute::typed("filename", Type::String).optional(),
            ],
            vec![],
        ),
    };
    let ty = schema.implied_type();
    let values = ["filename", "name", "note"].map(|name| match name {
        "name" => Value::string("web"),
        other if other == config => Value::string("/etc/x"),
        _ => Value::null(Type::String),
    });
    let config = Value::object_of(ty, values.to_vec());
    let address = ResourceAddress::new(Kind::Resource, "acme_thing", "web");
    let block = ConfigBlock::new(address, Arguments::known(config));
    crate::generate::example(&schema, Kind::Resource, options, &[block], origin, 0).unwrap()
}

#[test]
fn the_configurations_of_tests_are_applied_one_after_the_other_with_words_of_the_scenario() {
    let schema = example_thing();
    let step = |name: &str, note: &str| {
        let config = schema.empty_value().with_attribute("name", Value::string(name));
        let config = config.with_attribute("note", Value::string(note));
        let address = ResourceAddress::new(Kind::Resource, "example_thing", "web");
        vec![ConfigBlock::new(address, Arguments::known(config))]
    };
    let steps = [step(MADE_UP, "a"), step(&format!("x-{MADE_UP}"), "b")];
    let steps: Vec<&[ConfigBlock]> = steps.iter().map(Vec::as_slice).collect();
    let played = |number| {
        let scenario = tested(&schema, &applied(1), &steps, "a_test.go:3", number).unwrap();
        assert_eq!(operations(&scenario), [Operation::Apply, Operation::Apply]);
        assert_eq!(scenario.label.kind, "test");
        let names = configs(&scenario).into_iter().map(|config| config.member("name"));
        let names: Vec<String> = names.map(|name| name.as_str().unwrap().to_owned()).collect();
        assert_eq!(names[1], format!("x-{}", names[0]));
        assert!(names[0].starts_with("tfc") && !names[0].contains(MADE_UP), "{names:?}");
        names
    };
    assert_ne!(played(0), played(1));
    assert_eq!(played(0), played(0));
    let planned = Options { apply: false, ..applied(1) };
    assert!(tested(&schema, &planned, &steps, "a_test.go:3", 0).is_none());
}

fn operations(scenario: &Scenario) -> Vec<Operation> {
    scenario.runs.iter().map(|run| run.options.operation).collect()
}

#[test]
fn an_example_is_played_as_it_is_and_then_changed() {
    let origin = ExampleOrigin { file: "a.tf".to_owned(), line: 3, ..ExampleOrigin::default() };
    let scenario = played("note", &origin, &applied(1));
    assert_eq!(operations(&scenario), [Operation::Apply, Operation::Apply]);
    let names: Vec<String> =
        configs(&scenario).iter().map(|config| config.member("name").to_string()).collect();
    assert_eq!(names[0], "\"web\"");
    assert_ne!(names[0], names[1]);
    assert_eq!(scenario.label.about, "the example in a.tf:3");
    let planned = played("note", &origin, &Options { apply: false, ..applied(1) });
    assert_eq!(operations(&planned), [Operation::Synthesise, Operation::Synthesise]);
}

#[test]
fn an_example_that_names_files_of_the_machine_is_applied_only_in_a_sandbox() {
    let origin = ExampleOrigin::default();
    assert_eq!(operations(&played("filename", &origin, &applied(1))), [Operation::Plan]);
    let safe = Options { safe_to_run: true, ..applied(1) };
    assert_eq!(operations(&played("filename", &origin, &safe))[0], Operation::Apply);
}

#[test]
fn an_example_that_decides_otherwise_than_the_user_is_only_planned() {
    let with = |values: &[(&str, &str)], never: &[&str]| {
        let values = values.iter().map(|(path, text)| ((*path).to_owned(), vec![(*text).into()]));
        let never = never.iter().map(|path| (*path).to_owned()).collect();
        let pins = Pins { values: values.collect(), never, ..Pins::default() };
        operations(&played("note", &ExampleOrigin::default(), &Options { pins, ..applied(1) }))[0]
    };
    assert_eq!(with(&[("name", "web")], &["filename"]), Operation::Apply);
    assert_eq!(with(&[("name", "other")], &[]), Operation::Plan);
    assert_eq!(with(&[("filename", "x")], &[]), Operation::Plan);
    assert_eq!(with(&[], &["note"]), Operation::Plan);
}

#[test]
fn of_an_example_that_no_engine_plays_another_configuration_is_validated() {
    let origin = ExampleOrigin { problems: vec!["a.tf:1: no".to_owned()], ..ExampleOrigin::default() };
    let scenario = played("note", &origin, &applied(1));
    assert_eq!(operations(&scenario), [Operation::Validate]);
    assert_ne!(configs(&scenario)[0].member("name"), Value::string("web"));
}
