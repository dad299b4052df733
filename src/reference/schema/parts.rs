//! Pieces that several types share.

use crate::reference::modify::{Condition, any, existed, if_set, sequence, undecided, when};
use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value::Type;

/// What every managed type has.
pub fn base() -> Vec<Attribute> {
    vec![
        Attribute::typed("id", Type::String).computed().describe("The name the remote system gave it."),
        Attribute::typed("revision", Type::Number).computed().describe("How often it was written."),
        Attribute::typed("name", Type::String).required(),
        Attribute::typed("note", Type::String).optional(),
    ]
}

/// Single values of all kinds; optional, computed or both.
pub fn plain_attributes() -> Vec<Attribute> {
    let mut attributes = base();
    attributes.extend([
        Attribute::typed("absent", Type::String).optional(),
        Attribute::typed("choice", Type::String).optional().computed(),
        Attribute::typed("alias", Type::String)
            .optional()
            .computed()
            .describe("Never null once there is one."),
        Attribute::typed("caption", Type::String).computed().describe("With letters beyond ASCII."),
        Attribute::typed("size", Type::Number).optional().computed(),
        Attribute::typed("enabled", Type::Bool).optional(),
        Attribute::typed("ratio", Type::Number).optional().describe("A fraction, or a number of any size."),
        Attribute::typed("secret", Type::String).optional().sensitive(),
        Attribute::typed("any", Type::Dynamic).optional(),
    ]);
    attributes
}

/// Every collection and structure that a plain attribute can be.
pub fn collections() -> Vec<Attribute> {
    let point = || Type::object([("label", Type::String), ("x", Type::Number)]);
    vec![
        Attribute::typed("ports", Type::list(Type::Number)).optional(),
        Attribute::typed("labels", Type::set(Type::String)).optional(),
        Attribute::typed("tags", Type::map(Type::String)).optional(),
        Attribute::typed("mixed", Type::list(Type::Dynamic)).optional(),
        Attribute::typed("pair", Type::tuple([Type::String, Type::Bool])).optional(),
        Attribute::typed("point", point()).optional(),
        Attribute::typed("points", Type::set(point())).optional(),
        Attribute::typed("matrix", Type::list(Type::list(Type::Number))).optional(),
        Attribute::typed("addresses", Type::list(Type::String)).computed(),
        Attribute::typed("quotas", Type::map(Type::Number)).optional().computed(),
        Attribute::typed("zones", Type::set(Type::String)).optional().computed(),
    ]
}

/// Members of a structure: configured, computed, or either.
fn part() -> Vec<Attribute> {
    vec![
        Attribute::typed("mode", Type::String).optional(),
        Attribute::typed("level", Type::Number).optional().computed(),
        Attribute::typed("token_id", Type::String).computed(),
    ]
}

/// Nested attributes of every nesting, one inside another; `keyed` holds what `inside_keyed` adds.
/// Protocol 6 only.
pub fn nested(inside_keyed: &[Attribute]) -> Vec<Attribute> {
    let deep = || {
        let mut attributes = part();
        attributes.push(Attribute::nested("inner", Nesting::List, part()).optional());
        attributes
    };
    let keyed = [Attribute::typed("label", Type::String).optional()]
        .into_iter()
        .chain(inside_keyed.iter().cloned())
        .collect();
    let mut single = deep();
    single.push(Attribute::typed("extra", Type::Dynamic).optional());
    vec![
        Attribute::nested("single", Nesting::Single, single).optional(),
        Attribute::nested("listed", Nesting::List, deep()).optional(),
        Attribute::nested("mapped", Nesting::Map, part()).optional(),
        Attribute::nested("chosen", Nesting::Set, part()).optional(),
        Attribute::nested("keyed", Nesting::List, keyed).optional(),
        Attribute::nested(
            "status",
            Nesting::Single,
            vec![
                Attribute::typed("phase", Type::String).computed(),
                Attribute::typed("count", Type::Number).computed(),
            ],
        )
        .computed(),
        Attribute::nested(
            "limits",
            Nesting::Single,
            vec![
                Attribute::typed("soft", Type::Number).optional().computed(),
                Attribute::typed("why", Type::String).optional(),
            ],
        )
        .optional()
        .computed(),
    ]
}

fn named() -> Block {
    Block::new(
        vec![
            Attribute::typed("name", Type::String).optional(),
            Attribute::typed("weight", Type::Number).optional().computed(),
        ],
        vec![],
    )
}

/// Nested blocks of every nesting, blocks inside blocks, a set of objects with members that are
/// optional and computed, and a list and a map with a dynamic member each.
pub fn every_block(inside_disk: &[Attribute]) -> Vec<NestedBlock> {
    let tag = Block::new(
        vec![
            Attribute::typed("key", Type::String).optional(),
            Attribute::typed("etag", Type::String).computed(),
        ],
        vec![],
    );
    let disk = Block::new(
        [
            Attribute::typed("size", Type::Number).required(),
            Attribute::typed("path", Type::String).optional().computed(),
        ]
        .into_iter()
        .chain(inside_disk.iter().cloned())
        .collect(),
        vec![NestedBlock::new("tag", Nesting::List, tag)],
    );
    let rule = Block::new(
        vec![
            Attribute::typed("port", Type::Number).required(),
            Attribute::typed("note", Type::String).optional(),
            Attribute::typed("path", Type::String).optional().computed(),
            Attribute::typed("id", Type::String).computed(),
        ],
        vec![NestedBlock::new("peer", Nesting::Single, named())],
    );
    let loose = || {
        Block::new(
            vec![
                Attribute::typed("any", Type::Dynamic).optional(),
                Attribute::typed("note", Type::String).optional(),
            ],
            vec![],
        )
    };
    vec![
        NestedBlock::new("disk", Nesting::List, disk),
        NestedBlock::new("rule", Nesting::Set, rule),
        NestedBlock::new("one", Nesting::Single, named()),
        NestedBlock::new("group", Nesting::Group, named()),
        NestedBlock::new("zone", Nesting::Map, named()),
        NestedBlock::new("loose", Nesting::List, loose()),
        NestedBlock::new("loose_by_name", Nesting::Map, loose()),
    ]
}

/// Operation timeouts, as in many providers.
pub fn timeouts() -> NestedBlock {
    let attributes =
        ["create", "update", "delete"].map(|name| Attribute::typed(name, Type::String).optional());
    NestedBlock::new("timeouts", Nesting::Single, Block::new(attributes.into(), vec![]))
}

/// An existing number becomes smaller, or might.
pub(super) fn shrinks() -> Condition {
    let smaller = when(|prior, planned| match (prior.as_number(), planned.as_number()) {
        (Some(before), Some(after)) => after.compare_value(before).is_lt(),
        _ => false,
    });
    any(vec![sequence(vec![existed(), undecided()]), if_set(smaller)])
}
