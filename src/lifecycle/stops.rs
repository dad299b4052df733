//! Where an engine gives up on an object.
//!
//! The same algorithms as the rules use, asked one question: does the run go on?

use crate::core::{assert_final_plan, assert_object_compatible, assert_plan_valid, assert_write_only_null};
use crate::engine::Engine;
use crate::rule::misshapen;
use crate::schema::Schema;
use crate::value::Value;

/// Why an engine stops after a plan, if it does.
pub(super) fn after_plan(
    schema: &Schema,
    [prior, config, planned]: [&Value; 3],
    legacy: bool,
    engine: Engine,
) -> Option<String> {
    let block = &schema.block;
    if let Some(problem) = assert_write_only_null(block, planned).first() {
        return Some(format!("the plan is invalid at {}: {}", problem.path, problem.message));
    }
    if legacy {
        return None;
    }
    let problem = assert_plan_valid(block, prior, config, planned, engine).into_iter().next()?;
    Some(format!("the plan is invalid at {}: {}", problem.path, problem.message))
}

/// Why an engine stops after the plan of the apply phase, if it does.
pub(super) fn after_final_plan(
    schema: &Schema,
    initial: &crate::core::Planned,
    last: &crate::core::Planned,
    engine: Engine,
) -> Option<String> {
    let problem = assert_final_plan(&schema.block, initial, last, engine).into_iter().next()?;
    Some(format!("the final plan is inconsistent at {}: {}", problem.path, problem.message))
}

/// Why an engine reports an error after an apply that the provider itself calls a success, if it does.
pub(super) fn after_apply(
    schema: &Schema,
    planned: &Value,
    new: &Value,
    legacy: bool,
    engine: Engine,
) -> Option<String> {
    let block = &schema.block;
    if let Some(problem) = assert_write_only_null(block, new).first() {
        return Some(format!("the new state is invalid at {}: {}", problem.path, problem.message));
    }
    if !new.is_wholly_known() {
        return Some("the new state holds unknowns".to_owned());
    }
    if planned.is_null() != new.is_null() {
        return Some(
            if new.is_null() { "the new state is null" } else { "the object was not deleted" }.to_owned(),
        );
    }
    if legacy || planned.is_null() {
        return None;
    }
    let problem = assert_object_compatible(block, planned, new, engine).into_iter().next()?;
    Some(format!("the new state departs from the plan at {}: {}", problem.path, problem.message))
}

/// Why an engine stops after a read or an upgrade, if it does.
pub(super) fn after_state(schema: &Schema, state: &Value, engine: Engine) -> Option<String> {
    if !misshapen(&schema.block, state).is_empty() {
        return Some("the state does not conform to the schema".to_owned());
    }
    if let Some(problem) = assert_write_only_null(&schema.block, state).first() {
        return Some(format!("the state is invalid at {}: {}", problem.path, problem.message));
    }
    if engine.refuses_unknown_state() && !state.is_wholly_known() {
        return Some("the state holds unknowns".to_owned());
    }
    None
}
