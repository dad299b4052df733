//! tfconform: conformance testing for Terraform and OpenTofu providers.
pub mod core;
pub mod engine;
pub mod judge;
pub mod reference;
pub mod rule;
pub mod rules;
pub mod scenario;
pub mod schema;
pub mod transcript;
pub mod value;
