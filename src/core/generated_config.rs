//! The configuration that an engine writes for an object that it imports.
//!
//! Source: contract entry IMPORT-017.

use super::declaration::Declaration;
use crate::schema::{Attribute, Block};
use crate::value::{Type, Value};

/// What a user would get from `-generate-config-out` for an object: every argument as the object has it, and null
/// for what is deprecated or sensitive. So is the attribute `id` if it is optional and computed, because SDKv2
/// adds one to types that do not declare it. Deprecated blocks are left out.
///
/// An engine writes text that is JSON by `jsonencode`, which may spell it otherwise; here it stays.
pub fn generated_config(block: &Block, object: &Value) -> Value {
    let written = Declaration::Block(block).transform(object, &mut |place, value| match place {
        Declaration::Attribute(attribute) if is_left_out(attribute) => Value::null(attribute.ty()),
        Declaration::Attribute(attribute) if attribute.sensitive => hidden(attribute),
        Declaration::Blocks(nested) if nested.block.deprecated => nested.empty_value(),
        _ => value,
    });
    match block.attribute("id") {
        Some(id) if id.optional && id.computed => written.with_attribute("id", Value::null(id.ty())),
        _ => written,
    }
}

/// Whether what an object has set is wholly in the configuration that is written for it, apart from what only the
/// provider sets.
pub fn is_wholly_generated(block: &Block, object: &Value) -> bool {
    let mut is_whole = true;
    Declaration::Block(block).transform(object, &mut |place, value| {
        is_whole &= match place {
            Declaration::Attribute(attribute) if attribute.optional || attribute.required => {
                value.is_null() || !(attribute.deprecated || attribute.sensitive || attribute.write_only)
            }
            Declaration::Blocks(nested) => !nested.block.deprecated,
            _ => true,
        };
        value
    });
    is_whole
}

fn is_left_out(attribute: &Attribute) -> bool {
    let is_read_only = attribute.computed && !attribute.optional;
    is_read_only || attribute.deprecated || attribute.write_only
}

/// What is written for a sensitive attribute: a nested one is there, and empty.
fn hidden(attribute: &Attribute) -> Value {
    match (attribute.nested_attributes(), attribute.ty()) {
        (Some(_), Type::List(element)) => Value::list((*element).clone(), Vec::new()),
        (Some(_), Type::Set(element)) => Value::set((*element).clone(), Vec::new()),
        (Some(_), Type::Map(element)) => Value::map::<&str>((*element).clone(), []),
        (Some(_), ty @ Type::Object(_)) => {
            let object = ty.as_object().expect("an object type");
            let nulls = object.attributes().iter().map(|(_, ty)| Value::null(ty.clone())).collect();
            Value::object_of(&ty, nulls)
        }
        (_, ty) => Value::null(ty),
    }
}
