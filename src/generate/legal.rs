//! Whether an engine could have sent a configuration.
//!
//! Source: contract section 4.2.

use crate::schema::{Attribute, Block, NestedBlock, Nesting, Schema};
use crate::value::{AttributePath, Data, PathStep, Value};

/// Why no engine would send a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Impossible {
    pub path: AttributePath,
    pub reason: &'static str,
}

/// Why an engine could not have sent `config` for `schema`; nothing where it could.
///
/// A value for a computed-only attribute is possible: a user can write one, and it
/// is for the provider to refuse it.
pub fn why_impossible(schema: &Schema, config: &Value) -> Vec<Impossible> {
    let mut against = Against(Vec::new());
    let root = AttributePath::root();
    if !config.ty().conforms(schema.implied_type()) {
        against.add(&root, "not of the schema's type");
    } else if !config.is_set() {
        against.add(&root, "a configuration is an object");
    } else {
        against.block(&schema.block, config, &root);
    }
    against.0
}

struct Against(Vec<Impossible>);

impl Against {
    fn add(&mut self, path: &AttributePath, reason: &'static str) {
        self.0.push(Impossible { path: path.clone(), reason });
    }

    fn block(&mut self, block: &Block, value: &Value, at: &AttributePath) {
        self.attributes(&block.attributes, value, at);
        for nested in &block.block_types {
            self.nested_block(nested, &value.member(&nested.name), &at.attribute(&nested.name));
        }
    }

    fn attributes(&mut self, attributes: &[Attribute], object: &Value, at: &AttributePath) {
        for attribute in attributes {
            let value = object.member(&attribute.name);
            let path = at.attribute(&attribute.name);
            if attribute.required && value.is_null() {
                self.add(&path, "required and null");
            }
            let Some(nested) = attribute.nested_attributes() else { continue };
            match nested.nesting {
                Nesting::List | Nesting::Set | Nesting::Map => {
                    for (step, element) in value.children() {
                        if element.is_set() {
                            self.attributes(&nested.attributes, element, &path.with(step));
                        }
                    }
                }
                Nesting::Single | Nesting::Group | Nesting::Invalid(_) => {
                    if value.is_set() {
                        self.attributes(&nested.attributes, &value, &path);
                    }
                }
            }
        }
    }

    fn nested_block(&mut self, nested: &NestedBlock, value: &Value, at: &AttributePath) {
        if value.is_unknown() {
            if !may_be_unknown(nested.nesting) {
                self.add(at, "only lists and sets of blocks are unknown as a whole");
            }
            return;
        }
        match nested.nesting {
            Nesting::Single | Nesting::Invalid(_) => {
                if value.is_set() {
                    self.block(&nested.block, value, at);
                } else if nested.min_items > 0 {
                    self.add(at, "a block that must be there is not");
                }
            }
            Nesting::Group => {
                if value.is_null() {
                    self.add(at, "a group block is never null");
                } else if *value != nested.block.empty_value() {
                    self.block(&nested.block, value, at);
                }
            }
            Nesting::List | Nesting::Set | Nesting::Map => {
                if value.is_null() {
                    self.add(at, "a collection of blocks is never null");
                }
                self.count(nested, value, at);
                for (step, element) in elements(value) {
                    let path = at.with(step);
                    if element.is_null() {
                        self.add(&path, "a block in a collection is never null");
                    } else if element.is_set() {
                        self.block(&nested.block, element, &path);
                    }
                }
            }
        }
    }

    /// Blocks are counted before equal ones coalesce in a set, so a set may have fewer than were written.
    fn count(&mut self, nested: &NestedBlock, value: &Value, at: &AttributePath) {
        if nested.nesting == Nesting::Map || !value.is_wholly_known() {
            return;
        }
        let n_blocks = elements(value).len() as i64;
        let fewest = if nested.nesting == Nesting::Set { nested.min_items.min(1) } else { nested.min_items };
        if n_blocks < fewest {
            self.add(at, "fewer blocks than there must be");
        }
        if nested.max_items > 0 && n_blocks > nested.max_items {
            self.add(at, "more blocks than there may be");
        }
    }
}

/// Whether all blocks of a type may be one unknown value, as a dynamic block over an unknown collection makes it.
///
/// Source: terraform 1.11.4 and OpenTofu 1.12.6 send a single block as an object with unknown members, and refuse
/// unknown labels.
pub(super) fn may_be_unknown(nesting: Nesting) -> bool {
    matches!(nesting, Nesting::List | Nesting::Set)
}

fn elements(value: &Value) -> Vec<(PathStep, &Value)> {
    // A map of blocks whose types differ is an object, whose attributes are its keys.
    match value.data() {
        Data::Object(_) => {
            value.attributes().map(|(name, element)| (PathStep::Key(name.to_owned()), element)).collect()
        }
        _ => value.children(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::example;
    use crate::value;
    use crate::value::Literal;

    #[track_caller]
    fn assert_reasons(config: &Literal, expected: &[&str]) {
        let schema = example::schema();
        let schema = &schema.resources[example::THING];
        let empty = schema.empty_value();
        let Literal::Object(members) = config else { panic!("a configuration is written as an object") };
        let config = members.iter().fold(empty, |config, (name, literal)| {
            let ty = schema.implied_type().as_object().unwrap().get(name).unwrap();
            config.with_attribute(name, literal.of(ty))
        });
        let reasons: Vec<String> = why_impossible(schema, &config)
            .iter()
            .map(|against| format!("{}: {}", against.path, against.reason))
            .collect();
        assert_eq!(reasons, expected);
    }

    #[test]
    fn what_an_engine_sends_is_possible() {
        assert_reasons(&value!({ name: "web" }), &[]);
        assert_reasons(&value!({ name: unknown, disk: unknown, one: null, id: "by the user" }), &[]);
        assert_reasons(&value!({ name: "web", disk: [{ size: 1, tag: [] }], listed: [null] }), &[]);
    }

    #[test]
    fn what_no_engine_sends_says_why_not() {
        assert_reasons(&value!({ name: null }), &["name: required and null"]);
        assert_reasons(
            &value!({ name: "web", disk: [{ size: null, tag: null }], group: null, zone: null }),
            &[
                "disk[0].size: required and null",
                "disk[0].tag: a collection of blocks is never null",
                "group: a group block is never null",
                "zone: a collection of blocks is never null",
            ],
        );
    }

    #[test]
    fn blocks_are_counted_where_they_are_known() {
        let block = Block::new(vec![Attribute::typed("a", crate::value::Type::Number).optional()], vec![]);
        let nested = NestedBlock::new("b", Nesting::List, block).items(2, 3);
        let schema = Schema { version: 0, block: Block::new(vec![], vec![nested]) };
        for (config, possible) in [
            (value!({ b: [{ a: 1 }] }), false),
            (value!({ b: [{ a: unknown }] }), true),
            (value!({ b: [{ a: 1 }, { a: 1 }] }), true),
            (value!({ b: [{}, {}, {}, {}] }), false),
            (value!({ b: unknown }), true),
        ] {
            let config = config.of(schema.implied_type());
            assert_eq!(why_impossible(&schema, &config).is_empty(), possible, "{config}");
        }
    }
}
