//! Whether the elements of planned sets correspond to configured ones.
//!
//! The engines do not check this, but the documentation requires it.
//!
//! Source: contract entries PLAN-020 (its documented part), PLAN-033 and PLAN-034.

use super::equal_elements::equal_elements;
use super::matching::maximum_matching;
use super::plan_valid::{Checker, Sets};
use super::plan_values::PlanValues;
use super::problem::{MAX_PAIRS, Problem, mark_sensitive};
use crate::engine::Engine;
use crate::schema::{Block, NestedAttributes, NestedBlock};
use crate::value::{AttributePath, Data, PathStep, Type, Value};

/// Every planned set whose elements cannot be paired with the configured ones.
///
/// A pair must satisfy the rules of [`assert_plan_valid`](super::assert_plan_valid), sets inside included,
/// with any one prior element, or none, as its prior state. Sets are checked wherever a plan is
/// compared with the configuration: at any depth of lists, maps and objects, but not inside what
/// the provider may choose.
///
/// Source: contract entries PLAN-020, PLAN-033 and PLAN-034.
pub fn assert_sets_paired(
    block: &Block,
    prior: &Value,
    config: &Value,
    planned: &Value,
    engine: Engine,
) -> Vec<Problem> {
    let mut checker = Checker::new(engine, PAIRED);
    checker.block(block, &PlanValues::new(prior, config, planned), &AttributePath::root());
    let is_pairing = |problem: &Problem| matches!(problem.covers, "PLAN-020" | "PLAN-033" | "PLAN-034");
    checker.found.retain(|problem| is_pairing(problem) || problem.is_unjudged());
    mark_sensitive(block, checker.found)
}

/// As [`assert_sets_paired`], for the plan of a provider that is excused by the legacy flag: what the legacy SDK makes
/// of every element is not the provider's doing.
pub fn assert_legacy_sets_paired(
    block: &Block,
    prior: &Value,
    config: &Value,
    planned: &Value,
    engine: Engine,
) -> Vec<Problem> {
    let mut problems = assert_sets_paired(block, prior, config, planned, engine);
    if problems.is_empty() {
        return problems;
    }
    let [prior, config, planned] = [prior, config, planned].map(as_legacy_sdk);
    let place = |problem: &Problem| (problem.covers, problem.path.up_to_set());
    let left = assert_sets_paired(block, &prior, &config, &planned, engine);
    let left: Vec<_> = left.iter().map(place).collect();
    problems.retain(|problem| problem.is_unjudged() || left.contains(&place(problem)));
    problems
}

/// A value as the legacy SDK has it inside a set: it does not tell null from an empty text, 0, false or no elements, and
/// makes a collection with an unknown element unknown.
fn as_legacy_sdk(value: &Value) -> Value {
    value.transform(&mut |_, value| {
        let ty = value.ty().clone();
        let is_plain = ty.element().is_some_and(Type::is_primitive);
        let is_zero = match value.data() {
            Data::String(text) => text.is_empty(),
            Data::Number(number) => number.to_i64() == Some(0),
            Data::Bool(value) => !value,
            Data::Elements(elements) => is_plain && elements.is_empty(),
            Data::Map(entries) => is_plain && entries.is_empty(),
            Data::Null | Data::Unknown(_) | Data::Object(_) => false,
        };
        if is_zero {
            Value::null(ty)
        } else if is_plain && !value.is_wholly_known() {
            Value::unknown(ty)
        } else {
            value
        }
    })
}

const PAIRED: Sets = Sets::Paired { attribute: nested_attribute, blocks };

/// The pairing of a nested attribute that is a set.
fn nested_attribute(
    checker: &mut Checker,
    nested: &NestedAttributes,
    values: &PlanValues,
    at: &AttributePath,
) {
    if values.config.is_unknown() {
        let message = "a set that is not known yet is planned as something else";
        return checker.add(values.problem(at, "PLAN-020", message));
    }
    let none = Value::null(nested.element_type());
    let covers = Covers { count: "PLAN-020", pairs: "PLAN-020" };
    pair(checker, values, at, covers, &none, &mut |checker, values| {
        checker.attributes(&nested.attributes, values, &AttributePath::root());
    });
}

/// The pairing of a set of nested blocks.
fn blocks(checker: &mut Checker, nested: &NestedBlock, values: &PlanValues, at: &AttributePath) {
    let none = Value::null(nested.block.implied_type().clone());
    let covers = Covers { count: "PLAN-033", pairs: "PLAN-034" };
    pair(checker, values, at, covers, &none, &mut |checker, values| {
        if !values.planned.is_unknown() {
            checker.block(&nested.block, values, &AttributePath::root());
        } else {
            checker.add(values.problem(&AttributePath::root(), "PLAN-031", "a nested block is unknown"));
        }
    });
}

#[derive(Clone, Copy)]
struct Covers {
    count: &'static str,
    pairs: &'static str,
}

type Compare<'c> = &'c mut dyn FnMut(&mut Checker, &PlanValues);

fn pair(
    checker: &mut Checker,
    values: &PlanValues,
    at: &AttributePath,
    covers: Covers,
    none: &Value,
    compare: Compare<'_>,
) {
    let planned = values.planned.elements().unwrap_or_default();
    let config = values.config.elements().unwrap_or_default();
    if planned.len() != config.len() {
        let message = "planned and configured number of elements differ";
        return checker.add(values.problem(at, covers.count, message));
    }
    let priors = values.prior.elements().unwrap_or_default();
    let engine = checker.engine;
    let equal = equal_elements(planned, config);
    let n_unequal = equal.iter().filter(|equal| equal.is_none()).count();
    if n_unequal * config.len() > MAX_PAIRS {
        return checker.add(Problem::unjudged(at, n_unequal * config.len()));
    }
    let preferred = |left: usize| equal[left];
    let in_order: Vec<usize> = (0..planned.len()).collect();
    let partners = maximum_matching(&in_order, config.len(), &preferred, &mut |left, right| {
        let (planned, config) = (&planned[left], &config[right]);
        let mut problems_with = |prior: &Value| {
            let mut inner = Checker::new(engine, PAIRED);
            compare(&mut inner, &PlanValues::new(prior, config, planned));
            inner.found.retain(|problem| !problem.is_unjudged());
            inner.found
        };
        let problems = problems_with(none);
        problems.is_empty()
            || priors
                .iter()
                .filter(|prior| may_explain(prior, planned, &problems))
                .any(|prior| problems_with(prior).is_empty())
    });
    for (element, partner) in planned.iter().zip(partners) {
        if partner.is_none() {
            let message = "a planned set element corresponds to no configured one";
            let at = at.with(PathStep::Element(element.clone()));
            checker.add(
                Problem::new(&at, covers.pairs, message)
                    .with("configuration", &values.config)
                    .with("planned state", element),
            );
        }
    }
}

/// Whether a prior element can resolve problems that a pair has without one: a cheap test, so that
/// large sets are not compared with every prior element for every pair.
fn may_explain(prior: &Value, planned: &Value, problems: &[Problem]) -> bool {
    problems.iter().all(|problem| match (problem.covers, problem.path.steps()) {
        ("PLAN-013", [PathStep::Attribute(_)]) => false,
        ("PLAN-014", [PathStep::Attribute(name)]) => {
            prior.member(name).unrefined() == planned.member(name).unrefined()
        }
        _ => true,
    })
}
