//! tfconform: conformance testing for Terraform and OpenTofu providers.
pub mod value;
