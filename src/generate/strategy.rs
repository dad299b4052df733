//! Random schemas for property tests.

use proptest::prelude::*;

use crate::schema::{Attribute, Block, NestedBlock, Nesting, Schema};
use crate::value::Type;
use crate::value::strategy::types;

/// Names that mean something to the generator among some that do not.
const NAMES: &[&str] = &[
    "a",
    "b",
    "name",
    "role_arn",
    "port",
    "ports",
    "tags",
    "id",
    "timeouts",
    "command",
    "path",
    "secret_wo",
    "secret_wo_version",
    "cidr",
    "enabled",
    "size",
    "ttl",
    "policy",
];

fn nestings() -> impl Strategy<Value = Nesting> {
    prop_oneof![Just(Nesting::Single), Just(Nesting::List), Just(Nesting::Set), Just(Nesting::Map)]
}

fn flagged(attribute: Attribute, flags: u8) -> Attribute {
    match flags {
        0 | 1 => attribute.required(),
        2 => attribute.computed(),
        3 => attribute.optional().computed(),
        4 => attribute.optional().write_only(),
        5 => Attribute { deprecated: true, ..attribute.optional() },
        _ => attribute.optional(),
    }
}

fn attributes(depth: u32) -> BoxedStrategy<Vec<Attribute>> {
    let plain = types().prop_map(|ty| Attribute::typed("", ty)).boxed();
    let one = if depth == 0 {
        plain
    } else {
        let nested = (nestings(), attributes(depth - 1))
            .prop_map(|(nesting, attributes)| Attribute::nested("", nesting, attributes));
        prop_oneof![4 => plain, 1 => nested].boxed()
    };
    prop::collection::btree_map(prop::sample::select(NAMES), (one, 0u8..10), 0..5)
        .prop_map(|named| {
            let name = |(name, (attribute, flags)): (&str, (Attribute, u8))| {
                flagged(Attribute { name: name.to_owned(), ..attribute }, flags)
            };
            named.into_iter().map(name).collect()
        })
        .boxed()
}

fn blocks(depth: u32) -> BoxedStrategy<Block> {
    let nested = if depth == 0 {
        Just(Vec::new()).boxed()
    } else {
        let nesting = prop_oneof![nestings(), Just(Nesting::Group)];
        let one = (nesting, blocks(depth - 1), 0i64..3, 0i64..3);
        prop::collection::vec(one, 0..3)
            .prop_map(|nested| nested.into_iter().enumerate().map(block).collect())
            .boxed()
    };
    (attributes(2), nested).prop_map(|(attributes, nested)| Block::new(attributes, nested)).boxed()
}

fn block((idx, (nesting, block, min, room)): (usize, (Nesting, Block, i64, i64))) -> NestedBlock {
    let nested = NestedBlock::new(&format!("block{idx}"), nesting, block);
    match nesting {
        Nesting::Single => nested.items(min.min(1), min.min(1)),
        Nesting::List | Nesting::Set => nested.items(min, if room == 2 { 0 } else { min + room }),
        Nesting::Group | Nesting::Map | Nesting::Invalid(_) => nested,
    }
}

/// Schemas of every nesting, most of them accepted by an engine: a set may contain something dynamic.
pub(crate) fn schemas() -> impl Strategy<Value = Schema> {
    blocks(3).prop_map(|block| Schema { version: 0, block })
}

/// A string and nothing else.
pub(super) fn tiny() -> Schema {
    let name = Attribute::typed("name", Type::String).required();
    Schema { version: 0, block: Block::new(vec![name], vec![]) }
}
