//! How an engine normalises a state read by a provider that may use the legacy SDK.
//!
//! Source: contract section 4.9.

use super::declaration::with_children;
use super::members::member;
use crate::engine::Engine;
use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value::{Type, Value};

/// Whether `engine` normalises what a provider with this schema reads.
///
/// Source: contract section 4.9.3.
pub fn normalizes_reads(block: &Block, engine: Engine) -> bool {
    engine.normalizes_every_read() || may_be_legacy(block)
}

/// Whether the legacy SDK supports everything in the schema.
fn may_be_legacy(block: &Block) -> bool {
    block.attributes.iter().all(is_legacy_attribute)
        && block.block_types.iter().all(|nested| !nested.block.computed && may_be_legacy(&nested.block))
}

fn is_legacy_attribute(attribute: &Attribute) -> bool {
    if attribute.nested_attributes().is_some() {
        return false;
    }
    match attribute.ty() {
        Type::Tuple(_) | Type::Object(_) => false,
        Type::Map(element) if matches!(*element, Type::Object(_)) => false,
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            element.element().is_none_or(Type::is_primitive)
        }
        Type::String | Type::Number | Type::Bool | Type::Dynamic => true,
    }
}

/// The object with nested blocks as a configuration could have written them: never null where the
/// schema does not allow it, and never wholly unknown. Attributes stay as they are.
///
/// So do maps of blocks and blocks with dynamic attributes: the legacy SDK has neither.
///
/// Source: contract section 4.9.1.
pub fn normalize_legacy(block: &Block, value: &Value) -> Value {
    let ty = block.implied_type();
    if value.is_null() {
        return Value::null(ty.clone());
    }
    let Some(object) = ty.as_object() else { return value.clone() };
    let values = object.attributes().iter().map(|(name, ty)| {
        let inner = member(value, name, ty);
        match block.block_type(name) {
            Some(nested) if block.attribute(name).is_none() => normalize_blocks(nested, inner),
            _ => inner,
        }
    });
    Value::object_of(ty, values.collect())
}

fn normalize_blocks(nested: &NestedBlock, value: Value) -> Value {
    let block = &nested.block;
    if block.implied_type().has_dynamic() {
        return value;
    }
    match nested.nesting {
        Nesting::Map | Nesting::Invalid(_) => value,
        Nesting::Single | Nesting::Group if value.is_unknown() => stub(block),
        Nesting::Group if value.is_null() => block.empty_value(),
        Nesting::Single | Nesting::Group => normalize_legacy(block, &value),
        Nesting::List | Nesting::Set if value.is_unknown() => nested.collect(vec![stub(block)]),
        Nesting::List | Nesting::Set => match value.elements() {
            None | Some([]) => nested.empty_value(),
            Some(elements) => {
                let elements = elements.iter().map(|element| normalize_legacy(block, element));
                with_children(&value, elements.collect())
            }
        },
    }
}

/// The replacement for an unknown block: itself known, with only unknowns inside.
///
/// Source: contract section 4.9.2.
fn stub(block: &Block) -> Value {
    let ty = block.implied_type();
    let Some(object) = ty.as_object() else { return Value::unknown(ty.clone()) };
    let values = object.attributes().iter().map(|(name, ty)| match block.block_type(name) {
        Some(nested) if block.attribute(name).is_none() => match nested.nesting {
            Nesting::Single | Nesting::Group => stub(&nested.block),
            Nesting::List | Nesting::Set => nested.collect(vec![stub(&nested.block)]),
            Nesting::Map => nested.empty_value(),
            Nesting::Invalid(_) => Value::unknown(ty.clone()),
        },
        _ => Value::unknown(ty.clone()),
    });
    Value::object_of(ty, values.collect())
}
