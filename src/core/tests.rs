//! Laws of the algorithms, for random schemas and objects.

use proptest::prelude::*;

use super::declaration::{Declaration, with_children};
use super::*;
use crate::engine::Engine;
use crate::schema::strategy::{blocks, configs};
use crate::schema::{Attribute, Block};
use crate::value::strategy::values;
use crate::value::{AttributePath, Type, Value};

fn engines() -> impl Strategy<Value = Engine> {
    prop::sample::select(Engine::ALL.to_vec())
}

/// A schema, and a configuration as it is sent to a provider.
fn sent(unknowns: bool) -> impl Strategy<Value = (Block, Value, Engine)> {
    (blocks(), engines()).prop_flat_map(move |(block, engine)| {
        let configs = configs(&block, unknowns);
        configs.prop_map(move |config| {
            let config = prepare_computed_blocks(&block, &config, engine);
            (block.clone(), config, engine)
        })
    })
}

/// What a simple provider plans: computed nulls become unknown, write-only values null, and there
/// are no computed blocks.
fn plan_of(block: &Block, proposed: &Value) -> Value {
    fn go(place: Declaration<'_>, value: &Value) -> Value {
        match place {
            Declaration::Attribute(attribute) if attribute.write_only => {
                return Value::null(value.ty().clone());
            }
            Declaration::Attribute(attribute) if attribute.computed && value.is_null() => {
                return Value::unknown(attribute.ty());
            }
            Declaration::Blocks(nested) if nested.block.computed && value.is_null() => {
                return nested.empty_value();
            }
            _ => {}
        }
        let children: Vec<Value> =
            value.children().into_iter().map(|(step, child)| go(place.step(&step), child)).collect();
        if children.is_empty() { value.clone() } else { with_children(value, children) }
    }
    go(Declaration::Block(block), proposed)
}

/// Some known value in place of every unknown, which nothing the strategies promise excludes.
fn resolve(value: &Value, seed: u8) -> Value {
    value.transform(&mut |_, value| if value.is_unknown() { some_value(value.ty(), seed) } else { value })
}

fn some_value(ty: &Type, seed: u8) -> Value {
    match ty {
        Type::String => Value::string(["", "x", "y"][usize::from(seed % 3)]),
        Type::Number => Value::number(i64::from(seed)),
        Type::Bool => Value::bool(seed.is_multiple_of(2)),
        Type::Dynamic => Value::null(Type::Dynamic),
        Type::List(element) => Value::list(Type::clone(element), Vec::new()),
        Type::Set(element) => Value::set(Type::clone(element), Vec::new()),
        Type::Map(element) => Value::map::<&str>(Type::clone(element), []),
        Type::Tuple(tuple) => Value::tuple(tuple.elements().iter().map(|ty| some_value(ty, seed)).collect()),
        Type::Object(object) => {
            let members = object.attributes().iter().map(|(_, ty)| some_value(ty, seed));
            Value::object_of(ty, members.collect())
        }
    }
}

fn dynamic_free(block: &Block) -> bool {
    !block.implied_type().has_dynamic()
}

fn covers(problems: &[Problem]) -> Vec<&str> {
    problems.iter().map(|problem| problem.covers).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn the_proposed_state_with_computed_nulls_unknown_is_a_valid_plan((block, config, engine) in sent(true)) {
        let null = Value::null(block.implied_type().clone());
        let planned = plan_of(&block, &proposed_new(&block, &null, &config, engine));
        prop_assert_eq!(assert_plan_valid(&block, &null, &config, &planned, engine), vec![], "{:?}", planned);
        prop_assert_eq!(assert_sets_paired(&block, &null, &config, &planned, engine), vec![]);
        prop_assert_eq!(assert_write_only_null(&block, &planned), vec![]);
    }

    #[test]
    fn a_plan_is_compatible_with_itself_and_with_its_resolutions((block, config, engine) in sent(true), seed: u8) {
        // Members that change their type may leave a collection without one type for all its elements.
        prop_assume!(dynamic_free(&block));
        let null = Value::null(block.implied_type().clone());
        let planned = plan_of(&block, &proposed_new(&block, &null, &config, engine));
        prop_assert_eq!(assert_object_compatible(&block, &planned, &planned, engine), vec![]);
        let actual = resolve(&planned, seed);
        prop_assert_eq!(assert_object_compatible(&block, &planned, &actual, engine), vec![]);
    }

    #[test]
    fn applying_a_known_plan_and_planning_again_changes_nothing((block, config, engine) in sent(false), seed: u8) {
        prop_assume!(dynamic_free(&block));
        let null = Value::null(block.implied_type().clone());
        let planned = plan_of(&block, &proposed_new(&block, &null, &config, engine));
        let state = resolve(&planned, seed);
        let proposed = proposed_new(&block, &state, &config, engine);
        let planned = plan_of(&block, &proposed);
        let problems = assert_plan_valid(&block, &state, &config, &planned, engine);
        prop_assert_eq!(problems, vec![], "{:?}", planned);
        let kept = requires_replace(&block, &state, &state, &[AttributePath::root()], engine);
        prop_assert_eq!(kept, RequiredReplaces::default());
        let action = choose_action(&block, &state, &state, &[], Circumstances::default(), engine);
        prop_assert_eq!(action, Action::NoOp);
    }

    #[test]
    fn what_is_proposed_keeps_what_is_configured((block, config, engine) in sent(true)) {
        let null = Value::null(block.implied_type().clone());
        let proposed = proposed_new(&block, &null, &config, engine);
        for attribute in &block.attributes {
            let (was, is) = (config.member(&attribute.name), proposed.member(&attribute.name));
            if attribute.nested_attributes().is_none() {
                prop_assert_eq!(was, is);
            } else {
                prop_assert_eq!(was.is_null(), is.is_null());
            }
        }
        prop_assert!(proposed.ty().conforms(block.implied_type()));
    }

    #[test]
    fn a_configured_set_element_could_have_come_from_itself((block, config, _) in sent(true)) {
        prop_assert!(super::valid_prior::valid_prior_from_config(Declaration::Block(&block), &config, &config));
    }

    #[test]
    fn ignoring_every_attribute_takes_them_all_from_the_prior_state(
        (block, config, _) in sent(false),
        seed: u8,
    ) {
        let prior = resolve(&plan_of(&block, &config), seed);
        let paths = block.attributes.iter().map(|attribute| AttributePath::root().attribute(&attribute.name));
        let ignored = ignore_changes(&block, &prior, &config, &Ignored::Paths(paths.collect()));
        for attribute in &block.attributes {
            prop_assert_eq!(ignored.member(&attribute.name), prior.member(&attribute.name));
        }
        for nested in &block.block_types {
            prop_assert_eq!(ignored.member(&nested.name), config.member(&nested.name));
        }
    }

    #[test]
    fn normalising_twice_is_normalising_once((block, config, _) in sent(true)) {
        let once = normalize_legacy(&block, &config);
        prop_assert_eq!(normalize_legacy(&block, &once), once);
    }

    #[test]
    fn every_algorithm_has_an_answer_for_every_conforming_value(
        (block, objects) in blocks().prop_flat_map(|block| {
            let ty = block.implied_type().clone();
            let objects = prop::array::uniform3(values(&ty, true));
            (Just(block), objects)
        }),
        engine in engines(),
    ) {
        let [prior, config, planned] = &objects;
        let _ = proposed_new(&block, prior, config, engine);
        let _ = placeholder_object(&block, config, engine);
        let _ = prepare_computed_blocks(&block, config, engine);
        let _ = assert_plan_valid(&block, prior, config, planned, engine);
        let _ = assert_sets_paired(&block, prior, config, planned, engine);
        let _ = assert_object_compatible(&block, planned, config, engine);
        let _ = ignore_changes(&block, prior, config, &Ignored::All);
        let mut paths = Vec::new();
        for value in &objects {
            value.walk(&mut |path, _| { paths.push(path.clone()); true });
        }
        let _ = ignore_changes(&block, prior, config, &Ignored::Paths(paths.clone()));
        let kept = requires_replace(&block, prior, planned, &paths, engine).kept;
        let _ = choose_action(&block, prior, planned, &kept, Circumstances::default(), engine);
        let _ = normalize_legacy(&block, planned);
        let _ = assert_write_only_null(&block, planned);
    }
}

/// One attribute of every combination of flags that matters to the ladder.
fn ladder_attributes() -> Vec<Attribute> {
    let plain = || Attribute::typed("a", Type::String);
    vec![
        plain().required(),
        plain().optional(),
        plain().computed(),
        plain().optional().computed(),
        plain().optional().write_only(),
    ]
}

fn ladder(
    attribute: &Attribute,
    prior: &Value,
    config: &Value,
    planned: &Value,
    engine: Engine,
) -> Vec<Problem> {
    let block = Block::new(vec![attribute.clone()], Vec::new());
    let object = |value: &Value| Value::object([("a", value.clone())]);
    assert_plan_valid(&block, &object(prior), &object(config), &object(planned), engine)
}

fn few_strings() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::null(Type::String)),
        Just(Value::unknown(Type::String)),
        Just(Value::refined(Type::String, crate::value::Refinements::not_null())),
        prop::sample::select(vec!["x", "y", "z"]).prop_map(Value::string),
    ]
}

proptest! {
    #[test]
    fn each_line_of_the_ladder_decides_where_it_is_the_first(
        prior in few_strings(), config in few_strings(), planned in few_strings(), engine in engines(),
    ) {
        let prior = if prior.is_unknown() { Value::null(Type::String) } else { prior };
        for attribute in ladder_attributes() {
            let problems = ladder(&attribute, &prior, &config, &planned, engine);
            let found = covers(&problems);
            let plain = planned.unrefined();
            if plain == config.unrefined() || (plain == prior && !prior.is_null() && !config.is_null()) {
                prop_assert!(found.is_empty());
            } else if attribute.write_only {
                prop_assert_eq!(found.is_empty(), planned.is_null());
            } else if attribute.computed && (!attribute.optional || config.is_null()) {
                prop_assert!(found.is_empty());
            } else if config.is_null() {
                prop_assert_eq!(found, vec!["PLAN-013"]);
            } else {
                prop_assert_eq!(found, vec!["PLAN-014"]);
            }
        }
    }
}

/// An object with a set of so many texts, and one more.
fn with_texts(n_texts: usize, last: &str) -> Value {
    let texts = (0..n_texts).map(|n| Value::string(&format!("z{n}")));
    let texts = texts.chain([Value::string(last)]).collect();
    Value::object([("s", Value::set(Type::String, texts))])
}

#[test]
fn large_sets_are_compared_in_proportion_to_their_size_or_not_at_all() {
    let set = Attribute::typed("s", Type::set(Type::String)).optional();
    let block = Block::new(vec![set], vec![]);
    let began = std::time::Instant::now();
    let compared = |planned, actual| {
        let problems = assert_object_compatible(&block, &planned, &actual, Engine::default());
        problems.into_iter().map(|problem| (problem.covers, problem.message)).collect::<Vec<_>>()
    };
    let lost = "a planned set element corresponds to none in the result".to_owned();
    assert_eq!(compared(with_texts(20_000, "a"), with_texts(20_000, "b")), [("APPLY-020", lost)]);
    let unknowns = vec![Value::unknown(Type::String); 20_000];
    let unknown = Value::object([("s", Value::set(Type::String, unknowns))]);
    let unjudged = "two sets are too large to be compared: 800040000 pairs of elements".to_owned();
    assert_eq!(compared(unknown, with_texts(20_000, "b")), [("", unjudged)]);
    assert!(began.elapsed() < std::time::Duration::from_secs(30), "{:?}", began.elapsed());
}
