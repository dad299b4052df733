//! Whether the schemas together have every feature.

use crate::engine::Engine;
use crate::reference::schema::{definitions, provider};
use crate::reference::{Definition, modify::Modifier};
use crate::schema::{Attribute, Block, NestedBlock, Nesting, check, check_identity};
use crate::value::{SchemaPath, Type};

fn all_blocks<'b>(block: &'b Block, found: &mut Vec<(&'b NestedBlock, usize)>, depth: usize) {
    for nested in &block.block_types {
        found.push((nested, depth));
        all_blocks(&nested.block, found, depth + 1);
    }
}

fn blocks(definition: &Definition) -> Vec<(&NestedBlock, usize)> {
    let mut found = Vec::new();
    all_blocks(&definition.schema.block, &mut found, 0);
    found
}

fn has_block(definition: &Definition, nesting: Nesting) -> bool {
    blocks(definition).iter().any(|(nested, _)| nested.nesting == nesting)
}

fn has_attribute(definition: &Definition, holds: impl Fn(&Attribute) -> bool) -> bool {
    definition.schema.block.any_attribute(&holds)
}

fn has_type(definition: &Definition, holds: impl Fn(&Type) -> bool) -> bool {
    has_attribute(definition, |attribute| attribute.nested_attributes().is_none() && holds(&attribute.ty()))
}

fn has_nested(definition: &Definition, nesting: Nesting) -> bool {
    has_attribute(definition, |attribute| {
        attribute.nested_attributes().is_some_and(|nested| nested.nesting == nesting)
    })
}

fn has_modifier(definition: &Definition, holds: impl Fn(&Modifier) -> bool) -> bool {
    let schema = &definition.schema;
    schema
        .block
        .attributes
        .iter()
        .any(|attribute| definition.chain(&SchemaPath::new([attribute.name.as_str()])).iter().any(&holds))
}

type Feature = (&'static str, fn(&Definition) -> bool);

const BOTH: &[Feature] = &[
    ("single blocks", |d| has_block(d, Nesting::Single)),
    ("group blocks", |d| has_block(d, Nesting::Group)),
    ("list blocks", |d| has_block(d, Nesting::List)),
    ("set blocks", |d| has_block(d, Nesting::Set)),
    ("map blocks", |d| has_block(d, Nesting::Map)),
    ("a block in a block", |d| blocks(d).iter().any(|(_, depth)| *depth > 0)),
    ("a set of objects with optional and computed members", |d| {
        blocks(d).iter().any(|(nested, _)| {
            nested.nesting == Nesting::Set
                && nested.block.attributes.iter().any(|attribute| attribute.optional && attribute.computed)
        })
    }),
    ("list", |d| has_type(d, |ty| matches!(ty, Type::List(_)))),
    ("set", |d| has_type(d, |ty| matches!(ty, Type::Set(_)))),
    ("map", |d| has_type(d, |ty| matches!(ty, Type::Map(_)))),
    ("tuple", |d| has_type(d, |ty| matches!(ty, Type::Tuple(_)))),
    ("object", |d| has_type(d, |ty| matches!(ty, Type::Object(_)))),
    ("numbers", |d| has_type(d, |ty| *ty == Type::Number)),
    ("bool", |d| has_type(d, |ty| *ty == Type::Bool)),
    ("dynamic", |d| has_type(d, |ty| *ty == Type::Dynamic)),
    ("a list block with a dynamic member", |d| {
        blocks(d)
            .iter()
            .any(|(nested, _)| nested.nesting == Nesting::List && nested.block.implied_type().has_dynamic())
    }),
    ("sensitive", |d| has_attribute(d, |attribute| attribute.sensitive)),
    ("write-only", |d| has_attribute(d, |attribute| attribute.write_only)),
    ("computed", |d| has_attribute(d, |attribute| attribute.computed && !attribute.optional)),
    ("optional and computed", |d| has_attribute(d, |attribute| attribute.computed && attribute.optional)),
    ("default", |d| has_modifier(d, |modifier| matches!(modifier, Modifier::Default(_)))),
    ("replacement", |d| has_modifier(d, |modifier| matches!(modifier, Modifier::RequiresReplaceIf(_)))),
    ("a spelling that does not matter", |d| !d.spellings.is_empty()),
    ("timeouts", |d| d.schema.block.block_type("timeouts").is_some()),
    ("identity", |d| d.identified),
];

const SIX: &[Feature] = &[
    ("single attributes", |d| has_nested(d, Nesting::Single)),
    ("list attributes", |d| has_nested(d, Nesting::List)),
    ("set attributes", |d| has_nested(d, Nesting::Set)),
    ("map attributes", |d| has_nested(d, Nesting::Map)),
    ("an attribute in an attribute", |d| {
        has_attribute(d, |attribute| {
            attribute.nested_attributes().is_some_and(|nested| {
                nested.attributes.iter().any(|inner| inner.nested_attributes().is_some())
            })
        })
    }),
];

const ONE_IS_ENOUGH: &[Feature] = &[
    ("a version of 2 or more, with upgrades", |d| d.schema.version >= 2 && d.upgrades.len() >= 2),
    ("plan modification of the whole", |d| d.modify_plan.is_some()),
    ("the legacy flag", |d| d.legacy),
];

#[test]
fn every_feature_is_in_two_types_of_each_protocol() {
    for protocol in [5, 6] {
        let definitions = definitions(protocol);
        let having = |holds: fn(&Definition) -> bool| definitions.values().filter(|d| holds(d)).count();
        for (what, holds) in BOTH.iter().chain(if protocol == 6 { SIX } else { &[] }) {
            assert!(having(*holds) >= 2, "protocol {protocol}: {what} in {} types", having(*holds));
        }
        for (what, holds) in ONE_IS_ENOUGH {
            assert!(having(*holds) >= 1, "protocol {protocol}: no type has {what}");
        }
        for (what, holds) in SIX.iter().filter(|_| protocol == 5) {
            assert_eq!(having(*holds), 0, "protocol 5 has no {what}");
        }
    }
}

#[test]
fn no_engine_objects_to_the_schemas() {
    for protocol in [5, 6] {
        let provider = provider(protocol, &definitions(protocol));
        for (name, schema) in provider.resources.iter().chain(&provider.data_sources) {
            for engine in Engine::ALL {
                assert_eq!(check(schema, engine), [], "{name}");
            }
        }
        for schema in provider.identities.values() {
            assert_eq!(check_identity(schema, Engine::Strict), []);
        }
        assert!(provider.capabilities.plan_destroy);
    }
}
