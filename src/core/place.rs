//! Finding the way through a schema while walking a value, and rebuilding values piece by piece.

use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value::{AttributePath, Data, PathStep, Type, Value};

/// What the schema says about the place a value stands at.
#[derive(Clone, Copy)]
pub(super) enum Place<'s> {
    /// One object of a block: the root, or one nested block.
    Block(&'s Block),
    /// All nested blocks of one type.
    Blocks(&'s NestedBlock),
    Attribute(&'s Attribute),
    /// One object of a nested attribute.
    Attributes(&'s [Attribute]),
    /// Inside a plain attribute, about which the schema knows nothing but its type.
    Plain,
}

impl<'s> Place<'s> {
    /// The place one step further. Steps into collections are told from steps into objects by the
    /// nesting, as maps with dynamic members are objects themselves.
    pub(super) fn step(self, step: &PathStep) -> Place<'s> {
        let is_one = |nesting| matches!(nesting, Nesting::Single | Nesting::Group | Nesting::Invalid(_));
        match self {
            Place::Block(block) => {
                let Some(name) = name_of(step) else { return Place::Plain };
                match (block.attribute(name), block.block_type(name)) {
                    (Some(attribute), _) => Place::Attribute(attribute),
                    (None, Some(nested)) => Place::Blocks(nested),
                    (None, None) => Place::Plain,
                }
            }
            Place::Blocks(nested) if is_one(nested.nesting) => Place::Block(&nested.block).step(step),
            Place::Blocks(nested) => Place::Block(&nested.block),
            Place::Attribute(attribute) => match attribute.nested_attributes() {
                None => Place::Plain,
                Some(nested) if is_one(nested.nesting) => Place::Attributes(&nested.attributes).step(step),
                Some(nested) => Place::Attributes(&nested.attributes),
            },
            Place::Attributes(attributes) => name_of(step)
                .and_then(|name| attributes.iter().find(|attribute| attribute.name == name))
                .map_or(Place::Plain, Place::Attribute),
            Place::Plain => Place::Plain,
        }
    }

    /// The place a path leads to from here.
    pub(super) fn at(self, path: &AttributePath) -> Place<'s> {
        path.steps().iter().fold(self, Place::step)
    }

    /// Rebuilds a value bottom-up: children first, then `change` on the rebuilt parent.
    pub(super) fn transform(self, value: &Value, change: &mut dyn FnMut(Place<'s>, Value) -> Value) -> Value {
        let children = value.children();
        if children.is_empty() {
            return change(self, value.clone());
        }
        let children =
            children.iter().map(|(step, child)| self.step(step).transform(child, change)).collect();
        change(self, with_children(value, children))
    }
}

fn name_of(step: &PathStep) -> Option<&str> {
    match step {
        PathStep::Attribute(name) | PathStep::Key(name) => Some(name),
        PathStep::Index(_) | PathStep::Element(_) => None,
    }
}

/// The same collection or object with other children, in the order of [`Value::children`].
///
/// A list, set or map whose elements would no longer have one type stays as it was: no such value
/// exists, and an engine panics trying to make one.
pub(super) fn with_children(value: &Value, children: Vec<Value>) -> Value {
    value.with_children(children).unwrap_or_else(|| value.clone())
}

/// A member of an object; of a null a null, of an unknown an unknown, of anything else a null.
pub(super) fn member(object: &Value, name: &str, ty: &Type) -> Value {
    match object.attribute(name) {
        Some(value) => value.clone(),
        None if object.is_unknown() => Value::unknown(ty.clone()),
        None => Value::null(ty.clone()),
    }
}

/// An element of a list or tuple; of an unknown an unknown; `None` where there is none.
pub(super) fn element_at(list: &Value, idx: usize, ty: &Type) -> Option<Value> {
    if list.is_unknown() {
        return Some(Value::unknown(ty.clone()));
    }
    list.elements().and_then(|elements| elements.get(idx)).cloned()
}

/// The value of a key of a map, or of an attribute of an object that stands for a map.
pub(super) fn entry<'v>(map: &'v Value, key: &str) -> Option<&'v Value> {
    match map.data() {
        Data::Map(entries) => entries.get(key),
        _ => map.attribute(key),
    }
}

/// The keys of a map, or of an object that stands for a map; none of a null or an unknown.
pub(super) fn entries_of(map: &Value) -> Vec<(&str, &Value)> {
    match map.data() {
        Data::Map(entries) => entries.iter().map(|(key, value)| (key.as_ref(), value)).collect(),
        _ => map.attributes().collect(),
    }
}
