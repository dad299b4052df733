//! ListResource: the objects of a resource type that exist, one event each.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method, Stream};
use super::protocol::Protocol;
use super::wire::{
    bytes, diagnostics_in, diagnostics_out, identity_in, identity_out, optional_in, optional_out, value_in,
    value_out,
};
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct ListResource;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListResourceRequest {
    pub type_name: String,
    pub config: Encoded,
    pub include_resource_object: bool,
    /// The most objects that the engine wants.
    pub limit: i64,
}

/// One object that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListResourceEvent {
    pub identity: Option<Encoded>,
    pub display_name: String,
    pub resource_object: Option<Encoded>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Method for ListResource {
    type Request = ListResourceRequest;
    type Response = Stream<ListResourceEvent>;

    fn address(request: &ListResourceRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::ListResource, &request.type_name))
    }
}

fields! {
    ListResourceRequest {
        type_name: plain,
        config: value(Declared::Schema(Kind::ListResource)),
        include_resource_object: plain,
        limit: plain,
    }
}

impl Message for ListResourceRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::list_resource::Request {
            type_name: self.type_name.clone(),
            config: value_out(&self.config),
            include_resource_object: self.include_resource_object,
            limit: self.limit,
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ListResourceRequest, DecodeError> {
        let wire = v6::list_resource::Request::decode(message)?;
        Ok(ListResourceRequest {
            type_name: wire.type_name,
            config: value_in(wire.config),
            include_resource_object: wire.include_resource_object,
            limit: wire.limit,
        })
    }
}

// A list resource has the same name as the managed type that it lists.
fields! {
    ListResourceEvent {
        identity: optional(Declared::Identity),
        display_name: text,
        resource_object: optional(Declared::Schema(Kind::Resource)),
        diagnostics: diagnostics,
    }
}

impl Message for ListResourceEvent {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::list_resource::Event {
            identity: identity_out(self.identity.as_ref()),
            display_name: self.display_name.clone(),
            resource_object: optional_out(self.resource_object.as_ref()),
            diagnostic: diagnostics_out(&self.diagnostics),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<ListResourceEvent, DecodeError> {
        let wire = v6::list_resource::Event::decode(message)?;
        Ok(ListResourceEvent {
            identity: identity_in(wire.identity),
            display_name: wire.display_name,
            resource_object: optional_in(wire.resource_object),
            diagnostics: diagnostics_in(wire.diagnostic),
        })
    }
}
