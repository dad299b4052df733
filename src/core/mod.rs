//! An engine's own algorithms, as pure functions.
//!
//! One function per algorithm of the engines' plan and apply steps, each
//! parameterised by [`Engine`](crate::engine::Engine). Nothing here knows a
//! provider, a transcript or a clock. All are total: any value that conforms to
//! the schema's implied type has an answer, those that would crash an engine
//! included.

mod came_from;
mod matching;
mod pairing;
mod place;
mod plan_valid;
mod problem;
mod proposed_new;
mod views;

pub use pairing::assert_sets_paired;
pub use plan_valid::assert_plan_valid;
pub use problem::Problem;
pub use proposed_new::{placeholder_object, prepare_computed_blocks, proposed_new};
