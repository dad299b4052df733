//! A provider that requires its secret word and its environment, and whose plans are not values.

use std::process::ExitCode;

use bytes::Bytes;
use tfconform::calls::Rpc;
use tfconform::provider::handler::Handler;
use tfconform::provider::status::Status;
use tfconform::schema::Attribute;
use tfconform::value::Type;

use super::misbehaving_provider::serve;
use super::refuser::{REFUSAL, declared};

/// The argument that makes this program the provider.
pub const WORD: &str = "be-the-particular";
/// What its sensitive argument `word` must be, and what must be in its environment.
pub const SECRET: &str = "open-sesame-5c1d";
pub const VARIABLE: &str = "PARTICULAR";

pub fn play_if_asked() -> Option<ExitCode> {
    (std::env::args().nth(1)? == WORD).then(|| serve(Particular))
}

struct Particular;

/// A planned state of one byte that no encoder writes.
const PLAN: &[u8] = b"\x0a\x03\x0a\x01\xc1";

impl Handler for Particular {
    fn call(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, Status> {
        let is_right = request.windows(SECRET.len()).any(|bytes| bytes == SECRET.as_bytes())
            && std::env::var_os(VARIABLE).is_some();
        match rpc {
            Rpc::GetProviderSchema => {
                Ok(declared(vec![Attribute::typed("word", Type::String).required().sensitive()]))
            }
            Rpc::ConfigureProvider if !is_right => Ok(Bytes::from_static(REFUSAL)),
            Rpc::ValidateProviderConfig | Rpc::ConfigureProvider | Rpc::StopProvider => Ok(Bytes::new()),
            Rpc::ValidateResourceConfig => Ok(Bytes::new()),
            Rpc::PlanResourceChange => Ok(Bytes::from_static(PLAN)),
            other => Err(Status::unimplemented(other.name())),
        }
    }
}
