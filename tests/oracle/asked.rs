//! What a provider is asked, in a form that can be compared.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;
use tfconform::schema::{Kind, ProviderSchema};
use tfconform::transcript::{AnyCall, Encoded, Rpc, Side};
use tfconform::value::{Value, state_json};

/// One request about one object.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The type of the object and its mark.
    pub object: String,
    /// The ID of the object that exists: of two that belong to one instance, if one of them is deposed.
    pub id: Option<String>,
    pub rpc: Rpc,
    /// What the RPC is used for, if it has several uses.
    pub used_for: &'static str,
    pub fields: BTreeMap<String, Field>,
    /// When it began and ended, in the order in which things happened.
    pub span: (usize, usize),
}

/// A field of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// For people; sets in one order.
    pub text: String,
    /// Sorted: the order of a set is the engine's affair, and everything else would show in the text.
    bytes: Vec<u8>,
    /// The same without the blanks of JSON, or without the types that unknown values of a dynamic type have.
    bare: Vec<u8>,
}

/// The argument that tells objects of one type apart. No request has another value of it.
pub fn mark_of(kind: Kind, type_name: &str) -> &'static str {
    match (kind, type_name) {
        (Kind::DataSource, "reference_lookup") => "query",
        (Kind::DataSource, "reference_census") => "region",
        (_, "reference_attachment") => "device",
        (_, "reference_certificate") => "domain",
        _ => "name",
    }
}

/// An object, as requests name it.
pub fn label(kind: Kind, type_name: &str, mark: &str) -> String {
    format!("{} {mark}", kind.qualified(type_name))
}

impl Asked {
    /// The request of a call, which is decoded; `None` if it is about no object.
    pub fn of(call: &AnyCall, schema: &ProviderSchema, span: (usize, usize)) -> Option<Asked> {
        let (kind, type_name) = (call.kind()?, call.type_name()?);
        let mark = text_at(call, mark_of(kind, type_name)).unwrap_or_else(|| "?".to_owned());
        let Json::Object(call_json) = serde_json::to_value(call).ok()? else { return None };
        let request = call_json.values().next()?.get("request")?.as_object()?;
        let fields = request.iter().map(|(name, value)| {
            let field = match call {
                AnyCall::UpgradeResourceState(call) if name == "raw_state" => {
                    stored(&call.request.raw_state.json, schema, type_name)
                }
                AnyCall::MoveResourceState(call) if name == "source_state" => {
                    stored(&call.request.source_state.json, schema, &call.request.source_type_name)
                }
                AnyCall::MoveResourceState(call) if name == "source_identity" => {
                    stored(&call.request.source_identity.json, schema, "")
                }
                // The engine is told where the provider comes from.
                AnyCall::MoveResourceState(_) if name == "source_provider_address" => {
                    let address = value.as_str().unwrap_or_default();
                    Field::new(address.rsplit('/').next().unwrap_or_default().to_owned(), &[], &[])
                }
                _ => Field::of(value),
            };
            (name.clone(), field)
        });
        Some(Asked {
            object: label(kind, type_name, &mark),
            id: text_at(call, "id"),
            rpc: call.rpc(),
            used_for: used_for(call),
            fields: fields.collect(),
            span,
        })
    }

    /// Whether two requests are the same.
    pub fn is(&self, other: &Asked) -> bool {
        self.rpc == other.rpc && self.fields == other.fields
    }

    /// Whether two requests ask for the same kind of thing.
    pub fn is_like(&self, other: &Asked) -> bool {
        self.rpc == other.rpc && self.used_for == other.used_for
    }

    /// The fields in which it differs from a request of the same kind.
    pub fn differences<'a>(&'a self, other: &'a Asked) -> impl Iterator<Item = &'a str> {
        let differs = move |name: &&String| self.fields.get(*name) != other.fields.get(*name);
        self.fields.keys().filter(differs).map(String::as_str)
    }

    /// The RPC and what it is used for.
    pub fn name(&self) -> String {
        format!("{} {}", self.rpc.name(), self.used_for).trim_end().to_owned()
    }
}

impl Field {
    fn of(value: &Json) -> Field {
        let decoded = |text: &Json| STANDARD.decode(text.as_str().unwrap_or_default()).unwrap_or_default();
        let Some(value) = value.as_object().filter(|value| value.contains_key("msgpack")) else {
            return Field::new(value.to_string(), &[], &[]);
        };
        // Whether a value was missing, empty or there is in the keys.
        let reads = value.get("reads").and_then(Json::as_str).unwrap_or("what does not decode");
        let form: Vec<&str> = value.keys().map(String::as_str).filter(|key| *key != "reads").collect();
        let bytes = decoded(&value["msgpack"]);
        Field::new(format!("{reads} ({})", form.join(", ")), &bytes, &with_untyped_unknowns(&bytes))
    }

    fn new(text: String, bytes: &[u8], bare: &[u8]) -> Field {
        let [mut bytes, mut bare] = [bytes.to_vec(), bare.to_vec()];
        bytes.sort_unstable();
        bare.sort_unstable();
        Field { text, bytes, bare }
    }

    /// Whether they differ in nothing but the blanks of JSON, or the types of unknown values.
    pub fn differs_in_form(&self, other: &Field) -> bool {
        self.text == other.text && self.bare == other.bare
    }
}

/// A stored state, or something else in JSON.
fn stored(json: &[u8], schema: &ProviderSchema, type_name: &str) -> Field {
    let ty = schema.resources.get(type_name).map(|schema| schema.implied_type().clone());
    let value = ty.and_then(|ty| state_json::decode(json, &ty).ok());
    let parsed: Option<Json> = serde_json::from_slice(json).ok();
    let as_json =
        || parsed.as_ref().map_or_else(|| String::from_utf8_lossy(json).into_owned(), Json::to_string);
    let text = value.map_or_else(as_json, |value| value.to_string());
    let without_blanks = parsed.map_or_else(|| json.to_vec(), |json| json.to_string().into_bytes());
    Field::new(text, json, &without_blanks)
}

/// A value in MessagePack, of which unknown values of a dynamic type have no type: where such a value is an array of
/// a type in JSON and of the unknown, only the unknown is left.
fn with_untyped_unknowns(mut bytes: &[u8]) -> Vec<u8> {
    const UNKNOWN: &[u8] = &[0xd4, 0, 0];
    let mut bare = Vec::new();
    while let [first, rest @ ..] = bytes {
        let of_type = match bytes {
            [0x92, 0xc4, length, rest @ ..] => rest.get(usize::from(*length)..),
            _ => None,
        };
        match of_type.filter(|rest| rest.starts_with(UNKNOWN)) {
            Some(rest) => bytes = rest,
            None => {
                bare.push(*first);
                bytes = rest;
            }
        }
    }
    bare
}

/// The text of an argument, as the request has it.
fn text_at(call: &AnyCall, name: &str) -> Option<String> {
    if let AnyCall::UpgradeResourceState(call) = call {
        let state: Json = serde_json::from_slice(&call.request.raw_state.json).ok()?;
        return Some(state.get(name)?.as_str()?.to_owned());
    }
    if let AnyCall::MoveResourceState(call) = call {
        let state: Json = serde_json::from_slice(&call.request.source_state.json).ok()?;
        return Some(state.get(name)?.as_str()?.to_owned());
    }
    let of = |value: &Encoded| value.value()?.attribute(name)?.as_str().map(str::to_owned);
    call.values(Side::Request).into_iter().find_map(|(_, value)| of(value))
}

fn used_for(call: &AnyCall) -> &'static str {
    let is_null = |value: &Encoded| value.value().is_some_and(Value::is_null);
    let (prior, planned) = match call {
        AnyCall::PlanResourceChange(call) => (&call.request.prior_state, &call.request.config),
        AnyCall::ApplyResourceChange(call) => (&call.request.prior_state, &call.request.planned_state),
        _ => return "",
    };
    match (is_null(prior), is_null(planned)) {
        (_, true) => "(delete)",
        (true, false) => "(create)",
        (false, false) => "(update)",
    }
}
