//! The answers that are a state: reads, upgrades of stored state, moves to another type, and reads of data
//! sources.
//!
//! Source: contract sections 3.6 to 3.8 and 3.15.

use super::check::{
    CheckKind, CheckList, DEFERRED, EngineCheck, EngineStop, Titles, Words, conformance, deferral, every,
    unknowns,
};
use super::plan::DEFERRAL;
use crate::core::problem::Problem;
use crate::core::write_only::assert_write_only_null;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Value};

const INVALID: Titles =
    Titles { terraform: "Provider produced invalid object", opentofu: "Provider produced invalid object" };
const INVALID_UPGRADE: Titles =
    Titles { terraform: "Invalid resource state upgrade", opentofu: "Invalid resource state transformation" };

const INVALID_MOVE: Titles =
    Titles { terraform: "Provider returned invalid value", opentofu: "Invalid provider response" };

/// A read of a managed object, as the provider answered it.
#[derive(Clone, Copy, Debug)]
pub struct ReadStep<'v> {
    pub engine: Engine,
    pub block: &'v Block,
    /// Null if the object is gone.
    pub new: &'v Value,
    pub is_deferred: bool,
}

impl ReadStep<'_> {
    /// Why the engine stops, if it does.
    pub fn stop(&self) -> Option<EngineStop> {
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
    /// Why the engine stops, if it does. It accepts a null, and forgets the object.
    pub fn stop(&self) -> Option<EngineStop> {
        UPGRADE.stop(self.engine, false, |find| find(self))
    }
}

/// A move of stored state to another type, as the provider answered it.
#[derive(Clone, Copy, Debug)]
pub struct MoveStep<'v> {
    pub engine: Engine,
    /// Of the type that it is moved to.
    pub block: &'v Block,
    pub moved: &'v Value,
}

impl MoveStep<'_> {
    /// Why the engine stops, if it does. It accepts a null.
    pub fn stop(&self) -> Option<EngineStop> {
        MOVE.stop(self.engine, false, |find| find(self))
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

/// Why an engine stops at an answer that defers the work, whatever else is in it.
pub fn refused_deferral(engine: Engine, is_deferred: bool) -> Option<EngineStop> {
    let check = DATA_READ.get(CheckKind::NotDeferred);
    let problem = deferral(is_deferred).into_iter().next().filter(|_| check.is_made_by(engine))?;
    Some(EngineStop { kind: check.kind, title: check.title(engine), problem, words: check.stops })
}

/// After a read of a managed object.
pub static READ: CheckList<fn(&ReadStep<'_>) -> Vec<Problem>> = CheckList {
    step: "read",
    checks: &[
        EngineCheck {
            kind: CheckKind::NotDeferred,
            covers: &["DEFER-001"],
            titles: DEFERRAL,
            is_excused: false,
            made_by: Engine::knows_deferral,
            stops: DEFERRED,
            find: |read| deferral(read.is_deferred),
        },
        EngineCheck {
            kind: CheckKind::Conforms,
            covers: &["READ-001"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the state does not conform to the schema"),
            find: |read| conformance(read.block, read.new, "READ-001"),
        },
        EngineCheck {
            kind: CheckKind::WriteOnlyNull,
            covers: &["READ-003", "WO-001", "WO-002"],
            titles: Titles { opentofu: "Invalid provider response", ..INVALID },
            is_excused: false,
            made_by: every,
            stops: Words::At("the state is invalid"),
            find: |read| assert_write_only_null(read.block, read.new),
        },
        EngineCheck {
            kind: CheckKind::WhollyKnown,
            covers: &["READ-002"],
            titles: INVALID,
            is_excused: false,
            made_by: Engine::refuses_unknown_state,
            stops: Words::Whole("the state contains unknowns"),
            find: |read| unknowns(read.new, "READ-002"),
        },
    ],
};

/// After an upgrade of stored state.
///
/// Where the schema's type is dynamic, engines accept a value that is not a nested block, and crash
/// when they plan with it. Here it counts as refused.
pub static UPGRADE: CheckList<fn(&UpgradeStep<'_>) -> Vec<Problem>> = CheckList {
    step: "upgrade",
    checks: &[
        EngineCheck {
            kind: CheckKind::Conforms,
            covers: &["UPGRADE-002"],
            titles: INVALID_UPGRADE,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the state does not conform to the schema"),
            find: |upgrade| conformance(upgrade.block, upgrade.upgraded, "UPGRADE-002"),
        },
        EngineCheck {
            kind: CheckKind::WriteOnlyNull,
            covers: &["UPGRADE-004", "WO-001", "WO-002"],
            titles: Titles { opentofu: "Invalid provider response", ..INVALID_UPGRADE },
            is_excused: false,
            made_by: every,
            stops: Words::At("the state is invalid"),
            find: |upgrade| assert_write_only_null(upgrade.block, upgrade.upgraded),
        },
        EngineCheck {
            kind: CheckKind::WhollyKnown,
            covers: &["UPGRADE-003"],
            titles: INVALID_UPGRADE,
            is_excused: false,
            made_by: Engine::refuses_unknown_state,
            stops: Words::Whole("the state contains unknowns"),
            find: |upgrade| unknowns(upgrade.upgraded, "UPGRADE-003"),
        },
    ],
};

/// After a move of stored state to another type.
///
/// As in [`UPGRADE`], a value that is not a nested block counts as refused. Terraform itself accepts it.
pub static MOVE: CheckList<fn(&MoveStep<'_>) -> Vec<Problem>> = CheckList {
    step: "move",
    checks: &[
        EngineCheck {
            kind: CheckKind::WhollyKnown,
            covers: &["MOVE-002"],
            titles: INVALID_MOVE,
            is_excused: false,
            made_by: Engine::refuses_unknown_state,
            stops: Words::Whole("the state contains unknowns"),
            find: |step| unknowns(step.moved, "MOVE-002"),
        },
        EngineCheck {
            kind: CheckKind::WriteOnlyNull,
            covers: &["MOVE-003", "WO-001", "WO-002"],
            titles: INVALID_MOVE,
            is_excused: false,
            made_by: every,
            stops: Words::At("the state is invalid"),
            find: |step| assert_write_only_null(step.block, step.moved),
        },
        EngineCheck {
            kind: CheckKind::Conforms,
            covers: &["MOVE-002"],
            titles: Titles {
                terraform: "Failed to encode source value",
                opentofu: "Invalid resource state transformation",
            },
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the state does not conform to the schema"),
            find: |step| conformance(step.block, step.moved, "MOVE-002"),
        },
    ],
};

/// After a read of a data source.
pub static DATA_READ: CheckList<fn(&DataReadStep<'_>) -> Vec<Problem>> = CheckList {
    step: "data-read",
    checks: &[
        EngineCheck {
            kind: CheckKind::NotDeferred,
            covers: &["DEFER-001"],
            titles: DEFERRAL,
            is_excused: false,
            made_by: Engine::knows_deferral,
            stops: DEFERRED,
            find: |read| deferral(read.is_deferred),
        },
        EngineCheck {
            kind: CheckKind::Conforms,
            covers: &["DATA-001"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the result does not conform to the schema"),
            find: |read| conformance(read.block, read.state, "DATA-001"),
        },
        EngineCheck {
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
        EngineCheck {
            kind: CheckKind::WhollyKnown,
            covers: &["DATA-003"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the result contains unknowns"),
            find: |read| unknowns(read.state, "DATA-003"),
        },
    ],
};
