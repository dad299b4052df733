//! The answer to an apply, including deletes.
//!
//! Source: contract section 3.10.

use super::check::{
    CheckKind, CheckList, EngineCheck, EngineStop, Titles, Words, conformance, every, unknowns,
};
use crate::core::compatible::assert_object_compatible;
use crate::core::problem::Problem;
use crate::core::write_only::assert_write_only_null;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Value};

const INVALID: Titles =
    Titles { terraform: "Provider produced invalid object", opentofu: "Provider produced invalid object" };
const INVALID_RESULT: Titles = Titles {
    terraform: "Provider returned invalid result object after apply",
    opentofu: "Provider returned invalid result object after apply",
};

/// An apply, as the provider answered it.
#[derive(Clone, Copy, Debug)]
pub struct ApplyStep<'v> {
    pub engine: Engine,
    pub block: &'v Block,
    /// Null for a delete.
    pub planned: &'v Value,
    pub new: &'v Value,
    /// Whether the provider reports an error: the new state still counts, but is not compared.
    pub has_failed: bool,
    /// Whether the answer carries the flag of the legacy type system.
    pub is_legacy: bool,
}

impl ApplyStep<'_> {
    /// The error that the engine itself reports, if any. Only a nonconforming state is not stored;
    /// any other is, error or not.
    pub fn stop(&self) -> Option<EngineStop> {
        APPLY.stop(self.engine, self.is_legacy, |find| find(self))
    }
}

/// After an apply.
pub static APPLY: CheckList<fn(&ApplyStep<'_>) -> Vec<Problem>> = CheckList {
    step: "apply",
    checks: &[
        EngineCheck {
            kind: CheckKind::Conforms,
            covers: &["APPLY-005"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the new state does not conform to the schema"),
            find: |apply| conformance(apply.block, apply.new, "APPLY-005"),
        },
        EngineCheck {
            kind: CheckKind::WriteOnlyNull,
            covers: &["APPLY-006", "WO-001", "WO-002"],
            titles: Titles { opentofu: "Invalid provider response", ..INVALID },
            is_excused: false,
            made_by: every,
            stops: Words::At("the new state is invalid"),
            find: |apply| assert_write_only_null(apply.block, apply.new),
        },
        EngineCheck {
            kind: CheckKind::WhollyKnown,
            covers: &["APPLY-007"],
            titles: INVALID_RESULT,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the new state contains unknowns"),
            find: |apply| unknowns(apply.new, "APPLY-007"),
        },
        EngineCheck {
            kind: CheckKind::Compatible,
            covers: &[
                "APPLY-010",
                "APPLY-011",
                "APPLY-012",
                "APPLY-017",
                "APPLY-018",
                "APPLY-019",
                "APPLY-020",
                "APPLY-021",
                "APPLY-022",
                "APPLY-023",
                "APPLY-024",
            ],
            titles: Titles {
                terraform: "Provider produced inconsistent result after apply",
                opentofu: "Provider produced inconsistent result after apply",
            },
            is_excused: true,
            made_by: every,
            stops: Words::At("the new state departs from the plan"),
            find: |apply| {
                if apply.has_failed || apply.planned.is_null() {
                    return Vec::new();
                }
                assert_object_compatible(apply.block, apply.planned, apply.new, apply.engine)
            },
        },
        EngineCheck {
            kind: CheckKind::Presence,
            covers: &["APPLY-002", "APPLY-003"],
            titles: INVALID_RESULT,
            is_excused: false,
            made_by: every,
            stops: Words::At("the new state is invalid"),
            find: presence,
        },
    ],
};

fn presence(apply: &ApplyStep<'_>) -> Vec<Problem> {
    let (covers, message) = match (apply.planned.is_null(), apply.new.is_null()) {
        _ if apply.has_failed => return Vec::new(),
        (true, false) => ("APPLY-002", "the object was to be deleted, but is returned"),
        (false, true) => ("APPLY-003", "an object was planned, but null is returned without an error"),
        (true, true) | (false, false) => return Vec::new(),
    };
    vec![Problem::new(&AttributePath::root(), covers, message)]
}
