//! Configurations, argument by argument.

use crate::schema::{Attribute, Block, Member, NestedBlock, Nesting};
use crate::value::Value;

/// What becomes of an argument or a nested block type that is set, by its schema path; `None` leaves it, and goes on
/// to what is inside.
type Change<'c> = dyn FnMut(&str, Member<'_>, &Value) -> Option<Value> + 'c;

/// The configuration with something else in place of what `change` names, outermost first.
pub(super) fn rewritten(block: &Block, config: &Value, change: &mut Change<'_>) -> Value {
    object((&block.attributes, &block.block_types), config, "", change)
}

/// Visits everything that is set, outermost first.
pub(super) fn each(block: &Block, config: &Value, visit: &mut dyn FnMut(&str, Member<'_>, &Value)) {
    rewritten(block, config, &mut |path, member, value| {
        visit(path, member, value);
        None
    });
}

/// What an argument or a nested block type is if it is left out.
pub(super) fn absent(member: Member<'_>) -> Value {
    match member {
        Member::Attribute(attribute) => Value::null(attribute.ty()),
        Member::Block(nested) => nested.empty_value(),
    }
}

/// Whether the schema lets a user leave it out.
pub(super) fn is_optional(member: Member<'_>) -> bool {
    match member {
        Member::Attribute(attribute) => !attribute.required,
        Member::Block(nested) => nested.min_items <= 0,
    }
}

fn object(
    (attributes, blocks): (&[Attribute], &[NestedBlock]),
    value: &Value,
    at: &str,
    change: &mut Change<'_>,
) -> Value {
    if !value.is_set() {
        return value.clone();
    }
    let path = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
    let mut object_value = value.clone();
    for attribute in attributes {
        let (path, old) = (path(&attribute.name), value.member(&attribute.name));
        if old.is_null() {
            continue;
        }
        let new = change(&path, Member::Attribute(attribute), &old).or_else(|| {
            let nested = attribute.nested_attributes()?;
            Some(elements(nested.nesting, &old, |element| {
                object((&nested.attributes, &[]), element, &path, change)
            }))
        });
        object_value = with_member(object_value, &attribute.name, &old, new);
    }
    for nested in blocks {
        let (path, old) = (path(&nested.name), value.member(&nested.name));
        if old == nested.empty_value() {
            continue;
        }
        let members = (&nested.block.attributes[..], &nested.block.block_types[..]);
        let new = change(&path, Member::Block(nested), &old).unwrap_or_else(|| {
            elements(nested.nesting, &old, |element| object(members, element, &path, change))
        });
        object_value = with_member(object_value, &nested.name, &old, Some(new));
    }
    object_value
}

fn with_member(object: Value, name: &str, old: &Value, new: Option<Value>) -> Value {
    match new {
        Some(new) if new != *old => object.with_attribute(name, new),
        _ => object,
    }
}

/// The same with each object of a nesting changed; as it is if the objects would have several types.
fn elements(nesting: Nesting, value: &Value, mut change: impl FnMut(&Value) -> Value) -> Value {
    match nesting {
        Nesting::Single | Nesting::Group | Nesting::Invalid(_) => change(value),
        Nesting::List | Nesting::Set | Nesting::Map => {
            let changed = value.children().into_iter().map(|(_, element)| change(element)).collect();
            value.with_children(changed).unwrap_or_else(|| value.clone())
        }
    }
}
