//! Rules about validation.

pub mod accepts_examples;
pub mod leaves_the_provider_as_configured;
pub mod optional_is_optional;
pub mod tolerates_unknowns;

use crate::rule::Rule;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &tolerates_unknowns::RULE,
    &leaves_the_provider_as_configured::RULE,
    &accepts_examples::RULE,
    &optional_is_optional::RULE,
];
