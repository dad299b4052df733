//! What a schema declares for each part of a value, found while walking the value.

use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value::{AttributePath, PathStep, Value};

/// What the schema declares for a value.
#[derive(Clone, Copy)]
pub(super) enum Declaration<'s> {
    /// One object of a block: the root, or one nested block.
    Block(&'s Block),
    /// All nested blocks of one type.
    Blocks(&'s NestedBlock),
    Attribute(&'s Attribute),
    /// One object of a nested attribute.
    Attributes(&'s [Attribute]),
    /// Inside a plain attribute, of which the schema only knows the type.
    Plain,
}

impl<'s> Declaration<'s> {
    /// The declaration one step further. The nesting distinguishes steps into collections from
    /// steps into objects, because maps with dynamic members are objects themselves.
    pub(super) fn step(self, step: &PathStep) -> Declaration<'s> {
        let is_one = |nesting| matches!(nesting, Nesting::Single | Nesting::Group | Nesting::Invalid(_));
        match self {
            Declaration::Block(block) => {
                let Some(name) = name_of(step) else { return Declaration::Plain };
                match (block.attribute(name), block.block_type(name)) {
                    (Some(attribute), _) => Declaration::Attribute(attribute),
                    (None, Some(nested)) => Declaration::Blocks(nested),
                    (None, None) => Declaration::Plain,
                }
            }
            Declaration::Blocks(nested) if is_one(nested.nesting) => {
                Declaration::Block(&nested.block).step(step)
            }
            Declaration::Blocks(nested) => Declaration::Block(&nested.block),
            Declaration::Attribute(attribute) => match attribute.nested_attributes() {
                None => Declaration::Plain,
                Some(nested) if is_one(nested.nesting) => {
                    Declaration::Attributes(&nested.attributes).step(step)
                }
                Some(nested) => Declaration::Attributes(&nested.attributes),
            },
            Declaration::Attributes(attributes) => name_of(step)
                .and_then(|name| attributes.iter().find(|attribute| attribute.name == name))
                .map_or(Declaration::Plain, Declaration::Attribute),
            Declaration::Plain => Declaration::Plain,
        }
    }

    /// The declaration that a path leads to from here.
    pub(super) fn at(self, path: &AttributePath) -> Declaration<'s> {
        path.steps().iter().fold(self, Declaration::step)
    }

    /// Rebuilds a value bottom-up: children first, then `change` on the rebuilt parent.
    pub(super) fn transform(
        self,
        value: &Value,
        change: &mut dyn FnMut(Declaration<'s>, Value) -> Value,
    ) -> Value {
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
