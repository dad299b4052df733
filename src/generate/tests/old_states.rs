//! States of earlier versions.

use super::*;
use crate::generate::old_states;
use crate::generate::stored_state::StoredState;
use crate::scenario::Operation;
use crate::transcript::{Alteration, OldState, StateForm};

fn versioned(version: i64) -> Schema {
    let inner = vec![
        Attribute::typed("port", Type::Number).required(),
        Attribute::typed("path", Type::String).optional(),
    ];
    let attributes = vec![
        Attribute::typed("id", Type::String).computed(),
        Attribute::typed("enabled", Type::Bool).required(),
        Attribute::typed("tags", Type::map(Type::String)).optional(),
    ];
    let rule = NestedBlock::new("rule", Nesting::List, Block::new(inner, vec![]));
    Schema { version, block: Block::new(attributes, vec![rule]) }
}

fn stored(alteration: Alteration, at: &str, form: StateForm) -> Option<String> {
    let schema = versioned(1);
    let rule = Value::object([("port", Value::number(80)), ("path", Value::string("/"))]);
    let tags = Value::map(Type::String, [("a", Value::string("b"))]);
    let config = Value::object([
        ("id", Value::null(Type::String)),
        ("enabled", Value::bool(true)),
        ("tags", tags),
        ("rule", Value::list(rule.ty().clone(), vec![rule])),
    ]);
    let old = OldState { version: 0, form, alteration, at: at.to_owned() };
    let raw = StoredState::of(&schema, &config)?.altered(&old)?;
    Some(match form {
        StateForm::Json => String::from_utf8(raw.json.to_vec()).unwrap(),
        StateForm::Flatmap => format!("{:?}", raw.flatmap),
    })
}

#[test]
fn one_attribute_is_altered_wherever_it_is() {
    use Alteration::{Absent, List, Nothing, Null, Number, Single, Text};
    let rest = r#""id":"synth-id","rule":[{"path":"/","port":80}],"tags":{"a":"b"}"#;
    for (alteration, at, expected) in [
        (Nothing, "", format!(r#"{{"enabled":true,{rest}}}"#)),
        (Null, "enabled", format!(r#"{{"enabled":null,{rest}}}"#)),
        (Absent, "enabled", format!("{{{rest}}}")),
        (Text, "enabled", format!(r#"{{"enabled":"true",{rest}}}"#)),
        (List, "enabled", format!(r#"{{"enabled":[true],{rest}}}"#)),
        (Absent, "", "{}".to_owned()),
        (Number, "rule.path", format!(r#"{{"enabled":true,{}}}"#, rest.replace("\"/\"", "1"))),
        (Absent, "rule.port", format!(r#"{{"enabled":true,{}}}"#, rest.replace(r#","port":80"#, ""))),
        (Single, "rule", format!(r#"{{"enabled":true,{}}}"#, rest.replace(['[', ']'], ""))),
    ] {
        assert_eq!(stored(alteration, at, StateForm::Json), Some(expected), "{alteration:?} {at}");
    }
    // Nothing to alter.
    assert_eq!(stored(Number, "enabled", StateForm::Json), None);
    assert_eq!(stored(List, "rule", StateForm::Json), None);
}

#[test]
fn a_flat_map_has_counts_and_no_nulls() {
    let expected = r##"{"enabled": "true", "id": "synth-id", "rule.#": "1", "rule.0.path": "/", "rule.0.port": "80", "tags.%": "1", "tags.a": "b"}"##;
    assert_eq!(stored(Alteration::Nothing, "", StateForm::Flatmap).as_deref(), Some(expected));
    assert_eq!(stored(Alteration::Absent, "", StateForm::Flatmap), None, "it would be no state at all");
}

#[test]
fn each_version_is_tried_in_every_way() {
    let options = Options { cases: Cases::Number(100), ..Options::default() };
    assert!(old_states(&versioned(0), "acme_thing", &options).is_empty(), "there is no earlier version");
    let scenarios = old_states(&versioned(2), "acme_thing", &options);
    let runs = || scenarios.iter().flat_map(|scenario| &scenario.runs);
    assert!(runs().all(|run| run.options.operation == Operation::Upgrade && !run.old_states.is_empty()));
    let states: Vec<&OldState> = runs().flat_map(|run| &run.old_states).collect();
    for version in 0..=2 {
        for alteration in Alteration::OF_ATTRIBUTES {
            let is_there = |state: &&OldState| state.version == version && state.alteration == alteration;
            assert!(states.iter().any(is_there), "{version} {alteration:?}");
        }
    }
    let few = Options { cases: Cases::Number(24), ..Options::default() };
    assert_eq!(old_states(&versioned(i64::MAX), "acme_thing", &few).len(), 24);
}

proptest! {
    #[test]
    fn old_states_of_any_schema_can_be_stored(block in crate::schema::strategy::blocks()) {
        let schema = Schema { version: 1, block };
        for scenario in old_states(&schema, "acme_thing", &Options::default()) {
            let config = scenario.runs[0].blocks[0].arguments.unresolved();
            let stored = StoredState::of(&schema, config).expect("it was stored when it was made");
            for old in &scenario.runs[0].old_states {
                prop_assert!(stored.altered(old).is_some(), "{old}");
            }
        }
    }
}
