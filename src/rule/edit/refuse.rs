//! Refusing to apply what was planned.

use super::{ApplyScene, applied_scene, say};
use crate::rule::FaultContext;
use crate::transcript::{AnyCall, Diagnostic, Encoded, Exchange};
use crate::value::Value;

/// Which applies a fault refuses.
pub type Which = fn(&ApplyScene<'_>) -> bool;

/// The first half of a refusal: the conforming provider does not know the type, so nothing is done.
pub fn leave_undone(exchange: &mut Exchange, context: &FaultContext<'_>, which: Which) -> bool {
    let is_meant = applied_scene(exchange, context).is_some_and(|scene| which(&scene));
    match &mut exchange.call {
        AnyCall::ApplyResourceChange(call) if is_meant => {
            call.request.type_name.clear();
            true
        }
        _ => false,
    }
}

/// The second half: the error, with the object as it was.
pub fn refuse(exchange: &mut Exchange, context: &FaultContext<'_>, which: Which, error: Diagnostic) -> bool {
    if !applied_scene(exchange, context).is_some_and(|scene| which(&scene)) {
        return false;
    }
    let AnyCall::ApplyResourceChange(call) = &mut exchange.call else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    response.new_state = call.request.prior_state.clone();
    response.private = call.request.planned_private.clone();
    response.new_identity = None;
    response.diagnostics.clear();
    say(exchange, error)
}

/// The second half for a new object: the error, with what is known of it by then and an ID of nothing.
pub fn refuse_halfway(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    which: Which,
    error: Diagnostic,
) -> bool {
    let Some(scene) = applied_scene(exchange, context) else { return false };
    // SDKs return an object only if it has an ID.
    let known = scene.planned.unknowns_as_nulls();
    let known = match known.attribute("id") {
        Some(_) => known.with_attribute("id", Value::string("half-made")),
        None => known,
    };
    let known = Encoded::of(known, scene.schema.implied_type());
    if !refuse(exchange, context, which, error) {
        return false;
    }
    let AnyCall::ApplyResourceChange(call) = &mut exchange.call else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    response.new_state = known;
    true
}
