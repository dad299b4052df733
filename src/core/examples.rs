//! Examples of what the vectors do not cover.

use super::*;
use crate::engine::Engine;
use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value;
use crate::value::{AttributePath, Literal, Type, Value, msgpack};

fn text(name: &str) -> Attribute {
    Attribute::typed(name, Type::String)
}

/// `k` is required, `c` is the provider's.
fn element() -> Vec<Attribute> {
    vec![text("k").required(), text("c").optional().computed()]
}

fn blocks_in(nesting: Nesting) -> Block {
    let inner = Block::new(element(), vec![]);
    Block::new(vec![], vec![NestedBlock::new("b", nesting, inner)])
}

fn nested_in(nesting: Nesting) -> Block {
    Block::new(vec![Attribute::nested("b", nesting, element()).optional()], vec![])
}

fn paths(problems: &[Problem]) -> Vec<(&'static str, String)> {
    let path = |problem: &Problem| problem.path.up_to_set().to_string();
    problems.iter().map(|problem| (problem.covers, path(problem))).collect()
}

/// Asserts what is wrong with the pairing, as "covers path".
#[track_caller]
fn assert_pairing(block: &Block, [prior, config, planned]: [Literal; 3], expected: &[&str]) {
    let of = |literal: Literal| literal.of(block.implied_type());
    let (prior, config, planned) = (of(prior), of(config), of(planned));
    for engine in Engine::ALL {
        let problems = assert_sets_paired(block, &prior, &config, &planned, engine);
        let found: Vec<String> =
            paths(&problems).into_iter().map(|(covers, path)| format!("{covers} {path}")).collect();
        assert_eq!(found, expected, "{engine}");
    }
}

#[test]
fn a_planned_set_element_goes_with_one_configured_element() {
    let none = || value!(null);
    let (blocks, nested) = (blocks_in(Nesting::Set), nested_in(Nesting::Set));
    let config = || value!({ b: [{ k: "a" }, { k: "b" }] });
    for block in [&blocks, &nested] {
        let planned = value!({ b: [{ k: "b", c: unknown }, { k: "a", c: "x" }] });
        assert_pairing(block, [none(), config(), planned], &[]);
    }
    let stranger = || value!({ b: [{ k: "a", c: "x" }, { k: "z", c: "x" }] });
    assert_pairing(&blocks, [none(), config(), stranger()], &["PLAN-034 b"]);
    assert_pairing(&nested, [none(), config(), stranger()], &["PLAN-020 b"]);
    let twice = || value!({ b: [{ k: "a", c: "x" }, { k: "a", c: "y" }] });
    assert_pairing(&blocks, [none(), config(), twice()], &["PLAN-034 b"]);
    let fewer = || value!({ b: [{ k: "a", c: "x" }] });
    assert_pairing(&blocks, [none(), config(), fewer()], &["PLAN-033 b"]);
    assert_pairing(&nested, [none(), config(), fewer()], &["PLAN-020 b"]);
}

#[test]
fn what_the_legacy_sdk_makes_of_every_element_is_excused() {
    let attributes = || {
        let list = Attribute::typed("l", Type::list(Type::String));
        vec![text("k").optional(), list.optional(), Attribute::typed("n", Type::Number).optional()]
    };
    let set = |name| NestedBlock::new(name, Nesting::Set, Block::new(attributes(), vec![]));
    let block = Block::new(vec![], vec![set("a"), set("b")]);
    let none = Value::null(block.implied_type().clone());
    let unpaired = |config: &Literal, planned: &Literal, is_legacy: bool| {
        let [config, planned] = [config, planned].map(|literal| literal.clone().of(block.implied_type()));
        let check = if is_legacy { assert_legacy_sets_paired } else { assert_sets_paired };
        let problems = check(&block, &none, &config, &planned, Engine::Terraform);
        paths(&problems).into_iter().map(|(_, path)| path).collect::<Vec<_>>()
    };
    let plain = || value!({ a: [{ k: "a" }], b: [] });
    for (config, planned, is_excused) in [
        (
            value!({ a: [{ k: "a", l: [unknown] }], b: [] }),
            value!({ a: [{ k: "a", l: unknown }], b: [] }),
            true,
        ),
        (plain(), value!({ a: [{ k: "a", l: [], n: 0 }], b: [] }), true),
        (plain(), value!({ a: [{ k: "a", l: ["x"] }], b: [] }), false),
        (plain(), value!({ a: [{ k: "z" }], b: [] }), false),
    ] {
        assert_eq!(unpaired(&config, &planned, false), ["a"], "{config:?}");
        assert_eq!(unpaired(&config, &planned, true).is_empty(), is_excused, "{config:?}");
    }
    // One set that is excused does not excuse another, nor the other way round.
    let config = value!({ a: [{ k: "a", l: [unknown] }], b: [{ k: "a" }] });
    let planned = value!({ a: [{ k: "a", l: unknown }], b: [{ k: "z" }] });
    assert_eq!(unpaired(&config, &planned, false), ["a", "b"]);
    assert_eq!(unpaired(&config, &planned, true), ["b"]);
}

#[test]
fn any_prior_element_may_be_the_past_of_a_pair() {
    let block = blocks_in(Nesting::Set);
    let prior = || value!({ b: [{ k: "A", c: "1" }, { k: "B", c: "2" }] });
    let config = || value!({ b: [{ k: "a" }, { k: "b" }] });
    assert_pairing(&block, [prior(), config(), value!({ b: [{ k: "B" }, { k: "A" }] })], &[]);
    assert_pairing(&block, [prior(), config(), value!({ b: [{ k: "B" }, { k: "C" }] })], &["PLAN-034 b"]);
}

#[test]
fn an_unknown_nested_set_stays_unknown() {
    let block = nested_in(Nesting::Set);
    let config = || value!({ b: unknown });
    assert_pairing(&block, [value!(null), config(), config()], &[]);
    assert_pairing(&block, [value!(null), config(), value!({ b: [{ k: "a" }] })], &["PLAN-020 b"]);
}

#[test]
fn sets_in_lists_and_in_sets_are_paired_too() {
    let inner = NestedBlock::new("s", Nesting::Set, Block::new(element(), vec![]));
    for nesting in [Nesting::List, Nesting::Set] {
        let outer = NestedBlock::new("b", nesting, Block::new(vec![], vec![inner.clone()]));
        let block = Block::new(vec![], vec![outer]);
        let config = || value!({ b: [{ s: [{ k: "a" }] }] });
        assert_pairing(&block, [value!(null), config(), value!({ b: [{ s: [{ k: "a", c: "x" }] }] })], &[]);
        let expected = if nesting == Nesting::List { "PLAN-034 b[0].s" } else { "PLAN-034 b" };
        let planned = value!({ b: [{ s: [{ k: "z", c: "x" }] }] });
        assert_pairing(&block, [value!(null), config(), planned], &[expected]);
    }
}

#[track_caller]
fn assert_placeholder(block: &Block, config: Literal, engine: Engine, expected: Literal) {
    let ty = block.implied_type();
    assert_eq!(placeholder_object(block, &config.of(ty), engine), expected.of(ty), "{engine}");
}

#[test]
fn a_placeholder_has_computed_attributes_unknown_except_in_sets_and_opentofus_maps() {
    for block in [nested_in(Nesting::List), blocks_in(Nesting::List)] {
        let expected = value!({ b: [{ k: "a", c: unknown }] });
        assert_placeholder(&block, value!({ b: [{ k: "a" }] }), Engine::Terraform, expected.clone());
        assert_placeholder(&block, value!({ b: [{ k: "a" }] }), Engine::OpenTofu, expected);
    }
    for block in [nested_in(Nesting::Set), blocks_in(Nesting::Set)] {
        let config = value!({ b: [{ k: "a" }] });
        assert_placeholder(&block, config.clone(), Engine::Terraform, config);
    }
    for block in [nested_in(Nesting::Map), blocks_in(Nesting::Map)] {
        let config = value!({ b: { x: { k: "a" } } });
        let unknown = value!({ b: { x: { k: "a", c: unknown } } });
        assert_placeholder(&block, config.clone(), Engine::Terraform, unknown);
        assert_placeholder(&block, config.clone(), Engine::OpenTofu, config);
    }
}

#[test]
fn unset_computed_blocks_are_sent_as_null_at_any_depth() {
    let mut computed = Block::new(vec![text("k").computed()], vec![]);
    computed.computed = true;
    let inner = Block::new(vec![], vec![NestedBlock::new("c", Nesting::Set, computed)]);
    let block = Block::new(vec![], vec![NestedBlock::new("b", Nesting::List, inner)]);
    let ty = block.implied_type();
    let config = value!({ b: [{ c: [] }, { c: [{ k: "x" }] }, { c: unknown }] }).of(ty);
    let prepared = value!({ b: [{ c: null }, { c: [{ k: "x" }] }, { c: unknown }] }).of(ty);
    assert_eq!(prepare_computed_blocks(&block, &config, Engine::Terraform), prepared);
    assert_eq!(prepare_computed_blocks(&block, &config, Engine::OpenTofu), config);
}

#[test]
fn unset_computed_blocks_with_dynamic_attributes_are_sent_as_null_of_the_empty_type() {
    let dynamic = Attribute::typed("k", Type::Dynamic).optional().computed();
    let mut computed = Block::new(vec![dynamic], vec![]);
    computed.computed = true;
    let block = Block::new(vec![], vec![NestedBlock::new("b", Nesting::List, computed)]);
    let config = block.empty_value();
    let prepared = prepare_computed_blocks(&block, &config, Engine::Terraform);
    assert_eq!(prepared.member("b"), Value::null(Type::tuple([])));
    let proposed =
        proposed_new(&block, &Value::null(block.implied_type().clone()), &prepared, Engine::Terraform);
    assert_eq!(msgpack::encode(&proposed, block.implied_type()), b"\x81\xa1b\x92\xc4\x0c[\"tuple\",[]]\xc0");
}

#[test]
fn the_action_follows_from_the_values_and_the_kept_paths() {
    let block = Block::new(vec![text("a").optional(), text("w").optional().write_only()], vec![]);
    let object = |literal: Literal| literal.of(block.implied_type());
    let (none, x, y) = (object(value!(null)), object(value!({ a: "x" })), object(value!({ a: "y" })));
    let unknown = object(value!({ a: unknown }));
    let plain = Circumstances::default();
    let forced = Circumstances { forced: true, ..plain };
    let tainted = Circumstances { tainted: Some(&x), ..plain };
    let early = Circumstances { create_before_destroy: true, ..plain };
    let path = |name: &str| vec![AttributePath::root().attribute(name)];
    for engine in Engine::ALL {
        let choose = |prior: &Value, planned: &Value, kept: &[AttributePath], circumstances| {
            choose_action(&block, prior, planned, kept, circumstances, engine)
        };
        assert_eq!(choose(&none, &x, &[], plain), Action::Create);
        assert_eq!(choose(&x, &x, &[], plain), Action::NoOp);
        assert_eq!(choose(&x, &y, &[], plain), Action::Update);
        assert_eq!(choose(&x, &unknown, &[], plain), Action::Update);
        assert_eq!(choose(&x, &none, &[], plain), Action::Delete);
        assert_eq!(choose(&x, &y, &path("a"), plain), Action::DeleteThenCreate);
        assert_eq!(choose(&x, &y, &path("a"), early), Action::CreateThenDelete);
        assert_eq!(choose(&x, &x, &[], forced), Action::DeleteThenCreate);
        assert_eq!(choose(&x, &x, &[], tainted), Action::DeleteThenCreate);
        assert_eq!(choose(&x, &x, &path("w"), plain), Action::DeleteThenCreate);
        // No path is kept if nothing changed; the engines differ in how they would treat one.
        let odd = if engine.is_opentofu() { Action::NoOp } else { Action::DeleteThenCreate };
        assert_eq!(choose(&x, &x, &path("a"), plain), odd);
    }
}

#[test]
fn the_final_plan_keeps_the_action_and_what_was_known() {
    let block = Block::new(vec![text("a").optional(), text("c").computed()], vec![]);
    let planned =
        |action, literal: Literal| PlannedChange { action, state: literal.of(block.implied_type()) };
    let assert_final = |initial: PlannedChange, last: PlannedChange, expected: &[&str]| {
        let step = FinalPlanStep { engine: Engine::Terraform, block: &block, initial: &initial, last: &last };
        let problems = step.problems();
        assert_eq!(problems.iter().map(|problem| problem.covers).collect::<Vec<_>>(), expected);
    };
    let first = || value!({ a: "x", c: unknown });
    assert_final(planned(Action::Update, first()), planned(Action::Update, value!({ a: "x", c: "y" })), &[]);
    assert_final(planned(Action::Update, first()), planned(Action::NoOp, value!({ a: "x", c: "y" })), &[]);
    assert_final(planned(Action::NoOp, first()), planned(Action::Update, first()), &["PLAN-060"]);
    assert_final(planned(Action::Update, first()), planned(Action::DeleteThenCreate, first()), &["PLAN-060"]);
    assert_final(planned(Action::CreateThenDelete, first()), planned(Action::Create, first()), &[]);
    assert_final(
        planned(Action::Create, first()),
        planned(Action::Create, value!({ a: "z" })),
        &["PLAN-061"],
    );
}

#[test]
fn write_only_attributes_are_found_and_must_be_null() {
    let secret = || vec![text("w").optional().write_only()];
    let block = Block::new(
        vec![
            text("w").optional().write_only(),
            Attribute::nested("one", Nesting::Single, secret()).optional(),
            Attribute::nested("list", Nesting::List, secret()).optional(),
            Attribute::nested("whole", Nesting::List, vec![text("x").optional()]).optional().write_only(),
        ],
        vec![NestedBlock::new("b", Nesting::Map, Block::new(secret(), vec![]))],
    );
    let object = |literal: Literal| literal.of(block.implied_type());
    let at = |value: &Value| -> Vec<String> {
        write_only_paths(&block, value).iter().map(ToString::to_string).collect()
    };
    let nulls = object(value!({ one: {}, list: [{}, {}], b: { x: {} } }));
    assert_eq!(at(&nulls), ["b[\"x\"].w", "list[0].w", "list[1].w", "one.w", "w", "whole"]);
    assert_eq!(assert_write_only_null(&block, &nulls), vec![]);
    assert_eq!(at(&object(value!({ list: unknown, b: null }))), ["w", "whole"]);
    let leaking = object(
        value!({ w: "s", one: { w: unknown }, list: [null], whole: [{ x: "y" }], b: { x: { w: "t" } } }),
    );
    let expected = [
        ("WO-001", "b[\"x\"].w"),
        ("WO-002", "list[0]"),
        ("WO-001", "one.w"),
        ("WO-001", "w"),
        ("WO-001", "whole"),
    ];
    let problems = assert_write_only_null(&block, &leaking);
    assert_eq!(paths(&problems), expected.map(|(covers, path)| (covers, path.to_owned())));
}

#[test]
fn problems_in_sensitive_attributes_are_marked() {
    let inner = vec![text("open").optional(), text("hidden").optional().sensitive()];
    let block = Block::new(vec![Attribute::nested("n", Nesting::List, inner).optional()], vec![]);
    let object = |literal: Literal| literal.of(block.implied_type());
    let was = object(value!({ n: [{ open: "a", hidden: "a" }] }));
    let is = object(value!({ n: [{ open: "b", hidden: "b" }] }));
    let marks = |problems: Vec<Problem>| -> Vec<(String, bool)> {
        problems.iter().map(|problem| (problem.path.to_string(), problem.sensitive)).collect()
    };
    let mut found = marks(assert_object_compatible(&block, &was, &is, Engine::Terraform));
    found.sort();
    assert_eq!(found, [("n[0].hidden".to_owned(), true), ("n[0].open".to_owned(), false)]);
    let mut found = marks(assert_plan_valid(&block, &was, &was, &is, Engine::Terraform));
    found.sort();
    assert_eq!(found, [("n[0].hidden".to_owned(), true), ("n[0].open".to_owned(), false)]);
}

#[test]
fn only_terraform_leaves_alone_what_the_legacy_sdk_cannot_have() {
    let attribute = |ty: Type| Block::new(vec![Attribute::typed("a", ty).optional()], vec![]);
    let object = || Type::object([("k", Type::String)]);
    for (block, may_be_legacy) in [
        (attribute(Type::list(Type::list(Type::String))), true),
        (attribute(Type::list(object())), true),
        (attribute(Type::map(object())), false),
        (attribute(object()), false),
        (attribute(Type::tuple([])), false),
        (attribute(Type::list(Type::list(object()))), false),
        (nested_in(Nesting::List), false),
        (blocks_in(Nesting::List), true),
    ] {
        assert_eq!(normalizes_reads(&block, Engine::Terraform), may_be_legacy, "{block:?}");
        assert!(normalizes_reads(&block, Engine::OpenTofu));
    }
}

#[test]
fn a_generated_configuration_holds_what_a_user_may_set() {
    let inner = || vec![text("k").required(), text("c").computed()];
    let block = Block::new(
        vec![
            text("id").optional().computed(),
            text("given").optional(),
            text("both").optional().computed(),
            text("read_only").computed(),
            text("secret").optional().sensitive(),
            Attribute { deprecated: true, ..text("old").optional() },
            Attribute::nested("one", Nesting::Single, inner()).optional(),
            Attribute::nested("hidden", Nesting::List, inner()).optional().sensitive(),
        ],
        vec![NestedBlock::new("b", Nesting::List, Block::new(inner(), vec![]))],
    );
    let of = |literal: Literal| literal.of(block.implied_type());
    let object = of(value!({
        id: "1", given: "g", both: "b", read_only: "r", secret: "s", old: "o",
        one: { k: "k", c: "c" }, hidden: [{ k: "k", c: "c" }], b: [{ k: "k", c: "c" }]
    }));
    let written = of(value!({ given: "g", both: "b", one: { k: "k" }, hidden: [], b: [{ k: "k" }] }));
    assert_eq!(generated_config(&block, &object), written);
    assert!(!is_wholly_generated(&block, &object));
    assert!(is_wholly_generated(&block, &of(value!({ id: "1", given: "g", read_only: "r", b: [] }))));
}
