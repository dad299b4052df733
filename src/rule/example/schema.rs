//! The schema of the example provider.

use std::sync::Arc;

use super::{LOOKUP, THING};
use crate::schema::{
    Attribute, Block, IdentityAttribute, IdentitySchema, NestedBlock, Nesting, ProviderSchema, Schema,
    ServerCapabilities,
};
use crate::value::Type;

/// The schema of the example provider: every nesting mode, and the flags that rules look at.
pub fn schema() -> ProviderSchema {
    let rule = Block::new(
        vec![
            Attribute::typed("port", Type::Number).required(),
            Attribute::typed("note", Type::String).optional(),
            Attribute::typed("id", Type::String).computed(),
        ],
        vec![],
    );
    let disk = Block::new(
        vec![
            Attribute::typed("size", Type::Number).required(),
            Attribute::typed("path", Type::String).optional().computed(),
        ],
        vec![NestedBlock::new(
            "tag",
            Nesting::List,
            Block::new(vec![Attribute::typed("key", Type::String).optional()], vec![]),
        )],
    );
    let named = || Block::new(vec![Attribute::typed("name", Type::String).optional()], vec![]);
    let free = || Block::new(vec![Attribute::typed("any", Type::Dynamic).optional()], vec![]);
    let part = || {
        vec![
            Attribute::typed("mode", Type::String).optional(),
            Attribute::typed("level", Type::Number).optional().computed(),
        ]
    };
    let thing = Block::new(
        vec![
            Attribute::typed("id", Type::String).computed(),
            Attribute::typed("revision", Type::Number).computed(),
            Attribute::typed("name", Type::String).required(),
            Attribute::typed("note", Type::String).optional(),
            Attribute::typed("absent", Type::String).optional(),
            Attribute::typed("choice", Type::String).optional().computed(),
            Attribute::typed("size", Type::Number).optional().computed(),
            Attribute::typed("enabled", Type::Bool).optional(),
            Attribute::typed("ports", Type::list(Type::Number)).optional(),
            Attribute::typed("labels", Type::set(Type::String)).optional(),
            Attribute::typed("tags", Type::map(Type::String)).optional(),
            Attribute::typed("zones", Type::set(Type::String)).optional().computed(),
            Attribute::typed("secret", Type::String).optional().sensitive(),
            Attribute::typed("token", Type::String).optional().write_only(),
            Attribute::typed("any", Type::Dynamic).optional(),
            Attribute::typed("mixed", Type::list(Type::Dynamic)).optional(),
            Attribute::nested("single", Nesting::Single, part()).optional(),
            Attribute::nested("listed", Nesting::List, part()).optional(),
            Attribute::nested("mapped", Nesting::Map, part()).optional(),
            Attribute::nested("chosen", Nesting::Set, part()).optional(),
            Attribute::nested(
                "keyed",
                Nesting::List,
                vec![
                    Attribute::typed("label", Type::String).optional(),
                    Attribute::typed("key", Type::String).optional().write_only(),
                ],
            )
            .optional(),
        ],
        vec![
            NestedBlock::new("disk", Nesting::List, disk),
            NestedBlock::new("rule", Nesting::Set, rule),
            NestedBlock::new("one", Nesting::Single, named()),
            NestedBlock::new("group", Nesting::Group, named()),
            NestedBlock::new("zone", Nesting::Map, named()),
            NestedBlock::new("layer", Nesting::List, free()),
        ],
    );
    let lookup = Block::new(
        vec![
            Attribute::typed("id", Type::String).computed(),
            Attribute::typed("query", Type::String).required(),
            Attribute::typed("found", Type::list(Type::String)).computed(),
        ],
        vec![NestedBlock::new("filter", Nesting::List, free())],
    );
    let identity = IdentitySchema {
        version: 0,
        attributes: vec![IdentityAttribute {
            name: "id".to_owned(),
            ty: Ok(Type::String),
            required_for_import: true,
            optional_for_import: false,
            description: String::new(),
        }],
    };
    ProviderSchema {
        provider: Some(Arc::new(Schema {
            version: 0,
            block: Block::new(vec![Attribute::typed("endpoint", Type::String).optional()], vec![]),
        })),
        resources: [(THING.to_owned(), Arc::new(Schema { version: 2, block: thing }))].into(),
        data_sources: [(LOOKUP.to_owned(), Arc::new(Schema { version: 0, block: lookup }))].into(),
        identities: [(THING.to_owned(), Arc::new(identity))].into(),
        capabilities: ServerCapabilities {
            plan_destroy: true,
            get_provider_schema_optional: true,
            ..ServerCapabilities::default()
        },
        ..ProviderSchema::default()
    }
}
