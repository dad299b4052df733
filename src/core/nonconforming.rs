//! Values in place of nested blocks that are not nested blocks, although their type allows them.

use crate::schema::{Block, NestedBlock, Nesting};
use crate::value::{AttributePath, Value};

/// The places at which a value of the block's implied type has something other than nested blocks.
///
/// A list or map of blocks with dynamic members is itself dynamic, so anything decodes there.
pub fn nonconforming(block: &Block, object: &Value) -> Vec<AttributePath> {
    let mut found = Vec::new();
    in_object(block, object, &AttributePath::root(), &mut found);
    found
}

fn in_object(block: &Block, object: &Value, at: &AttributePath, found: &mut Vec<AttributePath>) {
    for nested in &block.block_types {
        if let Some(value) = object.attribute(&nested.name).filter(|value| value.is_set()) {
            in_blocks(nested, value, &at.attribute(&nested.name), found);
        }
    }
}

fn in_blocks(nested: &NestedBlock, value: &Value, at: &AttributePath, found: &mut Vec<AttributePath>) {
    let right_kind = match nested.nesting {
        Nesting::Single | Nesting::Group | Nesting::Invalid(_) => {
            return in_object(&nested.block, value, at, found);
        }
        Nesting::List | Nesting::Set => value.elements().is_some(),
        Nesting::Map => value.entries().is_some() || value.ty().as_object().is_some(),
    };
    if !right_kind {
        return found.push(at.clone());
    }
    for (step, element) in value.children() {
        let at = at.with(step);
        if element.ty().conforms(nested.block.implied_type()) {
            in_object(&nested.block, element, &at, found);
        } else {
            found.push(at);
        }
    }
}
