//! Rules about validation.

pub mod accepts_examples;
pub mod leaves_the_provider_as_configured;
pub mod optional_is_optional;
pub mod tolerates_unknowns;

use crate::rule::Rule;
use crate::transcript::AnyCall;
use crate::value::Value;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &tolerates_unknowns::RULE,
    &leaves_the_provider_as_configured::RULE,
    &accepts_examples::RULE,
    &optional_is_optional::RULE,
];

/// The configuration that a call asks to validate.
fn config(call: &AnyCall) -> Option<&Value> {
    match call {
        AnyCall::ValidateResourceConfig(call) => call.request.config.value(),
        AnyCall::ValidateDataResourceConfig(call) => call.request.config.value(),
        _ => None,
    }
}
