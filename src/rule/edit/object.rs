//! Ways to corrupt objects.

use crate::schema::{Attribute, Block, Member, Nesting, Schema};
use crate::value::{PathStep, Type, Value};

/// The object with a text in place of the first nested blocks whose type is dynamic.
pub fn misshape(block: &Block, object: &Value) -> Option<Value> {
    let nested = block.block_types.iter().find(|nested| {
        nested.implied_type() == Type::Dynamic && object.attribute(&nested.name).is_some_and(Value::is_set)
    })?;
    Some(object.with_attribute(&nested.name, Value::string("no blocks")))
}

/// The object with the first computed attribute of the root block that is not yet unknown made unknown.
pub fn unsettle(block: &Block, object: &Value) -> Option<Value> {
    let attribute = block
        .attributes
        .iter()
        .filter(|attribute| attribute.computed)
        .find(|attribute| object.attribute(&attribute.name).is_some_and(|value| !value.is_unknown()))?;
    Some(object.with_attribute(&attribute.name, Value::unknown(attribute.ty())))
}

/// The object with a text in the first write-only text attribute of the root block.
pub fn leak(block: &Block, object: &Value) -> Option<Value> {
    let attribute =
        block.attributes.iter().find(|attribute| attribute.write_only && attribute.ty() == Type::String)?;
    object.is_set().then(|| object.with_attribute(&attribute.name, Value::string("leaked")))
}

/// The object with the first configurable string attribute of the root block that is not already in upper case
/// capitalised.
pub fn capitalise(block: &Block, object: &Value) -> Option<Value> {
    let (name, text) =
        block.attributes.iter().filter(|attribute| attribute.is_configurable()).find_map(|attribute| {
            let text = object.attribute(&attribute.name)?.as_str()?;
            Some((&attribute.name, text.to_uppercase())).filter(|(_, capitals)| capitals != text)
        })?;
    Some(object.with_attribute(name, Value::string(&text)))
}

/// The object with null in place of every empty collection of nested blocks, at any depth.
pub fn nullify_empty_blocks(block: &Block, object: &Value) -> Option<Value> {
    Some(object.transform(&mut |path, value| {
        let is_member = matches!(path.steps().last(), Some(PathStep::Attribute(_)));
        let is_empty = is_member && value.is_set() && value.children().is_empty();
        match block.find(path).filter(|_| is_empty) {
            Some(Member::Block(nested)) if !matches!(nested.nesting, Nesting::Single | Nesting::Group) => {
                Value::null(nested.implied_type())
            }
            _ => value,
        }
    }))
}

/// The object with every attribute of the root block replaced for which `change` returns a value.
pub fn each_attribute(
    block: &Block,
    object: &Value,
    change: impl Fn(&Attribute, &Value) -> Option<Value>,
) -> Value {
    block.attributes.iter().fold(object.clone(), |object, attribute| {
        let changed = object.attribute(&attribute.name).and_then(|value| change(attribute, value));
        match changed {
            Some(value) => object.with_attribute(&attribute.name, value),
            None => object,
        }
    })
}

/// The first optional argument of the root block that is a plain text.
pub fn first_option(schema: &Schema) -> Option<&Attribute> {
    let is_plain = |attribute: &&Attribute| {
        let is_special = attribute.computed || attribute.write_only || attribute.sensitive;
        attribute.optional && !is_special && attribute.ty() == Type::String
    };
    schema.block.attributes.iter().find(is_plain)
}

/// The first attribute of the root block that satisfies a predicate, which sees it and its value in `object`.
pub fn first_attribute<'s>(
    schema: &'s Schema,
    object: &Value,
    holds: impl Fn(&Attribute, &Value) -> bool,
) -> Option<&'s Attribute> {
    schema
        .block
        .attributes
        .iter()
        .find(|attribute| object.attribute(&attribute.name).is_some_and(|value| holds(attribute, value)))
}
