//! Typed calls over any transport.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;

use super::convert::call;
use super::convert::schema::Seen;
use super::rpc::{Protocol, Rpc};
use super::transport::Transport;
use crate::schema::ProviderSchema;
use crate::transcript::{AnyCall, Call, DiagnosticsResponse, RpcFailure, SchemaRequest, SchemaResponse};

/// A provider's schema, as it was fetched.
#[derive(Debug)]
pub struct Fetched {
    pub call: Call<SchemaRequest, SchemaResponse>,
    pub took: Duration,
    /// The call that was made last: where there is a failure, it is this one's.
    pub last: Rpc,
}

/// One provider instance, asked in the words of a transcript.
#[derive(Clone)]
pub struct Client {
    transport: Arc<dyn Transport>,
    calls: Arc<AtomicU64>,
}

impl Client {
    pub fn new(transport: Arc<dyn Transport>) -> Client {
        Client { transport, calls: Arc::default() }
    }

    pub fn protocol(&self) -> Protocol {
        self.transport.protocol()
    }

    /// How many calls were made in all, the unary ones that no transcript shows included.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Makes a call whose request is filled in; its outcome is filled in and decoded, its wall time returned.
    pub async fn ask(&self, asked: &mut AnyCall, provider: &ProviderSchema) -> Duration {
        let request = call::encode_request(asked);
        let began = Instant::now();
        let answer = self.raw(call::rpc(asked), request).await;
        let took = began.elapsed();
        match answer {
            Ok(answer) => call::decode_response(asked, self.protocol(), answer),
            Err(failure) => asked.fail(failure),
        }
        asked.decode(provider);
        took
    }

    /// Fetches the schema, the identity schemas with it.
    ///
    /// A provider without the second call has no identities, which is no failure; any other
    /// failure of it is the failure of the whole, as with Terraform.
    pub async fn schema(&self, seen: &Seen) -> Fetched {
        let began = Instant::now();
        let mut last = Rpc::GetProviderSchema;
        let outcome = self.try_schema(&mut last, seen).await;
        Fetched { call: Call { request: SchemaRequest {}, outcome }, took: began.elapsed(), last }
    }

    async fn try_schema(&self, last: &mut Rpc, seen: &Seen) -> Result<SchemaResponse, RpcFailure> {
        let answer = self.raw(*last, Bytes::new()).await?;
        *last = Rpc::GetResourceIdentitySchemas;
        let identities = match self.raw(*last, Bytes::new()).await {
            Ok(answer) => Some(answer),
            Err(RpcFailure::Status { code: UNIMPLEMENTED, .. }) => None,
            Err(failure) => return Err(failure),
        };
        seen.read(self.protocol(), answer, identities).map_err(|unreadable| {
            *last = unreadable.rpc;
            RpcFailure::Garbled { message: unreadable.error.to_string() }
        })
    }

    /// Asks the provider to abort what it is doing. The answer means nothing.
    pub async fn stop(&self) -> Result<DiagnosticsResponse, RpcFailure> {
        self.raw(Rpc::StopProvider, Bytes::new())
            .await
            .map(|_| DiagnosticsResponse { diagnostics: Vec::new() })
    }

    async fn raw(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, RpcFailure> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.transport.call(rpc, request).await
    }
}

const UNIMPLEMENTED: i32 = 12;
