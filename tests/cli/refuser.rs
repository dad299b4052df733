//! A provider that refuses every configuration of its only type.

use std::process::ExitCode;
use std::sync::Arc;

use bytes::Bytes;
use tfconform::calls::Rpc;
use tfconform::provider::handler::Handler;
use tfconform::provider::status::Status;
use tfconform::schema::{Attribute, Block, ProviderSchema, Schema};
use tfconform::value::Type;

use super::misbehaving_provider::{schema_answer, serve};

/// The argument that makes this program the provider.
pub const WORD: &str = "be-the-refuser";

pub fn play_if_asked() -> Option<ExitCode> {
    (std::env::args().nth(1)? == WORD).then(|| serve(Refuser))
}

struct Refuser;

/// A response whose only field is an error: severity 1, and a summary.
pub const REFUSAL: &[u8] = b"\x0a\x0e\x08\x01\x12\x0anot today!";

impl Handler for Refuser {
    fn call(&self, rpc: Rpc, _: Bytes) -> Result<Bytes, Status> {
        match rpc {
            Rpc::GetProviderSchema => Ok(declared(vec![])),
            Rpc::ValidateProviderConfig | Rpc::ConfigureProvider | Rpc::StopProvider => Ok(Bytes::new()),
            Rpc::ValidateResourceConfig => Ok(Bytes::from_static(REFUSAL)),
            other => Err(Status::unimplemented(other.name())),
        }
    }
}

/// The schema of a provider with these arguments and one type.
pub fn declared(provider: Vec<Attribute>) -> Bytes {
    let schema = |attributes| Arc::new(Schema { version: 0, block: Block::new(attributes, vec![]) });
    let thing = schema(vec![Attribute::typed("name", Type::String).optional()]);
    let all = ProviderSchema {
        provider: Some(schema(provider)),
        resources: [("refuser_thing".to_owned(), thing)].into(),
        // Its name is a finding, before anything is configured.
        ephemeral_resources: [("stray_thing".to_owned(), Arc::default())].into(),
        ..ProviderSchema::default()
    };
    schema_answer(&all)
}
