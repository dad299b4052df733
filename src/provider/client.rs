//! Typed calls over any transport.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio_stream::StreamExt as _;

use super::transport::Transport;
use crate::calls::{
    AnyCall, Call, GetProviderSchema, GetProviderSchemaRequest, GetProviderSchemaResponse, Protocol, Rpc,
    Seen, Streaming,
};
use crate::scenario::Words;
use crate::schema::ProviderSchema;
use crate::transcript::RpcFailure;

/// A provider's schema, as it was fetched.
#[derive(Debug)]
pub struct Fetched {
    pub call: Call<GetProviderSchema>,
    pub took: Duration,
    /// The last call that was made; any failure is from this one.
    pub last: Rpc,
}

/// One provider instance, called with the calls of a transcript.
#[derive(Clone)]
pub struct Client {
    transport: Arc<dyn Transport>,
    calls: Arc<AtomicU64>,
    words: Words,
}

impl Client {
    pub fn new(transport: Arc<dyn Transport>) -> Client {
        Client { transport, calls: Arc::default(), words: Words::OWN }
    }

    /// The same instance, which gets these words in place of a scenario's own.
    #[must_use]
    pub fn with_words(&self, words: Words) -> Client {
        Client { words, ..self.clone() }
    }

    pub fn protocol(&self) -> Protocol {
        self.transport.protocol()
    }

    /// How many calls were made in all, including those not in a transcript.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Makes a call whose request is filled in; fills in and decodes its outcome, and returns its wall time.
    pub async fn ask(&self, asked: &mut AnyCall, provider: &ProviderSchema) -> Duration {
        let request =
            asked.encode_request(self.protocol()).iter().map(|part| self.words.renamed(part)).collect();
        let began = Instant::now();
        let answer = self.carry(asked.rpc(), request).await;
        let took = began.elapsed();
        match answer {
            Ok(answer) => {
                let answer = answer.iter().map(|part| self.words.named_back(part)).collect();
                asked.decode_response(self.protocol(), answer);
            }
            Err(mut failure) => {
                failure.each_text(&mut |text| *text = self.words.named_back_in(text));
                asked.fail(failure);
            }
        }
        asked.decode(provider);
        took
    }

    /// Tells the provider to stop what it is doing, as an engine does that is interrupted. Whatever comes of it,
    /// the engine waits for the calls in flight.
    pub async fn stop(&self) {
        let _ = self.carry(Rpc::StopProvider, vec![Bytes::new()]).await;
    }

    /// Fetches the schema, including the identity schemas.
    ///
    /// A provider without the second call has no identities, which is not a failure; any other
    /// failure of it fails the whole fetch, as in Terraform.
    pub async fn schema(&self, seen: &Seen) -> Fetched {
        let began = Instant::now();
        let mut last = Rpc::GetProviderSchema;
        let outcome = self.try_schema(&mut last, seen).await;
        Fetched { call: Call { request: GetProviderSchemaRequest {}, outcome }, took: began.elapsed(), last }
    }

    async fn try_schema(&self, last: &mut Rpc, seen: &Seen) -> Result<GetProviderSchemaResponse, RpcFailure> {
        let answer = self.unary(*last, Bytes::new()).await?;
        *last = Rpc::GetResourceIdentitySchemas;
        let identities = match self.unary(*last, Bytes::new()).await {
            Ok(answer) => Some(answer),
            Err(failure) if failure.is_unimplemented() => None,
            Err(failure) => return Err(failure),
        };
        seen.read(self.protocol(), answer, identities).map_err(|unreadable| {
            *last = unreadable.rpc;
            RpcFailure::Garbled { message: unreadable.error.to_string() }
        })
    }

    /// Sends the messages of a request as its RPC streams, and collects those of the answer.
    async fn carry(&self, rpc: Rpc, mut request: Vec<Bytes>) -> Result<Vec<Bytes>, RpcFailure> {
        match rpc.streaming() {
            Streaming::Unary => {
                let request = request.pop().unwrap_or_default();
                self.unary(rpc, request).await.map(|answer| vec![answer])
            }
            Streaming::Server => {
                self.calls.fetch_add(1, Ordering::Relaxed);
                let request = request.pop().unwrap_or_default();
                let answers = self.transport.server_stream(rpc, request).await?;
                answers.collect::<Result<_, _>>().await
            }
            Streaming::Client => {
                self.calls.fetch_add(1, Ordering::Relaxed);
                let answer = self.transport.client_stream(rpc, request).await?;
                Ok(vec![answer])
            }
        }
    }

    async fn unary(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, RpcFailure> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.transport.call(rpc, request).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::{Encoded, ListResourceEvent, ListResourceRequest, Message as _, Stream};
    use crate::provider::handler::Handler;
    use crate::provider::memory::InMemory;
    use crate::provider::status::{Code, Status};
    use crate::rule::example;
    use crate::value::{Type, Value};

    /// Lists as many objects as requested, but fails after three.
    struct Lister;

    impl Handler for Lister {
        fn call(&self, rpc: Rpc, _: Bytes) -> Result<Bytes, Status> {
            Err(Status::unimplemented(rpc))
        }

        fn server_stream(
            &self,
            _: Rpc,
            request: Bytes,
            answer: &mut dyn FnMut(Bytes) -> bool,
        ) -> Result<(), Status> {
            let request = ListResourceRequest::decode(Protocol::V6, request).unwrap();
            for number in 0..request.limit {
                if number == 3 {
                    return Err(Status::new(Code::Internal, "that is all"));
                }
                let name = format!("{} {number}", request.type_name);
                answer(event(&name).encode(Protocol::V6));
            }
            Ok(())
        }

        fn client_stream(&self, _: Rpc, requests: Vec<Bytes>) -> Result<Bytes, Status> {
            Ok(Bytes::from(requests.concat()))
        }
    }

    fn event(display_name: &str) -> ListResourceEvent {
        let object = Encoded::of(Value::string(display_name), &Type::Dynamic);
        ListResourceEvent {
            identity: None,
            display_name: display_name.to_owned(),
            resource_object: Some(object),
            diagnostics: vec![],
        }
    }

    fn client() -> Client {
        Client::new(Arc::new(InMemory::new(Arc::new(Lister), Protocol::V6)))
    }

    async fn listed(limit: i64) -> AnyCall {
        let config = Encoded::of(Value::null(Type::Dynamic), &Type::Dynamic);
        let type_name = "acme_any".to_owned();
        let request = ListResourceRequest { type_name, config, include_resource_object: true, limit };
        let mut call = AnyCall::ListResource(Call::unanswered(request));
        client().ask(&mut call, &example::schema()).await;
        call
    }

    #[tokio::test]
    async fn a_list_is_the_stream_of_its_events() {
        let call = listed(2).await;
        let AnyCall::ListResource(Call { outcome: Ok(Stream(events)), .. }) = &call else {
            panic!("{:?}", call.failure())
        };
        let names: Vec<&str> = events.iter().map(|event| event.display_name.as_str()).collect();
        assert_eq!(names, ["acme_any 0", "acme_any 1"]);
        let values = call.values(crate::calls::Side::Response);
        assert_eq!(values.len(), 2);
        assert!(values.iter().all(|(name, value)| *name == "resource_object" && value.value().is_some()));
        assert!(call.succeeded());
    }

    #[tokio::test]
    async fn a_stream_that_breaks_is_a_call_that_failed() {
        let call = listed(4).await;
        assert!(matches!(call.failure(), Some(RpcFailure::Status { code: 13, .. })), "{:?}", call.failure());
    }

    #[tokio::test]
    async fn an_empty_list_is_an_answer() {
        assert!(listed(0).await.succeeded());
    }

    #[tokio::test]
    async fn the_messages_of_a_client_arrive_in_order() {
        let chunks = ["a", "b", "c"].map(Bytes::from).to_vec();
        let answer = client().carry(Rpc::WriteStateBytes, chunks).await;
        assert_eq!(answer, Ok(vec![Bytes::from("abc")]));
    }
}
