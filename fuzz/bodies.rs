//! What is done with untrusted bytes: none of it may panic.
//!
//! Shared by the targets of `cargo fuzz` and by `tests/fuzz.rs`, which runs every body briefly.
//! `cargo +nightly fuzz run msgpack` runs one for as long as you like.

// Every target uses one of them.
#![allow(dead_code)]

use std::cell::OnceCell;
use std::path::Path;
use std::sync::Arc;

use arbitrary::{Arbitrary as _, Result, Unstructured};
use bytes::Bytes;
use tfconform::calls::{
    GetProviderSchemaResponse, GetResourceIdentitySchemasResponse, Message as _, Protocol,
};
use tfconform::engine::Engine;
use tfconform::generate;
use tfconform::judge::{Judgement, Settings, judge};
use tfconform::lifecycle;
use tfconform::provider::client::Client;
use tfconform::provider::handshake;
use tfconform::provider::pool::{Member, NoProcess, Pool};
use tfconform::record;
use tfconform::reference::Offered;
use tfconform::reference::serve::{Behaviour, DriftInjector, in_memory, store_below};
use tfconform::rule::{example, problems};
use tfconform::rules::CATALOGUE;
use tfconform::scenario::Scenario;
use tfconform::schema::{Kind, ProviderSchema, Schema, schema_to_json};
use tfconform::suite::Suite;
use tfconform::transcript::{Subject, Transcript};
use tfconform::value::tree::{self, Tree};
use tfconform::value::{Number, Type, Value, msgpack as packed, state_json as stated};

/// A body by the name of its target.
pub type Body = fn(&[u8]);

/// Every body.
pub const BODIES: [(&str, Body); 8] = [
    ("msgpack", msgpack),
    ("state_json", state_json),
    ("round_trip", round_trip),
    ("handshake", handshake),
    ("schema", self::schema),
    ("response", response),
    ("suite", suite),
    ("record", record),
];

/// The JSON of a type up to the first line feed, then a value of it.
fn typed(data: &[u8]) -> Option<(Type, &[u8])> {
    let at = data.iter().position(|byte| *byte == b'\n')?;
    Some((Type::parse(&data[..at]).ok()?, &data[at + 1..]))
}

/// A type, a line feed, and MessagePack.
pub fn msgpack(data: &[u8]) {
    let Some((ty, bytes)) = typed(data) else { return };
    let mut items = packed::Items::new(bytes);
    let read: Vec<u8> = items.by_ref().flat_map(|(_, raw)| raw.to_vec()).collect();
    assert_eq!([&read, items.rest()].concat(), bytes);
    let Some(value) = packed::decode(bytes, &ty).value else { return };
    let _ = (Tree::of(&value, &tree::Nothing).lines(), value.to_string());
    encodes(&value, &ty);
}

/// What was decoded can be encoded, and the result is stable: a large integral double becomes a
/// different number in the first encoding, as in the engines.
fn encodes(value: &Value, ty: &Type) {
    let canonical = packed::encode(value, ty);
    let again = packed::decode(&canonical, ty).value.expect("what was encoded decodes");
    assert_eq!(packed::encode(&again, ty), canonical, "{value}");
}

/// A type, a line feed, and the JSON of a state.
pub fn state_json(data: &[u8]) {
    let Some((ty, text)) = typed(data) else { return };
    let Ok(value) = stated::decode(text, &ty) else { return };
    if let Ok(text) = stated::encode(&value, &ty) {
        let again = stated::decode(text.as_bytes(), &ty).expect("what was stored can be read");
        assert_eq!(stated::encode(&again, &ty).ok(), Some(text), "{value}");
    }
}

/// Choices from which a type and a value of it are built.
pub fn round_trip(data: &[u8]) {
    let mut choices = Unstructured::new(data);
    let Ok(ty) = any_type(&mut choices, 3) else { return };
    let Ok(value) = any_value(&mut choices, &ty) else { return };
    encodes(&value, &ty);
}

fn any_type(choices: &mut Unstructured<'_>, depth: u32) -> Result<Type> {
    let kinds = if depth == 0 { 3 } else { 7 };
    let inner = |choices: &mut Unstructured<'_>| any_type(choices, depth - 1);
    Ok(match choices.int_in_range(0..=kinds)? {
        0 => Type::String,
        1 => Type::Number,
        2 => Type::Bool,
        3 => Type::Dynamic,
        4 => Type::list(without_any(inner(choices)?)),
        5 => Type::set(without_any(inner(choices)?)),
        6 => Type::map(without_any(inner(choices)?)),
        _ => {
            let names = ["a", "b", "é"].into_iter().take(choices.int_in_range(0..=3)?);
            Type::object(names.map(|name| Ok((name, inner(choices)?))).collect::<Result<Vec<_>>>()?)
        }
    })
}

/// The elements of one collection have one type, which random choices would miss.
fn without_any(ty: Type) -> Type {
    if ty.has_dynamic() { Type::String } else { ty }
}

fn any_value(choices: &mut Unstructured<'_>, ty: &Type) -> Result<Value> {
    match choices.int_in_range(0..=9)? {
        0 => return Ok(Value::null(ty.clone())),
        1 => return Ok(Value::unknown(ty.clone())),
        _ => {}
    }
    let many = |choices: &mut Unstructured<'_>, ty: &Type| {
        (0..choices.int_in_range(0..=3)?).map(|_| any_value(choices, ty)).collect::<Result<Vec<_>>>()
    };
    Ok(match ty {
        Type::String => Value::string(String::arbitrary(choices)?.as_str()),
        Type::Bool => Value::bool(bool::arbitrary(choices)?),
        Type::Number => {
            Value::number(Number::from_f64(f64::arbitrary(choices)?).unwrap_or_else(|_| Number::from_i64(0)))
        }
        Type::Dynamic => {
            let ty = any_type(choices, 2)?;
            any_value(choices, &ty)?
        }
        Type::List(element) => Value::list(Type::clone(element), many(choices, element)?),
        Type::Set(element) => Value::set(Type::clone(element), many(choices, element)?),
        Type::Map(element) => {
            let values = many(choices, element)?;
            Value::map(Type::clone(element), ["x", "y", "z"].into_iter().zip(values))
        }
        Type::Object(object) => {
            let attributes = object.attributes().iter();
            let attributes = attributes.map(|(name, ty)| Ok((name, any_value(choices, ty)?)));
            Value::object(attributes.collect::<Result<Vec<_>>>()?)
        }
        Type::Tuple(_) => Value::null(ty.clone()),
    })
}

/// The first thing a program printed.
pub fn handshake(data: &[u8]) {
    let line = String::from_utf8_lossy(data);
    if let Ok(parsed) = handshake::parse(&line, &Protocol::ALL) {
        let again = handshake::announce(parsed.protocol, &parsed.address, None);
        assert!(handshake::parse(&again, &Protocol::ALL).is_ok(), "{again:?}");
    }
    let _ = handshake::negotiate(Some(&line), &Protocol::ALL);
}

/// A byte that chooses the major, and an answer to `GetProviderSchema`.
pub fn schema(data: &[u8]) {
    let Some((major, answer)) = data.split_first() else { return };
    let protocol = Protocol::ALL[usize::from(*major) % Protocol::ALL.len()];
    let answer = Bytes::copy_from_slice(answer);
    let _ = GetResourceIdentitySchemasResponse::decode(protocol, answer.clone());
    let Ok(response) = GetProviderSchemaResponse::decode(protocol, answer) else { return };
    let provider = &response.schema;
    response.encode(protocol);
    let all = provider.resources.iter().chain(&provider.data_sources);
    for (_, schema) in all.clone() {
        let _ = (schema.empty_value(), schema_to_json(schema));
    }
    for engine in [Engine::Terraform, Engine::OpenTofu] {
        if problems(provider, engine).iter().any(|declared| declared.problem.refused) {
            return;
        }
    }
    let few = generate::Options { cases: generate::Cases::Number(2), ..generate::Options::default() };
    for (name, schema) in all.take(2) {
        assert!(generate::scenarios(schema, Kind::Resource, name, &few).count() <= 2);
    }
}

/// A byte that chooses a call of the example, and the answer to it; the whole transcript is judged.
pub fn response(data: &[u8]) {
    let Some((choice, answer)) = data.split_first() else { return };
    let mut transcript = example::lifecycle();
    let idx = usize::from(*choice) % transcript.exchanges.len();
    let subject = Arc::clone(&transcript.subject);
    let call = &mut transcript.exchanges[idx].call;
    call.decode_response(Protocol::V6, vec![Bytes::copy_from_slice(answer)]);
    call.decode(&subject.schema);
    judged(&transcript);
}

/// A byte that chooses the protocol, one that chooses the type, and the decisions of a scenario of it, which is played
/// on the reference provider. That conforms: whatever is found there is a false alarm.
pub fn scenario(data: &[u8]) {
    let Some((major, data)) = data.split_first() else { return };
    on_stage(*major, |stage| {
        let Some((scenario, judgement)) = stage.judged(data) else { return };
        let found: Vec<String> = judgement.findings.iter().map(|found| format!("{found:?}")).collect();
        assert!(found.is_empty(), "{scenario:#?}\n{}", found.join("\n"));
    });
}

/// Bytes for [`scenario`] with a few decisions made another way: those of `other` if there is one. `None` if the bytes
/// say too little.
pub fn mutated(data: &[u8], other: Option<&[u8]>, seed: u64) -> Option<Vec<u8>> {
    let (head, decisions) = data.split_at_checked(2)?;
    let mutated = on_stage(head[0], |stage| {
        let (kind, name, schema) = stage.type_of(head[1]);
        let mutator = generate::Mutator::new(schema, kind, name, &stage.options());
        match other {
            Some(other) => mutator.spliced(decisions, other.get(2..).unwrap_or_default(), seed),
            None => mutator.mutated(decisions, seed),
        }
    });
    Some([head, &mutated].concat())
}

fn on_stage<T>(major: u8, act: impl FnOnce(&Stage) -> T) -> T {
    thread_local! {
        static STAGES: [OnceCell<Stage>; 2] = const { [OnceCell::new(), OnceCell::new()] };
    }
    STAGES.with(|stages| {
        let idx = usize::from(major) % stages.len();
        act(stages[idx].get_or_init(|| Stage::new([5, 6][idx], &[])))
    })
}

/// The reference provider in memory.
pub struct Stage {
    behaviour: Behaviour,
    subject: Arc<Subject>,
    runtime: tokio::runtime::Runtime,
    folder: tempfile::TempDir,
}

impl Stage {
    pub fn new(protocol: u8, faults: &[&str]) -> Stage {
        let types = Offered::Features;
        let faults = faults.iter().map(|fault| (*fault).to_owned()).collect();
        let folder = tempfile::tempdir().expect("a folder for the objects");
        let store = store_below(folder.path());
        let behaviour = Behaviour { protocol, seed: 1, store, faults, types, log: None };
        let schema: Arc<ProviderSchema> = Arc::new(types.provider(protocol, &types.definitions(protocol)));
        let name = "reference".to_owned();
        let subject = Arc::new(Subject { name, protocol, engine: Engine::Terraform, schema, config: None });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        Stage { behaviour, subject, runtime: runtime.expect("a runtime without threads"), folder }
    }

    /// Plays what the bytes say: the first chooses the type.
    pub fn judged(&self, data: &[u8]) -> Option<(Scenario, Judgement)> {
        let (ty, decisions) = data.split_first()?;
        let scenario = self.scenario(*ty, decisions);
        let judgement = judged(&self.play(&scenario));
        Some((scenario, judgement))
    }

    fn scenario(&self, ty: u8, decisions: &[u8]) -> Scenario {
        let (kind, name, schema) = self.type_of(ty);
        generate::from_bytes(schema, kind, name, &self.options(), decisions)
    }

    fn type_of(&self, ty: u8) -> (Kind, &str, &Schema) {
        let schema = &self.subject.schema;
        let of = |kind| schema.names(kind).into_iter().map(move |name| (kind, name));
        let types: Vec<(Kind, &str)> = of(Kind::Resource).chain(of(Kind::DataSource)).collect();
        let (kind, name) = types[usize::from(ty) % types.len()];
        let all = if kind == Kind::Resource { &schema.resources } else { &schema.data_sources };
        (kind, name, &all[name])
    }

    fn options(&self) -> generate::Options {
        generate::Options {
            apply: true,
            scratch: Some(self.folder.path().to_owned()),
            ..generate::Options::default()
        }
    }

    fn play(&self, scenario: &Scenario) -> Transcript {
        let behaviour = self.behaviour.clone();
        let pool: Pool<String> = Pool::new(
            1,
            Box::new(move |number| {
                let transport = in_memory(&behaviour);
                let member = transport.map(|transport| Member {
                    number,
                    client: Client::new(transport),
                    handle: Box::new(NoProcess),
                });
                Box::pin(std::future::ready(member))
            }),
        );
        let (remote, options) = (DriftInjector::of(&self.behaviour), lifecycle::Options::new(true));
        let played = lifecycle::play(scenario, &self.subject, &pool, Some(&remote), &options, 0);
        let played = self.runtime.block_on(played);
        assert!(!matches!(played.end, lifecycle::End::Lost { .. }), "{:?}", played.end);
        played.transcript
    }
}

fn judged(transcript: &Transcript) -> Judgement {
    judge(CATALOGUE, transcript, &Settings::default())
}

/// A suite file.
pub fn suite(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Err(error) = Suite::parse(Path::new("suites/acme.toml"), &text) {
        assert!(!error.to_string().is_empty());
    }
}

/// A transcript or a case.
pub fn record(data: &[u8]) {
    if let Ok(recorded) = record::read_from(Path::new("case.jsonl"), data) {
        judged(&recorded.transcript);
    }
}
