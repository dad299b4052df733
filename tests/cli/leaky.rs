//! A provider that puts every secret it knows where it does not belong.
//!
//! Each of its types leaks in its own way; all have the same schema.

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, process};

use bytes::Bytes;
use tfconform::calls::Rpc;
use tfconform::provider::handler::Handler;
use tfconform::provider::status::{Code, Status};
use tfconform::schema::{Attribute, Block, ProviderSchema, Schema};
use tfconform::transcript::{AnyCall, Diagnostic, Encoded};
use tfconform::value::{Type, Value};

use super::misbehaving_provider::{answer, conform, serve};

/// The argument that makes this program the provider; the type that leaks follows.
pub const WORD: &str = "be-the-leaky";
/// The secret that it generates itself; a quotation mark is escaped differently from file to file.
pub const MADE: &str = "canary-\"made\"-up";

pub fn play_if_asked() -> Option<ExitCode> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [word, leak] = words.as_slice() else { return None };
    (word == WORD).then(|| serve(Leaky { schema: declared(leak), config: Mutex::default() }))
}

struct Leaky {
    schema: ProviderSchema,
    /// What it was configured with.
    config: Mutex<Vec<String>>,
}

fn declared(leak: &str) -> ProviderSchema {
    let schema = |attributes| Arc::new(Schema { version: 0, block: Block::new(attributes, vec![]) });
    let text = |name| Attribute::typed(name, Type::String);
    let thing = schema(vec![
        text("made").computed().sensitive(),
        text("note").optional(),
        text("password").optional().sensitive(),
    ]);
    ProviderSchema {
        provider: Some(schema(vec![text("endpoint").optional(), text("token").optional().sensitive()])),
        resources: [(format!("leaky_{leak}"), thing)].into(),
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
        let (type_name, schema) = self.schema.resources.iter().next().unwrap();
        conform(asked, schema, &|_| Value::string(MADE));
        let mut known = self.config.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match asked {
            AnyCall::ConfigureProvider(call) => {
                let texts = texts(&call.request.config);
                if type_name == "leaky_configure" {
                    let summary = format!("leak-configure {texts:?}");
                    call.outcome.as_mut().unwrap().diagnostics.push(Diagnostic::error(&summary, ""));
                }
                *self.config.lock().unwrap() = texts;
            }
            AnyCall::ValidateResourceConfig(call) if type_name == "leaky_refusal" => {
                known.extend(texts(&call.request.config));
                let summary = format!("leak-refusal {known:?}");
                call.outcome.as_mut().unwrap().diagnostics.push(Diagnostic::error(&summary, &summary));
            }
            AnyCall::ApplyResourceChange(call) if type_name == "leaky_value" => {
                let response = call.outcome.as_mut().unwrap();
                known.extend(texts(&response.new_state));
                if let Some(state) = response.new_state.value().filter(|state| state.is_set()) {
                    let note = format!("leak-value {}", known.join(" "));
                    let changed = state.attributes().map(|(name, value)| {
                        (name, if name == "note" { Value::string(&note) } else { value.clone() })
                    });
                    response.new_state = Encoded::of(Value::object(changed), schema.implied_type());
                }
            }
            AnyCall::UpgradeResourceState(call) if type_name == "leaky_status" => {
                known.extend(texts(&call.outcome.as_ref().unwrap().upgraded_state));
                return Err(Status::new(Code::Internal, format!("leak-status {}", known.join(" "))));
            }
            AnyCall::ReadResource(call) if type_name == "leaky_panic" => {
                known.extend(texts(&call.request.current_state));
                eprint!(
                    "leak-stderr {0}\npanic: leak-panic {0}\n\ngoroutine 1 [running]:\nmain.read(0x0)\n\t/x.go:4 +0x1d\n",
                    known.join(" ")
                );
                process::exit(2);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Every text of an object.
fn texts(object: &Encoded) -> Vec<String> {
    let attributes = object.value().into_iter().flat_map(Value::attributes);
    attributes.filter_map(|(_, value)| value.as_str().map(str::to_owned)).collect()
}
