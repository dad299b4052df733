//! What errors of providers teach, from the error to the conclusion.

mod attribution;
mod order;
mod prose;
mod teaching;

use std::collections::BTreeSet;

use super::*;
use crate::generate::facts::{Constraint, PresenceRule, Span, Strength};
use crate::generate::lesson::{RelationBound, RelationOf};
use crate::generate::witness::Format;
use crate::schema::{Attribute, Block, NestedBlock, Nesting, Schema};
use crate::value::{AttributePath, Number, Type};

/// A type with arguments of every shape.
fn schema() -> Schema {
    let optional = |name: &str, ty: Type| Attribute::typed(name, ty).optional();
    let texts = |names: &[&str]| names.iter().map(|name| optional(name, Type::String)).collect::<Vec<_>>();
    let port = NestedBlock::new("port", Nesting::List, Block::new(texts(&["from", "to"]), vec![]));
    let rule = NestedBlock::new("rule", Nesting::List, Block::new(texts(&["name", "cidr"]), vec![port]));
    let member =
        NestedBlock::new("member", Nesting::Set, Block::new(texts(&["name", "role", "user"]), vec![]));
    let mut attributes = texts(&["hostname", "name", "mode", "a", "b", "policy", "service"]);
    attributes.push(Attribute::typed("id", Type::String).computed());
    attributes.push(Attribute::nested("network", Nesting::Single, texts(&["subnet", "gateway"])).optional());
    attributes.push(Attribute::nested("hosts", Nesting::List, texts(&["address", "alias"])).optional());
    for (name, ty) in [
        ("size", Type::Number),
        ("min_upper", Type::Number),
        ("min_lower", Type::Number),
        ("enabled", Type::Bool),
        ("names", Type::list(Type::String)),
        ("tags", Type::map(Type::String)),
    ] {
        attributes.push(optional(name, ty));
    }
    Schema { version: 0, block: Block::new(attributes, vec![rule, member]) }
}

fn root() -> AttributePath {
    AttributePath::root()
}

fn at(name: &str) -> AttributePath {
    root().attribute(name)
}

fn empty() -> Value {
    Value::object(Vec::<(&str, Value)>::new())
}

/// What errors teach about a request.
fn taught(errors: &[Diagnostic], config: &Value) -> Vec<Lesson> {
    let schema = schema();
    lessons(errors, config, &SchemaModel::new(&schema), 1)
}

/// What one error at a path teaches where it was sent some arguments.
fn one(text: &str, path: &AttributePath, config: &Value) -> Lesson {
    let (summary, detail) = text.split_once('\n').unwrap_or((text, ""));
    let mut lessons = taught(&[Diagnostic::error(summary, detail).at(path)], config);
    assert_eq!(lessons.len(), 1, "{lessons:#?}");
    lessons.remove(0)
}

fn edits(text: &str, path: &AttributePath, config: &Value) -> Vec<Edit> {
    one(text, path, config).edits
}

fn value(path: &str, constraint: Constraint, strength: Strength) -> Edit {
    Edit::Value { path: path.to_owned(), constraint, strength }
}

fn hard(path: &str, constraint: Constraint) -> Edit {
    value(path, constraint, Strength::Hard)
}

fn soft(path: &str, constraint: Constraint) -> Edit {
    value(path, constraint, Strength::Soft)
}

fn rule(rule: PresenceRule) -> Edit {
    Edit::Presence { rule, strength: Strength::Hard }
}

fn soft_rule(rule: PresenceRule) -> Edit {
    Edit::Presence { rule, strength: Strength::Soft }
}

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn every_example_is_caught_by_its_own_entry() {
    let mut missed = Vec::new();
    for message in CATALOGUE.iter().filter(|message| !matches!(message.teaches, Teaching::Prose {})) {
        let text = &message.example;
        let hits = hits(&CATALOGUE, Body { raw: text, text, unnamed: text });
        if hits.iter().all(|hit| hit.message.id != message.id) {
            let others: Vec<&str> = hits.iter().map(|hit| hit.message.id.as_str()).collect();
            missed.push(format!("{} by {others:?}", message.id));
        }
    }
    assert_eq!(missed, [""; 0]);
}
