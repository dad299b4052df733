//! An object that was of another type before.

use bytes::Bytes;

use super::THING;
use super::builder::TranscriptBuilder;
use crate::transcript::*;
use crate::value::Value;

/// The type that objects of [`THING`] were of before; no longer declared.
const FORMER: &str = "example_former_thing";

/// The private data of an object that was moved.
pub const MOVED: &[u8] = b"moved";

impl TranscriptBuilder {
    /// An object becomes one of [`THING`]: in a process of its own, which is not configured, and once more in one that
    /// is.
    pub(super) fn moves(&mut self, config: &Value, state: &Value) {
        self.phase = Phase::Move;
        let configured = std::mem::replace(&mut self.process, 3);
        self.show();
        let by = self.moved(Purpose::Ordinary, state);
        self.process = 1;
        self.moved(Purpose::Repeat { of: by }, state);
        self.process = configured;
        self.phase = Phase::Refresh;
        let request = UpgradeResourceStateRequest {
            type_name: THING.to_owned(),
            version: self.transcript.subject.schema.resources[THING].version,
            raw_state: self.stored(state),
        };
        let response =
            UpgradeResourceStateResponse { upgraded_state: self.encode(state), diagnostics: vec![] };
        let call = AnyCall::UpgradeResourceState(Call { request, outcome: Ok(response) });
        self.record(Purpose::Moved { by }, PriorOrigin::Applied, call);
        let read = self.read(Purpose::Moved { by }, state, state);
        if let AnyCall::ReadResource(call) = &mut self.transcript.exchanges[read.0 as usize].call {
            call.request.private = Bytes::from_static(MOVED);
        }
        self.phase = Phase::Update;
        let purpose = Purpose::Moved { by };
        self.plan_call(purpose, PriorOrigin::Applied, state, config, state, state, vec![]);
    }

    fn stored(&self, state: &Value) -> RawState {
        let json = crate::value::state_json::encode(state, &self.ty).expect("the state is wholly known");
        RawState { json: Bytes::from(json), ..RawState::default() }
    }

    fn moved(&mut self, purpose: Purpose, state: &Value) -> ExchangeId {
        let request = MoveResourceStateRequest {
            source_provider_address: "registry.terraform.io/hashicorp/example".to_owned(),
            source_type_name: FORMER.to_owned(),
            source_schema_version: 0,
            source_state: self.stored(state),
            target_type_name: THING.to_owned(),
            source_private: Bytes::new(),
            source_identity: RawState::default(),
            source_identity_schema_version: 0,
        };
        let response = MoveResourceStateResponse {
            target_state: self.encode(state),
            diagnostics: vec![],
            target_private: Bytes::from_static(MOVED),
            target_identity: self.identity(),
        };
        let call = AnyCall::MoveResourceState(Call { request, outcome: Ok(response) });
        self.record(purpose, PriorOrigin::Applied, call)
    }
}
