//! Where engines stop, and in which order.

use super::*;
use crate::core::{Action, Circumstances};
use crate::engine::Engine;
use crate::schema::{Attribute, Block};
use crate::value;
use crate::value::{AttributePath, Literal, Type, Value};

fn block() -> Block {
    let text = |name: &str| Attribute::typed(name, Type::String);
    Block::new(vec![text("a").optional(), text("c").computed(), text("w").optional().write_only()], vec![])
}

fn object(literal: Literal) -> Value {
    literal.of(block().implied_type())
}

/// Where each engine stops at a plan of `{ a: "x" }` for a new object.
#[track_caller]
fn assert_plan_stops(planned: Literal, change: impl Fn(&mut PlanStep<'_>), expected: [Option<CheckKind>; 2]) {
    let (block, null, config, planned) =
        (block(), object(value!(null)), object(value!({ a: "x" })), object(planned));
    let stops = [Engine::Terraform, Engine::OpenTofu].map(|engine| {
        let mut step = PlanStep {
            engine,
            block: &block,
            prior: &null,
            config: &config,
            planned: &planned,
            requires_replace: Vec::new(),
            is_deferred: false,
            is_legacy: false,
        };
        change(&mut step);
        step.stop().map(|stop| stop.kind)
    });
    assert_eq!(stops, expected);
}

#[test]
fn a_plan_stops_at_the_first_check_that_finds_something() {
    let both = |kind| [Some(kind), Some(kind)];
    assert_plan_stops(value!({ a: "x", c: unknown }), |_| {}, [None, None]);
    assert_plan_stops(value!({ a: "y" }), |_| {}, both(CheckKind::PlanValid));
    assert_plan_stops(value!({ a: "y" }), |plan| plan.is_legacy = true, [None, None]);
    assert_plan_stops(
        value!({ a: "y", w: "s" }),
        |plan| plan.is_legacy = true,
        both(CheckKind::WriteOnlyNull),
    );
    let deferred = |plan: &mut PlanStep<'_>| plan.is_deferred = true;
    assert_plan_stops(
        value!({ a: "y", w: "s" }),
        deferred,
        [Some(CheckKind::NotDeferred), Some(CheckKind::WriteOnlyNull)],
    );
}

#[test]
fn a_path_that_leads_nowhere_stops_an_update_even_under_the_legacy_flag() {
    let (block, prior) = (block(), object(value!({ a: "x", c: "1" })));
    let mut step = PlanStep {
        engine: Engine::Terraform,
        block: &block,
        prior: &prior,
        config: &prior,
        planned: &prior,
        requires_replace: vec![AttributePath::root().attribute("nowhere")],
        is_deferred: false,
        is_legacy: true,
    };
    let stop = step.stop().expect("the path leads nowhere");
    assert_eq!(stop.kind, CheckKind::ReplacePaths);
    assert_eq!(
        stop.to_string(),
        "the plan is invalid at nowhere: replacement is required by a path that does not exist"
    );
    step.requires_replace.clear();
    assert_eq!(step.action(Circumstances::default()), Action::NoOp);
    let null = object(value!(null));
    step.prior = &null;
    let tainted = Circumstances { tainted: Some(&prior), ..Circumstances::default() };
    assert_eq!(step.action(tainted), Action::DeleteThenCreate);
}

#[track_caller]
fn assert_apply_stops(planned: Literal, new: Literal, is_legacy: bool, expected: Option<(CheckKind, &str)>) {
    let (block, planned, new) = (block(), object(planned), object(new));
    let step = ApplyStep {
        engine: Engine::Terraform,
        block: &block,
        planned: &planned,
        new: &new,
        has_failed: false,
        is_legacy,
    };
    assert_eq!(step.stop().map(|stop| (stop.kind, stop.title)), expected);
    let failed = ApplyStep { has_failed: true, ..step };
    let stop = failed.stop().map(|stop| stop.kind);
    assert!(stop.is_none_or(|kind| !matches!(kind, CheckKind::Compatible | CheckKind::Presence)));
}

#[test]
fn a_missing_object_is_told_by_the_comparison_unless_the_legacy_flag_excuses_it() {
    let inconsistent = "Provider produced inconsistent result after apply";
    let invalid = "Provider returned invalid result object after apply";
    let planned = || value!({ a: "x", c: unknown });
    assert_apply_stops(planned(), value!({ a: "x", c: "1" }), false, None);
    assert_apply_stops(planned(), value!(null), false, Some((CheckKind::Compatible, inconsistent)));
    assert_apply_stops(planned(), value!(null), true, Some((CheckKind::Presence, invalid)));
    assert_apply_stops(value!(null), value!({ a: "x" }), false, Some((CheckKind::Presence, invalid)));
    assert_apply_stops(planned(), planned(), true, Some((CheckKind::WhollyKnown, invalid)));
    assert_apply_stops(
        planned(),
        value!({ a: "y", c: "1" }),
        false,
        Some((CheckKind::Compatible, inconsistent)),
    );
}

#[test]
fn only_terraform_refuses_unknowns_that_are_read() {
    let (block, new) = (block(), object(value!({ a: unknown })));
    let stop = |engine| ReadStep { engine, block: &block, new: &new, is_deferred: false }.stop();
    assert_eq!(
        stop(Engine::Terraform).map(|stop| stop.to_string()).as_deref(),
        Some("the state contains unknowns")
    );
    assert_eq!(stop(Engine::OpenTofu), None);
}

#[test]
fn opentofu_has_titles_of_its_own() {
    let (block, upgraded) = (block(), object(value!({ w: "s" })));
    let title =
        |engine| UpgradeStep { engine, block: &block, upgraded: &upgraded }.stop().map(|stop| stop.title);
    assert_eq!(title(Engine::Strict), Some("Invalid resource state upgrade"));
    assert_eq!(title(Engine::OpenTofu), Some("Invalid provider response"));
}
