//! A provider that puts every secret it knows where it does not belong, in every form.
//!
//! Each of its types leaks in its own way; all have the same schema.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{env, process, thread};

use bytes::Bytes;
use tfconform::calls::{Field, Rpc, Side};
use tfconform::provider::handler::Handler;
use tfconform::provider::status::{Code, Status};
use tfconform::schema::{Attribute, Block, ProviderSchema, Schema};
use tfconform::transcript::{AnyCall, Diagnostic, DynamicValue, Encoded, WirePath, WireStep};
use tfconform::value::{Type, Value};

use super::forms::forms;
use super::misbehaving_provider::{answer, conform, serve};

/// The argument that makes this program the provider.
pub const WORD: &str = "be-the-leaky";
/// The argument after it that makes it leak while it is configured, and nowhere else.
pub const CONFIGURE: &str = "configure";
/// The secret that it generates itself; a quotation mark is escaped differently from file to file.
pub const MADE: &str = "canary-\"made\"-up \\ <\u{fc}>";
/// The number of the account, which is a secret too.
pub const ACCOUNT: u32 = 730_319_855;

/// The types, after what they leak by.
pub const TYPES: [&str; 9] =
    ["garbled", "key", "panic", "path", "private", "refusal", "status", "value", "warning"];

pub fn play_if_asked() -> Option<ExitCode> {
    let words: Vec<String> = env::args().skip(1).collect();
    let (word, rest) = words.split_first()?;
    let leaky = || Leaky {
        schema: declared(),
        known: Mutex::default(),
        leaks_in_configure: rest.first().is_some_and(|word| word == CONFIGURE),
    };
    (word == WORD).then(|| serve(leaky()))
}

struct Leaky {
    schema: ProviderSchema,
    /// The secrets it was told.
    known: Mutex<BTreeSet<String>>,
    leaks_in_configure: bool,
}

fn declared() -> ProviderSchema {
    let schema = |attributes| Arc::new(Schema { version: 0, block: Block::new(attributes, vec![]) });
    let text = |name| Attribute::typed(name, Type::String);
    let thing = schema(vec![
        Attribute::typed("account", Type::Number).optional().sensitive(),
        Attribute::typed("armed", Type::Bool).optional().sensitive(),
        text("made").computed().sensitive(),
        text("note").optional(),
        text("password").optional().sensitive(),
        Attribute::typed("tags", Type::map(Type::String)).optional(),
    ]);
    let provider = vec![
        text("endpoint").optional(),
        text("token").optional().sensitive(),
        Attribute::typed("tenant", Type::Number).optional().sensitive(),
    ];
    ProviderSchema {
        provider: Some(schema(provider)),
        resources: TYPES.map(|leak| (format!("leaky_{leak}"), Arc::clone(&thing))).into(),
        ..ProviderSchema::default()
    }
}

impl Handler for Leaky {
    fn call(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, Status> {
        answer(&self.schema, rpc, request, |asked| self.decide(asked))
    }
}

impl Leaky {
    fn decide(&self, asked: &mut AnyCall) -> Result<(), Status> {
        let told = told(asked);
        let known: BTreeSet<String> = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.extend(told);
            known.clone()
        };
        let spilled = |marker: &str| {
            let forms = known.iter().flat_map(|secret| forms(secret));
            forms.fold(marker.to_owned(), |text, (_, form)| text + " " + &form)
        };
        let schema = self.schema.resources.values().next().unwrap();
        conform(asked, schema, &|_| Value::string(MADE));
        let leak = asked.type_name().unwrap_or_default().trim_start_matches("leaky_").to_owned();
        match (leak.as_str(), asked) {
            (_, AnyCall::ConfigureProvider(call)) if self.leaks_in_configure => {
                let summary = spilled("leak-configure");
                call.outcome.as_mut().unwrap().diagnostics.push(Diagnostic::error(&summary, ""));
            }
            ("refusal", AnyCall::ValidateResourceConfig(call)) => {
                let summary = spilled("leak-refusal");
                call.outcome.as_mut().unwrap().diagnostics.push(Diagnostic::error(&summary, &summary));
            }
            ("warning", AnyCall::PlanResourceChange(call)) => {
                let mut warning = Diagnostic::error("", &spilled("leak-warning"));
                warning.severity = 7;
                warning.summary = spilled("leak-warning");
                call.outcome.as_mut().unwrap().diagnostics.push(warning);
            }
            ("path", AnyCall::PlanResourceChange(call)) => {
                let steps = [WireStep::Attribute("tags".to_owned()), WireStep::Key(spilled("leak-path"))];
                let path = WirePath(steps.into_iter().map(Some).collect());
                call.outcome.as_mut().unwrap().requires_replace.push(path);
            }
            ("value", AnyCall::ApplyResourceChange(call)) => {
                let response = call.outcome.as_mut().unwrap();
                response.new_state =
                    changed(&response.new_state, schema, "note", &|_| Value::string(&spilled("leak-value")));
            }
            ("key", AnyCall::ApplyResourceChange(call)) => {
                let response = call.outcome.as_mut().unwrap();
                response.new_state = changed(&response.new_state, schema, "tags", &|_| {
                    Value::map(Type::String, [(spilled("leak-key"), Value::string("x"))])
                });
            }
            ("private", AnyCall::ApplyResourceChange(call)) => {
                call.outcome.as_mut().unwrap().private = spilled("leak-private").into();
            }
            ("garbled", AnyCall::ReadResource(call)) => {
                let response = call.outcome.as_mut().unwrap();
                if let Some(state) = response.new_state.value().filter(|state| state.is_set()) {
                    response.new_state = garbled(state, &spilled("leak-garbled"));
                }
            }
            ("status", AnyCall::UpgradeResourceState(_)) => {
                return Err(Status::new(Code::Internal, spilled("leak-status")));
            }
            ("panic", AnyCall::ReadResource(_)) => {
                let trace = "\n\ngoroutine 1 [running]:\nmain.read(0x0)\n\t/x.go:4 +0x1d\n";
                in_two_writes(&format!("{}\n", spilled("leak-stderr")));
                in_two_writes(&format!("panic: {}{trace}", spilled("leak-panic")));
                process::exit(2);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Every text of the provider's configuration, and of the sensitive attributes of objects in a request.
fn told(asked: &AnyCall) -> Vec<String> {
    let mut told = Vec::new();
    asked.fields(&mut |side, field| {
        let Field::Value { value, .. } = field else { return };
        if let (Side::Request, Some(object)) = (side, value.value()) {
            let secret = object.attributes().filter(|(name, _)| !matches!(*name, "note" | "tags"));
            told.extend(secret.filter_map(|(_, value)| match (value.as_str(), value.as_number()) {
                (Some(text), _) => Some(text.to_owned()),
                (None, number) => number.map(ToString::to_string),
            }));
        }
    });
    // Short ones and `true` are everywhere.
    told.retain(|text| text.len() > 6);
    told
}

/// The same object with another value of an attribute.
fn changed(object: &Encoded, schema: &Schema, name: &str, new: &dyn Fn(&Value) -> Value) -> Encoded {
    let Some(state) = object.value().filter(|state| state.is_set()) else { return object.clone() };
    let changed =
        state.attributes().map(|(at, value)| (at, if at == name { new(value) } else { value.clone() }));
    Encoded::of(Value::object(changed), schema.implied_type())
}

/// The attributes of an object as bytes that do not decode: one is there twice, one is not declared, one has
/// another type.
fn garbled(state: &Value, spilled: &str) -> Encoded {
    let mut bytes = vec![0x88];
    let mut text = |text: &str| {
        bytes.push(0xdb);
        bytes.extend((text.len() as u32).to_be_bytes());
        bytes.extend(text.as_bytes());
    };
    for (name, value) in [("note", "leak-garbled"), ("password", MADE), ("extra", spilled), ("made", MADE)] {
        text(name);
        text(value);
    }
    text("password");
    text(state.attribute("password").and_then(Value::as_str).unwrap_or(MADE));
    for name in ["account", "made", "extra"] {
        bytes.push(0xa0 | name.len() as u8);
        bytes.extend(name.as_bytes());
        bytes.push(0xce);
        bytes.extend(ACCOUNT.to_be_bytes());
    }
    Encoded::received(Some(DynamicValue { msgpack: bytes.into(), json: Bytes::new() }))
}

fn in_two_writes(text: &str) {
    let half = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap();
    for part in [&text[..half], &text[half..]] {
        std::io::stderr().write_all(part.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(20));
    }
}
