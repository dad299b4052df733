//! Walking several objects of one schema in parallel.

use std::collections::BTreeSet;

use super::{Attribute, Block, NestedAttributes, NestedBlock, Nesting};
use crate::value::{AttributePath, PathStep, SchemaPath, Value};

/// One place of a schema, and the value of each object there.
#[derive(Clone, Debug)]
pub struct Aligned<'s, const N: usize> {
    pub path: AttributePath,
    pub member: Member<'s>,
    /// In the order the objects were given. Null if an object has nothing at this place (it, or an
    /// ancestor, is null or shorter); unknown below an unknown.
    pub values: [Value; N],
}

/// What the schema declares at a place.
#[derive(Clone, Copy, Debug)]
pub enum Member<'s> {
    Attribute(&'s Attribute),
    Block(&'s NestedBlock),
}

/// Visits every attribute and nested block type of a block, parents before what is inside.
///
/// Lists and maps are walked by index and key over the union of all objects'
/// elements. Sets are not entered: their elements have no place, so the set is visited as a whole.
pub fn align<'s, const N: usize>(
    block: &'s Block,
    objects: [&Value; N],
    visit: &mut dyn FnMut(Aligned<'s, N>),
) {
    walk_block(block, &objects.map(Clone::clone), &AttributePath::root(), visit);
}

type Visit<'v, 's, const N: usize> = &'v mut dyn FnMut(Aligned<'s, N>);

fn walk_block<'s, const N: usize>(
    block: &'s Block,
    objects: &[Value; N],
    at: &AttributePath,
    visit: Visit<'_, 's, N>,
) {
    walk_attributes(&block.attributes, objects, at, visit);
    for nested in &block.block_types {
        let values = objects.each_ref().map(|object| object.member(&nested.name));
        let path = at.attribute(&nested.name);
        visit(Aligned { path: path.clone(), member: Member::Block(nested), values: values.clone() });
        each_element(nested.nesting, &values, &path, &mut |path, elements| {
            walk_block(&nested.block, elements, path, visit);
        });
    }
}

fn walk_attributes<'s, const N: usize>(
    attributes: &'s [Attribute],
    objects: &[Value; N],
    at: &AttributePath,
    visit: Visit<'_, 's, N>,
) {
    for attribute in attributes {
        let values = objects.each_ref().map(|object| object.member(&attribute.name));
        let path = at.attribute(&attribute.name);
        visit(Aligned { path: path.clone(), member: Member::Attribute(attribute), values: values.clone() });
        if let Some(nested) = attribute.nested_attributes() {
            walk_nested(nested, &values, &path, visit);
        }
    }
}

fn walk_nested<'s, const N: usize>(
    nested: &'s NestedAttributes,
    values: &[Value; N],
    at: &AttributePath,
    visit: Visit<'_, 's, N>,
) {
    each_element(nested.nesting, values, at, &mut |path, elements| {
        walk_attributes(&nested.attributes, elements, path, visit);
    });
}

fn each_element<const N: usize>(
    nesting: Nesting,
    values: &[Value; N],
    at: &AttributePath,
    enter: &mut dyn FnMut(&AttributePath, &[Value; N]),
) {
    match nesting {
        Nesting::Single | Nesting::Group => {
            if values.iter().any(|value| !value.is_null()) {
                enter(at, values);
            }
        }
        Nesting::List => {
            let longest =
                values.iter().filter_map(|value| value.elements().map(<[Value]>::len)).max().unwrap_or(0);
            for idx in 0..longest {
                enter(&at.index(idx), &values.each_ref().map(|value| element_at(value, idx)));
            }
        }
        Nesting::Map => {
            let keys: BTreeSet<&str> =
                values.iter().flat_map(|map| map.keyed()).map(|(key, _)| key).collect();
            for key in keys {
                enter(&at.key(key), &values.each_ref().map(|value| value_at(value, key)));
            }
        }
        Nesting::Set | Nesting::Invalid(_) => {}
    }
}

fn absent(collection: &Value) -> Value {
    let ty = collection.ty().element().cloned().unwrap_or(crate::value::Type::Dynamic);
    if collection.is_unknown() { Value::unknown(ty) } else { Value::null(ty) }
}

fn element_at(list: &Value, idx: usize) -> Value {
    list.elements().and_then(|elements| elements.get(idx)).cloned().unwrap_or_else(|| absent(list))
}

fn value_at(map: &Value, key: &str) -> Value {
    map.entry(key).cloned().unwrap_or_else(|| absent(map))
}

impl Block {
    /// The attribute or nested block type at a path, named by its last name, if every step after
    /// that name is an index, a key or an element.
    pub fn find(&self, path: &AttributePath) -> Option<Member<'_>> {
        self.find_named(path.names())
    }

    /// The attribute or nested block type at a place; `None` at the root.
    pub fn find_at(&self, place: &SchemaPath) -> Option<Member<'_>> {
        self.find_named(place.names())
    }

    fn find_named<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> Option<Member<'_>> {
        let first = names.next()?;
        let mut found = self.member_named(first)?;
        for name in names {
            found = match found {
                Member::Block(nested) => nested.block.member_named(name)?,
                Member::Attribute(attribute) => {
                    Member::Attribute(attribute.nested_attributes()?.attribute(name)?)
                }
            };
        }
        Some(found)
    }

    pub(super) fn member_named(&self, name: &str) -> Option<Member<'_>> {
        self.attribute(name).map(Member::Attribute).or_else(|| self.block_type(name).map(Member::Block))
    }

    /// The attribute a path ends at; `None` if it ends at an element, a block, or inside a plain value.
    pub fn attribute_at(&self, path: &AttributePath) -> Option<&Attribute> {
        match (path.steps().last()?, self.find(path)?) {
            (PathStep::Attribute(_), Member::Attribute(attribute)) => Some(attribute),
            _ => None,
        }
    }
}
