//! Validation: everything the schema allows is allowed, whatever is unknown in it.

use crate::schema::{Attribute, Block, NestedAttributes, NestedBlock, Nesting};
use crate::transcript::Diagnostic;
use crate::value::{AttributePath, PathStep, Value};

/// What the provider refuses although an engine accepts it.
pub fn validate(block: &Block, config: &Value) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    walk_block(block, config, &AttributePath::root(), &mut found);
    config.walk(&mut |path, value| {
        if value.as_number().is_some_and(|number| number.is_infinite()) {
            found.push(
                Diagnostic::error("Infinite number", "A state cannot hold an infinite number.")
                    .at(&path.up_to_set()),
            );
        }
        true
    });
    found
}

fn walk_block(block: &Block, object: &Value, at: &AttributePath, found: &mut Vec<Diagnostic>) {
    walk_attributes(&block.attributes, object, at, found);
    for NestedBlock { name, nesting, block, .. } in &block.block_types {
        each_element(*nesting, &object.member(name), &at.attribute(name), &mut |path, element| {
            walk_block(block, element, path, found);
        });
    }
}

fn walk_attributes(
    attributes: &[Attribute],
    object: &Value,
    at: &AttributePath,
    found: &mut Vec<Diagnostic>,
) {
    for attribute in attributes {
        let (path, value) = (at.attribute(&attribute.name), object.member(&attribute.name));
        if attribute.computed && !attribute.is_configurable() && value.is_set() {
            found.push(
                Diagnostic::error("Read-only attribute", "This attribute is decided by the provider alone.")
                    .at(&path.up_to_set()),
            );
            continue;
        }
        if let Some(nested) = attribute.nested_attributes() {
            walk_nested(nested, &value, &path, found);
        }
    }
}

fn walk_nested(nested: &NestedAttributes, value: &Value, path: &AttributePath, found: &mut Vec<Diagnostic>) {
    let guarded = nested.attributes.iter().any(|attribute| attribute.write_only);
    each_element(nested.nesting, value, path, &mut |path, element| {
        // An engine that looks for write-only values in a null element crashes.
        if guarded && element.is_null() && nested.nesting != Nesting::Single {
            found.push(
                Diagnostic::error("Null element", "An element with write-only attributes may not be null.")
                    .at(&path.up_to_set()),
            );
        }
        walk_attributes(&nested.attributes, element, path, found);
    });
}

fn each_element(
    nesting: Nesting,
    value: &Value,
    at: &AttributePath,
    visit: &mut dyn FnMut(&AttributePath, &Value),
) {
    match nesting {
        Nesting::Single | Nesting::Group | Nesting::Invalid(_) if value.is_set() => visit(at, value),
        Nesting::Single | Nesting::Group | Nesting::Invalid(_) => {}
        Nesting::List | Nesting::Set | Nesting::Map => {
            for (step, element) in value.children() {
                let step = match step {
                    // A map of blocks may be an object; its attribute names are the keys.
                    PathStep::Attribute(key) => PathStep::Key(key),
                    step => step,
                };
                visit(&at.with(step), element);
            }
        }
    }
}
