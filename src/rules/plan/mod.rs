//! Rules about plans.

pub mod accepts_what_is_valid;
pub mod blocks_are_not_null;
pub mod changes_nothing_needlessly;
pub mod configured_blocks_are_known;
pub mod conforms;
pub mod destroys_to_nothing;
pub mod exists_when_configured;
pub mod final_plan_agrees;
pub mod final_plan_keeps_action;
pub mod has_every_configured_block;
pub mod identity_is_known;
pub mod keeps_blocks;
pub mod keeps_configured_values;
pub mod keeps_nested_attributes;
pub mod keeps_nested_elements;
pub mod no_null_elements_around_write_only;
pub mod pairs_set_elements;
pub mod repeats_itself;
pub mod replace_paths_exist;
pub mod stays_null;
pub mod tolerates_unknowns;
pub mod unknown_blocks_stay_unknown;
pub mod write_only_is_null;

use crate::rule::Rule;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &conforms::RULE,
    &exists_when_configured::RULE,
    &keeps_configured_values::RULE,
    &stays_null::RULE,
    &write_only_is_null::RULE,
    &no_null_elements_around_write_only::RULE,
    &keeps_nested_attributes::RULE,
    &keeps_nested_elements::RULE,
    &blocks_are_not_null::RULE,
    &unknown_blocks_stay_unknown::RULE,
    &configured_blocks_are_known::RULE,
    &keeps_blocks::RULE,
    &has_every_configured_block::RULE,
    &pairs_set_elements::RULE,
    &replace_paths_exist::RULE,
    &repeats_itself::RULE,
    &identity_is_known::RULE,
    &tolerates_unknowns::RULE,
    &accepts_what_is_valid::RULE,
    &changes_nothing_needlessly::RULE,
    &destroys_to_nothing::RULE,
    &final_plan_keeps_action::RULE,
    &final_plan_agrees::RULE,
];
