//! The parts of a vector's JSON: values, paths, errors.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value as Json, json};
use tfconform::core::Problem;
use tfconform::value::{AttributePath, PathStep, Type, Value, msgpack, nfc};

pub type Outcome<T> = Result<T, String>;

pub fn bytes(json: &Json) -> Outcome<Vec<u8>> {
    let text = json.as_str().ok_or("bytes must be a base64 text")?;
    BASE64.decode(text).map_err(|error| format!("{text:?} is not base64: {error}"))
}

pub fn write_bytes(bytes: &[u8]) -> Json {
    BASE64.encode(bytes).into()
}

/// A value of the type its bytes are encoded with: the schema's, otherwise the given one.
pub fn value(json: &Json, declared: Option<&Type>) -> Outcome<Value> {
    let given = Type::from_json(json.get("type").ok_or("a value has no type")?).map_err(|e| e.to_string())?;
    let ty = declared.unwrap_or(&given);
    let bytes = bytes(json.get("msgpack").ok_or("a value has no msgpack")?)?;
    let decoded = msgpack::decode(&bytes, ty);
    decoded.value.ok_or_else(|| format!("a value does not decode as {ty}: {:?}", decoded.issues))
}

/// A value with the type it is to be decoded under.
pub fn write_value(value: &Value, ty: &Type) -> Json {
    json!({ "type": ty.to_json(), "msgpack": write_bytes(&msgpack::encode(value, ty)) })
}

pub fn path(json: &Json) -> Outcome<AttributePath> {
    let mut path = AttributePath::root();
    for step in json.as_array().ok_or("a path must be a list of steps")? {
        let (kind, what) = step
            .as_object()
            .filter(|members| members.len() == 1)
            .and_then(|members| members.iter().next())
            .ok_or_else(|| format!("{step} is not a step"))?;
        path.push(match (kind.as_str(), what.as_str(), what.as_i64()) {
            ("attr", Some(name), _) => PathStep::Attribute(nfc(name).to_string()),
            ("key", Some(key), _) => PathStep::Key(nfc(key).to_string()),
            ("index", _, Some(index)) => PathStep::Index(index),
            ("elem", ..) => PathStep::Element(element(what)?),
            _ => return Err(format!("{step} is not a step")),
        });
    }
    Ok(path)
}

/// A set element, which is its own key; one that is not written as a value matches any.
fn element(json: &Json) -> Outcome<Value> {
    if json.get("msgpack").is_some() { value(json, None) } else { Ok(Value::unknown(Type::Dynamic)) }
}

pub fn write_path(path: &AttributePath) -> Json {
    let step = |step: &PathStep| match step {
        PathStep::Attribute(name) => json!({ "attr": name }),
        PathStep::Key(key) => json!({ "key": key }),
        PathStep::Index(index) => json!({ "index": index }),
        PathStep::Element(value) => json!({ "elem": write_value(value, value.ty()) }),
    };
    path.steps().iter().map(step).collect()
}

/// The compared parts of an error; an expected one may leave open which entry it covers.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    pub covers: Option<String>,
    pub path: AttributePath,
}

impl Error {
    /// An error about a value of the type.
    pub fn parse(json: &Json, ty: &Type) -> Outcome<Error> {
        let covers = json.get("covers").and_then(Json::as_str).map(str::to_owned);
        Ok(Error { covers, path: comparable(&path(json.get("path").ok_or("an error has no path")?)?, ty) })
    }

    pub fn of(problem: &Problem, ty: &Type) -> Error {
        Error { covers: Some(problem.covers.to_owned()), path: comparable(&problem.path, ty) }
    }

    fn is_met_by(&self, actual: &Error) -> bool {
        self.path == actual.path && (self.covers.is_none() || self.covers == actual.covers)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.covers.as_deref().unwrap_or("any"), self.path)
    }
}

/// Without steps into sets; a key of a map equals an attribute of the object that represents one.
fn comparable(path: &AttributePath, ty: &Type) -> AttributePath {
    let mut at = Some(ty);
    let mut kept = AttributePath::root();
    for step in path.up_to_set().steps() {
        if matches!(at, Some(Type::Set(_))) {
            break;
        }
        at = at.and_then(|ty| match (ty, step) {
            (Type::Object(object), PathStep::Attribute(name) | PathStep::Key(name)) => object.get(name),
            (Type::List(element) | Type::Map(element), _) => Some(element),
            _ => None,
        });
        kept.push(match step {
            PathStep::Key(name) => PathStep::Attribute(name.clone()),
            other => other.clone(),
        });
    }
    kept
}

/// Compares as sets.
pub fn compare_errors(expected: &[Error], actual: &[Error]) -> Outcome<()> {
    let missing = expected.iter().filter(|error| !actual.iter().any(|found| error.is_met_by(found)));
    let surplus = actual.iter().filter(|found| !expected.iter().any(|error| error.is_met_by(found)));
    let (missing, surplus): (Vec<_>, Vec<_>) = (missing.collect(), surplus.collect());
    if missing.is_empty() && surplus.is_empty() {
        return Ok(());
    }
    let list = |errors: Vec<&Error>| {
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        if texts.is_empty() { "nothing".to_owned() } else { texts.join(", ") }
    };
    Err(format!("missing: {}; not expected: {}", list(missing), list(surplus)))
}
