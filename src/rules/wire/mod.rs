//! Rules about the encoding of values.

pub mod decodes;
pub mod dynamic_values_name_their_type;
pub mod elements_share_one_type;
pub mod headers_are_honest;
pub mod integers_are_integers;
pub mod keys_are_unique;
pub mod no_duplicate_elements;
pub mod nothing_follows;
pub mod numbers_are_finite;
pub mod objects_are_complete;
pub mod one_encoding;
pub mod refinements_are_sound;
pub mod refinements_say_something;
pub mod schema_fits;
pub mod text_is_nfc;
pub mod text_is_utf_8;
pub mod unknowns_are_plain;
pub mod unknowns_have_code_zero;

use crate::rule::Rule;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &decodes::RULE,
    &objects_are_complete::RULE,
    &dynamic_values_name_their_type::RULE,
    &elements_share_one_type::RULE,
    &numbers_are_finite::RULE,
    &unknowns_are_plain::RULE,
    &unknowns_have_code_zero::RULE,
    &refinements_are_sound::RULE,
    &refinements_say_something::RULE,
    &headers_are_honest::RULE,
    &schema_fits::RULE,
    &nothing_follows::RULE,
    &keys_are_unique::RULE,
    &no_duplicate_elements::RULE,
    &text_is_utf_8::RULE,
    &text_is_nfc::RULE,
    &integers_are_integers::RULE,
    &one_encoding::RULE,
];
