//! Rules about any call.

pub mod answers;
pub mod answers_in_time;
pub mod diagnostic_paths_resolve;
pub mod diagnostics_have_a_severity;
pub mod diagnostics_say_something;
pub mod implements_what_it_declares;
pub mod keeps_secrets;
pub mod needs_no_schema;
pub mod reports_no_defect;
pub mod succeeds_again;
pub mod survives;

use crate::rule::Rule;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &answers::RULE,
    &survives::RULE,
    &answers_in_time::RULE,
    &implements_what_it_declares::RULE,
    &needs_no_schema::RULE,
    &succeeds_again::RULE,
    &diagnostics_have_a_severity::RULE,
    &diagnostics_say_something::RULE,
    &diagnostic_paths_resolve::RULE,
    &reports_no_defect::RULE,
    &keeps_secrets::RULE,
];
