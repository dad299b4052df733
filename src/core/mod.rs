//! An engine's own algorithms, as pure functions.
//!
//! One function per algorithm of the engines' plan and apply steps, each
//! parameterised by [`Engine`](crate::engine::Engine). Nothing here knows a
//! provider, a transcript or a clock. All are total: any value that conforms to
//! the schema's implied type has an answer, those that would crash an engine
//! included.

mod action;
mod came_from;
mod compatible;
mod final_plan;
mod matching;
mod pairing;
mod place;
mod plan_valid;
mod problem;
mod proposed_new;
mod requires_replace;
mod views;
mod write_only;

pub use action::{Action, Circumstances, choose_action};
pub use compatible::{assert_object_compatible, assert_value_compatible};
pub use final_plan::{Planned, assert_final_plan};
pub use pairing::assert_sets_paired;
pub use plan_valid::assert_plan_valid;
pub use problem::Problem;
pub use proposed_new::{placeholder_object, prepare_computed_blocks, proposed_new};
pub use requires_replace::{RequiredReplaces, designates_write_only, requires_replace};
pub use write_only::{assert_write_only_null, write_only_paths};
