//! A provider that refuses every configuration of its only type.

use std::process::ExitCode;
use std::sync::Arc;

use bytes::Bytes;
use tfconform::provider::convert::schema;
use tfconform::provider::rpc::{Protocol, Rpc};
use tfconform::provider::serve::{Handler, MakeHandler, Server, serve_plugin};
use tfconform::provider::status::Status;
use tfconform::schema::{Attribute, Block, ProviderSchema, Schema};
use tfconform::transcript::SchemaResponse;
use tfconform::value::Type;

/// The argument that makes this program the provider.
pub const WORD: &str = "be-the-refuser";

pub fn play_if_asked() -> Option<ExitCode> {
    (std::env::args().nth(1)? == WORD).then(|| serve(Arc::new(Refuser)))
}

/// Serves a plugin of protocol 6.
pub fn serve(handler: Arc<dyn Handler>) -> ExitCode {
    let server = Server { protocols: vec![Protocol::V6], ..Server::default() };
    let make: MakeHandler = Arc::new(move |_| Arc::clone(&handler));
    serve_plugin(&server, &make)
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
        ..ProviderSchema::default()
    };
    let response =
        SchemaResponse { schema: Box::new(all), size: 0, digest: String::new(), diagnostics: Vec::new() };
    schema::encode(Protocol::V6, &response)
}
