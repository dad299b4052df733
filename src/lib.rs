//! tfconform: conformance testing for Terraform and OpenTofu providers.
pub mod core;
pub mod engine;
pub mod generate;
pub mod judge;
pub mod lifecycle;
pub mod provider;
pub mod record;
pub mod report;
pub mod rule;
pub mod rules;
pub mod scenario;
pub mod schema;
pub mod suite;
pub mod transcript;
pub mod value;
