//! Provider schemas, in both directions and both majors.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use prost::{DecodeError, Message, encoding};
use sha2::{Digest, Sha256};

use super::majors;
use super::parts::{bytes, diagnostics_in, diagnostics_out};
use crate::provider::proto::{v5, v6};
use crate::provider::rpc::{Protocol, Rpc};
use crate::schema::{
    Attribute, AttributeKind, Block, Function, IdentityAttribute, IdentitySchema, InvalidKind,
    NestedAttributes, NestedBlock, Nesting, Parameter, ProviderSchema, Schema, ServerCapabilities,
};
use crate::transcript::{Diagnostic, SchemaResponse};
use crate::value::{Type, TypeError};

/// The schemas that instances showed. What was read once is not read again: a large one takes a while.
#[derive(Default)]
pub struct Seen(Mutex<Option<SchemaResponse>>);

/// Which answer could not be read, and why.
#[derive(Debug)]
pub struct Unreadable {
    pub rpc: Rpc,
    pub error: DecodeError,
}

impl Seen {
    /// Reads the answers to `GetProviderSchema` and `GetResourceIdentitySchemas`, as far as there are any.
    pub fn read(
        &self,
        protocol: Protocol,
        answer: Bytes,
        identities: Option<Bytes>,
    ) -> Result<SchemaResponse, Unreadable> {
        let digest = digest(&[&answer, identities.as_deref().unwrap_or_default()]);
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = seen.as_ref().filter(|seen| seen.digest == digest) {
            return Ok(same.clone());
        }
        let unreadable = |rpc| move |error| Unreadable { rpc, error };
        let mut response = decode(protocol, answer).map_err(unreadable(Rpc::GetProviderSchema))?;
        response.digest = digest;
        if let Some(identities) = identities {
            let (identities, diagnostics) =
                decode_identities(identities).map_err(unreadable(Rpc::GetResourceIdentitySchemas))?;
            Arc::make_mut(&mut response.schema).identities = identities;
            response.diagnostics.extend(diagnostics);
        }
        *seen = Some(response.clone());
        Ok(response)
    }
}

/// A hash of messages that is the same in whatever order their fields were written: those at the top are
/// maps, and have none.
fn digest(messages: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for message in messages {
        let mut fields = fields(message);
        fields.sort_unstable();
        for field in fields {
            hasher.update((field.len() as u64).to_le_bytes());
            hasher.update(field);
        }
        hasher.update(u64::MAX.to_le_bytes());
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The fields at the top of a message, each with its key; what cannot be read is one more at the end.
fn fields(message: &[u8]) -> Vec<&[u8]> {
    let mut rest = message;
    let mut fields = Vec::new();
    while !rest.is_empty() {
        let mut after = rest;
        let skipped = encoding::decode_key(&mut after).and_then(|(tag, wire_type)| {
            encoding::skip_field(wire_type, tag, &mut after, encoding::DecodeContext::default())
        });
        if skipped.is_err() {
            after = &[];
        }
        let (field, next) = rest.split_at(rest.len() - after.len());
        fields.push(field);
        rest = next;
    }
    fields
}

/// Reads the answer to `GetProviderSchema`, without a digest. Identity schemas come by a call of their own.
pub fn decode(protocol: Protocol, answer: Bytes) -> Result<SchemaResponse, DecodeError> {
    let size = answer.len() as u64;
    let response = match protocol {
        Protocol::V6 => v6::get_provider_schema::Response::decode(answer)?,
        Protocol::V5 => majors::raise(v5::get_provider_schema::Response::decode(answer)?)?,
    };
    let schemas = |map: BTreeMap<String, v6::Schema>| {
        map.into_iter().map(|(name, schema)| (name, Arc::new(read_schema(schema)))).collect()
    };
    let actions = response
        .action_schemas
        .into_iter()
        .map(|(name, action)| (name, Arc::new(read_schema(action.schema.unwrap_or_default()))));
    let schema = ProviderSchema {
        provider: response.provider.map(read_schema).map(Arc::new),
        provider_meta: response.provider_meta.map(read_schema).map(Arc::new),
        resources: schemas(response.resource_schemas),
        data_sources: schemas(response.data_source_schemas),
        ephemeral_resources: schemas(response.ephemeral_resource_schemas),
        list_resources: schemas(response.list_resource_schemas),
        state_stores: schemas(response.state_store_schemas),
        actions: actions.collect(),
        functions: response
            .functions
            .into_iter()
            .map(|(name, function)| (name, Arc::new(read_function(function))))
            .collect(),
        identities: BTreeMap::new(),
        capabilities: capabilities(response.server_capabilities),
    };
    Ok(SchemaResponse {
        schema: Arc::new(schema),
        size,
        digest: String::new(),
        diagnostics: diagnostics_in(response.diagnostics),
    })
}

/// Writes the answer to `GetProviderSchema`.
pub fn encode(protocol: Protocol, response: &SchemaResponse) -> Bytes {
    let schema = &response.schema;
    let schemas = |map: &BTreeMap<String, Arc<Schema>>| {
        map.iter().map(|(name, schema)| (name.clone(), write_schema(schema))).collect()
    };
    let message = v6::get_provider_schema::Response {
        provider: schema.provider.as_deref().map(write_schema),
        resource_schemas: schemas(&schema.resources),
        data_source_schemas: schemas(&schema.data_sources),
        diagnostics: diagnostics_out(&response.diagnostics),
        provider_meta: schema.provider_meta.as_deref().map(write_schema),
        server_capabilities: Some(capabilities_out(schema.capabilities)),
        functions: schema
            .functions
            .iter()
            .map(|(name, function)| (name.clone(), write_function(function)))
            .collect(),
        ephemeral_resource_schemas: schemas(&schema.ephemeral_resources),
        list_resource_schemas: schemas(&schema.list_resources),
        state_store_schemas: schemas(&schema.state_stores),
        action_schemas: schema
            .actions
            .iter()
            .map(|(name, schema)| (name.clone(), v6::ActionSchema { schema: Some(write_schema(schema)) }))
            .collect(),
    };
    match protocol {
        Protocol::V6 => bytes(&message),
        Protocol::V5 => bytes(&majors::lower(message).expect("both majors write the shared parts alike")),
    }
}

/// Identity schemas by type name, and what was said about them.
type Identities = (BTreeMap<String, Arc<IdentitySchema>>, Vec<Diagnostic>);

/// Reads the answer to `GetResourceIdentitySchemas`, the same in both majors.
pub fn decode_identities(answer: Bytes) -> Result<Identities, DecodeError> {
    let response = v6::get_resource_identity_schemas::Response::decode(answer)?;
    let identities = response.identity_schemas.into_iter().map(|(name, schema)| {
        let attributes = schema.identity_attributes.into_iter().map(|attribute| IdentityAttribute {
            name: attribute.name,
            ty: Type::parse(&attribute.r#type),
            required_for_import: attribute.required_for_import,
            optional_for_import: attribute.optional_for_import,
            description: attribute.description,
        });
        (name, Arc::new(IdentitySchema { version: schema.version, attributes: attributes.collect() }))
    });
    Ok((identities.collect(), diagnostics_in(response.diagnostics)))
}

/// Writes the answer to `GetResourceIdentitySchemas`.
pub fn encode_identities(identities: &BTreeMap<String, Arc<IdentitySchema>>) -> Bytes {
    let identity_schemas = identities.iter().map(|(name, schema)| {
        let identity_attributes =
            schema.attributes.iter().map(|attribute| v6::resource_identity_schema::IdentityAttribute {
                name: attribute.name.clone(),
                r#type: write_type(&attribute.ty),
                required_for_import: attribute.required_for_import,
                optional_for_import: attribute.optional_for_import,
                description: attribute.description.clone(),
            });
        let schema = v6::ResourceIdentitySchema {
            version: schema.version,
            identity_attributes: identity_attributes.collect(),
        };
        (name.clone(), schema)
    });
    bytes(&v6::get_resource_identity_schemas::Response {
        identity_schemas: identity_schemas.collect(),
        diagnostics: Vec::new(),
    })
}

pub(super) fn capabilities(wire: Option<v6::ServerCapabilities>) -> ServerCapabilities {
    let wire = wire.unwrap_or_default();
    ServerCapabilities {
        plan_destroy: wire.plan_destroy,
        get_provider_schema_optional: wire.get_provider_schema_optional,
        move_resource_state: wire.move_resource_state,
        generate_resource_config: wire.generate_resource_config,
    }
}

pub(super) fn capabilities_out(capabilities: ServerCapabilities) -> v6::ServerCapabilities {
    v6::ServerCapabilities {
        plan_destroy: capabilities.plan_destroy,
        get_provider_schema_optional: capabilities.get_provider_schema_optional,
        move_resource_state: capabilities.move_resource_state,
        generate_resource_config: capabilities.generate_resource_config,
    }
}

fn read_schema(wire: v6::Schema) -> Schema {
    Schema { version: wire.version, block: read_optional_block(wire.block) }
}

fn read_optional_block(wire: Option<v6::schema::Block>) -> Block {
    wire.map_or_else(Block::missing, read_block)
}

fn read_block(wire: v6::schema::Block) -> Block {
    let attributes = wire.attributes.into_iter().map(read_attribute).collect();
    let mut block = Block::new(attributes, wire.block_types.into_iter().map(read_nested_block).collect());
    block.description = wire.description;
    block.deprecated = wire.deprecated;
    block.deprecation_message = wire.deprecation_message;
    block.computed = wire.computed;
    block
}

fn read_nested_block(wire: v6::schema::NestedBlock) -> NestedBlock {
    NestedBlock {
        name: wire.type_name,
        nesting: read_nesting(wire.nesting),
        block: read_optional_block(wire.block),
        min_items: wire.min_items,
        max_items: wire.max_items,
    }
}

fn read_attribute(wire: v6::schema::Attribute) -> Attribute {
    let kind = match (wire.r#type.is_empty(), wire.nested_type) {
        (true, None) => AttributeKind::Invalid(InvalidKind::NeitherTypeNorNested),
        (false, Some(_)) => AttributeKind::Invalid(InvalidKind::BothTypeAndNested),
        (false, None) => match Type::parse(&wire.r#type) {
            Ok(ty) => AttributeKind::Typed(ty),
            Err(error) => AttributeKind::Invalid(InvalidKind::Type(error)),
        },
        (true, Some(nested)) => {
            let attributes = nested.attributes.into_iter().map(read_attribute).collect();
            AttributeKind::Nested(Box::new(NestedAttributes::new(read_nesting(nested.nesting), attributes)))
        }
    };
    Attribute {
        required: wire.required,
        optional: wire.optional,
        computed: wire.computed,
        sensitive: wire.sensitive,
        write_only: wire.write_only,
        deprecated: wire.deprecated,
        deprecation_message: wire.deprecation_message,
        description: wire.description,
        markdown: wire.description_kind == MARKDOWN,
        ..Attribute::of(&wire.name, kind)
    }
}

const PLAIN: i32 = 0;
const MARKDOWN: i32 = 1;

fn read_nesting(number: i32) -> Nesting {
    match number {
        1 => Nesting::Single,
        2 => Nesting::List,
        3 => Nesting::Set,
        4 => Nesting::Map,
        5 => Nesting::Group,
        other => Nesting::Invalid(other),
    }
}

fn write_nesting(nesting: Nesting) -> i32 {
    match nesting {
        Nesting::Single => 1,
        Nesting::List => 2,
        Nesting::Set => 3,
        Nesting::Map => 4,
        Nesting::Group => 5,
        Nesting::Invalid(number) => number,
    }
}

fn write_schema(schema: &Schema) -> v6::Schema {
    v6::Schema { version: schema.version, block: write_optional_block(&schema.block) }
}

fn write_optional_block(block: &Block) -> Option<v6::schema::Block> {
    (!block.missing).then(|| write_block(block))
}

fn write_block(block: &Block) -> v6::schema::Block {
    v6::schema::Block {
        version: 0,
        attributes: block.attributes.iter().map(write_attribute).collect(),
        block_types: block
            .block_types
            .iter()
            .map(|nested| v6::schema::NestedBlock {
                type_name: nested.name.clone(),
                block: write_optional_block(&nested.block),
                nesting: write_nesting(nested.nesting),
                min_items: nested.min_items,
                max_items: nested.max_items,
            })
            .collect(),
        description: block.description.clone(),
        description_kind: 0,
        deprecated: block.deprecated,
        deprecation_message: block.deprecation_message.clone(),
        computed: block.computed,
    }
}

fn write_attribute(attribute: &Attribute) -> v6::schema::Attribute {
    let nested = |nested: &NestedAttributes| v6::schema::Object {
        attributes: nested.attributes.iter().map(write_attribute).collect(),
        nesting: write_nesting(nested.nesting),
        ..Default::default()
    };
    let (ty, nested_type) = match &attribute.kind {
        AttributeKind::Typed(ty) => (write_type(&Ok(ty.clone())), None),
        AttributeKind::Nested(inner) => (Bytes::new(), Some(nested(inner))),
        AttributeKind::Invalid(InvalidKind::NeitherTypeNorNested) => (Bytes::new(), None),
        AttributeKind::Invalid(InvalidKind::BothTypeAndNested) => {
            (write_type(&Ok(Type::String)), Some(v6::schema::Object { nesting: 1, ..Default::default() }))
        }
        AttributeKind::Invalid(InvalidKind::Type(error)) => (write_type(&Err(error.clone())), None),
    };
    v6::schema::Attribute {
        name: attribute.name.clone(),
        r#type: ty,
        description: attribute.description.clone(),
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        sensitive: attribute.sensitive,
        description_kind: if attribute.markdown { MARKDOWN } else { PLAIN },
        deprecated: attribute.deprecated,
        nested_type,
        write_only: attribute.write_only,
        deprecation_message: attribute.deprecation_message.clone(),
    }
}

/// The JSON of a type; something that is none where the type is none.
fn write_type(ty: &Result<Type, TypeError>) -> Bytes {
    match ty {
        Ok(ty) => Bytes::from(ty.to_json_text()),
        Err(_) => Bytes::from_static(b"\"no type\""),
    }
}

fn read_function(wire: v6::Function) -> Function {
    let is_odd = |kind: i32| !matches!(kind, PLAIN | MARKDOWN);
    let parameters = wire.parameters.iter().chain(&wire.variadic_parameter);
    let odd_text = is_odd(wire.description_kind)
        || parameters.into_iter().any(|parameter| is_odd(parameter.description_kind));
    let parameter = |wire: v6::function::Parameter| Parameter {
        name: wire.name,
        ty: Type::parse(&wire.r#type),
        allow_null_value: wire.allow_null_value,
        allow_unknown_values: wire.allow_unknown_values,
        description: wire.description,
    };
    Function {
        parameters: wire.parameters.into_iter().map(parameter).collect(),
        variadic_parameter: wire.variadic_parameter.map(parameter),
        return_type: wire.r#return.map(|wire| Type::parse(&wire.r#type)),
        summary: wire.summary,
        description: wire.description,
        odd_text,
        deprecation_message: wire.deprecation_message,
    }
}

fn write_function(function: &Function) -> v6::Function {
    let parameter = |parameter: &Parameter| v6::function::Parameter {
        name: parameter.name.clone(),
        r#type: write_type(&parameter.ty),
        allow_null_value: parameter.allow_null_value,
        allow_unknown_values: parameter.allow_unknown_values,
        description: parameter.description.clone(),
        description_kind: PLAIN,
    };
    v6::Function {
        parameters: function.parameters.iter().map(parameter).collect(),
        variadic_parameter: function.variadic_parameter.as_ref().map(parameter),
        r#return: function.return_type.as_ref().map(|ty| v6::function::Return { r#type: write_type(ty) }),
        summary: function.summary.clone(),
        description: function.description.clone(),
        description_kind: if function.odd_text { MARKDOWN + 1 } else { PLAIN },
        deprecation_message: function.deprecation_message.clone(),
    }
}
