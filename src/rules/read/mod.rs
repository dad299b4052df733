//! Rules about reads of managed resources.

pub mod blocks_are_not_null;
pub mod conforms;
pub mod finds_nothing_when_gone;
pub mod finds_the_object;
pub mod is_wholly_known;
pub mod keeps_the_form;
pub mod repeats_itself;
pub mod reports_drift;
pub mod sees_the_change;
pub mod tells_null_from_empty;
pub mod write_only_is_null;

use crate::rule::Rule;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &conforms::RULE,
    &is_wholly_known::RULE,
    &write_only_is_null::RULE,
    &blocks_are_not_null::RULE,
    &finds_the_object::RULE,
    &sees_the_change::RULE,
    &keeps_the_form::RULE,
    &tells_null_from_empty::RULE,
    &reports_drift::RULE,
    &finds_nothing_when_gone::RULE,
    &repeats_itself::RULE,
];
