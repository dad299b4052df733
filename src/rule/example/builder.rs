//! The calls of the example, one by one.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::{SECRET, THING};
use crate::schema::Block;
use crate::transcript::*;
use crate::value;
use crate::value::{Literal, Refinements, SchemaPath, Type, Value};

/// Builds the transcript, call by call.
pub(super) struct TranscriptBuilder {
    pub(super) transcript: Transcript,
    pub(super) ty: Type,
    pub(super) phase: Phase,
    pub(super) process: u32,
    /// The name of the object's block.
    pub(super) name: &'static str,
    /// The id of the object.
    pub(super) id: &'static str,
}

/// The first object, and the one that replaces it.
pub(super) const IDS: [&str; 2] = ["thing-1", "thing-2"];

impl TranscriptBuilder {
    pub(super) fn new(subject: Subject) -> TranscriptBuilder {
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
            optional: Some(OptionalArgument { path: SchemaPath::named_by("note"), is_set: false }),
        };
        TranscriptBuilder {
            transcript: Transcript { subject: Arc::new(subject), scenario, exchanges: Vec::new() },
            ty,
            phase: Phase::Start,
            process: 1,
            name: "a",
            id: IDS[0],
        }
    }

    pub(super) fn record(&mut self, purpose: Purpose, prior: PriorOrigin, call: AnyCall) -> ExchangeId {
        let id = ExchangeId(self.transcript.exchanges.len() as u32);
        let instance =
            if call.type_name().is_some() { format!("{THING}.{}", self.name) } else { String::new() };
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

    pub(super) fn encode(&self, value: &Value) -> Encoded {
        Encoded::of(value.clone(), &self.ty)
    }

    pub(super) fn null(&self) -> Value {
        Value::null(self.ty.clone())
    }

    pub(super) fn identity(&self) -> Option<Encoded> {
        let ty = self.transcript.subject.identity(THING)?.implied_type();
        let id = self.id;
        Some(Encoded::of(value!({ id: id }).of(&ty), &ty))
    }

    pub(super) fn show(&mut self) {
        let response = GetProviderSchemaResponse {
            schema: Arc::clone(&self.transcript.subject.schema),
            size: 4_096,
            digest: "example".to_owned(),
            diagnostics: vec![],
        };
        let call = Call { request: GetProviderSchemaRequest {}, outcome: Ok(response) };
        self.record(Purpose::Ordinary, PriorOrigin::None, AnyCall::GetProviderSchema(call));
    }

    pub(super) fn metadata(&mut self) {
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

    pub(super) fn configure(&mut self) {
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
    pub(super) fn config(&self, name: &str, note: Option<&str>) -> Value {
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

    pub(super) fn block(&self) -> Block {
        self.transcript.subject.schema.resources[THING].block.clone()
    }

    /// Configuration with what is computed and unset taken from the prior state; sets are left as configured.
    pub(super) fn propose(&self, prior: &Value, config: &Value) -> Value {
        let block = self.block();
        config.transform(&mut |path, value| {
            let computed = block.attribute_at(path).is_some_and(|attribute| attribute.computed);
            if computed && value.is_null() { prior.at(path).unwrap_or(value) } else { value }
        })
    }

    /// What is computed and still unset becomes unknown; write-only values are removed.
    pub(super) fn foresee(&self, proposed: &Value) -> Value {
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

    pub(super) fn fulfil(&self, planned: &Value) -> Value {
        planned.transform(&mut |path, value| match (value.is_unknown(), value.ty()) {
            (true, ty) if ty.element().is_some() => Value::null(ty.clone()),
            (true, Type::Number) => Value::number(7),
            (true, Type::String) if path.steps().len() == 1 => Value::string(self.id),
            (true, Type::String) => Value::string(&format!("made at {}", path.schema_path())),
            _ => value,
        })
    }

    pub(super) fn validate(&mut self, config: &Value) {
        self.validate_for(Purpose::Ordinary, config);
    }

    pub(super) fn validate_for(&mut self, purpose: Purpose, config: &Value) {
        let request = ValidateResourceConfigRequest {
            type_name: THING.to_owned(),
            config: self.encode(config),
            capabilities: Some(self.transcript.subject.client_capabilities()),
        };
        let call = Call { request, outcome: Ok(DiagnosticsResponse { diagnostics: vec![] }) };
        self.record(purpose, PriorOrigin::None, AnyCall::ValidateResourceConfig(call));
    }

    pub(super) fn plan(
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
    pub(super) fn plan_call(
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

    pub(super) fn apply(&mut self, prior: &Value, config: &Value) -> Value {
        let planned = self.foresee(&self.propose(prior, config));
        let new = self.fulfil(&planned);
        self.apply_call(Purpose::Ordinary, prior, config, &planned, &new);
        new
    }

    pub(super) fn apply_call(
        &mut self,
        purpose: Purpose,
        prior: &Value,
        config: &Value,
        planned: &Value,
        new: &Value,
    ) {
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

    pub(super) fn read(&mut self, purpose: Purpose, current: &Value, new: &Value) -> ExchangeId {
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
}
