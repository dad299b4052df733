//! Single calls as an engine would make them, alternating between processes. Core decides what is
//! sent, and what an engine does with the answers.

use std::cell::Cell;
use std::time::Duration;

use bytes::Bytes;
use tempfile::TempDir;

use crate::core::{
    Action, ApplyStep, Circumstances, DestroyPlanStep, PlanStep, ReadStep, UpgradeStep,
    prepare_computed_blocks, proposed_new, without_write_only,
};
use crate::engine::Engine;
use crate::provider::client::Client;
use crate::reference::serve::{Behaviour, in_memory};
use crate::reference::{Armed, Offered, Reference, Reply};
use crate::schema::Schema;
use crate::transcript::*;
use crate::value::{Literal, Value, state_json};

/// The engine that is imitated.
const ENGINE: Engine = Engine::Terraform;

pub struct Driver {
    pub folder: TempDir,
    pub type_name: String,
    processes: Vec<Reference>,
    turn: Cell<usize>,
}

/// A state with what is stored alongside.
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
        Driver::of(Offered::Features, protocol, type_name, faults)
    }

    pub fn of(types: Offered, protocol: u8, type_name: &str, faults: &[&str]) -> Driver {
        let folder = tempfile::tempdir().unwrap();
        let faults: Vec<Armed> = faults.iter().map(|text| text.parse().unwrap()).collect();
        let processes = (0..2)
            .map(|_| Reference::open(types, protocol, folder.path(), 7, faults.clone()).unwrap())
            .collect();
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

    /// A configuration: the given attributes, and empty blocks.
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
            phase: Phase::Start,
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
        let protocol = self.processes[0].protocol();
        let types = Offered::Features;
        let behaviour = Behaviour { protocol, seed: 7, store, faults: vec![], types, log: None };
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
        let block = &self.schema().block;
        let null = self.schema().null();
        let before = prior.map_or(&null, |prior| &prior.state);
        let config = prepare_computed_blocks(block, config, ENGINE);
        let proposed =
            if config.is_null() { null.clone() } else { proposed_new(block, before, &config, ENGINE) };
        let request = PlanResourceChangeRequest {
            type_name: self.type_name.clone(),
            prior_state: self.encode(before),
            proposed_new_state: self.encode(&proposed),
            config: self.encode(&config),
            prior_private: prior.map(|prior| prior.private.clone()).unwrap_or_default(),
            provider_meta: None,
            capabilities: Some(ENGINE.client_capabilities(6)),
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

    /// Plans and applies, and returns the result as an engine stores it.
    pub fn bring_to(&self, prior: Option<&Stored>, config: &Value) -> Stored {
        let plan = self.plan(prior, config);
        assert!(plan.diagnostics.is_empty(), "{:?}", plan.diagnostics);
        let response = self.apply(prior, config, &plan);
        assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
        let new = response.new_state.value().expect("a decoded state");
        let planned = plan.planned_state.value().expect("a decoded plan");
        let (block, is_legacy) = (&self.schema().block, response.legacy_type_system);
        let step = ApplyStep { engine: ENGINE, block, planned, new, has_failed: false, is_legacy };
        assert_eq!(step.stop(), None);
        let state = without_write_only(block, new).unknowns_as_nulls();
        Stored { state, private: response.private, identity: response.new_identity }
    }

    /// The action that follows from a plan at which no engine stops.
    pub fn action(
        &self,
        prior: Option<&Stored>,
        config: &Value,
        plan: &PlanResourceChangeResponse,
    ) -> Action {
        let (block, null) = (&self.schema().block, self.schema().null());
        let step = PlanStep {
            engine: ENGINE,
            block,
            prior: prior.map_or(&null, |prior| &prior.state),
            config: &prepare_computed_blocks(block, config, ENGINE),
            planned: plan.planned_state.value().expect("a decoded plan"),
            requires_replace: plan.requires_replace.iter().map(|path| path.to_path()).collect(),
            is_deferred: plan.deferred.is_some(),
            is_legacy: plan.legacy_type_system,
        };
        assert_eq!(step.stop(), None);
        step.action(Circumstances::default())
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
        let block = &self.schema().block;
        let step = ReadStep { engine: ENGINE, block, new: &state, is_deferred: response.deferred.is_some() };
        assert_eq!(step.stop(), None);
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
        let state = self.upgrade(self.schema().version, &json).unwrap();
        let step = UpgradeStep { engine: ENGINE, block: &self.schema().block, upgraded: &state };
        assert_eq!(step.stop(), None);
        Stored { state, ..stored.clone() }
    }

    /// Everything that must hold right after a configuration was applied to an object.
    #[track_caller]
    pub fn assert_settled(&self, stored: &Stored, config: &Value) {
        assert_eq!(self.store(stored).state, stored.state, "storing it changes it");
        let read = self.read(stored).expect("it exists");
        assert_eq!(read.state, stored.state, "reading changes it");
        assert_eq!(read.private, stored.private);
        assert_eq!(read.identity, stored.identity);
        let again = self.plan(Some(stored), config);
        assert_eq!(again.planned_state.value().unwrap(), &stored.state, "there is something left to do");
        assert_eq!(self.action(Some(stored), config, &again), Action::NoOp);
        assert!(again.requires_replace.is_empty());
    }

    pub fn destroy(&self, stored: &Stored) {
        let null = self.schema().null();
        let plan = self.plan(Some(stored), &null);
        let (planned, is_deferred) = (plan.planned_state.value().unwrap(), plan.deferred.is_some());
        assert_eq!(DestroyPlanStep { engine: ENGINE, planned, is_deferred }.stop(), None);
        for _ in 0..2 {
            let gone = self.apply(Some(stored), &null, &plan);
            assert!(gone.diagnostics.is_empty() && gone.new_state.value().unwrap().is_null());
        }
        assert!(self.read(stored).is_none());
    }
}

pub fn unanswered<R>() -> Result<R, RpcFailure> {
    Err(RpcFailure::TimedOut { after: Duration::ZERO, busy: None })
}
