//! RPCs and their messages, as traits.

use std::fmt;

use bytes::Bytes;
use prost::DecodeError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::field::{Field, FieldMut, Fields};
use super::protocol::Protocol;
use crate::schema::Kind;

/// One RPC of the provider service: which messages it exchanges, and what it addresses.
///
/// Implemented by a unit struct with the RPC's name, each in its own file.
pub trait Method: Clone + fmt::Debug + 'static {
    /// A [`Message`], or a [`Stream`] of them.
    type Request: Messages;
    /// A [`Message`], or a [`Stream`] of them.
    type Response: Messages;

    /// What a request addresses; `None` if nothing in particular.
    fn address(request: &Self::Request) -> Option<Address<'_>>;
}

/// What a call addresses: something the provider declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address<'m> {
    pub kind: Kind,
    /// The type's or the function's; empty for the provider itself.
    pub name: &'m str,
}

impl<'m> Address<'m> {
    pub fn new(kind: Kind, name: &'m str) -> Address<'m> {
        Address { kind, name }
    }

    /// The provider itself.
    pub const PROVIDER: Address<'static> = Address { kind: Kind::Provider, name: "" };
}

/// What can be kept in a transcript.
pub trait Fact: Clone + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static {}

impl<T: Clone + fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static> Fact for T {}

/// One message: both ways on the wire, and its fields.
///
/// Both majors use the same field numbers in all but a few messages, so protocol 6's generated
/// types serve both.
pub trait Message: Fields + Fact {
    fn encode(&self, protocol: Protocol) -> Bytes;

    /// Decodes what a peer sent. Values are not decoded yet.
    fn decode(protocol: Protocol, message: Bytes) -> Result<Self, DecodeError>;
}

/// One side of a call: a message, or a stream of them.
pub trait Messages: Fields + Fact {
    const IS_STREAM: bool;

    fn encode(&self, protocol: Protocol) -> Vec<Bytes>;

    fn decode(protocol: Protocol, messages: Vec<Bytes>) -> Result<Self, DecodeError>;
}

impl<M: Message> Messages for M {
    const IS_STREAM: bool = false;

    fn encode(&self, protocol: Protocol) -> Vec<Bytes> {
        vec![Message::encode(self, protocol)]
    }

    /// gRPC ensures that there is exactly one; no bytes are the empty message.
    fn decode(protocol: Protocol, mut messages: Vec<Bytes>) -> Result<Self, DecodeError> {
        Message::decode(protocol, messages.pop().unwrap_or_default())
    }
}

/// Everything that the streaming side of a call sent, in order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct Stream<M: Message>(pub Vec<M>);

impl<M: Message> Messages for Stream<M> {
    const IS_STREAM: bool = true;

    fn encode(&self, protocol: Protocol) -> Vec<Bytes> {
        self.0.iter().map(|message| message.encode(protocol)).collect()
    }

    fn decode(protocol: Protocol, messages: Vec<Bytes>) -> Result<Self, DecodeError> {
        messages.into_iter().map(|message| M::decode(protocol, message)).collect::<Result<_, _>>().map(Stream)
    }
}

impl<M: Message> Fields for Stream<M> {
    fn fields<'m>(&'m self, visit: &mut dyn FnMut(Field<'m>)) {
        self.0.iter().for_each(|message| message.fields(visit));
    }

    fn fields_mut<'m>(&'m mut self, visit: &mut dyn FnMut(FieldMut<'m>)) {
        self.0.iter_mut().for_each(|message| message.fields_mut(visit));
    }
}
