//! Rules about upgrades of stored state.

pub mod accepts_older_versions;
pub mod conforms;
pub mod is_not_null;
pub mod is_wholly_known;
pub mod keeps_the_object;
pub mod keeps_the_values;
pub mod same_version_is_identity;
pub mod write_only_is_null;

use crate::rule::Rule;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &accepts_older_versions::RULE,
    &conforms::RULE,
    &is_wholly_known::RULE,
    &is_not_null::RULE,
    &write_only_is_null::RULE,
    &keeps_the_object::RULE,
    &keeps_the_values::RULE,
    &same_version_is_identity::RULE,
];
