//! Small tools that faults are made of.

use super::Scene;
use crate::schema::{Attribute, Schema};
use crate::transcript::{AnyCall, Encoded, Exchange};
use crate::value::Value;

/// What a fault sees of a plan, beside the planned state it may change.
pub struct PlanScene<'a> {
    pub schema: &'a Schema,
    pub prior: &'a Value,
    pub config: &'a Value,
}

/// Replaces the planned state of a successful create or update plan; `None` leaves it alone.
pub fn planned_state(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&PlanScene<'_>, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::Plan(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let (Some(prior), Some(config)) = (call.request.prior_state.value(), call.request.config.value()) else {
        return false;
    };
    let destroys = call.request.proposed_new_state.value().is_some_and(Value::is_null);
    let Ok(response) = &mut call.outcome else { return false };
    let Some(planned) = response.planned_state.value().filter(|_| !destroys) else { return false };
    match change(&PlanScene { schema, prior, config }, planned) {
        Some(changed) if changed != *planned => {
            response.planned_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// What a fault sees of an apply, beside the new state it may change.
pub struct ApplyScene<'a> {
    pub schema: &'a Schema,
    pub prior: &'a Value,
    pub planned: &'a Value,
}

/// Replaces the new state of an answered apply; `None` leaves it alone.
pub fn applied_state(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&ApplyScene<'_>, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::Apply(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let (Some(prior), Some(planned)) = (call.request.prior_state.value(), call.request.planned_state.value())
    else {
        return false;
    };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(new) = response.new_state.value() else { return false };
    match change(&ApplyScene { schema, prior, planned }, new) {
        Some(changed) if changed != *new => {
            response.new_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Replaces the new state of a successful read; `change` sees the schema, the current and the new state.
pub fn read_state(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&Schema, &Value, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::Read(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let Some(current) = call.request.current_state.value() else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(new) = response.new_state.value() else { return false };
    match change(schema, current, new) {
        Some(changed) if changed != *new => {
            response.new_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Replaces the upgraded state of a successful upgrade.
pub fn upgraded_state(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&Schema, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::Upgrade(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(upgraded) = response.upgraded_state.value() else { return false };
    match change(schema, upgraded) {
        Some(changed) if changed != *upgraded => {
            response.upgraded_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// The first value of a response and the type it is encoded with, whatever the call.
///
/// The type is that of the resource or data source; provider-level calls return no object.
pub fn response_value(exchange: &mut Exchange) -> Option<&mut Encoded> {
    match &mut exchange.call {
        AnyCall::Plan(call) => call.outcome.as_mut().ok().map(|response| &mut response.planned_state),
        AnyCall::Apply(call) => call.outcome.as_mut().ok().map(|response| &mut response.new_state),
        AnyCall::Read(call) => call.outcome.as_mut().ok().map(|response| &mut response.new_state),
        AnyCall::Upgrade(call) => call.outcome.as_mut().ok().map(|response| &mut response.upgraded_state),
        AnyCall::ReadData(call) => call.outcome.as_mut().ok().map(|response| &mut response.state),
        _ => None,
    }
}

/// The first attribute of the root block that satisfies a predicate, which sees it and its value in `object`.
pub fn first_attribute<'s>(
    schema: &'s Schema,
    object: &Value,
    holds: impl Fn(&Attribute, &Value) -> bool,
) -> Option<&'s Attribute> {
    schema
        .block
        .attributes
        .iter()
        .find(|attribute| object.attribute(&attribute.name).is_some_and(|value| holds(attribute, value)))
}
