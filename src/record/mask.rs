//! Masks what is written to files: which places hold secrets, and where else secrets may occur.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value as Json;

use super::masked::Masked;
use super::matcher::{Masker, Secrets};
use crate::scenario::{Intent, Node, Scenario};
use crate::schema::{Block, ProviderSchema};
use crate::transcript::{
    AnyCall, Diagnostic, DynamicValue, Encoded, Exchange, RpcFailure, Side, Subject, Transcript, WirePath,
    WireStep,
};
use crate::value::{Data, Type, Value, msgpack};

impl Masker {
    /// Collects what is secret about a transcript: named secrets, and every value of a sensitive or write-only place.
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

    /// Learns what is secret about a call that is made, or was answered.
    pub fn learn(&self, call: &AnyCall, subject: &Subject) {
        let mut texts = BTreeSet::new();
        collect(call, subject, &mut texts);
        self.remember(texts);
    }
}

/// Every text at a sensitive or write-only place of a call's objects.
fn collect(call: &AnyCall, subject: &Subject, texts: &mut BTreeSet<String>) {
    let Some(block) = subject.schema_of(call).map(|schema| &schema.block) else { return };
    if !block.holds_secret() {
        return;
    }
    let values = call.values(Side::Request).into_iter().chain(call.values(Side::Response));
    // Identities and metadata are of other types, and hold no secrets by declaration.
    let objects = values.filter(|(role, _)| !role.ends_with("identity") && *role != "provider_meta");
    for value in objects.filter_map(|(_, encoded)| encoded.value()) {
        block.each_secret(value, &mut |secret| {
            let text = secret.as_str().filter(|text| !text.is_empty());
            texts.extend(text.map(str::to_owned));
        });
    }
}

/// The block that describes the objects of a call; its identities and metadata hold no secrets by declaration.
fn block_of<'s>(subject: &'s Subject, call: &AnyCall, ty: &Type) -> Option<&'s Block> {
    let schema = subject.schema_of(call)?;
    (schema.implied_type() == ty).then_some(&schema.block)
}

impl Secrets<'_> {
    fn value(&self, value: &Value, block: Option<&Block>) -> Value {
        value.transform(&mut |path, inner| {
            let sensitive = block.is_some_and(|block| block.is_sensitive(path));
            match inner.data() {
                Data::String(text) if sensitive && !text.is_empty() => Value::string(&self.token(text)),
                Data::String(text) => Value::string(&self.text(text)),
                Data::Number(number) if sensitive => Value::number(self.number_token(number)),
                // A refinement would tell how the secret begins.
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
        // Odd bytes stay odd: only the texts in them are replaced.
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

    /// Bytes nobody can read are kept unless a secret stands in them.
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
        let original = &exchange.call;
        masked.call.values_mut(&subject.schema, &mut |_, _, encoded, ty| {
            self.encoded(encoded, ty, block_of(subject, original, ty));
        });
        if let Some(diagnostics) = masked.call.diagnostics_mut() {
            for diagnostic in diagnostics {
                self.diagnostic(diagnostic);
            }
        }
        if let Some(failure) = masked.call.failure_mut() {
            self.failure(failure);
        }
        self.private(&mut masked.call);
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

    fn private(&self, call: &mut AnyCall) {
        match call {
            AnyCall::Upgrade(call) => call.request.raw_state.json = self.json(&call.request.raw_state.json),
            AnyCall::Read(call) => {
                call.request.private = self.opaque(&call.request.private);
                if let Ok(response) = &mut call.outcome {
                    response.private = self.opaque(&response.private);
                }
            }
            AnyCall::Plan(call) => {
                call.request.prior_private = self.opaque(&call.request.prior_private);
                call.request.planned_private = self.opaque(&call.request.planned_private);
                if let Ok(response) = &mut call.outcome {
                    response.planned_private = self.opaque(&response.planned_private);
                }
            }
            AnyCall::Apply(call) => {
                call.request.planned_private = self.opaque(&call.request.planned_private);
                if let Ok(response) = &mut call.outcome {
                    response.private = self.opaque(&response.private);
                }
            }
            AnyCall::Schema(_)
            | AnyCall::Metadata(_)
            | AnyCall::ValidateProvider(_)
            | AnyCall::Configure(_)
            | AnyCall::ValidateResource(_)
            | AnyCall::ValidateData(_)
            | AnyCall::ReadData(_) => {}
        }
    }

    /// Intentions with a token for every secret.
    pub fn scenario(&self, scenario: &Scenario, schema: &ProviderSchema) -> Masked<Scenario> {
        let nodes = scenario.nodes.iter().map(|node| {
            let declared = schema.get(node.kind, &node.type_name);
            let value = |value: &Value| self.value(value, declared.map(|schema| &schema.block));
            let intent = |intent: &Intent| match intent {
                Intent::Validate { config } => Intent::Validate { config: value(config) },
                Intent::Plan { config } => Intent::Plan { config: value(config) },
                Intent::Apply { unknown, config } => {
                    Intent::Apply { unknown: unknown.as_ref().map(value), config: value(config) }
                }
                Intent::ReadData { config } => Intent::ReadData { config: value(config) },
                Intent::Drift { .. } | Intent::Destroy => intent.clone(),
            };
            Node { steps: node.steps.iter().map(intent).collect(), ..node.clone() }
        });
        Masked::new(Scenario { label: scenario.label.clone(), nodes: nodes.collect() })
    }
}
