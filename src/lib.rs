//! tfconform: conformance testing for Terraform and OpenTofu providers.
pub mod core;
pub mod engine;
pub mod schema;
pub mod transcript;
pub mod value;
