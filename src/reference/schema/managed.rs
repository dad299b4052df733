//! Types that exercise schemas: everything at once, next to nothing, spellings, secrets.

use serde_json::Value as Json;

use super::{parts, upgrades};
use crate::reference::definition::Definition;
use crate::reference::modify::{Modifier, default, requires_replace, requires_replace_if};
use crate::reference::spelling::Spelling;
use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value::{Refinements, Type, Value};

/// Refines an id before it is known.
fn promised_id(name: &str) -> Modifier {
    Modifier::Promise(Refinements { not_null: true, ..Refinements::with_prefix(&format!("{name}-")) })
}

/// A value that is unknown, but not null.
fn promised_value() -> Modifier {
    Modifier::Promise(Refinements::not_null())
}

/// Everything a schema can have.
pub fn everything(protocol: u8) -> Definition {
    let mut attributes = parts::plain_attributes();
    attributes.extend(parts::collections());
    attributes.extend([
        Attribute::typed("kind", Type::String).optional().describe("Another kind is another object."),
        Attribute::typed("manifest", Type::String).optional().describe("JSON; its spelling does not matter."),
        Attribute::typed("token", Type::String).optional().write_only(),
        Attribute::typed("token_version", Type::Number)
            .optional()
            .describe("Raise it to send the token again."),
        Attribute::typed("created_at", Type::String).computed(),
        Attribute::typed("updated_at", Type::String).computed(),
        Attribute::typed("password", Type::String).computed().sensitive(),
    ]);
    let key = Attribute::typed("key", Type::String).optional().write_only();
    if protocol == 6 {
        attributes.extend(parts::nested(std::slice::from_ref(&key)));
    }
    let mut blocks = parts::every_block(&[key]);
    blocks.push(parts::timeouts());
    Definition::new(attributes, blocks)
        .identified()
        .renewed("revision")
        .renewed("updated_at")
        .modifier("id", promised_id("everything"))
        .modifier("alias", promised_value())
        .modifier("size", default(Value::number(10)))
        .modifier("kind", requires_replace())
        .modifier("disk.size", requires_replace_if(parts::shrinks()))
        .spelling("manifest", Spelling::Json)
        .upgrades(vec![upgrades::title_becomes_name, upgrades::tag_list_becomes_map])
}

/// A few single values.
pub fn plain() -> Definition {
    let mut attributes = parts::plain_attributes();
    attributes.retain(|attribute| !matches!(attribute.name.as_str(), "any"));
    attributes.push(Attribute::typed("colour", Type::String).optional().computed());
    Definition::new(attributes, vec![]).renewed("revision").modifier("colour", default(Value::string("grey")))
}

/// A small type that got another name; each name has a type of its own.
pub fn locker() -> Definition {
    let mut attributes = parts::base();
    attributes.extend([
        Attribute::typed("choice", Type::String).optional().computed(),
        Attribute::typed("secret", Type::String).optional().sensitive(),
        Attribute::typed("token", Type::String).optional().write_only(),
        Attribute::typed("password", Type::String).computed().sensitive(),
    ]);
    let shelf = Block::new(
        vec![
            Attribute::typed("any", Type::Dynamic).optional(),
            Attribute::typed("note", Type::String).optional(),
        ],
        vec![],
    );
    Definition::new(attributes, vec![NestedBlock::new("shelf", Nesting::List, shelf)])
        .identified()
        .renewed("revision")
        .modifier("id", promised_id("locker"))
}

/// Texts whose spelling does not matter, and structures around them.
pub fn document(protocol: u8) -> Definition {
    let mut attributes = parts::base();
    attributes.extend([
        Attribute::typed("body", Type::String).required().describe("JSON; its spelling does not matter."),
        Attribute::typed("code", Type::String).optional().describe("Letter case does not matter."),
        Attribute::typed("language", Type::String).optional().computed(),
        Attribute::typed("choice", Type::String).optional().computed(),
        Attribute::typed("alias", Type::String).optional().computed(),
        Attribute::typed("caption", Type::String).computed(),
        Attribute::typed("any", Type::Dynamic).optional(),
        Attribute::typed("result", Type::Dynamic).optional().computed(),
        Attribute::typed("checksum", Type::String).computed(),
        Attribute::typed("created_at", Type::String).computed(),
    ]);
    attributes.extend(parts::collections());
    if protocol == 6 {
        attributes.extend(parts::nested(&[]));
    }
    let section = Block::new(
        vec![
            Attribute::typed("title", Type::String).optional(),
            Attribute::typed("content", Type::Dynamic).optional(),
        ],
        vec![],
    );
    Definition::new(attributes, vec![NestedBlock::new("section", Nesting::List, section), parts::timeouts()])
        .identified()
        .renewed("revision")
        .renewed("checksum")
        .modifier("id", promised_id("document"))
        .modifier("alias", promised_value())
        .modifier("language", default(Value::string("en")))
        .spelling("body", Spelling::Json)
        .spelling("code", Spelling::Case)
        .upgrades(vec![unchanged])
}

/// The shape is unchanged; only the version number went up.
fn unchanged(state: Json) -> Json {
    state
}

/// Secrets: sensitive, write-only with a version that triggers changes, and generated by the provider.
pub fn secret(protocol: u8) -> Definition {
    let mut attributes = parts::base();
    attributes.extend([
        Attribute::typed("choice", Type::String).optional().computed(),
        Attribute::typed("labels", Type::set(Type::String)).optional(),
        Attribute::typed("secret", Type::String).optional().sensitive(),
        Attribute::typed("secrets", Type::map(Type::String)).optional().sensitive(),
        Attribute::typed("token", Type::String).optional().write_only(),
        Attribute::typed("settings", Type::map(Type::String)).optional().write_only(),
        Attribute::typed("token_version", Type::Number).optional(),
        Attribute::typed("password", Type::String).computed().sensitive(),
    ]);
    let key = Attribute::typed("key", Type::String).optional().write_only();
    if protocol == 6 {
        let member = || {
            vec![
                Attribute::typed("label", Type::String).optional(),
                Attribute::typed("key", Type::String).optional().write_only(),
                Attribute::typed("fingerprint", Type::String).computed(),
            ]
        };
        attributes.extend([
            Attribute::nested("login", Nesting::Single, member()).optional(),
            Attribute::nested("keyed", Nesting::List, member()).optional(),
            Attribute::nested("keyring", Nesting::Map, member()).optional(),
        ]);
    }
    let holder = || {
        Block::new(
            vec![
                Attribute::typed("label", Type::String).optional(),
                key.clone(),
                Attribute::typed("pin", Type::String).optional().sensitive(),
            ],
            vec![],
        )
    };
    let blocks = vec![
        NestedBlock::new("holder", Nesting::List, holder()),
        NestedBlock::new("owner", Nesting::Single, holder()),
    ];
    Definition::new(attributes, blocks).identified().renewed("revision").modifier("id", promised_id("secret"))
}
