//! What the provider declares: types that together have every feature of a schema.
//!
//! The two rich types, [`managed::everything`] and those beside it, overlap on purpose:
//! at least two types have each feature.

mod functions;
pub mod managed;
mod parts;
mod stages;
mod upgrades;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::definition::Definition;
use crate::schema::{
    Attribute, Block, IdentityAttribute, IdentitySchema, NestedBlock, Nesting, ProviderSchema, Schema,
    ServerCapabilities,
};
use crate::value::{Type, Value};

/// The managed resource types of a protocol, by name.
pub fn definitions(protocol: u8) -> BTreeMap<String, Definition> {
    [
        ("everything", managed::everything(protocol)),
        ("plain", managed::plain()),
        ("document", managed::document(protocol)),
        ("secret", managed::secret(protocol)),
        ("placement", stages::placement(protocol)),
        ("versioned", stages::versioned()),
        ("legacy", stages::legacy(protocol)),
    ]
    .into_iter()
    .map(|(name, definition)| (format!("reference_{name}"), definition))
    .collect()
}

/// The whole declaration.
pub fn provider(protocol: u8, definitions: &BTreeMap<String, Definition>) -> ProviderSchema {
    let schema = |block| Arc::new(Schema { version: 0, block });
    let configuration = Block::new(
        vec![
            Attribute::typed("endpoint", Type::String).optional().describe("Where the remote system is."),
            Attribute::typed("token", Type::String).optional().sensitive(),
            Attribute::typed("tags", Type::map(Type::String)).optional(),
        ],
        vec![NestedBlock::new(
            "retry",
            Nesting::Single,
            Block::new(vec![Attribute::typed("attempts", Type::Number).optional()], vec![]),
        )],
    );
    let meta = Block::new(vec![Attribute::typed("module", Type::String).optional()], vec![]);
    let identities = definitions
        .iter()
        .filter(|(_, definition)| definition.identified)
        .map(|(name, _)| (name.clone(), Arc::new(identity())));
    ProviderSchema {
        provider: Some(schema(configuration)),
        provider_meta: Some(schema(meta)),
        resources: definitions
            .iter()
            .map(|(name, definition)| (name.clone(), Arc::new(definition.schema.clone())))
            .collect(),
        data_sources: [
            ("reference_lookup".to_owned(), schema(lookup())),
            ("reference_echo".to_owned(), schema(echo(protocol))),
            ("reference_census".to_owned(), schema(census())),
        ]
        .into(),
        functions: functions::functions(),
        identities: identities.collect(),
        capabilities: ServerCapabilities {
            plan_destroy: true,
            get_provider_schema_optional: true,
            ..ServerCapabilities::default()
        },
        ..ProviderSchema::default()
    }
}

/// What identifies an object of any type that has an identity.
pub fn identity() -> IdentitySchema {
    let attribute = |name: &str, ty, required| IdentityAttribute {
        name: name.to_owned(),
        ty: Ok(ty),
        required_for_import: required,
        optional_for_import: !required,
        description: String::new(),
    };
    IdentitySchema {
        version: 0,
        attributes: vec![
            attribute("id", Type::String, true),
            attribute("kind", Type::String, false),
            attribute("scope", Type::list(Type::String), false),
        ],
    }
}

/// The identity of an object by its (planned) state; none for null.
pub fn identity_of(schema: &IdentitySchema, type_name: &str, state: &Value) -> Option<Value> {
    if state.is_null() {
        return None;
    }
    let values = schema.attributes.iter().map(|attribute| {
        let ty = attribute.ty.clone().unwrap_or(Type::Dynamic);
        let value = match (attribute.name.as_str(), &ty) {
            ("id", Type::String) => state.member("id"),
            ("kind", Type::String) => Value::string(type_name),
            ("scope", Type::List(_)) => Value::list(Type::String, vec![Value::string("reference")]),
            _ => Value::null(ty),
        };
        (attribute.name.clone(), value)
    });
    Some(Value::object(values))
}

fn lookup() -> Block {
    let filter = Block::new(
        vec![
            Attribute::typed("key", Type::String).required(),
            Attribute::typed("values", Type::list(Type::String)).optional(),
        ],
        vec![],
    );
    Block::new(
        vec![
            Attribute::typed("id", Type::String).computed(),
            Attribute::typed("query", Type::String).required(),
            Attribute::typed("limit", Type::Number).optional().computed(),
            Attribute::typed("exact", Type::Bool).optional(),
            Attribute::typed("found", Type::list(Type::String)).computed(),
            Attribute::typed("secret", Type::String).computed().sensitive(),
        ],
        vec![NestedBlock::new("filter", Nesting::List, filter)],
    )
}

fn echo(protocol: u8) -> Block {
    let mut attributes = parts::plain_attributes();
    attributes.extend(parts::collections());
    if protocol == 6 {
        attributes.extend(parts::nested(&[]));
    }
    attributes.retain(|attribute| !attribute.write_only);
    Block::new(attributes, parts::every_block(&[]))
}

fn census() -> Block {
    Block::new(
        vec![
            Attribute::typed("id", Type::String).computed(),
            Attribute::typed("region", Type::String).optional(),
            Attribute::typed("kinds", Type::set(Type::String)).optional(),
            Attribute::typed("count_by_kind", Type::map(Type::Number)).computed(),
            Attribute::typed("any", Type::Dynamic).optional(),
        ],
        vec![],
    )
}
