//! Rules about objects that exist already and are imported.

pub mod accepts_what_it_read;
pub mod finds_the_object;
pub mod keeps_the_object;
pub mod returns_one_object;
pub mod returns_the_identity;
pub mod returns_the_values;
pub mod sets_the_type;
pub mod updates_as_before;
pub mod write_only_is_null;

use crate::calls::{ImportResourceStateRequest, ImportResourceStateResponse};
use crate::rule::{Asked, Findings, Rule};
use crate::transcript::AnyCall;

/// The rules of this group, in the order of the catalogue.
pub(super) const RULES: &[&Rule] = &[
    &returns_one_object::RULE,
    &sets_the_type::RULE,
    &returns_the_identity::RULE,
    &write_only_is_null::RULE,
    &finds_the_object::RULE,
    &returns_the_values::RULE,
    &keeps_the_object::RULE,
    &updates_as_before::RULE,
    &accepts_what_it_read::RULE,
];

/// An import and its answer; `None` for another call and without an answer, which is said.
fn answered<'t>(
    asked: &Asked<'t>,
    findings: &mut Findings,
) -> Option<(&'t ImportResourceStateRequest, &'t ImportResourceStateResponse)> {
    let AnyCall::ImportResourceState(call) = asked.call else {
        findings.not_applicable("nothing is imported");
        return None;
    };
    match &call.outcome {
        Ok(response) => Some((&call.request, response)),
        Err(_) => {
            findings.inconclusive("the import has no answer");
            None
        }
    }
}
