//! Small tools for writing faults.
//!
//! - Values of one call: [`planned_state`], [`planned_change`], [`requested_plan`], [`applied_state`],
//!   [`read_state`], [`upgraded_state`], [`moved_state`], [`data_state`]; of any: [`response_value`].
//! - Ways to corrupt an object: [`misshape`], [`unsettle`], [`leak`], [`capitalise`],
//!   [`nullify_empty_blocks`]; places for more: [`each_attribute`], [`first_attribute`].
//! - Encoded bytes: [`response_bytes`], [`member_bytes`], [`object_members`], [`text`], [`sent`].
//! - Diagnostics: [`say`], for any call; [`warning`]; [`leave_undone`] and [`refuse`], for an apply.
//! - Schemas: [`resource_schema`], [`declare`], [`declare_block`], [`nested_block`].

mod bytes;
mod object;
mod refuse;
mod schema;

use super::FaultContext;
use crate::core::assert_object_compatible;
use crate::engine::Engine;
use crate::schema::Schema;
use crate::transcript::{AnyCall, Diagnostic, Encoded, Exchange};
use crate::value::{Type, Value};

pub use bytes::{MemberScene, member_bytes, object_members, response_bytes, sent, text};
pub use object::{
    capitalise, each_attribute, first_attribute, first_option, leak, misshape, nullify_empty_blocks, unsettle,
};
pub use refuse::{leave_undone, refuse, refuse_halfway};
pub use schema::{ARMED, declare, declare_block, nested_block, resource_schema};

/// What a fault sees of a plan, besides the planned state it may change.
pub struct PlanScene<'a> {
    pub schema: &'a Schema,
    pub prior: &'a Value,
    pub config: &'a Value,
}

/// Replaces the planned state of a successful create or update plan; `None` leaves it alone.
pub fn planned_state(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    change: impl FnOnce(&PlanScene<'_>, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::PlanResourceChange(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
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

/// As [`planned_state`], but where the proposed state is the prior one, so that nothing changes, the plan is
/// left alone; and where the changed plan may turn out equal to the prior state, the prior state is planned.
///
/// So what a fault did once and an engine accepted is not planned again as an endless change, which
/// another rule would report.
pub fn planned_change(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    change: impl FnOnce(&PlanScene<'_>, &Value) -> Option<Value>,
) -> bool {
    changes_something(exchange)
        && planned_state(exchange, context, |plan, planned| {
            let changed = change(plan, planned)?;
            if changed == *planned {
                return None;
            }
            Some(if comes_to_prior(plan, &changed) { plan.prior.clone() } else { changed })
        })
}

/// Whether applying a plan may leave everything as it is.
fn comes_to_prior(plan: &PlanScene<'_>, planned: &Value) -> bool {
    plan.prior.is_set()
        && plan.config.is_wholly_known()
        && assert_object_compatible(&plan.schema.block, planned, plan.prior, Engine::default()).is_empty()
        // For an engine a null of any type may become anything.
        && plan.schema.block.attributes.iter().filter(|attribute| attribute.ty() == Type::Dynamic).all(|attribute| {
            let value = planned.member(&attribute.name);
            value.is_unknown() || value == plan.prior.member(&attribute.name)
        })
}

fn changes_something(exchange: &Exchange) -> bool {
    let AnyCall::PlanResourceChange(call) = &exchange.call else { return false };
    call.request.prior_state.value() != call.request.proposed_new_state.value()
}

/// What a fault sees of an apply, besides the new state it may change.
pub struct ApplyScene<'a> {
    pub schema: &'a Schema,
    pub prior: &'a Value,
    pub config: &'a Value,
    pub planned: &'a Value,
}

impl ApplyScene<'_> {
    /// Whether an object is created or updated, not deleted.
    pub fn keeps_object(&self) -> bool {
        self.planned.is_set()
    }
}

/// What a fault sees of an apply; `None` for another call, and where a value does not decode.
pub fn applied_scene<'a>(exchange: &'a Exchange, context: &FaultContext<'a>) -> Option<ApplyScene<'a>> {
    let AnyCall::ApplyResourceChange(call) = &exchange.call else { return None };
    let request = &call.request;
    Some(ApplyScene {
        schema: context.schema?,
        prior: request.prior_state.value()?,
        config: request.config.value()?,
        planned: request.planned_state.value()?,
    })
}

/// The first half of an action that makes the conforming provider store something other than was planned:
/// changes what it is asked to apply, by the same function that [`applied_state`] changes the answer with.
///
/// The context's planned state is that of the request in both halves, so a function that derives its result
/// from it alone does nothing more to an answer that already has it.
pub fn requested_plan(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    change: impl FnOnce(&ApplyScene<'_>, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::ApplyResourceChange(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
    let request = &mut call.request;
    let (Some(prior), Some(config), Some(planned)) =
        (request.prior_state.value(), request.config.value(), request.planned_state.value())
    else {
        return false;
    };
    match change(&ApplyScene { schema, prior, config, planned }, planned) {
        Some(changed) if changed != *planned => {
            request.planned_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Replaces the new state of an answered apply; `None` leaves it alone.
pub fn applied_state(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    change: impl FnOnce(&ApplyScene<'_>, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::ApplyResourceChange(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
    let request = &call.request;
    let (Some(prior), Some(config), Some(planned)) =
        (request.prior_state.value(), request.config.value(), request.planned_state.value())
    else {
        return false;
    };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(new) = response.new_state.value() else { return false };
    match change(&ApplyScene { schema, prior, config, planned }, new) {
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
    context: &FaultContext<'_>,
    change: impl FnOnce(&Schema, &Value, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::ReadResource(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
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
    context: &FaultContext<'_>,
    change: impl FnOnce(&Schema, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::UpgradeResourceState(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
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

/// Replaces the state of a successful move to another type.
pub fn moved_state(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    change: impl FnOnce(&Schema, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::MoveResourceState(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(moved) = response.target_state.value() else { return false };
    match change(schema, moved) {
        Some(changed) if changed != *moved => {
            response.target_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Replaces the state of a successful read of a data source; `change` sees the schema, the configuration
/// and the state.
pub fn data_state(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    change: impl FnOnce(&Schema, &Value, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::ReadDataSource(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
    let Some(config) = call.request.config.value() else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(state) = response.state.value() else { return false };
    match change(schema, config, state) {
        Some(changed) if changed != *state => {
            response.state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Adds a diagnostic to an answer that has room for some.
pub fn say(exchange: &mut Exchange, diagnostic: Diagnostic) -> bool {
    let Some(diagnostics) = exchange.call.diagnostics_mut() else { return false };
    diagnostics.push(diagnostic);
    true
}

/// A warning, which is always allowed.
pub fn warning() -> Diagnostic {
    Diagnostic { severity: Diagnostic::WARNING, ..Diagnostic::error("This is only a remark", "") }
}

/// Plans an optional and computed attribute without configuration as unknown, without refinements, while
/// something in the configuration is unknown: legal, and so the control of several faults.
pub fn unsettle_while_undecided(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    planned_change(exchange, context, |plan, planned| {
        let attribute = first_attribute(plan.schema, plan.config, |attribute, config| {
            attribute.optional && attribute.computed && config.is_null()
        })?;
        let unknown = Value::unknown(attribute.ty());
        (!plan.config.is_wholly_known()).then(|| planned.with_attribute(&attribute.name, unknown))
    })
}

/// The first object of a response, whatever the call; provider-level calls return none.
pub fn response_value(exchange: &mut Exchange) -> Option<&mut Encoded> {
    exchange.call.answered_object_mut()
}
