//! Schemas decoded once and reused.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use prost::{DecodeError, encoding};
use sha2::{Digest, Sha256};

use super::method::Message as _;
use super::protocol::Protocol;
use super::{GetProviderSchemaResponse, GetResourceIdentitySchemasResponse, Rpc};

/// The schemas that instances returned. Each is decoded only once: a large one takes a while.
#[derive(Default)]
pub struct Seen(Mutex<Option<GetProviderSchemaResponse>>);

/// Which answer could not be decoded, and why.
#[derive(Debug)]
pub struct Unreadable {
    pub rpc: Rpc,
    pub error: DecodeError,
}

impl Seen {
    /// Decodes the answers to `GetProviderSchema` and `GetResourceIdentitySchemas`, if there are any.
    pub fn read(
        &self,
        protocol: Protocol,
        answer: Bytes,
        identities: Option<Bytes>,
    ) -> Result<GetProviderSchemaResponse, Unreadable> {
        let digest = digest(&[&answer, identities.as_deref().unwrap_or_default()]);
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = seen.as_ref().filter(|seen| seen.digest == digest) {
            return Ok(same.clone());
        }
        let unreadable = |rpc| move |error| Unreadable { rpc, error };
        let mut response = GetProviderSchemaResponse::decode(protocol, answer)
            .map_err(unreadable(Rpc::GetProviderSchema))?;
        response.digest = digest;
        if let Some(identities) = identities {
            let identities = GetResourceIdentitySchemasResponse::decode(protocol, identities)
                .map_err(unreadable(Rpc::GetResourceIdentitySchemas))?;
            Arc::make_mut(&mut response.schema).identities = identities.identities;
            response.diagnostics.extend(identities.diagnostics);
        }
        *seen = Some(response.clone());
        Ok(response)
    }
}

/// A hash of messages that does not depend on the order of their fields: the top-level ones are
/// maps, which are unordered.
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

/// The top-level fields of a message, each with its key; what cannot be parsed is one more at the end.
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
