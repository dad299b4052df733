//! What an engine checks in each answer, in its order.
//!
//! One list for each step at which an engine checks an answer: [`PLAN`], [`DESTROY_PLAN`],
//! [`FINAL_PLAN`], [`APPLY`] (deletes too), [`READ`], [`UPGRADE`], [`MOVE`] and [`DATA_READ`]. A run stops at
//! the first check that finds a problem ([`PlanStep::stop`] and the like; nothing depends on a read
//! of a data source, so only deferral stops there), rules report what each check finds, and users
//! are shown the title of that check.
//!
//! The lists start after decoding: an answer that does not decode, or that reports an error, ends the step
//! before (an apply's new state is still checked). Checks of identities are not included yet.
//!
//! Source: contract sections 3.6 to 3.11 and 3.15.

mod apply;
mod check;
mod plan;
mod state;
#[cfg(test)]
mod tests;

pub use apply::{APPLY, ApplyStep};
pub use check::{CheckKind, CheckList, EngineCheck, EngineStop};
pub use plan::{DESTROY_PLAN, DestroyPlanStep, FINAL_PLAN, FinalPlanStep, PLAN, PlanStep};
pub use state::{
    DATA_READ, DataReadStep, MOVE, MoveStep, READ, ReadStep, UPGRADE, UpgradeStep, refused_deferral,
};
