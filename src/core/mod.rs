//! An engine's own algorithms, as pure functions.
//!
//! One function per algorithm of the engines' plan and apply steps, each
//! parameterised by [`Engine`](crate::engine::Engine). Nothing here knows a
//! provider, a transcript or a clock. All are total: they return a result for any value that
//! conforms to the schema's implied type, even one that would crash an engine.

mod action;
pub mod checks;
mod compatible;
mod declaration;
mod equal_elements;
#[cfg(test)]
mod examples;
mod final_plan;
mod generated_config;
mod ignore_changes;
mod matching;
mod members;
mod nonconforming;
mod normalize;
mod pairing;
mod plan_valid;
mod plan_values;
mod problem;
mod proposed_new;
mod requires_replace;
mod strip;
#[cfg(test)]
mod tests;
mod valid_prior;
mod write_only;

pub use action::{Action, Circumstances, choose_action};
pub use checks::{
    ApplyStep, CheckKind, DataReadStep, DestroyPlanStep, EngineStop, FinalPlanStep, MoveStep, PlanStep,
    ReadStep, UpgradeStep, refused_deferral,
};
pub use compatible::{assert_object_compatible, assert_value_compatible};
pub use final_plan::PlannedChange;
pub use generated_config::{generated_config, is_wholly_generated};
pub use ignore_changes::{Ignored, ignore_changes, ignore_changes_in_legacy_plan};
pub use matching::maximum_matching;
pub use nonconforming::nonconforming;
pub use normalize::{normalize_legacy, normalizes_reads};
pub use pairing::{assert_legacy_sets_paired, assert_sets_paired};
pub use plan_valid::assert_plan_valid;
pub use problem::{Problem, as_engines_tell};
pub use proposed_new::{placeholder_object, prepare_computed_blocks, proposed_new};
pub use requires_replace::{RequiredReplaces, designates_write_only, requires_replace};
pub use strip::strip_removed;
pub use valid_prior::optional_value_not_computable;
pub use write_only::{assert_write_only_null, without_write_only, write_only_paths};
