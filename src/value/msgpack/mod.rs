//! The wire's MessagePack form of a value, both ways.
//!
//! Type-directed: the same bytes mean different values under different types,
//! and the type comes from the schema. [`encode`] writes exactly what Core
//! writes. [`decode`] reads whatever a provider sent, reports every issue with it, and never panics
//! or allocates more than the input warrants.
//!
//! Source: wire sections 4.4 to 4.9.

mod decode;
mod encode;
mod issue;
mod items;
mod reader;

pub use decode::{Decoded, MAX_VALUES, decode};
pub use encode::{encode, encode_into};
pub use issue::{Effect, Issue, IssueKind};
pub use items::Items;
pub use reader::Item;
