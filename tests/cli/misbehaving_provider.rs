//! A provider that conforms except at one call, where it does something that no provider may.
//!
//! Stores nothing: an object is whatever its state says.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{env, process, thread};

use bytes::Bytes;
use prost::Message;
use tfconform::calls::{Message as _, Protocol, Rpc};
use tfconform::proto::v6;
use tfconform::provider::handler::Handler;
use tfconform::provider::serve::{Server, serve_plugin};
use tfconform::provider::status::{Code, Status};
use tfconform::schema::{Attribute, Block, NestedBlock, Nesting, ProviderSchema, Schema};
use tfconform::transcript::{
    AnyCall, ApplyResourceChangeResponse, DiagnosticsResponse, Encoded, GetProviderSchemaResponse,
    PlanResourceChangeResponse, ReadDataSourceResponse, ReadResourceResponse, UpgradeResourceStateResponse,
    ValidateProviderConfigResponse,
};
use tfconform::value::{Type, Value, state_json};

/// The argument that makes this program the provider; the call and the action follow.
pub const WORD: &str = "be-the-misbehaving-provider";

pub fn play_if_asked() -> Option<ExitCode> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [word, rpc, action] = words.as_slice() else { return None };
    let (rpc, action) = (rpc.clone(), action.clone());
    let has_planned = AtomicBool::new(false);
    (word == WORD).then(|| serve(Wounded { rpc, action, schema: declared(), has_planned }))
}

/// Serves protocol 6 without a limit on message size.
pub fn serve(handler: impl Handler) -> ExitCode {
    let server =
        Server { protocols: vec![Protocol::V6], max_message: i32::MAX as usize, ..Server::default() };
    let handler: Arc<dyn Handler> = Arc::new(handler);
    serve_plugin(&server, &(Arc::new(move |_| Arc::clone(&handler)) as _))
}

/// The answer that declares a schema.
pub fn schema_answer(schema: &ProviderSchema) -> Bytes {
    let response = GetProviderSchemaResponse {
        schema: Arc::new(schema.clone()),
        size: 0,
        digest: String::new(),
        diagnostics: Vec::new(),
    };
    response.encode(Protocol::V6)
}

/// The answer of a provider with this schema to a call; `decide` gives the outcome of calls about a
/// configuration or an object.
pub fn answer(
    schema: &ProviderSchema,
    rpc: Rpc,
    request: Bytes,
    decide: impl FnOnce(&mut AnyCall) -> Result<(), Status>,
) -> Result<Bytes, Status> {
    match rpc {
        Rpc::GetProviderSchema => return Ok(schema_answer(schema)),
        Rpc::StopProvider => return Ok(Bytes::new()),
        Rpc::GetMetadata | Rpc::GetResourceIdentitySchemas => return Err(Status::unimplemented(rpc.name())),
        _ => {}
    }
    let unimplemented = || Status::unimplemented(rpc.name());
    let mut asked =
        AnyCall::decode_request(rpc, Protocol::V6, vec![request]).unwrap().ok_or_else(unimplemented)?;
    asked.decode(schema);
    decide(&mut asked)?;
    let mut answer = asked.encode_response(Protocol::V6).map_err(|_| unimplemented())?;
    Ok(answer.pop().unwrap_or_default())
}

struct Wounded {
    rpc: String,
    action: String,
    schema: ProviderSchema,
    has_planned: AtomicBool,
}

impl Handler for Wounded {
    fn call(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, Status> {
        let answer = || self.conforming(rpc, request.clone());
        let planned_before = self.has_planned.fetch_or(rpc == Rpc::PlanResourceChange, Ordering::Relaxed);
        match self.action.as_str() {
            _ if rpc.name() != self.rpc => answer(),
            "die-of-plans" if !self.has_planned.load(Ordering::Relaxed) => answer(),
            "die" | "die-of-plans" => process::exit(7),
            "hang" => loop {
                thread::park();
            },
            "garbage" => Ok(Bytes::from_static(b"\xff\xff\xff\xff no message")),
            "empty" => Ok(Bytes::new()),
            "internal" => Err(Status::new(Code::Internal, "the database is on fire")),
            "unimplemented" => Err(Status::unimplemented(rpc.name())),
            "unavailable" => Err(Status::new(Code::Unavailable, "come back later")),
            // Each takes a second to send.
            // What a call is about is kept where the next one finds it.
            "mixes-up" => {
                static LAST: Mutex<Bytes> = Mutex::new(Bytes::new());
                *LAST.lock().unwrap() = request;
                thread::sleep(Duration::from_millis(20));
                let last = LAST.lock().unwrap().clone();
                self.conforming(rpc, last)
            }
            "large" if planned_before => answer(),
            // An unknown field, 300 MB long, after a good answer.
            "large" => {
                let mut message = answer()?.to_vec();
                message.extend([0xfa, 0x7f]);
                prost::encode_length_delimiter(300_000_000, &mut message).unwrap();
                message.resize(message.len() + 300_000_000, b'x');
                Ok(message.into())
            }
            action if rpc == Rpc::GetProviderSchema => Ok(spoilt_schema(&answer()?, action)),
            action => Ok(spoilt_plan(&answer()?, action)),
        }
    }
}

impl Wounded {
    fn conforming(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, Status> {
        answer(&self.schema, rpc, request, |asked| {
            conform(asked, &self.schema.resources["broken_thing"], &made_up);
            Ok(())
        })
    }
}

fn declared() -> ProviderSchema {
    let attributes = vec![
        Attribute::typed("any", Type::Dynamic).optional(),
        Attribute::typed("amount", Type::Number).optional().computed(),
        Attribute::typed("id", Type::String).computed(),
        Attribute::typed("name", Type::String).optional(),
        Attribute::typed("tags", Type::list(Type::String)).optional(),
    ];
    let rule = Block::new(vec![Attribute::typed("port", Type::Number).optional()], vec![]);
    let blocks = vec![NestedBlock::new("rule", Nesting::List, rule)];
    let thing = Arc::new(Schema { version: 0, block: Block::new(attributes, blocks) });
    ProviderSchema {
        provider: Some(Arc::default()),
        resources: [("broken_thing".to_owned(), Arc::clone(&thing))].into(),
        data_sources: [("broken_thing".to_owned(), thing)].into(),
        // Its name is a finding, whatever else happens.
        ephemeral_resources: [("stray_thing".to_owned(), Arc::default())].into(),
        ..ProviderSchema::default()
    }
}

/// Fills in what a conforming provider of one type answers; `make` gives the values of computed attributes.
pub fn conform(asked: &mut AnyCall, schema: &Schema, make: &dyn Fn(&str) -> Value) {
    let ty = schema.implied_type();
    let of = |value: Value| Encoded::of(value, ty);
    let value = |encoded: &Encoded| encoded.value().expect("the harness sends what decodes").clone();
    let none = Vec::new;
    match asked {
        AnyCall::ValidateProviderConfig(call) => {
            call.outcome = Ok(ValidateProviderConfigResponse { prepared_config: None, diagnostics: none() });
        }
        AnyCall::ConfigureProvider(call) => call.outcome = Ok(DiagnosticsResponse { diagnostics: none() }),
        AnyCall::ValidateResourceConfig(call) => {
            call.outcome = Ok(DiagnosticsResponse { diagnostics: none() })
        }
        AnyCall::ValidateDataResourceConfig(call) => {
            call.outcome = Ok(DiagnosticsResponse { diagnostics: none() })
        }
        AnyCall::UpgradeResourceState(call) => {
            let state = state_json::decode(&call.request.raw_state.json, ty).expect("this is what we stored");
            call.outcome =
                Ok(UpgradeResourceStateResponse { upgraded_state: of(state), diagnostics: none() });
        }
        AnyCall::ReadResource(call) => {
            call.outcome = Ok(ReadResourceResponse {
                new_state: of(value(&call.request.current_state)),
                diagnostics: none(),
                private: Bytes::new(),
                deferred: None,
                new_identity: None,
            });
        }
        AnyCall::PlanResourceChange(call) => {
            let proposed = value(&call.request.proposed_new_state);
            call.outcome = Ok(PlanResourceChangeResponse {
                planned_state: of(computed(proposed, schema, &|_, ty| Value::unknown(ty))),
                requires_replace: Vec::new(),
                planned_private: Bytes::new(),
                diagnostics: none(),
                legacy_type_system: false,
                deferred: None,
                planned_identity: None,
            });
        }
        AnyCall::ApplyResourceChange(call) => {
            let planned = value(&call.request.planned_state);
            call.outcome = Ok(ApplyResourceChangeResponse {
                new_state: of(computed(planned, schema, &|name, _| make(name))),
                private: Bytes::new(),
                diagnostics: none(),
                legacy_type_system: false,
                new_identity: None,
            });
        }
        AnyCall::ReadDataSource(call) => {
            let state = of(computed(value(&call.request.config), schema, &|name, _| make(name)));
            call.outcome = Ok(ReadDataSourceResponse { state, diagnostics: none(), deferred: None });
        }
        _ => {}
    }
}

/// An object with its unknown computed attributes filled in.
fn computed(object: Value, schema: &Schema, fill: &dyn Fn(&str, Type) -> Value) -> Value {
    if !object.is_set() {
        return object;
    }
    Value::object(object.attributes().map(|(name, value)| {
        let is_open = value.is_null() || value.is_unknown();
        let is_computed = schema.block.attribute(name).is_some_and(|attribute| attribute.computed);
        (name, if is_open && is_computed { fill(name, value.ty().clone()) } else { value.clone() })
    }))
}

fn made_up(name: &str) -> Value {
    if name == "amount" { Value::number(7) } else { Value::string("made-up") }
}

/// A schema with a part that engines refuse or crash at.
fn spoilt_schema(answer: &[u8], action: &str) -> Bytes {
    let mut response = v6::get_provider_schema::Response::decode(answer).unwrap();
    let typed = |name: &str, ty: &'static str| v6::schema::Attribute {
        name: name.to_owned(),
        r#type: Bytes::from_static(ty.as_bytes()),
        optional: true,
        ..Default::default()
    };
    let thing = response.resource_schemas.get_mut("broken_thing").unwrap();
    let block = thing.block.as_mut().unwrap();
    match action {
        "no-block" => thing.block = None,
        "no-provider-block" => response.provider.as_mut().unwrap().block = None,
        "no-nested-block" => block.block_types[0].block = None,
        "no-provider" => response.provider = None,
        "no-action-schema" => {
            response.action_schemas.insert("broken_act".to_owned(), v6::ActionSchema { schema: None });
        }
        "no-type" => block.attributes.push(typed("odd", "")),
        "odd-type" => block.attributes.push(typed("odd", r#""any""#)),
        "odd-optional-type" => block.attributes.push(typed("odd", r#"["object",{"a":"string"},["b"]]"#)),
        "odd-nesting" => block.block_types[0].nesting = 17,
        "odd-text" => block.attributes[0].description_kind = 9,
        "twice" => block.attributes.push(typed("name", r#""number""#)),
        "attribute-and-block" => block.attributes.push(typed("rule", r#""number""#)),
        "deep-type" => {
            let deep = format!("{}\"string\"{}", r#"["list","#.repeat(100_000), "]".repeat(100_000));
            block.attributes.push(v6::schema::Attribute { r#type: deep.into(), ..typed("odd", "") });
        }
        // A path, and a command of GitHub Actions.
        "hostile-name" => {
            let thing = thing.clone();
            for name in ["../../../escaped", "broken_x\n::error::gone\n##[error]gone"] {
                response.resource_schemas.insert(name.to_owned(), thing.clone());
            }
        }
        "no-return" | "odd-function-text" => {
            let text = v6::function::Return { r#type: Bytes::from_static(br#""string""#) };
            let function = v6::Function {
                r#return: (action == "odd-function-text").then_some(text),
                description_kind: 9,
                ..Default::default()
            };
            response.functions.insert("act".to_owned(), function);
        }
        other => panic!("no action {other}"),
    }
    response.encode_to_vec().into()
}

/// A planned state in which one member is encoded as no encoder would.
fn spoilt_plan(answer: &[u8], action: &str) -> Bytes {
    let mut response = v6::plan_resource_change::Response::decode(answer).unwrap();
    let unknown: &[u8] = b"\xd4\0\0";
    let (name, member): (&str, &[u8]) = match action {
        "nan" => ("amount", b"\xcb\x7f\xf8\0\0\0\0\0\0"),
        "impossible-bounds" => ("amount", b"\xc7\x09\x0c\x82\x03\x92\x05\xc3\x04\x92\x01\xc3"),
        "mixed-elements" => (
            "any",
            b"\x92\xc4\x12[\"list\",\"dynamic\"]\x92\x92\xc4\x08\"string\"\xa1a\x92\xc4\x08\"number\"\x01",
        ),
        "endless-array" => ("tags", b"\xdd\xff\xff\xff\xff"),
        "endless-text" => ("name", b"\xdb\xff\xff\xff\xffx"),
        "cut" => ("tags", b"\x93\xa1x"),
        "deep-value" => ("any", &[0x91; 200_000]),
        other => panic!("no action {other}"),
    };
    let mut object = vec![0x86];
    for attribute in ["amount", "any", "id", "name", "rule", "tags"] {
        object.push(0xa0 | attribute.len() as u8);
        object.extend(attribute.as_bytes());
        object.extend(match attribute {
            _ if attribute == name => member,
            "amount" | "id" => unknown,
            "rule" => &[0x90],
            _ => &[0xc0],
        });
    }
    response.planned_state = Some(v6::DynamicValue { msgpack: object.into(), json: Bytes::new() });
    response.encode_to_vec().into()
}
