//! One conforming transcript that every rule passes and every fault corrupts.
//!
//! Written by hand, without a provider: a small rich schema, and the whole life
//! of one object as a conforming provider would answer.

mod schema;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::engine::Engine;
use crate::schema::{Block, ProviderSchema};
use crate::transcript::*;
use crate::value;
use crate::value::{AttributePath, Literal, Refinements, Type, Value};

pub use schema::schema;

pub const THING: &str = "example_thing";
/// The secret value in the example.
pub const SECRET: &str = "h\u{fc}sh, never tell";
pub const LOOKUP: &str = "example_lookup";

/// The whole life of one object: schema, metadata, configure, validate, plan with unknowns, the same plan
/// again, final plan, create, round trip, reads, no-op, drift, update, replace, update back, destroy, and a data source.
pub fn lifecycle() -> Transcript {
    lifecycle_of(schema(), 6, Engine::Terraform)
}

/// As [`lifecycle`], for a schema of the example's shape in which something is changed.
pub fn lifecycle_of(schema: ProviderSchema, protocol: u8, engine: Engine) -> Transcript {
    let (name, schema) = ("example".to_owned(), Arc::new(schema));
    let subject = Subject { name, protocol, engine, schema, config: None };
    TranscriptBuilder::new(subject).write()
}

/// Builds the transcript, call by call.
struct TranscriptBuilder {
    transcript: Transcript,
    ty: Type,
    phase: Phase,
    process: u32,
    /// The id of the object.
    id: &'static str,
}

/// The first object, and the one that replaces it.
const IDS: [&str; 2] = ["thing-1", "thing-2"];

impl TranscriptBuilder {
    fn new(subject: Subject) -> TranscriptBuilder {
        let ty = subject.schema.resources[THING].implied_type().clone();
        let scenario = ScenarioLabel {
            type_name: THING.to_owned(),
            kind: "lifecycle".to_owned(),
            about: "example".to_owned(),
            number: 1,
            seed: 0,
            example: Some(ExampleOrigin {
                file: "examples/resources/example_thing/resource.tf".to_owned(),
                line: 1,
                instance: format!("{THING}.a"),
                ..ExampleOrigin::default()
            }),
        };
        TranscriptBuilder {
            transcript: Transcript { subject: Arc::new(subject), scenario, exchanges: Vec::new() },
            ty,
            phase: Phase::Start,
            process: 1,
            id: IDS[0],
        }
    }

    fn record(&mut self, purpose: Purpose, prior: PriorOrigin, call: AnyCall) -> ExchangeId {
        let id = ExchangeId(self.transcript.exchanges.len() as u32);
        let instance = if call.type_name().is_some() { format!("{THING}.a") } else { String::new() };
        let (phase, process) = (self.phase, self.process);
        self.transcript.exchanges.push(Exchange {
            id,
            phase,
            purpose,
            instance,
            process,
            prior,
            call,
            took: Duration::ZERO,
        });
        id
    }

    fn encode(&self, value: &Value) -> Encoded {
        Encoded::of(value.clone(), &self.ty)
    }

    fn null(&self) -> Value {
        Value::null(self.ty.clone())
    }

    fn identity(&self) -> Option<Encoded> {
        let ty = self.transcript.subject.identity(THING)?.implied_type();
        let id = self.id;
        Some(Encoded::of(value!({ id: id }).of(&ty), &ty))
    }

    fn write(mut self) -> Transcript {
        self.start();
        let config = self.config("web", None);
        let unknown = config.with_attribute("note", Value::unknown(Type::String)).with_attribute(
            "name",
            Value::refined(Type::String, Refinements { not_null: true, ..Refinements::with_prefix("w") }),
        );
        let zones = unknown.member("zone").ty().clone();
        let unknown = unknown.with_attribute("zone", Value::unknown(zones));
        self.phase = Phase::Validate;
        for config in [&unknown, &config] {
            self.validate(config);
        }
        let null = self.null();
        self.phase = Phase::PlanUnknown;
        let initial = self.plan(Purpose::Ordinary, &null, &unknown, vec![]);
        self.process = 2;
        self.plan(Purpose::Repeat { of: initial }, &null, &unknown, vec![]);
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
        self.import(&config, &restored);
        self.phase = Phase::Destroy;
        self.destroy(&restored);
        self.two_roads(&config, &changed);
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
        self.phase = Phase::Update;
        let initial = self.plan(Purpose::Ordinary, &replaced, restored, vec![]);
        self.plan(Purpose::FinalPlan { initial }, &replaced, restored, vec![]);
        let restored_object = self.apply(&replaced, restored);
        self.settle(restored, &restored_object);
        restored_object
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

    fn show(&mut self) {
        let response = GetProviderSchemaResponse {
            schema: Arc::clone(&self.transcript.subject.schema),
            size: 4_096,
            digest: "example".to_owned(),
            diagnostics: vec![],
        };
        let call = Call { request: GetProviderSchemaRequest {}, outcome: Ok(response) };
        self.record(Purpose::Ordinary, PriorOrigin::None, AnyCall::GetProviderSchema(call));
    }

    fn metadata(&mut self) {
        let schema = &self.transcript.subject.schema;
        let metadata = GetMetadataResponse {
            capabilities: schema.capabilities,
            resources: schema.resources.keys().cloned().collect(),
            data_sources: schema.data_sources.keys().cloned().collect(),
            functions: schema.functions.keys().cloned().collect(),
            diagnostics: vec![],
        };
        let call = Call { request: GetMetadataRequest {}, outcome: Ok(metadata) };
        self.record(Purpose::Ordinary, PriorOrigin::None, AnyCall::GetMetadata(call));
    }

    fn configure(&mut self) {
        let subject = Arc::clone(&self.transcript.subject);
        let provider = subject.schema.provider.as_ref();
        let ty = provider.map_or(Type::Dynamic, |provider| provider.implied_type().clone());
        let config = provider.map_or(Value::null(Type::Dynamic), |provider| provider.empty_value());
        let config = Encoded::of(config, &ty);
        let validate = Call {
            request: ValidateProviderConfigRequest { config: config.clone() },
            outcome: Ok(ValidateProviderConfigResponse { prepared_config: None, diagnostics: vec![] }),
        };
        self.record(Purpose::Ordinary, PriorOrigin::None, AnyCall::ValidateProviderConfig(validate));
        let request = ConfigureProviderRequest {
            terraform_version: subject.engine.terraform_version().to_owned(),
            config,
            capabilities: Some(subject.client_capabilities()),
        };
        let configure = Call { request, outcome: Ok(DiagnosticsResponse { diagnostics: vec![] }) };
        self.record(Purpose::Ordinary, PriorOrigin::None, AnyCall::ConfigureProvider(configure));
    }

    /// Configures every kind of member, so that each fault has something to corrupt.
    fn config(&self, name: &str, note: Option<&str>) -> Value {
        let note: Literal = note.map_or(Literal::from("plain"), Literal::from);
        let literal = value!({
            name: name, enabled: true, ports: [443, 80], labels: ["b", "a"], tags: { k: "v", l: "w" },
            secret: SECRET, token: "once", any: [1, "x"], mixed: ["x", "y"],
            single: { mode: "fast" }, listed: [{ mode: "a" }, { mode: "b", level: 2 }],
            mapped: { k: { mode: "m" }, l: { mode: "n" } }, chosen: [{ mode: "x" }, { mode: "y" }],
            keyed: [{ label: "l", key: "k" }],
            disk: [{ size: 1, tag: [{ key: "t" }] }, { size: 2, path: "/set", tag: [] }],
            rule: [{ port: 80 }, { port: 443, note: "tls" }],
            one: { name: "one" }, group: { name: "group" }, zone: { east: { name: "e" }, west: { name: "w" } },
            layer: [{ any: 1 }, { any: "x" }],
        });
        literal.of(&self.ty).with_attribute("note", note.of(&Type::String))
    }

    fn block(&self) -> Block {
        self.transcript.subject.schema.resources[THING].block.clone()
    }

    /// Configuration with what is computed and unset taken from the prior state; sets are left as configured.
    fn propose(&self, prior: &Value, config: &Value) -> Value {
        let block = self.block();
        config.transform(&mut |path, value| {
            let computed = block.attribute_at(path).is_some_and(|attribute| attribute.computed);
            if computed && value.is_null() { prior.at(path).unwrap_or(value) } else { value }
        })
    }

    /// What is computed and still unset becomes unknown; write-only values are removed.
    fn foresee(&self, proposed: &Value) -> Value {
        let block = self.block();
        proposed.transform(&mut |path, value| match block.attribute_at(path) {
            Some(attribute) if attribute.write_only => Value::null(value.ty().clone()),
            // Only what is certain is promised: a collection may turn out to be null.
            Some(attribute) if attribute.computed && value.is_null() && value.ty().element().is_some() => {
                Value::unknown(value.ty().clone())
            }
            Some(attribute) if attribute.computed && value.is_null() => {
                Value::refined(value.ty().clone(), Refinements::not_null())
            }
            _ => value,
        })
    }

    fn fulfil(&self, planned: &Value) -> Value {
        planned.transform(&mut |path, value| match (value.is_unknown(), value.ty()) {
            (true, ty) if ty.element().is_some() => Value::null(ty.clone()),
            (true, Type::Number) => Value::number(7),
            (true, Type::String) if path.steps().len() == 1 => Value::string(self.id),
            (true, Type::String) => Value::string(&format!("made at {}", path.schema_path())),
            _ => value,
        })
    }

    fn validate(&mut self, config: &Value) {
        let request = ValidateResourceConfigRequest {
            type_name: THING.to_owned(),
            config: self.encode(config),
            capabilities: Some(self.transcript.subject.client_capabilities()),
        };
        let call = Call { request, outcome: Ok(DiagnosticsResponse { diagnostics: vec![] }) };
        self.record(Purpose::Ordinary, PriorOrigin::None, AnyCall::ValidateResourceConfig(call));
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

    fn plan(
        &mut self,
        purpose: Purpose,
        prior: &Value,
        config: &Value,
        requires_replace: Vec<WirePath>,
    ) -> ExchangeId {
        let proposed = self.propose(prior, config);
        let planned = self.foresee(&proposed);
        let origin = if prior.is_null() { PriorOrigin::None } else { PriorOrigin::Applied };
        self.plan_call(purpose, origin, prior, config, &proposed, &planned, requires_replace)
    }

    #[expect(clippy::too_many_arguments, reason = "one argument for each field of the message")]
    fn plan_call(
        &mut self,
        purpose: Purpose,
        origin: PriorOrigin,
        prior: &Value,
        config: &Value,
        proposed: &Value,
        planned: &Value,
        requires_replace: Vec<WirePath>,
    ) -> ExchangeId {
        let identity = if prior.is_null() { None } else { self.identity() };
        let request = PlanResourceChangeRequest {
            type_name: THING.to_owned(),
            prior_state: self.encode(prior),
            proposed_new_state: self.encode(proposed),
            config: self.encode(config),
            prior_private: Bytes::new(),
            provider_meta: None,
            capabilities: Some(self.transcript.subject.client_capabilities()),
            prior_identity: identity.clone(),
            planned_private: Bytes::new(),
        };
        let response = PlanResourceChangeResponse {
            planned_state: self.encode(planned),
            requires_replace,
            planned_private: Bytes::new(),
            diagnostics: vec![],
            legacy_type_system: false,
            deferred: None,
            planned_identity: identity,
        };
        self.record(purpose, origin, AnyCall::PlanResourceChange(Call { request, outcome: Ok(response) }))
    }

    fn apply(&mut self, prior: &Value, config: &Value) -> Value {
        let planned = self.foresee(&self.propose(prior, config));
        let new = self.fulfil(&planned);
        self.apply_call(Purpose::Ordinary, prior, config, &planned, &new);
        new
    }

    fn apply_call(&mut self, purpose: Purpose, prior: &Value, config: &Value, planned: &Value, new: &Value) {
        let origin = if prior.is_null() { PriorOrigin::None } else { PriorOrigin::Applied };
        let identity = if new.is_null() { None } else { self.identity() };
        let request = ApplyResourceChangeRequest {
            type_name: THING.to_owned(),
            prior_state: self.encode(prior),
            planned_state: self.encode(planned),
            config: self.encode(config),
            planned_private: Bytes::new(),
            provider_meta: None,
            planned_identity: None,
        };
        let response = ApplyResourceChangeResponse {
            new_state: self.encode(new),
            private: Bytes::new(),
            diagnostics: vec![],
            legacy_type_system: false,
            new_identity: identity,
        };
        self.record(purpose, origin, AnyCall::ApplyResourceChange(Call { request, outcome: Ok(response) }));
    }

    /// What follows every apply: round trip, two reads, and the plan that must change nothing.
    fn settle(&mut self, config: &Value, state: &Value) {
        let applied = ExchangeId(self.transcript.exchanges.len() as u32 - 1);
        self.phase = Phase::Refresh;
        let json =
            crate::value::state_json::encode(state, &self.ty).expect("an applied state is wholly known");
        let request = UpgradeResourceStateRequest {
            type_name: THING.to_owned(),
            version: self.transcript.subject.schema.resources[THING].version,
            raw_state: RawState { json: Bytes::from(json), flatmap: [].into() },
        };
        let response =
            UpgradeResourceStateResponse { upgraded_state: self.encode(state), diagnostics: vec![] };
        self.record(
            Purpose::RoundTrip { of: applied },
            PriorOrigin::Applied,
            AnyCall::UpgradeResourceState(Call { request, outcome: Ok(response) }),
        );
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

    fn read(&mut self, purpose: Purpose, current: &Value, new: &Value) -> ExchangeId {
        let request = ReadResourceRequest {
            type_name: THING.to_owned(),
            current_state: self.encode(current),
            private: Bytes::new(),
            provider_meta: None,
            capabilities: Some(self.transcript.subject.client_capabilities()),
            current_identity: self.identity(),
        };
        let response = ReadResourceResponse {
            new_state: self.encode(new),
            diagnostics: vec![],
            private: Bytes::new(),
            deferred: None,
            new_identity: if new.is_null() { None } else { self.identity() },
        };
        self.record(
            purpose,
            PriorOrigin::Applied,
            AnyCall::ReadResource(Call { request, outcome: Ok(response) }),
        )
    }

    /// The same object, after the engine forgot it.
    fn import(&mut self, config: &Value, state: &Value) {
        self.phase = Phase::Import;
        let request = ImportResourceStateRequest {
            type_name: THING.to_owned(),
            id: self.id.to_owned(),
            capabilities: Some(self.transcript.subject.client_capabilities()),
            identity: None,
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
        self.read(Purpose::Imported { by }, state, state);
        let purpose = Purpose::Imported { by };
        self.plan_call(purpose, PriorOrigin::Imported, state, config, state, state, vec![]);
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
}
