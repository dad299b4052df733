//! What the provider declares: types that together have every feature of a schema.
//!
//! The two rich types, [`managed::everything`] and those beside it, overlap on purpose:
//! at least two types have each feature. One small type is there under two names, so that objects can be
//! moved from one to the other.

mod functions;
pub mod managed;
mod parts;
mod stages;
mod upgrades;
pub mod world;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::definition::Definition;
use crate::schema::{
    Attribute, Block, IdentityAttribute, IdentitySchema, NestedBlock, Nesting, ProviderSchema, Schema,
    ServerCapabilities,
};
use crate::value::{Type, Value};

/// Which types the provider offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Offered {
    /// Those that together have every feature of a schema.
    #[default]
    Features,
    /// Those of the small [`world`].
    World,
}

impl Offered {
    pub const ALL: [Offered; 2] = [Offered::Features, Offered::World];

    /// The managed resource types of a protocol, by name.
    pub fn definitions(self, protocol: u8) -> BTreeMap<String, Definition> {
        match self {
            Offered::Features => definitions(protocol),
            Offered::World => world::definitions(),
        }
    }

    /// The whole declaration, with these managed resource types.
    pub fn provider(self, protocol: u8, definitions: &BTreeMap<String, Definition>) -> ProviderSchema {
        match self {
            Offered::Features => provider(protocol, definitions),
            Offered::World => declared(definitions, world::data_sources()),
        }
    }
}

/// The managed resource types with every feature that a protocol has, by name.
pub fn definitions(protocol: u8) -> BTreeMap<String, Definition> {
    [
        ("everything", managed::everything(protocol)),
        ("plain", managed::plain()),
        ("document", managed::document(protocol)),
        ("secret", managed::secret(protocol)),
        ("placement", stages::placement(protocol)),
        ("locker", managed::locker().twin("reference_safe")),
        ("safe", managed::locker().twin("reference_locker")),
        ("versioned", stages::versioned()),
        ("legacy", stages::legacy(protocol)),
    ]
    .into_iter()
    .map(|(name, definition)| (format!("reference_{name}"), definition))
    .collect()
}

/// The whole declaration of the types with every feature.
pub fn provider(protocol: u8, definitions: &BTreeMap<String, Definition>) -> ProviderSchema {
    let data_sources = [
        ("reference_lookup".to_owned(), lookup()),
        ("reference_echo".to_owned(), echo(protocol)),
        ("reference_census".to_owned(), census()),
    ];
    ProviderSchema { functions: functions::functions(), ..declared(definitions, data_sources.into()) }
}

fn declared(
    definitions: &BTreeMap<String, Definition>,
    data_sources: BTreeMap<String, Block>,
) -> ProviderSchema {
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
        data_sources: data_sources.into_iter().map(|(name, block)| (name, schema(block))).collect(),
        identities: identities.collect(),
        capabilities: ServerCapabilities {
            plan_destroy: true,
            get_provider_schema_optional: true,
            move_resource_state: true,
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
