//! The wire's MessagePack form of a value, both ways.
//!
//! Type-directed: the same bytes mean different values under different types,
//! and the type comes from the schema. [`encode`] writes exactly what Core
//! writes. [`decode`] reads whatever a provider sent, reports everything that is
//! odd about it, and never panics or allocates more than the input warrants.
//!
//! Source: wire sections 4.4 to 4.9.

mod decode;
mod encode;
mod issue;
mod reader;

pub use decode::{Decoded, decode, map_texts};
pub use encode::{encode, encode_into};
pub use issue::{Effect, Issue, IssueKind};

use super::{Type, Value};

/// The one type the elements of a collection declared with `declared` have.
///
/// Nulls and unknowns of dynamic type go with anything; `None` where two others differ,
/// which makes Core panic.
pub(super) fn element_type<'a>(
    declared: &Type,
    elements: impl IntoIterator<Item = &'a Value>,
) -> Option<Type> {
    if !declared.has_dynamic() {
        return Some(declared.clone());
    }
    let mut found: Option<&Type> = None;
    for element in elements {
        if *element.ty() == Type::Dynamic {
            continue;
        }
        match found {
            None => found = Some(element.ty()),
            Some(ty) if ty == element.ty() => {}
            Some(_) => return None,
        }
    }
    Some(found.unwrap_or(declared).clone())
}
