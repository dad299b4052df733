//! Rules about applies.

pub mod blocks_are_not_null;
pub mod claims_only_what_it_changed;
pub mod conforms;
pub mod deletes_to_nothing;
pub mod deletes_what_is_gone;
pub mod destroys_what_it_created;
pub mod follows_updates;
pub mod has_every_configured_block;
pub mod is_wholly_known;
pub mod keeps_block_count;
pub mod keeps_dynamic_types;
pub mod keeps_elements;
pub mod keeps_objects_apart;
pub mod keeps_planned_values;
pub mod keeps_promises;
pub mod keeps_set_elements;
pub mod returns_an_object;
pub mod succeeds_as_planned;
pub mod updates_in_place;
pub mod write_only_is_null;

use crate::rule::Rule;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &conforms::RULE,
    &returns_an_object::RULE,
    &deletes_to_nothing::RULE,
    &deletes_what_is_gone::RULE,
    &write_only_is_null::RULE,
    &is_wholly_known::RULE,
    &keeps_planned_values::RULE,
    &keeps_promises::RULE,
    &keeps_elements::RULE,
    &keeps_dynamic_types::RULE,
    &keeps_set_elements::RULE,
    &keeps_block_count::RULE,
    &has_every_configured_block::RULE,
    &blocks_are_not_null::RULE,
    &destroys_what_it_created::RULE,
    &updates_in_place::RULE,
    &follows_updates::RULE,
    &keeps_objects_apart::RULE,
    &succeeds_as_planned::RULE,
    &claims_only_what_it_changed::RULE,
];
