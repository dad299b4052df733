//! What a response's value is encoded as.

use bytes::Bytes;

use super::response_value;
use crate::rule::FaultContext;
use crate::schema::{Attribute, Schema};
use crate::transcript::{AnyCall, DynamicValue, Encoded, Exchange};
use crate::value::{Type, Value, msgpack};

/// One member of the root object of a response, for faults that act on its bytes.
pub struct MemberScene<'a> {
    /// `None` for a nested block.
    pub attribute: Option<&'a Attribute>,
    /// The type the member is declared with, which decides how it is encoded.
    pub ty: &'a Type,
    pub value: &'a Value,
    /// Whether the response is a plan, where unknowns are legal.
    pub planned: bool,
}

/// Rewrites the first member of the response's object for which `bytes` returns something; the rest stays as
/// it is.
pub fn member_bytes(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    bytes: impl Fn(&MemberScene<'_>) -> Option<Vec<u8>>,
) -> bool {
    let planned = matches!(exchange.call, AnyCall::PlanResourceChange(_));
    let (Some(schema), Some(response)) = (context.schema, response_value(exchange)) else { return false };
    let Some(members) = response.value().and_then(|value| members(schema, value)) else { return false };
    let member =
        |name: &str, ty, value| MemberScene { attribute: schema.block.attribute(name), ty, value, planned };
    let found = members.iter().find_map(|(name, ty, value)| Some((*name, bytes(&member(name, ty, value))?)));
    let Some((odd, bytes)) = found else { return false };
    let encoded =
        |(name, ty, value)| (name, if name == odd { bytes.clone() } else { msgpack::encode(value, ty) });
    let rewritten = object_bytes(&members.into_iter().map(encoded).collect::<Vec<_>>());
    *response = sent(rewritten);
    true
}

/// Rewrites the response's object from its members, each a name and its encoded value.
pub fn object_members(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    change: impl FnOnce(&mut Vec<(&str, Vec<u8>)>) -> bool,
) -> bool {
    let (Some(schema), Some(response)) = (context.schema, response_value(exchange)) else { return false };
    let Some(members) = response.value().and_then(|value| members(schema, value)) else { return false };
    let mut members: Vec<_> =
        members.into_iter().map(|(name, ty, value)| (name, msgpack::encode(value, ty))).collect();
    if !change(&mut members) {
        return false;
    }
    let rewritten = object_bytes(&members);
    *response = sent(rewritten);
    true
}

fn members<'a>(schema: &'a Schema, value: &'a Value) -> Option<Vec<(&'a str, &'a Type, &'a Value)>> {
    let object = schema.implied_type().as_object()?;
    let members = object.attributes().iter();
    members.map(|(name, ty)| Some((name.as_ref(), ty, value.attribute(name)?))).collect()
}

fn object_bytes(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    rmp::encode::write_map_len(&mut out, members.len() as u32).expect("writing to memory does not fail");
    for (name, bytes) in members {
        out.extend(text(name));
        out.extend(bytes);
    }
    out
}

/// A string as MessagePack.
pub fn text(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    rmp::encode::write_str(&mut out, text).expect("writing to memory does not fail");
    out
}

/// Bytes as a provider would have sent them, not decoded yet.
pub fn sent(msgpack: Vec<u8>) -> Encoded {
    Encoded::received(Some(DynamicValue { msgpack: Bytes::from(msgpack), json: Bytes::new() }))
}

/// Rewrites the bytes of the response's value.
pub fn response_bytes(exchange: &mut Exchange, change: impl FnOnce(&[u8]) -> Option<Vec<u8>>) -> bool {
    let Some(response) = response_value(exchange) else { return false };
    let Some(changed) = response.wire().and_then(|wire| change(&wire.msgpack)) else { return false };
    *response = sent(changed);
    true
}
