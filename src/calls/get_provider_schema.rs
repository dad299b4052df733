//! GetProviderSchema: everything a provider declares, except identities.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::field::fields;
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::wire::schema::{
    capabilities_in, capabilities_out, read_function, read_schema, write_function, write_schema,
};
use super::wire::{bytes, diagnostics_in, diagnostics_out, majors};
use crate::proto::{v5, v6};
use crate::schema::{ProviderSchema, Schema};

#[derive(Clone, Debug)]
pub struct GetProviderSchema;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GetProviderSchemaRequest {}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GetProviderSchemaResponse {
    /// What the provider declared; not written with each exchange, because files contain it once.
    #[serde(skip)]
    pub schema: Arc<ProviderSchema>,
    /// Bytes of the serialised message.
    pub size: u64,
    /// A hash of the serialised message, with unordered parts sorted; empty if not computed.
    pub digest: String,
    pub diagnostics: Vec<Diagnostic>,
}

impl Method for GetProviderSchema {
    type Request = GetProviderSchemaRequest;
    type Response = GetProviderSchemaResponse;

    fn address(_: &GetProviderSchemaRequest) -> Option<Address<'_>> {
        None
    }
}

fields! { GetProviderSchemaRequest {} }

impl Message for GetProviderSchemaRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        Bytes::new()
    }

    fn decode(_: Protocol, message: Bytes) -> Result<GetProviderSchemaRequest, DecodeError> {
        v6::get_provider_schema::Request::decode(message)?;
        Ok(GetProviderSchemaRequest {})
    }
}

fields! { GetProviderSchemaResponse { schema: plain, size: plain, digest: plain, diagnostics: diagnostics } }

impl Message for GetProviderSchemaResponse {
    fn encode(&self, protocol: Protocol) -> Bytes {
        let schema = &self.schema;
        let schemas = |map: &BTreeMap<String, Arc<Schema>>| {
            map.iter().map(|(name, schema)| (name.clone(), write_schema(schema))).collect()
        };
        let message = v6::get_provider_schema::Response {
            provider: schema.provider.as_deref().map(write_schema),
            resource_schemas: schemas(&schema.resources),
            data_source_schemas: schemas(&schema.data_sources),
            diagnostics: diagnostics_out(&self.diagnostics),
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

    /// Without identities, which come from a separate call.
    fn decode(protocol: Protocol, message: Bytes) -> Result<GetProviderSchemaResponse, DecodeError> {
        let size = message.len() as u64;
        let wire = match protocol {
            Protocol::V6 => v6::get_provider_schema::Response::decode(message)?,
            Protocol::V5 => majors::raise(v5::get_provider_schema::Response::decode(message)?)?,
        };
        let schemas = |map: BTreeMap<String, v6::Schema>| {
            map.into_iter().map(|(name, schema)| (name, Arc::new(read_schema(schema)))).collect()
        };
        let actions = wire
            .action_schemas
            .into_iter()
            .map(|(name, action)| (name, Arc::new(read_schema(action.schema.unwrap_or_default()))));
        let schema = ProviderSchema {
            provider: wire.provider.map(read_schema).map(Arc::new),
            provider_meta: wire.provider_meta.map(read_schema).map(Arc::new),
            resources: schemas(wire.resource_schemas),
            data_sources: schemas(wire.data_source_schemas),
            ephemeral_resources: schemas(wire.ephemeral_resource_schemas),
            list_resources: schemas(wire.list_resource_schemas),
            state_stores: schemas(wire.state_store_schemas),
            actions: actions.collect(),
            functions: wire
                .functions
                .into_iter()
                .map(|(name, function)| (name, Arc::new(read_function(function))))
                .collect(),
            identities: BTreeMap::new(),
            capabilities: capabilities_in(wire.server_capabilities),
        };
        Ok(GetProviderSchemaResponse {
            schema: Arc::new(schema),
            size,
            digest: String::new(),
            diagnostics: diagnostics_in(wire.diagnostics),
        })
    }
}
