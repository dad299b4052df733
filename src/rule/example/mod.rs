//! One conforming transcript that every rule passes and every fault corrupts.
//!
//! Written by hand, without a provider: a small rich schema, and the whole life
//! of one object as a conforming provider would answer.

mod builder;
mod moves;
mod schema;
mod story;

use std::sync::Arc;

use crate::engine::Engine;
use crate::schema::ProviderSchema;
use crate::transcript::{Subject, Transcript};

use builder::TranscriptBuilder;
pub use moves::MOVED;
pub use schema::schema;

pub const THING: &str = "example_thing";
/// The secret value in the example.
pub const SECRET: &str = "h\u{fc}sh, never tell";
pub const LOOKUP: &str = "example_lookup";

/// The whole life of one object: schema, metadata, configure, validate, plan with unknowns, the same plan
/// again, final plan, create, round trip, reads, no-op, drift, update, replace, update back, destroy, and a data source.
pub fn lifecycle() -> Transcript {
    lifecycle_of(schema(), 6, Engine::Terraform)
}

/// As [`lifecycle`], for a schema of the example's shape in which something is changed.
pub fn lifecycle_of(schema: ProviderSchema, protocol: u8, engine: Engine) -> Transcript {
    let (name, schema) = ("example".to_owned(), Arc::new(schema));
    let subject = Subject { name, protocol, engine, schema, config: None };
    TranscriptBuilder::new(subject).write()
}
