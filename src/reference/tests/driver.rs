//! A small stand-in for an engine: each call as one would make it, alternating between processes.

use std::cell::Cell;
use std::time::Duration;

use bytes::Bytes;
use tempfile::TempDir;

use crate::engine::Engine;
use crate::provider::client::Client;
use crate::reference::serve::{Behaviour, in_memory};
use crate::reference::{Armed, Reference, Reply};
use crate::schema::Schema;
use crate::transcript::*;
use crate::value::{Literal, Value, state_json};

pub struct Driver {
    pub folder: TempDir,
    pub type_name: String,
    processes: Vec<Reference>,
    turn: Cell<usize>,
}

/// A state with what is stored beside it.
#[derive(Clone, Debug)]
pub struct Stored {
    pub state: Value,
    pub private: Bytes,
    pub identity: Option<Encoded>,
}

impl Driver {
    pub fn new(protocol: u8, type_name: &str) -> Driver {
        Driver::armed(protocol, type_name, &[])
    }

    pub fn armed(protocol: u8, type_name: &str, faults: &[&str]) -> Driver {
        let folder = tempfile::tempdir().unwrap();
        let faults: Vec<Armed> = faults.iter().map(|text| text.parse().unwrap()).collect();
        let processes =
            (0..2).map(|_| Reference::open(protocol, folder.path(), 7, faults.clone()).unwrap()).collect();
        Driver { folder, type_name: type_name.to_owned(), processes, turn: Cell::new(0) }
    }

    pub fn reference(&self) -> &Reference {
        self.turn.set(self.turn.get() + 1);
        &self.processes[self.turn.get() % self.processes.len()]
    }

    /// How many answers were rewritten by an armed fault, in all processes.
    pub fn n_committed(&self) -> u64 {
        self.processes.iter().map(Reference::n_committed).sum()
    }

    pub fn schema(&self) -> &Schema {
        &self.processes[0].schema().resources[&self.type_name]
    }

    /// A configuration: what is written, and empty blocks.
    pub fn config(&self, written: Literal) -> Value {
        let ty = self.schema().implied_type();
        let Literal::Object(members) = &written else { panic!("a configuration is an object") };
        let value = written.of(ty);
        self.schema().block.block_types.iter().fold(value, |value, nested| {
            if members.iter().any(|(name, _)| *name == nested.name) {
                value
            } else {
                value.with_attribute(&nested.name, nested.empty_value())
            }
        })
    }

    pub fn call(&self, mut call: AnyCall) -> (AnyCall, Reply) {
        let reference = self.reference();
        call.decode(reference.schema());
        let mut exchange = Exchange {
            id: ExchangeId(0),
            step: Step::Start,
            purpose: Purpose::Ordinary,
            instance: String::new(),
            process: 1,
            prior: PriorOrigin::None,
            call,
            took: Duration::ZERO,
        };
        let reply = reference.answer(&mut exchange);
        (exchange.call, reply)
    }

    /// Asks one more process of the same store, over the wire.
    pub async fn carried(&self, mut call: AnyCall) -> AnyCall {
        let store = self.folder.path().to_owned();
        let behaviour = Behaviour { protocol: self.processes[0].protocol(), seed: 7, store, faults: vec![] };
        let client = Client::new(in_memory(&behaviour).unwrap());
        client.ask(&mut call, self.processes[0].schema()).await;
        call
    }

    fn encode(&self, value: &Value) -> Encoded {
        Encoded::of(value.clone(), self.schema().implied_type())
    }

    pub fn validate(&self, config: &Value) -> Vec<Diagnostic> {
        let request = ValidateResourceConfigRequest {
            type_name: self.type_name.clone(),
            config: self.encode(config),
            capabilities: None,
        };
        self.call(AnyCall::ValidateResourceConfig(Call { request, outcome: unanswered() }))
            .0
            .diagnostics()
            .into_iter()
            .cloned()
            .collect()
    }

    /// A plan; null configuration destroys.
    pub fn plan(&self, prior: Option<&Stored>, config: &Value) -> PlanResourceChangeResponse {
        let null = self.schema().null();
        let request = PlanResourceChangeRequest {
            type_name: self.type_name.clone(),
            prior_state: self.encode(prior.map_or(&null, |prior| &prior.state)),
            // A proposal is a hint; the configuration is the plainest of hints.
            proposed_new_state: self.encode(config),
            config: self.encode(config),
            prior_private: prior.map(|prior| prior.private.clone()).unwrap_or_default(),
            provider_meta: None,
            capabilities: Some(Engine::Terraform.client_capabilities(6)),
            prior_identity: prior.and_then(|prior| prior.identity.clone()),
            planned_private: Bytes::new(),
        };
        let (answered, _) = self.call(AnyCall::PlanResourceChange(Call { request, outcome: unanswered() }));
        let AnyCall::PlanResourceChange(Call { outcome: Ok(response), .. }) = answered else {
            panic!("no plan")
        };
        response
    }

    pub fn apply(
        &self,
        prior: Option<&Stored>,
        config: &Value,
        plan: &PlanResourceChangeResponse,
    ) -> ApplyResourceChangeResponse {
        let null = self.schema().null();
        let request = ApplyResourceChangeRequest {
            type_name: self.type_name.clone(),
            prior_state: self.encode(prior.map_or(&null, |prior| &prior.state)),
            planned_state: plan.planned_state.clone(),
            config: self.encode(config),
            planned_private: plan.planned_private.clone(),
            provider_meta: None,
            planned_identity: plan.planned_identity.clone(),
        };
        let (answered, _) = self.call(AnyCall::ApplyResourceChange(Call { request, outcome: unanswered() }));
        let AnyCall::ApplyResourceChange(Call { outcome: Ok(response), .. }) = answered else {
            panic!("no apply")
        };
        response
    }

    /// Plans and applies, and hands on what comes back as an engine stores it.
    pub fn bring_to(&self, prior: Option<&Stored>, config: &Value) -> Stored {
        let plan = self.plan(prior, config);
        assert!(plan.diagnostics.is_empty(), "{:?}", plan.diagnostics);
        let response = self.apply(prior, config, &plan);
        assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
        Stored {
            state: response.new_state.value().expect("a decoded state").clone(),
            private: response.private,
            identity: response.new_identity,
        }
    }

    pub fn read(&self, stored: &Stored) -> Option<Stored> {
        let request = ReadResourceRequest {
            type_name: self.type_name.clone(),
            current_state: self.encode(&stored.state),
            private: stored.private.clone(),
            provider_meta: None,
            capabilities: None,
            current_identity: stored.identity.clone(),
        };
        let (answered, _) = self.call(AnyCall::ReadResource(Call { request, outcome: unanswered() }));
        let AnyCall::ReadResource(Call { outcome: Ok(response), .. }) = answered else { panic!("no read") };
        assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
        let state = response.new_state.value().unwrap().clone();
        state.is_set().then_some(Stored { state, private: response.private, identity: response.new_identity })
    }

    pub fn upgrade(&self, version: i64, json: &str) -> Result<Value, Vec<Diagnostic>> {
        let request = UpgradeResourceStateRequest {
            type_name: self.type_name.clone(),
            version,
            raw_state: RawState { json: Bytes::from(json.to_owned()), flatmap: [].into() },
        };
        let (answered, _) = self.call(AnyCall::UpgradeResourceState(Call { request, outcome: unanswered() }));
        let AnyCall::UpgradeResourceState(Call { outcome: Ok(response), .. }) = answered else {
            panic!("no upgrade")
        };
        match response.diagnostics.is_empty() {
            true => Ok(response.upgraded_state.value().unwrap().clone()),
            false => Err(response.diagnostics),
        }
    }

    /// Stored as JSON and upgraded at the same version.
    pub fn store(&self, stored: &Stored) -> Stored {
        let json = state_json::encode(&stored.state, self.schema().implied_type()).unwrap();
        Stored { state: self.upgrade(self.schema().version, &json).unwrap(), ..stored.clone() }
    }

    /// Everything that must hold right after an object was brought to a configuration.
    #[track_caller]
    pub fn assert_settled(&self, stored: &Stored, config: &Value) {
        assert_eq!(self.store(stored).state, stored.state, "storing it changes it");
        let read = self.read(stored).expect("it exists");
        assert_eq!(read.state, stored.state, "reading changes it");
        assert_eq!(read.private, stored.private);
        assert_eq!(read.identity, stored.identity);
        let again = self.plan(Some(stored), config);
        assert_eq!(again.planned_state.value().unwrap(), &stored.state, "there is something left to do");
        assert!(again.requires_replace.is_empty());
    }

    pub fn destroy(&self, stored: &Stored) {
        let null = self.schema().null();
        let plan = self.plan(Some(stored), &null);
        assert!(plan.planned_state.value().unwrap().is_null());
        for _ in 0..2 {
            let gone = self.apply(Some(stored), &null, &plan);
            assert!(gone.diagnostics.is_empty() && gone.new_state.value().unwrap().is_null());
        }
        assert!(self.read(stored).is_none());
    }
}

pub fn unanswered<R>() -> Result<R, RpcFailure> {
    Err(RpcFailure::TimedOut { after: Duration::ZERO })
}
