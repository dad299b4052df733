//! The answers that are a state by themselves: reads, upgrades of stored state, and reads of data sources.
//!
//! Source: contract sections 3.6, 3.8 and 3.15.

use super::plan::DEFERRAL;
use super::{
    Check, CheckKind, CheckList, DEFERRED, Stop, Titles, Words, conformance, deferral, every, unknowns,
};
use crate::core::problem::Problem;
use crate::core::write_only::assert_write_only_null;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Value};

const INVALID: Titles =
    Titles { terraform: "Provider produced invalid object", opentofu: "Provider produced invalid object" };
const INVALID_UPGRADE: Titles =
    Titles { terraform: "Invalid resource state upgrade", opentofu: "Invalid resource state transformation" };

/// A read of a managed object, as the provider answered it.
#[derive(Clone, Copy, Debug)]
pub struct ReadStep<'v> {
    pub engine: Engine,
    pub block: &'v Block,
    /// Null where the object is gone.
    pub new: &'v Value,
    pub is_deferred: bool,
}

impl ReadStep<'_> {
    /// Where the engine stops, if it does.
    pub fn stop(&self) -> Option<Stop> {
        READ.stop(self.engine, false, |find| find(self))
    }
}

/// An upgrade of stored state, as the provider answered it.
#[derive(Clone, Copy, Debug)]
pub struct UpgradeStep<'v> {
    pub engine: Engine,
    pub block: &'v Block,
    pub upgraded: &'v Value,
}

impl UpgradeStep<'_> {
    /// Where the engine stops, if it does. A null is none of its business: the object is forgotten.
    pub fn stop(&self) -> Option<Stop> {
        UPGRADE.stop(self.engine, false, |find| find(self))
    }
}

/// A read of a data source, as the provider answered it.
#[derive(Clone, Copy, Debug)]
pub struct DataReadStep<'v> {
    pub engine: Engine,
    pub block: &'v Block,
    pub state: &'v Value,
    pub is_deferred: bool,
}

/// After a read of a managed object.
pub static READ: CheckList<fn(&ReadStep<'_>) -> Vec<Problem>> = CheckList {
    step: "read",
    checks: &[
        Check {
            kind: CheckKind::NotDeferred,
            covers: &["DEFER-001"],
            titles: DEFERRAL,
            is_excused: false,
            made_by: Engine::knows_deferral,
            stops: DEFERRED,
            find: |read| deferral(read.is_deferred),
        },
        Check {
            kind: CheckKind::Conforms,
            covers: &["READ-001"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the state does not conform to the schema"),
            find: |read| conformance(read.block, read.new, "READ-001"),
        },
        Check {
            kind: CheckKind::WriteOnlyNull,
            covers: &["READ-003", "WO-001", "WO-002"],
            titles: Titles { opentofu: "Invalid provider response", ..INVALID },
            is_excused: false,
            made_by: every,
            stops: Words::At("the state is invalid"),
            find: |read| assert_write_only_null(read.block, read.new),
        },
        Check {
            kind: CheckKind::WhollyKnown,
            covers: &["READ-002"],
            titles: INVALID,
            is_excused: false,
            made_by: Engine::refuses_unknown_state,
            stops: Words::Whole("the state holds unknowns"),
            find: |read| unknowns(read.new, "READ-002"),
        },
    ],
};

/// After an upgrade of stored state.
///
/// An engine lets a value pass that is no nested block where the schema's type is dynamic, and breaks down
/// when it plans with it: that counts as refused here.
pub static UPGRADE: CheckList<fn(&UpgradeStep<'_>) -> Vec<Problem>> = CheckList {
    step: "upgrade",
    checks: &[
        Check {
            kind: CheckKind::Conforms,
            covers: &["UPGRADE-002"],
            titles: INVALID_UPGRADE,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the state does not conform to the schema"),
            find: |upgrade| conformance(upgrade.block, upgrade.upgraded, "UPGRADE-002"),
        },
        Check {
            kind: CheckKind::WriteOnlyNull,
            covers: &["UPGRADE-004", "WO-001", "WO-002"],
            titles: Titles { opentofu: "Invalid provider response", ..INVALID_UPGRADE },
            is_excused: false,
            made_by: every,
            stops: Words::At("the state is invalid"),
            find: |upgrade| assert_write_only_null(upgrade.block, upgrade.upgraded),
        },
        Check {
            kind: CheckKind::WhollyKnown,
            covers: &["UPGRADE-003"],
            titles: INVALID_UPGRADE,
            is_excused: false,
            made_by: Engine::refuses_unknown_state,
            stops: Words::Whole("the state holds unknowns"),
            find: |upgrade| unknowns(upgrade.upgraded, "UPGRADE-003"),
        },
    ],
};

/// After a read of a data source.
pub static DATA_READ: CheckList<fn(&DataReadStep<'_>) -> Vec<Problem>> = CheckList {
    step: "data-read",
    checks: &[
        Check {
            kind: CheckKind::NotDeferred,
            covers: &["DEFER-001"],
            titles: DEFERRAL,
            is_excused: false,
            made_by: Engine::knows_deferral,
            stops: DEFERRED,
            find: |read| deferral(read.is_deferred),
        },
        Check {
            kind: CheckKind::Conforms,
            covers: &["DATA-001"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the result does not conform to the schema"),
            find: |read| conformance(read.block, read.state, "DATA-001"),
        },
        Check {
            kind: CheckKind::Presence,
            covers: &["DATA-002"],
            titles: Titles {
                terraform: "Provider produced null object",
                opentofu: "Provider produced null object",
            },
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the result is null"),
            find: |read| {
                let message = "the result is null, without an error";
                let problem = || Problem::new(&AttributePath::root(), "DATA-002", message);
                read.state.is_null().then(problem).into_iter().collect()
            },
        },
        Check {
            kind: CheckKind::WhollyKnown,
            covers: &["DATA-003"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the result holds unknowns"),
            find: |read| unknowns(read.state, "DATA-003"),
        },
    ],
};
