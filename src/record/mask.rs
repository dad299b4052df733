//! Masks what is written to files: the attributes that hold secrets, and where else secrets may occur.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value as Json;

use super::masked::Masked;
use super::matcher::{Masker, Secrets};
use crate::calls::Cause;
use crate::scenario::{self, EngineRun, InstanceAddress, InstanceState, Object, Scenario, State};
use crate::schema::{Block, ProviderSchema};
use crate::transcript::{
    AnyCall, Diagnostic, DynamicValue, Encoded, Exchange, Field, FieldMut, RpcFailure, Subject, Transcript,
    WirePath, WireStep,
};
use crate::value::{Data, Type, Value, msgpack};

impl Masker {
    /// Collects the secrets of a transcript: named secrets, and every value of a sensitive or write-only attribute.
    pub fn secrets(&self, transcript: &Transcript) -> Secrets<'_> {
        self.secrets_of(self.secret_texts(transcript))
    }

    pub(super) fn secret_texts(&self, transcript: &Transcript) -> Vec<String> {
        let mut texts = BTreeSet::new();
        for exchange in &transcript.exchanges {
            collect(&exchange.call, &transcript.subject, &mut texts);
        }
        self.spellings(texts)
    }

    /// A cause, of which nothing but the template of its message is kept.
    pub fn cause(&self, cause: &Cause) -> Masked<String> {
        Masked::new(cause.text(|text| self.shown(text).into_inner()))
    }

    /// Adds the secrets of a request or an answer.
    pub fn learn(&self, call: &AnyCall, subject: &Subject) {
        let mut texts = BTreeSet::new();
        collect(call, subject, &mut texts);
        self.remember(texts);
    }
}

/// Every text of a sensitive or write-only attribute in a call's values.
fn collect(call: &AnyCall, subject: &Subject, texts: &mut BTreeSet<String>) {
    let addressed = call.address().map_or("", |address| address.name);
    call.fields(&mut |_, field| {
        let Field::Value { declared, value, .. } = field else { return };
        // Without a block, as for an identity, nothing is declared secret.
        let Some(schema) = declared.schema(&subject.schema, addressed) else { return };
        if let Some(value) = value.value().filter(|_| schema.block.holds_secret()) {
            schema.block.each_secret(value, &mut |secret| {
                let text = secret.as_str().filter(|text| !text.is_empty());
                texts.extend(text.map(str::to_owned));
            });
        }
    });
}

impl Secrets<'_> {
    fn value(&self, value: &Value, block: Option<&Block>) -> Value {
        value.transform(&mut |path, inner| {
            let sensitive = block.is_some_and(|block| block.is_sensitive(path));
            match inner.data() {
                Data::String(text) if sensitive && !text.is_empty() => Value::string(&self.token(text)),
                Data::String(text) => Value::string(&self.text(text)),
                Data::Number(number) if sensitive => Value::number(self.number_token(number)),
                // A refinement would reveal how the secret begins.
                Data::Unknown(Some(_)) if sensitive => Value::unknown(inner.ty().clone()),
                _ => inner,
            }
        })
    }

    fn encoded(&self, encoded: &mut Encoded, ty: &Type, block: Option<&Block>) {
        let Some(wire) = encoded.wire().cloned() else { return };
        let faithful = encoded.value().is_some_and(|value| wire.msgpack == msgpack::encode(value, ty));
        if let Some(value) = encoded.value().filter(|_| faithful) {
            *encoded = Encoded::of(self.value(value, block), ty);
            return;
        }
        // Nonconforming bytes stay as they are: only the texts in them are replaced.
        let msgpack = Bytes::from(msgpack::map_texts(&wire.msgpack, &mut |text| self.text(text)));
        *encoded = Encoded::received(Some(DynamicValue { msgpack, json: self.json(&wire.json) }));
    }

    fn json(&self, json: &Bytes) -> Bytes {
        match serde_json::from_slice::<Json>(json) {
            Ok(parsed) => Bytes::from(self.json_value(parsed).to_string()),
            Err(_) => self.opaque(json),
        }
    }

    fn json_value(&self, json: Json) -> Json {
        match json {
            Json::String(text) => Json::String(self.text(&text)),
            Json::Array(items) => items.into_iter().map(|item| self.json_value(item)).collect(),
            Json::Object(members) => {
                Json::Object(members.into_iter().map(|(name, item)| (name, self.json_value(item))).collect())
            }
            other => other,
        }
    }

    /// Opaque bytes are kept unless they contain a secret.
    fn opaque(&self, bytes: &Bytes) -> Bytes {
        let text = String::from_utf8_lossy(bytes);
        let masked = self.text(&text);
        if masked == text { bytes.clone() } else { Bytes::from(masked) }
    }

    /// A transcript with a token for every secret: in values, bytes, diagnostics and standard error alike.
    pub fn transcript(&self, transcript: &Transcript) -> Masked<Transcript> {
        let subject = &transcript.subject;
        let exchanges = transcript.exchanges.iter().map(|exchange| self.exchange(exchange, subject));
        Masked::new(Transcript {
            subject: Arc::clone(subject),
            scenario: transcript.scenario.clone(),
            exchanges: exchanges.collect(),
        })
    }

    fn exchange(&self, exchange: &Exchange, subject: &Subject) -> Exchange {
        let mut masked = exchange.clone();
        let addressed = exchange.call.addressed_name();
        masked.call.fields_mut(&mut |_, field| match field {
            FieldMut::Value { declared, value, .. } => {
                let block = declared.schema(&subject.schema, &addressed).map(|schema| &schema.block);
                self.encoded(value, &declared.ty(&subject.schema, &addressed), block);
            }
            FieldMut::Opaque(bytes) => *bytes = self.opaque(bytes),
            FieldMut::RawState(state) => {
                state.json = self.json(&state.json);
                state.flatmap.values_mut().for_each(|text| *text = self.text(text));
            }
            FieldMut::Diagnostics(diagnostics) => {
                diagnostics.iter_mut().for_each(|diagnostic| self.diagnostic(diagnostic));
            }
            FieldMut::Text(text) | FieldMut::Refusal(text) => *text = self.text(text),
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
                    panic.message = self.output(&panic.message);
                }
            }
            RpcFailure::Status { message, .. }
            | RpcFailure::TooLarge { message, .. }
            | RpcFailure::Garbled { message } => *message = self.text(message),
            RpcFailure::TimedOut { .. } | RpcFailure::Abandoned { .. } => {}
        }
    }

    fn diagnostic(&self, diagnostic: &mut Diagnostic) {
        diagnostic.summary = self.text(&diagnostic.summary);
        diagnostic.detail = self.text(&diagnostic.detail);
        if let Some(WirePath(steps)) = &mut diagnostic.attribute {
            for step in steps.iter_mut().flatten() {
                if let WireStep::Key(key) = step {
                    *key = self.text(key);
                }
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
            Object { value, private: self.opaque(&object.private), ..object.clone() }
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
