//! Rules about what a provider declares.

pub mod attribute_names_are_plain;
pub mod attributes_have_a_role;
pub mod attributes_have_one_type;
pub mod block_names_are_plain;
pub mod blocks_are_declared;
pub mod blocks_have_a_mode;
pub mod computed_blocks_are_computed_throughout;
pub mod computed_blocks_demand_nothing;
pub mod computed_is_not_required;
pub mod configures_the_provider;
pub mod deprecation_is_flagged;
pub mod functions_are_named;
pub mod functions_are_not_prefixed;
pub mod functions_have_types;
pub mod groups_and_maps_are_not_counted;
pub mod identities_are_plain;
pub mod identities_say_what_import_needs;
pub mod item_counts_are_natural;
pub mod item_counts_leave_room;
pub mod list_resources_have_an_identity;
pub mod loads;
pub mod metadata_agrees;
pub mod names_are_given_once;
pub mod names_are_not_reserved;
pub mod names_differ;
pub mod nested_attributes_have_a_mode;
pub mod optional_is_not_required;
pub mod sets_have_one_type;
pub mod sets_hold_nothing_write_only;
pub mod single_blocks_are_required_or_not;
pub mod stays_the_same;
pub mod types_are_prefixed;
pub mod types_can_be_read;
pub mod versions_are_natural;
pub mod write_only_is_configured;

use crate::rule::Rule;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &configures_the_provider::RULE,
    &types_can_be_read::RULE,
    &blocks_are_declared::RULE,
    &versions_are_natural::RULE,
    &names_differ::RULE,
    &names_are_given_once::RULE,
    &block_names_are_plain::RULE,
    &attribute_names_are_plain::RULE,
    &names_are_not_reserved::RULE,
    &attributes_have_a_role::RULE,
    &optional_is_not_required::RULE,
    &computed_is_not_required::RULE,
    &attributes_have_one_type::RULE,
    &nested_attributes_have_a_mode::RULE,
    &sets_have_one_type::RULE,
    &sets_hold_nothing_write_only::RULE,
    &write_only_is_configured::RULE,
    &item_counts_are_natural::RULE,
    &single_blocks_are_required_or_not::RULE,
    &groups_and_maps_are_not_counted::RULE,
    &item_counts_leave_room::RULE,
    &blocks_have_a_mode::RULE,
    &deprecation_is_flagged::RULE,
    &computed_blocks_are_computed_throughout::RULE,
    &computed_blocks_demand_nothing::RULE,
    &identities_say_what_import_needs::RULE,
    &identities_are_plain::RULE,
    &functions_are_named::RULE,
    &functions_are_not_prefixed::RULE,
    &functions_have_types::RULE,
    &types_are_prefixed::RULE,
    &list_resources_have_an_identity::RULE,
    &stays_the_same::RULE,
    &metadata_agrees::RULE,
    &loads::RULE,
];
