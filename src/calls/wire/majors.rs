//! Converts schema messages between the two majors.
//!
//! Attributes have different field numbers in each, so they are converted by name. Protocol 5 has
//! no nested attributes, computed blocks or state stores; in that direction they are dropped.

use std::collections::BTreeMap;

use prost::{DecodeError, Message};

use super::bytes;
use crate::proto::{v5, v6};

/// Decodes a message of one major as the same message of the other: the bytes are the same.
fn same<A: Message, B: Message + Default>(message: &A) -> Result<B, DecodeError> {
    B::decode(bytes(message))
}

/// Declares the conversion from one major's messages to the other's, with the fields that only the
/// latter has.
macro_rules! convert {
    (
        $way:ident: $from:ident => $to:ident,
        attribute { $($attribute:tt)* }, block { $($block:tt)* }, response { $($response:tt)* }
    ) => {
        pub(in crate::calls) fn $way(
            wire: $from::get_provider_schema::Response,
        ) -> Result<$to::get_provider_schema::Response, DecodeError> {
            fn schema(wire: $from::Schema) -> $to::Schema {
                $to::Schema { version: wire.version, block: wire.block.map(block) }
            }

            fn block(wire: $from::schema::Block) -> $to::schema::Block {
                $to::schema::Block {
                    version: wire.version,
                    attributes: wire.attributes.into_iter().map(attribute).collect(),
                    block_types: wire.block_types.into_iter().map(nested_block).collect(),
                    description: wire.description,
                    description_kind: wire.description_kind,
                    deprecated: wire.deprecated,
                    deprecation_message: wire.deprecation_message,
                    $($block)*
                }
            }

            fn attribute(wire: $from::schema::Attribute) -> $to::schema::Attribute {
                $to::schema::Attribute {
                    name: wire.name,
                    r#type: wire.r#type,
                    description: wire.description,
                    required: wire.required,
                    optional: wire.optional,
                    computed: wire.computed,
                    sensitive: wire.sensitive,
                    description_kind: wire.description_kind,
                    deprecated: wire.deprecated,
                    write_only: wire.write_only,
                    deprecation_message: wire.deprecation_message,
                    $($attribute)*
                }
            }

            fn nested_block(wire: $from::schema::NestedBlock) -> $to::schema::NestedBlock {
                $to::schema::NestedBlock {
                    type_name: wire.type_name,
                    block: wire.block.map(block),
                    nesting: wire.nesting,
                    min_items: wire.min_items,
                    max_items: wire.max_items,
                }
            }

            let schemas = |map: BTreeMap<String, $from::Schema>| {
                map.into_iter().map(|(name, wire)| (name, schema(wire))).collect()
            };
            Ok($to::get_provider_schema::Response {
                provider: wire.provider.map(schema),
                resource_schemas: schemas(wire.resource_schemas),
                data_source_schemas: schemas(wire.data_source_schemas),
                diagnostics: wire.diagnostics.iter().map(same).collect::<Result<_, _>>()?,
                provider_meta: wire.provider_meta.map(schema),
                server_capabilities: wire.server_capabilities.as_ref().map(same).transpose()?,
                functions: wire
                    .functions
                    .iter()
                    .map(|(name, function)| Ok((name.clone(), same(function)?)))
                    .collect::<Result<_, DecodeError>>()?,
                ephemeral_resource_schemas: schemas(wire.ephemeral_resource_schemas),
                list_resource_schemas: schemas(wire.list_resource_schemas),
                action_schemas: wire
                    .action_schemas
                    .into_iter()
                    .map(|(name, action)| (name, $to::ActionSchema { schema: action.schema.map(schema) }))
                    .collect(),
                $($response)*
            })
        }
    };
}

convert! {
    raise: v5 => v6,
    attribute { nested_type: None }, block { computed: false }, response { state_store_schemas: BTreeMap::new() }
}
convert! { lower: v6 => v5, attribute {}, block {}, response {} }
