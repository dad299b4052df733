//! States made up from plans.

use super::*;
use crate::core::{
    assert_object_compatible, optional_value_not_computable, without_write_only, write_only_paths,
};
use crate::generate::synthesis::{self, identity};
use crate::schema::strategy::{blocks, configs};
use crate::schema::{IdentityAttribute, IdentitySchema};
use crate::value::{Bound, Number, Refinements};

proptest! {
    #[test]
    fn an_engine_would_accept_a_synthesised_state_as_the_result_of_the_plan(
        (block, planned) in blocks().prop_flat_map(|block| (Just(block.clone()), configs(&block, true))),
    ) {
        let planned = without_write_only(&block, &planned);
        let state = synthesis::state(&block, &planned);
        prop_assert!(state.is_wholly_known(), "{state:?}");
        prop_assert!(state.ty().conforms(block.implied_type()), "{state:?}");
        for path in write_only_paths(&block, &state) {
            prop_assert!(state.at(&path).is_none_or(|value| value.is_null()), "{path}");
        }
        let problems = assert_object_compatible(&block, &planned, &state, Engine::default());
        prop_assert!(problems.is_empty(), "{problems:?}: {planned:?} became {state:?}");
        prop_assert_eq!(synthesis::state(&block, &state), state, "what is known stays");
    }
}

#[test]
fn values_are_chosen_by_type_and_name() {
    let address = Type::object([("arn", Type::String), ("port", Type::Number)]);
    let attributes = [
        ("id", Type::String),
        ("created_at", Type::String),
        ("size", Type::Number),
        ("enabled", Type::Bool),
        ("tags", Type::map(Type::String)),
        ("address", address),
    ];
    let computed = attributes.iter().map(|(name, ty)| Attribute::typed(name, ty.clone()).computed());
    let secret = Attribute::typed("secret", Type::String).optional().write_only();
    let block = Block::new(computed.chain([secret]).collect(), vec![]);
    let planned = Value::unknown(block.implied_type().clone());
    let made_up = synthesis::state(&block, &planned);
    assert_eq!(
        made_up.to_string(),
        "{ address = { arn = \"arn:aws:iam::123456789012:role/tfcxqroai\", port = 1 }, \
         created_at = \"2031-01-06T15:00:00Z\", enabled = false, id = \"synth-id\", secret = null, \
         size = 1, tags = {} }"
    );
}

#[test]
fn what_only_a_configuration_sets_is_null_in_a_nested_attribute_that_is_not_configured() {
    let inner = vec![
        Attribute::typed("hard", Type::Number).optional(),
        Attribute::typed("soft", Type::Number).optional().computed(),
    ];
    let limits = Attribute::nested("limits", Nesting::Single, inner).optional().computed();
    let block = Block::new(vec![limits], vec![]);
    let planned = Value::object([("limits", Value::unknown(block.attributes[0].ty()))]);
    let state = synthesis::state(&block, &planned);
    assert_eq!(state.to_string(), "{ limits = { hard = null, soft = 1 } }");
    assert!(!optional_value_not_computable(&block.attributes[0], &state.member("limits")));
}

/// What becomes of a planned value of an attribute that is called `n`.
fn made_of(planned: Value) -> Value {
    let block = Block::new(vec![Attribute::typed("n", planned.ty().clone()).computed()], vec![]);
    synthesis::state(&block, &Value::object([("n", planned)])).member("n")
}

#[test]
fn elements_that_differ_only_in_what_is_unknown_stay_different() {
    let unknown = Value::unknown(Type::String);
    let made = made_of(Value::list(Type::String, vec![unknown.clone(), Value::string("a"), unknown]));
    assert_eq!(made.to_string(), "[\"synth-n\", \"a\", \"synth-n-3\"]");
}

#[test]
fn what_a_plan_promises_is_kept() {
    let promised = |ty, promised| made_of(Value::refined(ty, promised));
    let prefixed = promised(Type::String, Refinements::with_prefix("web-"));
    assert_eq!(prefixed, Value::string("web-synth-n"));
    let above = Bound { value: Number::from_i64(6), inclusive: false };
    let above = Refinements { lower: Some(above), ..Refinements::default() };
    assert_eq!(promised(Type::Number, above), Value::number(7));
    let two = promised(Type::list(Type::String), Refinements::with_length(Some(2), None));
    assert_eq!(two.to_string(), "[\"synth-n\", \"synth-n-2\"]");
}

#[test]
fn no_blocks_are_an_empty_collection_whatever_was_planned() {
    let nested = |name: &str, nesting| NestedBlock::new(name, nesting, Block::new(vec![], vec![]));
    let block = Block::new(vec![], vec![nested("disk", Nesting::Set), nested("single", Nesting::Single)]);
    let ty = block.implied_type().as_object().expect("a block implies an object type");
    for value in [Value::null, Value::unknown] {
        let planned = Value::object(ty.attributes().iter().map(|(name, ty)| (name, value(ty.clone()))));
        assert_eq!(synthesis::state(&block, &planned).to_string(), "{ disk = [], single = null }");
    }
}

#[test]
fn an_identity_is_the_planned_one_or_follows_from_the_state() {
    let attribute = |name: &str| IdentityAttribute {
        name: name.to_owned(),
        ty: Ok(Type::String),
        required_for_import: true,
        optional_for_import: false,
        description: String::new(),
    };
    let schema = IdentitySchema { version: 0, attributes: vec![attribute("id"), attribute("zone")] };
    let state = Value::object([("id", Value::string("synth-id"))]);
    let follows = identity(&schema, None, &state).unwrap();
    assert_eq!(follows.to_string(), "{ id = \"synth-id\", zone = \"synth-zone\" }");
    let planned = Value::object([("id", Value::string("a")), ("zone", Value::unknown(Type::String))]);
    let planned = identity(&schema, Some(&planned), &state).unwrap();
    assert_eq!(planned.to_string(), "{ id = \"a\", zone = \"synth-zone\" }");
}
