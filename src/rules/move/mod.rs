//! Rules about objects that are moved to another type.

pub mod conforms;
pub mod identity_is_known;
pub mod is_not_null;
pub mod is_wholly_known;
pub mod keeps_the_object;
pub mod needs_no_configuration;
pub mod write_only_is_null;

use crate::rule::{FaultContext, Rule, edit};
use crate::transcript::{AnyCall, Exchange};

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &conforms::RULE,
    &is_wholly_known::RULE,
    &is_not_null::RULE,
    &write_only_is_null::RULE,
    &identity_is_known::RULE,
    &keeps_the_object::RULE,
    &needs_no_configuration::RULE,
];

/// Warns about an object that is moved.
fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    matches!(exchange.call, AnyCall::MoveResourceState(_)) && edit::say(exchange, edit::warning())
}
