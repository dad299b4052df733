//! What happens in the example.

use std::sync::Arc;

use bytes::Bytes;

use super::LOOKUP;
use super::THING;
use super::builder::{IDS, TranscriptBuilder};
use crate::core::generated_config;
use crate::scenario::ImportBy;
use crate::transcript::*;
use crate::value;
use crate::value::{AttributePath, Refinements, Type, Value};

impl TranscriptBuilder {
    pub(super) fn write(mut self) -> Transcript {
        self.start();
        let config = self.config("web", None);
        let unknown = config.with_attribute("note", Value::unknown(Type::String)).with_attribute(
            "name",
            Value::refined(Type::String, Refinements { not_null: true, ..Refinements::with_prefix("w") }),
        );
        let zones = unknown.member("zone").ty().clone();
        let unknown = unknown.with_attribute("zone", Value::unknown(zones));
        self.phase = Phase::Validate;
        let without_note = self.config("api", None).with_attribute("note", Value::null(Type::String));
        self.other(|story| story.validate(&without_note));
        for config in [&unknown, &config] {
            self.validate(config);
        }
        let null = self.null();
        self.phase = Phase::PlanUnknown;
        let initial = self.plan(Purpose::Ordinary, &null, &unknown, vec![]);
        self.process = 2;
        self.plan(Purpose::Repeat { of: initial }, &null, &unknown, vec![]);
        self.other(|story| story.plan(Purpose::Ordinary, &null, &without_note, vec![]));
        self.phase = Phase::Create;
        self.plan(Purpose::FinalPlan { initial }, &null, &config, vec![]);
        let created = self.apply(&null, &config);
        self.settle(&config, &created);

        self.phase = Phase::Drift;
        let drifted = created.with_attribute("note", Value::string("drifted"));
        let drift = Drift { kind: DriftKind::Change, path: "note".to_owned() };
        self.read(Purpose::AfterDrift(drift), &created, &drifted);
        let respelt = Drift { kind: DriftKind::Respell, path: "note".to_owned() };
        self.read(Purpose::AfterDrift(respelt), &drifted, &drifted);

        self.phase = Phase::Update;
        let changed = self.config("web", Some("changed"));
        let undecided = changed.with_attribute("note", Value::unknown(Type::String));
        let initial = self.plan(Purpose::Ordinary, &drifted, &undecided, vec![]);
        self.plan(Purpose::Repeat { of: initial }, &drifted, &undecided, vec![]);
        self.plan(Purpose::FinalPlan { initial }, &drifted, &changed, vec![]);
        let updated = self.apply(&drifted, &changed);
        self.settle(&changed, &updated);

        self.phase = Phase::Replace;
        let renamed = self.config("api", Some("changed"));
        let name = vec![WirePath::of(&AttributePath::root().attribute("name"))];
        let first = self.plan(Purpose::Ordinary, &updated, &renamed, name);
        self.plan(Purpose::ReplaceCreate { first }, &null, &renamed, vec![]);
        self.plan(Purpose::FinalPlan { initial: first }, &null, &renamed, vec![]);

        let restored = self.replace_and_restore(&updated, &changed, &config);
        self.moves(&config, &restored);
        self.stored_without(&config, &restored);
        let restored = self.update_and_restore(&restored, &changed, &config);
        self.import(&config, &restored);
        let restored = self.update_and_restore(&restored, &changed, &config);
        self.phase = Phase::Destroy;
        self.destroy(&restored);
        self.two_roads(&config, &changed);
        self.old_states(&restored);
        self.schedules();
        self.data_source();
        self.transcript
    }

    /// The replacement that a user asks for, and then the first configuration again.
    fn replace_and_restore(&mut self, object: &Value, config: &Value, restored: &Value) -> Value {
        let null = self.null();
        self.phase = Phase::Replace;
        self.apply_call(Purpose::Ordinary, object, &null, &null, &null);
        self.id = IDS[1];
        let replaced = self.apply(&null, config);
        self.settle(config, &replaced);
        self.update(&replaced, restored)
    }

    /// An update in place.
    fn update(&mut self, object: &Value, config: &Value) -> Value {
        self.phase = Phase::Update;
        let initial = self.plan(Purpose::Ordinary, object, config, vec![]);
        self.plan(Purpose::FinalPlan { initial }, object, config, vec![]);
        let updated = self.apply(object, config);
        self.settle(config, &updated);
        updated
    }

    /// An update, and then the first configuration again.
    fn update_and_restore(&mut self, object: &Value, config: &Value, restored: &Value) -> Value {
        let updated = self.update(object, config);
        self.update(&updated, restored)
    }

    /// Calls for another block.
    fn other<T>(&mut self, calls: impl FnOnce(&mut Self) -> T) {
        let name = std::mem::replace(&mut self.name, "b");
        calls(self);
        self.name = name;
    }

    /// The first calls of both processes; the second one is not asked for its schema until the end.
    fn start(&mut self) {
        self.show();
        self.metadata();
        self.configure();
        self.process = 2;
        self.configure();
        self.show();
        self.process = 1;
    }

    /// An object that is created with a configuration, and one that is updated to it, each compared with objects
    /// of the same configuration.
    fn two_roads(&mut self, first: &Value, second: &Value) {
        let null = self.null();
        for (id, config) in [("thing-3", first), ("thing-4", second), ("thing-5", second)] {
            self.id = id;
            self.phase = Phase::Create;
            let created = self.apply(&null, config);
            self.phase = Phase::Destroy;
            self.apply_call(Purpose::Ordinary, &created, &null, &null, &null);
        }
        self.id = "thing-6";
        self.phase = Phase::Create;
        let created = self.apply(&null, first);
        self.phase = Phase::Update;
        let kept = self.foresee(&self.propose(&created, second));
        let planned = kept.with_attribute("choice", Value::unknown(Type::String));
        let updated = self.fulfil(&planned);
        self.apply_call(Purpose::Ordinary, &created, second, &planned, &updated);
        self.phase = Phase::Destroy;
        self.apply_call(Purpose::Ordinary, &updated, &null, &null, &null);
    }

    /// States of an older version, made up: as it is today, with every attribute null, with none, and with a list in the
    /// place of a text, which is refused.
    fn old_states(&mut self, state: &Value) {
        self.phase = Phase::OldState;
        let schema = Arc::clone(&self.transcript.subject.schema.resources[THING]);
        let json =
            crate::value::state_json::encode(state, &self.ty).expect("an applied state is wholly known");
        let bare = schema.empty_value();
        let null = crate::value::state_json::encode(&bare, &self.ty).expect("null is known");
        let states = [
            (Alteration::Nothing, "", json, Some(state)),
            (Alteration::Null, "", null, Some(&bare)),
            (Alteration::Absent, "", "{}".to_owned(), Some(&bare)),
            (Alteration::List, "note", r#"{"note":["first"]}"#.to_owned(), None),
        ];
        for (alteration, at, json, upgraded) in states {
            let old = OldState {
                version: schema.version - 1,
                form: StateForm::Json,
                alteration,
                at: at.to_owned(),
            };
            let request = UpgradeResourceStateRequest {
                type_name: THING.to_owned(),
                version: old.version,
                raw_state: RawState { json: Bytes::from(json), flatmap: [].into() },
            };
            let refusal = Diagnostic::error("State cannot be upgraded", "The note is no text.");
            let (upgraded_state, diagnostics) = match upgraded {
                Some(upgraded) => (self.encode(upgraded), vec![]),
                None => (Encoded::received(None), vec![refusal]),
            };
            let response = UpgradeResourceStateResponse { upgraded_state, diagnostics };
            let call = AnyCall::UpgradeResourceState(Call { request, outcome: Ok(response) });
            self.record(Purpose::UpgradeOf(old), PriorOrigin::Injected, call);
        }
    }

    /// What follows every apply: round trip, two reads, and the plan that must change nothing.
    fn settle(&mut self, config: &Value, state: &Value) {
        let applied = ExchangeId(self.transcript.exchanges.len() as u32 - 1);
        self.phase = Phase::Refresh;
        self.upgrade(Purpose::RoundTrip { of: applied }, PriorOrigin::Applied, state);
        let read = self.read(Purpose::NothingChanged { after: applied }, state, state);
        self.read(Purpose::Repeat { of: read }, state, state);
        self.phase = Phase::NoOp;
        // Set elements lost their computed members in the simplified proposal above: nothing changes, so the state is the
        // plan.
        self.plan_call(
            Purpose::NothingChanged { after: applied },
            PriorOrigin::Applied,
            state,
            config,
            state,
            state,
            vec![],
        );
    }

    fn upgrade(&mut self, purpose: Purpose, origin: PriorOrigin, state: &Value) {
        let json = crate::value::state_json::encode(state, &self.ty).expect("a stored state is wholly known");
        let request = UpgradeResourceStateRequest {
            type_name: THING.to_owned(),
            version: self.transcript.subject.schema.resources[THING].version,
            raw_state: RawState { json: Bytes::from(json), flatmap: [].into() },
        };
        let response =
            UpgradeResourceStateResponse { upgraded_state: self.encode(state), diagnostics: vec![] };
        let call = AnyCall::UpgradeResourceState(Call { request, outcome: Ok(response) });
        self.record(purpose, origin, call);
    }

    /// The same object, stored by a release that did not have an argument.
    fn stored_without(&mut self, config: &Value, state: &Value) {
        self.phase = Phase::Refresh;
        let stored = state.with_attribute("choice", Value::null(Type::String));
        self.upgrade(Purpose::Ordinary, PriorOrigin::Injected, &stored);
        // A read finds it again.
        self.phase = Phase::Update;
        self.plan_call(Purpose::Ordinary, PriorOrigin::Injected, state, config, state, state, vec![]);
    }

    /// The same object, after the engine forgot it.
    fn import(&mut self, config: &Value, state: &Value) {
        self.phase = Phase::Import;
        let (by, _) = self.import_and_read(ImportBy::Identity, state);
        let purpose = Purpose::Imported { by };
        self.plan_call(purpose, PriorOrigin::Imported, state, config, state, state, vec![]);

        // The remote system does not tell the secret, and the engine writes a configuration without it.
        let bare = state.with_attribute("secret", Value::null(Type::String));
        let (_, from) = self.import_and_read(ImportBy::Id, &bare);
        let written = generated_config(&self.transcript.subject.schema.resources[THING].block, &bare);
        self.validate_for(Purpose::Generated { from }, &written);
        let purpose = Purpose::Generated { from };
        self.plan_call(purpose, PriorOrigin::Imported, &bare, &written, &bare, &bare, vec![]);
    }

    fn import_and_read(&mut self, by: ImportBy, state: &Value) -> (ExchangeId, ExchangeId) {
        let (id, identity) = match by {
            ImportBy::Id => (self.id.to_owned(), None),
            ImportBy::Identity => (String::new(), self.identity()),
        };
        let request = ImportResourceStateRequest {
            type_name: THING.to_owned(),
            id,
            capabilities: Some(self.transcript.subject.client_capabilities()),
            identity,
        };
        let imported = ImportedResource {
            type_name: THING.to_owned(),
            state: self.encode(state),
            private: Bytes::new(),
            identity: self.identity(),
        };
        let response = ImportResourceStateResponse {
            imported_resources: vec![imported],
            diagnostics: vec![],
            deferred: None,
        };
        let call = AnyCall::ImportResourceState(Call { request, outcome: Ok(response) });
        let by = self.record(Purpose::Ordinary, PriorOrigin::None, call);
        (by, self.read(Purpose::Imported { by }, state, state))
    }

    fn destroy(&mut self, state: &Value) {
        let null = self.null();
        // A user may look at the plan first.
        for _ in 0..2 {
            self.plan_call(Purpose::Ordinary, PriorOrigin::Applied, state, &null, &null, &null, vec![]);
        }
        self.apply_call(Purpose::Ordinary, state, &null, &null, &null);
        self.phase = Phase::Gone;
        self.read(Purpose::Gone, state, &null);
        self.apply_call(Purpose::Gone, state, &null, &null, &null);
    }

    fn data_source(&mut self) {
        self.phase = Phase::Data;
        let ty = self.transcript.subject.schema.data_sources[LOOKUP].implied_type().clone();
        let config = value!({ query: "all", filter: [{ any: 1 }] }).of(&ty);
        let state = value!({ id: "1", query: "all", filter: [{ any: 1 }], found: ["a", "b"] }).of(&ty);
        let mut first = None;
        for _ in 0..2 {
            let request = ReadDataSourceRequest {
                type_name: LOOKUP.to_owned(),
                config: Encoded::of(config.clone(), &ty),
                provider_meta: None,
                capabilities: Some(self.transcript.subject.client_capabilities()),
            };
            let response = ReadDataSourceResponse {
                state: Encoded::of(state.clone(), &ty),
                diagnostics: vec![],
                deferred: None,
            };
            let purpose = first.map_or(Purpose::Ordinary, |of| Purpose::Repeat { of });
            first = Some(self.record(
                purpose,
                PriorOrigin::None,
                AnyCall::ReadDataSource(Call { request, outcome: Ok(response) }),
            ));
        }
    }

    /// Two objects: each by itself, both at once, and each by itself again.
    fn schedules(&mut self) {
        let null = self.null();
        let groups: [&[(&str, &str)]; 5] = [
            &[("a", "thing-7")],
            &[("b", "thing-8")],
            &[("a", "thing-9"), ("b", "thing-10")],
            &[("b", "thing-11")],
            &[("a", "thing-12")],
        ];
        for group in groups {
            self.phase = Phase::Create;
            for (name, _) in group {
                self.name = name;
                let config = self.config(&format!("instance {name}"), None);
                self.plan(Purpose::Ordinary, &null, &config, vec![]);
            }
            let mut created = Vec::new();
            for (name, id) in group {
                (self.name, self.id) = (name, id);
                let config = self.config(&format!("instance {name}"), None);
                let planned = self.foresee(&self.propose(&null, &config));
                let decided = Value::string(&format!("decided for {name}"));
                let new = self.fulfil(&planned).with_attribute("choice", decided);
                self.apply_call(Purpose::Ordinary, &null, &config, &planned, &new);
                created.push((*name, *id, new));
            }
            self.phase = Phase::Destroy;
            for (name, id, object) in created {
                (self.name, self.id) = (name, id);
                self.apply_call(Purpose::Ordinary, &object, &null, &null, &null);
            }
        }
        self.name = "a";
    }
}
