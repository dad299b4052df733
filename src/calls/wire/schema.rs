//! What a provider declares, between the messages of protocol 6 and ours.

use bytes::Bytes;

use crate::proto::v6;
use crate::schema::{
    Attribute, AttributeKind, Block, Function, InvalidKind, NestedAttributes, NestedBlock, Nesting,
    Parameter, Schema, ServerCapabilities,
};
use crate::value::{Type, TypeError};

pub(in crate::calls) fn capabilities_in(wire: Option<v6::ServerCapabilities>) -> ServerCapabilities {
    let wire = wire.unwrap_or_default();
    ServerCapabilities {
        plan_destroy: wire.plan_destroy,
        get_provider_schema_optional: wire.get_provider_schema_optional,
        move_resource_state: wire.move_resource_state,
        generate_resource_config: wire.generate_resource_config,
    }
}

pub(in crate::calls) fn capabilities_out(capabilities: ServerCapabilities) -> v6::ServerCapabilities {
    v6::ServerCapabilities {
        plan_destroy: capabilities.plan_destroy,
        get_provider_schema_optional: capabilities.get_provider_schema_optional,
        move_resource_state: capabilities.move_resource_state,
        generate_resource_config: capabilities.generate_resource_config,
    }
}

pub(in crate::calls) fn read_schema(wire: v6::Schema) -> Schema {
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

pub(in crate::calls) fn write_schema(schema: &Schema) -> v6::Schema {
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

/// The JSON of a type; for an invalid type, JSON that is not a type.
pub(in crate::calls) fn write_type(ty: &Result<Type, TypeError>) -> Bytes {
    match ty {
        Ok(ty) => Bytes::from(ty.to_json_text()),
        Err(_) => Bytes::from_static(b"\"no type\""),
    }
}

pub(in crate::calls) fn read_function(wire: v6::Function) -> Function {
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

pub(in crate::calls) fn write_function(function: &Function) -> v6::Function {
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
