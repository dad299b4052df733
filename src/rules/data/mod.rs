//! Rules about reads of data sources.

pub mod conforms;
pub mod is_not_null;
pub mod is_wholly_known;
pub mod preserves_configuration;
pub mod repeats_itself;

use crate::rule::Rule;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &conforms::RULE,
    &is_not_null::RULE,
    &is_wholly_known::RULE,
    &preserves_configuration::RULE,
    &repeats_itself::RULE,
];
