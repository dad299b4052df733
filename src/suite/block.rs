//! Values a user wrote, under the types a schema gives them.

use serde_json::Value as Json;

use super::text::nearest;
use crate::schema::{Attribute, AttributeKind, Block, NestedAttributes, NestedBlock, Nesting};
use crate::value::{Type, Value, state_json};

/// The part of a configuration that does not fit, and the keys that lead there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct Misfit {
    pub(super) keys: Vec<String>,
    pub(super) problem: String,
}

impl Misfit {
    /// The keys that lead to it, outermost first; the items of an array go by their numbers, counted from 0.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    pub(super) fn here(problem: impl Into<String>) -> Misfit {
        Misfit { keys: Vec::new(), problem: problem.into() }
    }

    pub(super) fn below(mut self, key: impl ToString) -> Misfit {
        self.keys.insert(0, key.to_string());
        self
    }
}

/// A configuration value: omitted members are null or empty, as an engine would send them.
pub(crate) fn block_value(json: &Json, block: &Block, at: &str) -> Result<Value, Misfit> {
    let Json::Object(members) = json else {
        return Err(Misfit::here(format!("{} must be an object", place(at))));
    };
    let names = || {
        block
            .attributes
            .iter()
            .map(|a| a.name.as_str())
            .chain(block.block_types.iter().map(|b| b.name.as_str()))
    };
    if let Some(unknown) = members.keys().find(|key| !names().any(|name| name == key.as_str())) {
        let hint = nearest(unknown, names());
        let problem = format!("there is no argument `{}`{hint}", join(at, unknown));
        return Err(Misfit::here(problem).below(unknown));
    }
    let object = block.implied_type().as_object().expect("a block implies an object");
    let mut values = Vec::with_capacity(object.attributes().len());
    for (name, ty) in object.attributes() {
        let at = join(at, name);
        let given = members.get(name.as_ref()).filter(|value| !value.is_null());
        let value = match (block.attribute(name), block.block_type(name), given) {
            (Some(attribute), _, Some(json)) => attribute_value(json, attribute, &at),
            (None, Some(nested), Some(json)) => nested_blocks(json, nested, &at),
            (None, Some(nested), None) => Ok(nested.empty_value()),
            (_, _, None) | (None, None, _) => Ok(Value::null(ty.clone())),
        };
        values.push(value.map_err(|misfit| misfit.below(name))?);
    }
    Ok(Value::object_of(block.implied_type(), values))
}

fn attribute_value(json: &Json, attribute: &Attribute, at: &str) -> Result<Value, Misfit> {
    match &attribute.kind {
        AttributeKind::Nested(nested) => nested_value(json, nested, at),
        AttributeKind::Typed(ty) => plain_value(json, ty, at),
        AttributeKind::Invalid(_) => Err(Misfit::here(format!("`{at}` has no usable type"))),
    }
}

/// A plain value, converted as in a configuration: a number may be written for a string.
fn plain_value(json: &Json, ty: &Type, at: &str) -> Result<Value, Misfit> {
    if *ty == Type::Dynamic {
        let ty = natural_type(json);
        return plain_value(json, &ty, at);
    }
    state_json::decode_json(json, ty).map_err(|error| Misfit::here(format!("`{at}`: {}", error.problem)))
}

fn natural_type(json: &Json) -> Type {
    match json {
        Json::Null => Type::String,
        Json::Bool(_) => Type::Bool,
        Json::Number(_) => Type::Number,
        Json::String(_) => Type::String,
        Json::Array(items) => Type::tuple(items.iter().map(natural_type)),
        Json::Object(members) => Type::object(members.iter().map(|(name, json)| (name, natural_type(json)))),
    }
}

fn nested_value(json: &Json, nested: &NestedAttributes, at: &str) -> Result<Value, Misfit> {
    let one = |json: &Json| {
        // A nested attribute is written as an object whose omitted members are null.
        let block = Block::new(nested.attributes.clone(), Vec::new());
        block_value(json, &block, at)
    };
    many(json, nested.nesting, &nested.element_type(), at, &one)
}

fn nested_blocks(json: &Json, nested: &NestedBlock, at: &str) -> Result<Value, Misfit> {
    let one = |json: &Json| block_value(json, &nested.block, at);
    many(json, nested.nesting, nested.block.implied_type(), at, &one)
}

fn many(
    json: &Json,
    nesting: Nesting,
    element: &Type,
    at: &str,
    one: &dyn Fn(&Json) -> Result<Value, Misfit>,
) -> Result<Value, Misfit> {
    let listed = || -> Result<Vec<Value>, Misfit> {
        match json {
            Json::Array(items) => {
                let items = items.iter().enumerate();
                items.map(|(idx, item)| one(item).map_err(|misfit| misfit.below(idx))).collect()
            }
            single => Ok(vec![one(single)?]),
        }
    };
    match nesting {
        Nesting::Single | Nesting::Group | Nesting::Invalid(_) => match json {
            Json::Array(items) if items.len() == 1 => one(&items[0]).map_err(|misfit| misfit.below(0)),
            other => one(other),
        },
        Nesting::List if element.has_dynamic() => Ok(Value::tuple(listed()?)),
        Nesting::List => Ok(Value::list(element.clone(), listed()?)),
        Nesting::Set => Ok(Value::set(element.clone(), listed()?)),
        Nesting::Map => {
            let Json::Object(members) = json else {
                return Err(Misfit::here(format!("`{at}` must be an object")));
            };
            let mut entries = Vec::new();
            for (key, json) in members {
                entries.push((key, one(json).map_err(|misfit| misfit.below(key))?));
            }
            Ok(if element.has_dynamic() {
                Value::object(entries)
            } else {
                Value::map(element.clone(), entries)
            })
        }
    }
}

fn join(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

fn place(at: &str) -> String {
    if at.is_empty() { "the configuration".to_owned() } else { format!("`{at}`") }
}
