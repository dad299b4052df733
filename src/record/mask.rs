//! Masks what is written to files: the attributes that hold secrets, and where else secrets may occur.

use std::sync::Arc;

use bytes::Bytes;

use super::lenient::{self, Parts};
use super::masked::Masked;
use super::masker::Secrets;
use super::words::Words;
use crate::scenario::{self, EngineRun, InstanceAddress, InstanceState, Object, Scenario, State};
use crate::schema::{Block, Place, ProviderSchema, Rewrite};
use crate::transcript::{
    Diagnostic, DynamicValue, Encoded, Exchange, FieldMut, RawState, RpcFailure, Subject, Transcript,
    WirePath, WireStep,
};
use crate::value::{Data, Number, Refinements, Type, Value, msgpack, state_json};

/// Puts tokens into the objects of a block: for all that is secret by its place, and for secrets elsewhere.
struct Tokens<'s, 'm>(&'s Secrets<'m>);

impl Rewrite for Tokens<'_, '_> {
    fn value(&mut self, place: Place<'_>, value: &Value) -> Value {
        match value.data() {
            Data::String(text) => self.text(place, text).map(|text| Value::string(&text)),
            Data::Number(number) => self.number(place, number).map(Value::number),
            Data::Bool(inner) => self.bool(place, *inner).map(Value::bool),
            // A refinement may say how a text begins, or between what a number is.
            Data::Unknown(Some(refinements)) => {
                let is_secret = place.is_secret() || self.0.is_in(refinements);
                is_secret.then(|| Value::unknown(value.ty().clone()))
            }
            _ => None,
        }
        .unwrap_or_else(|| value.clone())
    }

    fn key(&mut self, place: Place<'_>, key: &str) -> String {
        Parts::key(self, place, key).unwrap_or_else(|| key.to_owned())
    }
}

impl Parts for Tokens<'_, '_> {
    fn text(&mut self, place: Place<'_>, text: &str) -> Option<String> {
        let masked = match place.ty() {
            _ if !place.is_secret() => self.0.text(text),
            _ if text.is_empty() => return None,
            // In a stored state a number may be a text, and a bool too.
            Some(Type::Number) if Number::parse(text).is_ok() => {
                self.0.number_token(&Number::parse(text).ok()?).to_string()
            }
            Some(Type::Bool) if matches!(text, "true" | "false") => {
                self.0.bool_token(place.name(), text == "true").to_string()
            }
            _ => self.0.token(text),
        };
        (masked != text).then_some(masked)
    }

    fn number(&mut self, place: Place<'_>, number: &Number) -> Option<Number> {
        let is_secret = place.is_secret() || self.0.is_secret_number(number);
        is_secret.then(|| self.0.number_token(number))
    }

    fn bool(&mut self, place: Place<'_>, value: bool) -> Option<bool> {
        place.is_secret().then(|| self.0.bool_token(place.name(), value))
    }

    fn key(&mut self, place: Place<'_>, key: &str) -> Option<String> {
        if place.declares(key) {
            return None;
        }
        // Next to secrets, a name that is not declared may be the key of a secret map: one wrong byte moves it.
        let is_secret = place.is_secret() || place.member(key).is_secret();
        let masked = if is_secret { self.0.token(key) } else { self.0.text(key) };
        (masked != key).then_some(masked)
    }
}

impl Secrets<'_> {
    fn is_in(&self, refinements: &Refinements) -> bool {
        let prefix = refinements.prefix.as_deref().unwrap_or_default();
        let mut bounds = [&refinements.lower, &refinements.upper].into_iter().flatten();
        self.text(prefix) != prefix || bounds.any(|bound| self.is_secret_number(&bound.value))
    }

    fn value(&self, value: &Value, block: Option<&Block>) -> Value {
        Place::object(block).rewrite(value, &mut Tokens(self))
    }

    fn encoded(&self, encoded: &mut Encoded, ty: &Type, block: Option<&Block>) {
        let Some(wire) = encoded.wire().cloned() else { return };
        let faithful = encoded.value().is_some_and(|value| wire.msgpack == msgpack::encode(value, ty));
        if let Some(value) = encoded.value().filter(|_| faithful) {
            *encoded = Encoded::of(self.value(value, block), ty);
            return;
        }
        // Nonconforming bytes stay as they are: only their parts are replaced.
        let place = Place::object(block);
        let msgpack = lenient::msgpack(&wire.msgpack, place, &mut Tokens(self));
        let json = lenient::json(&wire.json, place, &mut Tokens(self));
        let dropped_from = msgpack.dropped_from.or(json.dropped_from);
        let withheld = dropped_from.map_or(encoded.withheld().map(str::to_owned), |from| {
            Some(format!("the bytes from offset {from} on, which may hold sensitive values"))
        });
        let wire = DynamicValue { msgpack: msgpack.bytes.into(), json: json.bytes.into() };
        *encoded = Encoded::received(Some(wire)).withholding(withheld);
    }

    fn raw_state(&self, state: &mut RawState, block: Option<&Block>) {
        let place = Place::object(block);
        state.json = self.stored(&state.json, block).into();
        for (path, text) in &mut state.flatmap {
            let place = place.flat(path);
            if let Some(masked) = Tokens(self).text(place, text) {
                *text = masked;
            }
        }
        let entries = std::mem::take(&mut state.flatmap).into_iter();
        state.flatmap = entries.map(|(path, text)| (self.text(&path), text)).collect();
    }

    /// A stored state. What an engine would have written is read and written as engines do.
    fn stored(&self, json: &Bytes, block: Option<&Block>) -> Vec<u8> {
        let decoded = block.and_then(|block| {
            let value = state_json::decode(json, block.implied_type()).ok()?;
            let is_faithful = state_json::encode(&value, block.implied_type()).ok()?.as_bytes() == json;
            is_faithful.then(|| self.value(&value, Some(block)))
        });
        let encoded = decoded.and_then(|value| state_json::encode(&value, block?.implied_type()).ok());
        match encoded {
            Some(text) => text.into_bytes(),
            None => lenient::json(json, Place::object(block), &mut Tokens(self)).bytes,
        }
    }

    /// Opaque bytes are kept unless they contain a secret.
    fn opaque(&self, bytes: &Bytes) -> Bytes {
        self.bytes(bytes).into()
    }

    /// A transcript with a token for every secret: in values, bytes, diagnostics and standard error alike.
    pub fn transcript(&self, transcript: &Transcript) -> Masked<Transcript> {
        let subject = &transcript.subject;
        let exchanges = transcript.exchanges.iter().map(|exchange| self.exchange(exchange, subject));
        let block = subject.schema.provider.as_ref().map(|schema| &schema.block);
        let config = subject.config.as_ref().map(|config| self.value(config, block));
        Masked::new(Transcript {
            subject: Arc::new(Subject { config, ..(**subject).clone() }),
            scenario: transcript.scenario.clone(),
            exchanges: exchanges.collect(),
        })
    }

    fn exchange(&self, exchange: &Exchange, subject: &Subject) -> Exchange {
        let mut masked = exchange.clone();
        let addressed = exchange.call.addressed_name();
        let words = Words::said_in(exchange, subject);
        masked.call.fields_mut(&mut |_, field| match field {
            FieldMut::Value { declared, value, .. } => {
                let block = declared.schema(&subject.schema, &addressed).map(|schema| &schema.block);
                self.encoded(value, &declared.ty(&subject.schema, &addressed), block);
            }
            FieldMut::Opaque(bytes) => *bytes = self.opaque(bytes),
            FieldMut::RawState { declared, state, .. } => {
                let block = declared.schema(&subject.schema, &addressed).map(|schema| &schema.block);
                self.raw_state(state, block);
            }
            FieldMut::Diagnostics(diagnostics) => {
                diagnostics.iter_mut().for_each(|diagnostic| self.diagnostic(diagnostic, &words));
            }
            FieldMut::Text(text) | FieldMut::Refusal(text) => *text = self.text(text),
            FieldMut::Paths(paths) => paths.iter_mut().for_each(|path| self.path(path)),
            FieldMut::Deferred(_) | FieldMut::LegacyTypeSystem(_) => {}
        });
        if let Some(failure) = masked.call.failure_mut() {
            self.failure(failure);
        }
        masked
    }

    fn failure(&self, failure: &mut RpcFailure) {
        match failure {
            RpcFailure::Crashed(report) => {
                report.stderr_tail = self.output(&report.stderr_tail);
                if let Some(panic) = &mut report.go_panic {
                    panic.message = self.text(&panic.message);
                    for place in [&mut panic.frame, &mut panic.location].into_iter().flatten() {
                        *place = self.text(place);
                    }
                }
            }
            RpcFailure::Status { message, .. }
            | RpcFailure::TooLarge { message, .. }
            | RpcFailure::Garbled { message } => *message = self.text(message),
            RpcFailure::TimedOut { .. } | RpcFailure::Abandoned { .. } => {}
        }
    }

    fn diagnostic(&self, diagnostic: &mut Diagnostic, words: &Words) {
        for text in [&mut diagnostic.summary, &mut diagnostic.detail] {
            *text = words.hide(&self.text(text), |word| self.token(word));
        }
        diagnostic.attribute.iter_mut().for_each(|path| self.path(path));
    }

    fn path(&self, WirePath(steps): &mut WirePath) {
        for step in steps.iter_mut().flatten() {
            if let WireStep::Key(text) | WireStep::Attribute(text) = step {
                *text = self.text(text);
            }
        }
    }

    /// A scenario with a token for every secret.
    pub fn scenario(&self, scenario: &Scenario, schema: &ProviderSchema) -> Masked<Scenario> {
        let block = |block: &scenario::Block| {
            let declared = schema.get(block.address.kind, &block.address.type_name);
            let value = |value: &Value| self.value(value, declared.map(|schema| &schema.block));
            scenario::Block { arguments: block.arguments.map(value), ..block.clone() }
        };
        let run =
            |run: &EngineRun| EngineRun { blocks: run.blocks.iter().map(block).collect(), ..run.clone() };
        let object = |address: &InstanceAddress, object: &Object| {
            let declared = schema.get(address.resource.kind, &address.resource.type_name);
            let value = self.value(&object.value, declared.map(|schema| &schema.block));
            let mut identity = object.identity.clone();
            let ty =
                schema.identities.get(&address.resource.type_name).map(|identity| identity.implied_type());
            if let Some(identity) = &mut identity {
                self.encoded(identity, ty.as_ref().unwrap_or(&Type::Dynamic), None);
            }
            Object { value, private: self.opaque(&object.private), identity, ..object.clone() }
        };
        let instances = scenario.initial.instances.iter().map(|(address, state)| {
            let current = state.current.as_ref().map(|current| object(address, current));
            let deposed = state.deposed.iter().map(|(key, deposed)| (*key, object(address, deposed)));
            (address.clone(), InstanceState { current, deposed: deposed.collect() })
        });
        Masked::new(Scenario {
            label: scenario.label.clone(),
            initial: State { instances: instances.collect() },
            runs: scenario.runs.iter().map(run).collect(),
        })
    }
}
