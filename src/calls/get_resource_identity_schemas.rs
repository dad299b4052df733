//! GetResourceIdentitySchemas: what identifies the objects of each resource type.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::field::fields;
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::wire::schema::write_type;
use super::wire::{bytes, diagnostics_in, diagnostics_out};
use crate::proto::v6;
use crate::schema::{IdentityAttribute, IdentitySchema};
use crate::value::Type;

#[derive(Clone, Debug)]
pub struct GetResourceIdentitySchemas;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GetResourceIdentitySchemasRequest {}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GetResourceIdentitySchemasResponse {
    /// By type name; not written with each exchange, because files contain them once.
    #[serde(skip)]
    pub identities: BTreeMap<String, Arc<IdentitySchema>>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Method for GetResourceIdentitySchemas {
    type Request = GetResourceIdentitySchemasRequest;
    type Response = GetResourceIdentitySchemasResponse;

    fn address(_: &GetResourceIdentitySchemasRequest) -> Option<Address<'_>> {
        None
    }
}

fields! { GetResourceIdentitySchemasRequest {} }

impl Message for GetResourceIdentitySchemasRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        Bytes::new()
    }

    fn decode(_: Protocol, message: Bytes) -> Result<GetResourceIdentitySchemasRequest, DecodeError> {
        v6::get_resource_identity_schemas::Request::decode(message)?;
        Ok(GetResourceIdentitySchemasRequest {})
    }
}

fields! { GetResourceIdentitySchemasResponse { identities: plain, diagnostics: diagnostics } }

impl Message for GetResourceIdentitySchemasResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        let identity_schemas = self.identities.iter().map(|(name, schema)| {
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
            diagnostics: diagnostics_out(&self.diagnostics),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<GetResourceIdentitySchemasResponse, DecodeError> {
        let wire = v6::get_resource_identity_schemas::Response::decode(message)?;
        let identities = wire.identity_schemas.into_iter().map(|(name, schema)| {
            let attributes = schema.identity_attributes.into_iter().map(|attribute| IdentityAttribute {
                name: attribute.name,
                ty: Type::parse(&attribute.r#type),
                required_for_import: attribute.required_for_import,
                optional_for_import: attribute.optional_for_import,
                description: attribute.description,
            });
            (name, Arc::new(IdentitySchema { version: schema.version, attributes: attributes.collect() }))
        });
        Ok(GetResourceIdentitySchemasResponse {
            identities: identities.collect(),
            diagnostics: diagnostics_in(wire.diagnostics),
        })
    }
}
