//! State JSON: how an engine stores an object, and what `UpgradeResourceState` receives.
//!
//! Source: wire section 4.10, contract section 5.3.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;

use super::msgpack::MAX_VALUES;
use super::{AttributePath, Data, Number, NumberError, PathStep, Type, Value};

/// Why a value has no JSON form.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EncodeError {
    #[error("{0}: an unknown cannot be stored")]
    Unknown(AttributePath),
    #[error("{0}: an infinity cannot be stored")]
    Infinity(AttributePath),
}

/// Why JSON is not a value of the wanted type.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct DecodeError {
    pub path: AttributePath,
    pub problem: String,
    /// Whether it is larger or deeper than we read, although an engine might.
    pub is_beyond_us: bool,
}

/// Writes a wholly known value as an engine stores it: no white space, names in bytewise order,
/// numbers as plain decimal text. `ty` is the schema's type: a value at a dynamic position carries
/// its type.
pub fn encode(value: &Value, ty: &Type) -> Result<String, EncodeError> {
    let mut out = String::new();
    write(value, ty, &mut AttributePath::root(), &mut out)?;
    Ok(out)
}

fn write(value: &Value, ty: &Type, path: &mut AttributePath, out: &mut String) -> Result<(), EncodeError> {
    if value.is_unknown() {
        return Err(EncodeError::Unknown(path.clone()));
    }
    if *ty == Type::Dynamic && value.ty != Type::Dynamic {
        out.push_str("{\"value\":");
        write(value, &value.ty, path, out)?;
        out.push_str(",\"type\":");
        out.push_str(&value.ty.to_json_text());
        out.push('}');
        return Ok(());
    }
    match &value.data {
        Data::Null => out.push_str("null"),
        Data::Unknown(_) => unreachable!("unknowns were refused above"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Number(number) if number.is_infinite() => return Err(EncodeError::Infinity(path.clone())),
        Data::Number(number) => out.push_str(&number.to_string()),
        Data::String(text) => write_string(text, out),
        Data::Elements(elements) => {
            out.push('[');
            for (idx, element) in elements.iter().enumerate() {
                if idx > 0 {
                    out.push(',');
                }
                let inner = match ty {
                    Type::Tuple(tuple) => tuple.elements().get(idx),
                    other => other.element(),
                };
                path.push(PathStep::Index(idx as i64));
                write(element, inner.unwrap_or(&element.ty), path, out)?;
                path.pop();
            }
            out.push(']');
        }
        Data::Map(entries) => {
            let inner = ty.element();
            write_members(
                entries.iter().map(|(key, value)| (key.as_ref(), value, inner.unwrap_or(&value.ty))),
                path,
                out,
            )?;
        }
        Data::Object(_) => {
            let members = value.attributes().map(|(name, inner)| {
                (name, inner, ty.as_object().and_then(|ty| ty.get(name)).unwrap_or(&inner.ty))
            });
            write_members(members, path, out)?;
        }
    }
    Ok(())
}

fn write_members<'a>(
    members: impl Iterator<Item = (&'a str, &'a Value, &'a Type)>,
    path: &mut AttributePath,
    out: &mut String,
) -> Result<(), EncodeError> {
    out.push('{');
    for (idx, (name, value, ty)) in members.enumerate() {
        if idx > 0 {
            out.push(',');
        }
        write_string(name, out);
        out.push(':');
        path.push(PathStep::Attribute(name.to_owned()));
        write(value, ty, path, out)?;
        path.pop();
    }
    out.push('}');
    Ok(())
}

/// A JSON string with the escapes of Go's encoder, so that bytes can be compared with an engine's.
pub(super) fn write_string(text: &str, out: &mut String) {
    use std::fmt::Write as _;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\x1f' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Parses state JSON as an engine does: numbers and strings convert to each other, missing
/// attributes are null, unknown ones are errors.
pub fn decode(text: &[u8], ty: &Type) -> Result<Value, DecodeError> {
    let fail = |problem: String, is_beyond_us| {
        Err(DecodeError { path: AttributePath::root(), problem, is_beyond_us })
    };
    // Each value but the first comes after one of these; those in texts do no harm.
    if text.iter().filter(|byte| matches!(byte, b',' | b':')).count() >= MAX_VALUES {
        return fail(format!("more than {MAX_VALUES} values"), true);
    }
    match serde_json::from_slice(text) {
        Ok(json) => decode_json(&json, ty),
        Err(error) if error.to_string().starts_with("recursion limit") => fail(error.to_string(), true),
        Err(error) => fail(format!("not JSON: {error}"), false),
    }
}

/// Like [`decode`], from parsed JSON.
pub fn decode_json(json: &Json, ty: &Type) -> Result<Value, DecodeError> {
    read(json, ty, &mut AttributePath::root())
}

fn read(json: &Json, ty: &Type, path: &mut AttributePath) -> Result<Value, DecodeError> {
    let fail = |path: &AttributePath, problem: &str| {
        Err(DecodeError { path: path.clone(), problem: problem.to_owned(), is_beyond_us: false })
    };
    if json.is_null() {
        return Ok(Value::null(ty.clone()));
    }
    match ty {
        Type::String => match json {
            Json::String(text) => Ok(Value::string(text)),
            Json::Number(number) => Ok(Value::string(&number.to_string())),
            Json::Bool(value) => Ok(Value::string(if *value { "true" } else { "false" })),
            _ => fail(path, "a string is required"),
        },
        Type::Number => {
            let text: Cow<'_, str> = match json {
                Json::Number(number) => number.to_string().into(),
                Json::String(text) => text.as_str().into(),
                _ => return fail(path, "a number is required"),
            };
            match Number::parse(&text) {
                Ok(number) => Ok(Value::number(number)),
                Err(error @ (NumberError::TooLong(_) | NumberError::Exponent)) => {
                    Err(DecodeError { path: path.clone(), problem: error.to_string(), is_beyond_us: true })
                }
                Err(error) => fail(path, &format!("a number is required: {error}")),
            }
        }
        Type::Bool => match json {
            Json::Bool(value) => Ok(Value::bool(*value)),
            Json::String(text) if matches!(text.as_str(), "true" | "1") => Ok(Value::bool(true)),
            Json::String(text) if matches!(text.as_str(), "false" | "0") => Ok(Value::bool(false)),
            _ => fail(path, "a bool is required"),
        },
        Type::Dynamic => {
            let Json::Object(members) = json else {
                return fail(path, "an object with \"type\" and \"value\" is required");
            };
            let (Some(ty), Some(value)) = (members.get("type"), members.get("value")) else {
                return fail(path, "an object with \"type\" and \"value\" is required");
            };
            match Type::from_json(ty) {
                Ok(Type::Dynamic) => fail(path, "a dynamic value must name a concrete type"),
                Ok(ty) => read(value, &ty, path),
                Err(error) => fail(path, &error.to_string()),
            }
        }
        Type::List(element) | Type::Set(element) => {
            let Json::Array(items) = json else { return fail(path, "an array is required") };
            let mut elements = Vec::with_capacity(items.len());
            for (idx, item) in items.iter().enumerate() {
                path.push(PathStep::Index(idx as i64));
                elements.push(read(item, element, path)?);
                path.pop();
            }
            match Value::of_elements(ty, elements) {
                Some(value) => Ok(value),
                None => fail(path, "the elements have different types"),
            }
        }
        Type::Tuple(tuple) => {
            let Json::Array(items) = json else { return fail(path, "an array is required") };
            if items.len() != tuple.elements().len() {
                return fail(
                    path,
                    &format!(
                        "a tuple of {} elements is required, not {}",
                        tuple.elements().len(),
                        items.len()
                    ),
                );
            }
            let mut elements = Vec::with_capacity(items.len());
            for (idx, (item, ty)) in items.iter().zip(tuple.elements()).enumerate() {
                path.push(PathStep::Index(idx as i64));
                elements.push(read(item, ty, path)?);
                path.pop();
            }
            Ok(Value::tuple(elements))
        }
        Type::Map(element) => {
            let Json::Object(members) = json else { return fail(path, "an object is required") };
            let mut entries = BTreeMap::new();
            for (key, item) in members {
                path.push(PathStep::Key(key.clone()));
                entries.insert(super::nfc(key), read(item, element, path)?);
                path.pop();
            }
            match Value::of_entries(ty, entries) {
                Some(value) => Ok(value),
                None => fail(path, "the elements have different types"),
            }
        }
        Type::Object(object) => {
            let Json::Object(members) = json else { return fail(path, "an object is required") };
            let given: BTreeMap<Arc<str>, &Json> =
                members.iter().map(|(name, json)| (super::nfc(name), json)).collect();
            if let Some(name) = given.keys().find(|name| object.get(name).is_none()) {
                return fail(path, &format!("unsupported attribute {name:?}"));
            }
            let mut values = Vec::with_capacity(object.attributes().len());
            for (name, ty) in object.attributes() {
                path.push(PathStep::Attribute(name.to_string()));
                values.push(read(given.get(name).copied().unwrap_or(&Json::Null), ty, path)?);
                path.pop();
            }
            Ok(Value::object_of(ty, values))
        }
    }
}
