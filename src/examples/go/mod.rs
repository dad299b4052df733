//! What the files of a provider written in Go hold. Nothing is executed, and this is no parser: it reads tokens and
//! matches brackets.

mod calls;
mod configurations;
mod literals;
mod tokens;

pub use configurations::configurations;
pub(super) use literals::Package;
