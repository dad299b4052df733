//! Keeping secrets out of files.
//!
//! Every secret becomes a token that is the same exactly where the secret is the
//! same, so that a file can still be judged. Tokens are keyed per run: nobody can
//! try values against them.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::scenario::{self, EngineRun, InstanceAddress, InstanceState, Object, Scenario, State};
use crate::schema::{Block, ProviderSchema};
use crate::transcript::{
    AnyCall, Diagnostic, DynamicValue, Encoded, Exchange, Field, FieldMut, RpcFailure, Subject, Transcript,
    WirePath, WireStep,
};
use crate::value::{Data, Number, Type, Value, msgpack};

/// Shorter secrets are replaced only where they are a whole value: anywhere else they are chance.
const SHORTEST: usize = 4;

/// What people read instead of a secret.
const SHOWN: &str = "(sensitive value)";

/// Makes the tokens of a run.
pub struct Masker {
    key: [u8; 32],
    /// Secrets that the user named: values of `secret_env` and the like.
    named: Vec<String>,
    /// The secrets of every call so far: what a process writes about one object may come to light
    /// in the standard error that is kept for another.
    seen: Mutex<BTreeSet<String>>,
}

/// The secrets of one transcript, and what stands for them.
pub struct Secrets<'m> {
    masker: &'m Masker,
    /// Longest first, so that one that contains another is replaced whole.
    texts: Vec<String>,
}

impl Masker {
    /// A masker with a key of its own; `named` are secrets wherever they occur.
    pub fn new(named: Vec<String>) -> Masker {
        let mut hasher = Sha256::new();
        // Nothing here needs more than being different for every run, and not being guessed from outside.
        hasher.update(std::process::id().to_le_bytes());
        hasher.update(format!("{:?}", std::time::SystemTime::now()).as_bytes());
        hasher.update(format!("{:p}", &named).as_bytes());
        if let Ok(mut random) = std::fs::File::open("/dev/urandom") {
            let mut bytes = [0; 32];
            if std::io::Read::read_exact(&mut random, &mut bytes).is_ok() {
                hasher.update(bytes);
            }
        }
        Masker { key: hasher.finalize().into(), named, seen: Mutex::default() }
    }

    fn digest(&self, secret: &str) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(self.key);
        hasher.update(secret.as_bytes());
        hasher.update(self.key);
        hasher.finalize().into()
    }

    fn token(&self, secret: &str) -> String {
        let hex: String = self.digest(secret)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("secret-{hex}")
    }

    fn number_token(&self, number: &Number) -> Number {
        let digest = self.digest(&number.to_string());
        Number::from_i64(i64::from(u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]])))
    }

    /// Collects what is secret about a transcript: named secrets, and every value of a sensitive or write-only place.
    pub fn secrets(&self, transcript: &Transcript) -> Secrets<'_> {
        let mut texts: BTreeSet<String> =
            self.named.iter().filter(|text| !text.is_empty()).cloned().collect();
        for exchange in &transcript.exchanges {
            collect(&exchange.call, &transcript.subject, &mut texts);
        }
        Secrets { masker: self, texts: spellings(texts) }
    }

    /// Learns what is secret about a call that is made, or was answered.
    pub fn learn(&self, call: &AnyCall, subject: &Subject) {
        collect(call, subject, &mut self.seen.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// A text for people that belongs to no single transcript, with every secret so far left out.
    pub fn shown(&self, text: &str) -> String {
        replaced(text, &self.all(), |_| SHOWN.to_owned())
    }

    fn all(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        spellings(seen.iter().chain(&self.named).filter(|text| !text.is_empty()).cloned().collect())
    }
}

/// Every text at a sensitive or write-only place of a call's values.
fn collect(call: &AnyCall, subject: &Subject, texts: &mut BTreeSet<String>) {
    let addressed = call.address().map_or("", |address| address.name);
    call.fields(&mut |_, field| {
        let Field::Value { declared, value, .. } = field else { return };
        // What has no block, such as an identity, holds no secrets by declaration.
        let Some(schema) = declared.schema(&subject.schema, addressed) else { return };
        if let Some(value) = value.value().filter(|_| schema.block.holds_secret()) {
            schema.block.each_secret(value, &mut |secret| {
                let text = secret.as_str().filter(|text| !text.is_empty());
                texts.extend(text.map(str::to_owned));
            });
        }
    });
}

/// The texts as they are and as they look between quotes; the longest first.
fn spellings(mut texts: BTreeSet<String>) -> Vec<String> {
    let quoted: Vec<String> = texts
        .iter()
        .map(|text| Json::from(text.as_str()).to_string())
        .map(|quoted| quoted[1..quoted.len() - 1].to_owned())
        .collect();
    texts.extend(quoted);
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    texts
}

/// A text in which something else stands for each of some secrets, the longest of which come first.
///
/// What was put in is not looked at again: it could hold another secret by chance.
fn replaced(text: &str, secrets: &[String], stand_in: impl Fn(&str) -> String) -> String {
    if secrets.iter().any(|secret| secret == text) {
        return stand_in(text);
    }
    let mut masked = String::new();
    let mut rest = text;
    let long = || secrets.iter().filter(|secret| secret.len() >= SHORTEST);
    while let Some((at, _, secret)) =
        long().filter_map(|secret| Some((rest.find(secret.as_str())?, Reverse(secret.len()), secret))).min()
    {
        masked.push_str(&rest[..at]);
        masked.push_str(&stand_in(secret));
        rest = &rest[at + secret.len()..];
    }
    masked + rest
}

impl Secrets<'_> {
    /// A text with every secret replaced by its token.
    pub fn text(&self, text: &str) -> String {
        replaced(text, &self.texts, |secret| self.masker.token(secret))
    }

    /// A text with `cover` in place of every secret: the same in every run, and for every secret.
    pub fn covered(&self, text: &str, cover: &str) -> String {
        replaced(text, &self.texts, |_| cover.to_owned())
    }

    /// A text for people, with every secret left out.
    pub fn shown(&self, text: &str) -> String {
        self.covered(text, SHOWN)
    }

    /// What a process wrote, which may be about any object of the run.
    fn output(&self, text: &str) -> String {
        replaced(text, &self.masker.all(), |secret| self.masker.token(secret))
    }

    fn value(&self, value: &Value, block: Option<&Block>) -> Value {
        value.transform(&mut |path, inner| {
            let sensitive = block.is_some_and(|block| block.is_sensitive(path));
            match inner.data() {
                Data::String(text) if sensitive && !text.is_empty() => {
                    Value::string(&self.masker.token(text))
                }
                Data::String(text) => Value::string(&self.text(text)),
                Data::Number(number) if sensitive => Value::number(self.masker.number_token(number)),
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

    /// An exchange with every secret replaced: values, bytes, diagnostics and standard error alike.
    pub fn exchange(&self, exchange: &Exchange, subject: &Subject) -> Exchange {
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

    /// Intentions with every secret replaced.
    pub fn scenario(&self, scenario: &Scenario, schema: &ProviderSchema) -> Scenario {
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
        Scenario {
            label: scenario.label.clone(),
            initial: State { instances: instances.collect() },
            runs: scenario.runs.iter().map(run).collect(),
        }
    }
}
