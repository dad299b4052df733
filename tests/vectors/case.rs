//! One line of a file of vectors.

use serde_json::Value as Json;
use tfconform::engine::Engine;
use tfconform::schema::{Schema, schema_from_json};
use tfconform::value::{Type, Value};

use crate::json::{self, Outcome};

/// The functions that have vectors, and the values each takes.
pub const FUNCTIONS: [(&str, &[&str]); 15] = [
    ("assert_plan_valid", &["prior", "config", "planned"]),
    ("assert_object_compatible", &["planned", "actual"]),
    ("proposed_new", &["prior", "config"]),
    ("normalize_legacy", &["input"]),
    ("ignore_changes", &["prior", "config"]),
    ("requires_replace", &["prior", "planned"]),
    ("internal_validate", &[]),
    ("implied_type", &[]),
    ("empty_value", &[]),
    ("conforms", &["value"]),
    ("equals", &["a", "b"]),
    ("raw_equals", &["a", "b"]),
    ("includes", &["unknown", "value"]),
    ("msgpack", &["value"]),
    ("state_json", &["value"]),
];

/// The functions whose cases have the expected encoding next to the value, in `bytes` or `json`.
const ENCODINGS: [&str; 2] = ["msgpack", "state_json"];

/// The only function that takes no value but state JSON.
pub const STRIP_REMOVED: &str = "strip_removed";

pub struct Case {
    pub id: String,
    pub function: String,
    pub engines: Vec<Engine>,
    pub schema: Option<Schema>,
    /// The whole line.
    pub line: Json,
}

impl Case {
    pub fn parse(line: &str) -> Outcome<Case> {
        let line: Json = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
        let text = |name: &str| line.get(name).and_then(Json::as_str).map(str::to_owned);
        let id = text("id").ok_or("a vector has no id")?;
        let function = text("fn").ok_or("a vector has no fn")?;
        if function != STRIP_REMOVED && !FUNCTIONS.iter().any(|(name, _)| *name == function) {
            return Err(format!("{function:?} is not a function with vectors"));
        }
        let engines = line.get("core").and_then(Json::as_array).ok_or("core must be a list of engines")?;
        let engines = engines.iter().map(engine).collect::<Outcome<Vec<Engine>>>()?;
        if engines.is_empty() {
            return Err("core is not the name of an engine".to_owned());
        }
        let schema = match line.get("schema") {
            None | Some(Json::Null) => None,
            Some(schema) => Some(schema_from_json(schema).map_err(|error| error.to_string())?),
        };
        let case = Case { id, function, engines, schema, line };
        if !ENCODINGS.contains(&case.function.as_str()) {
            case.expected()?;
        }
        Ok(case)
    }

    pub fn expected(&self) -> Outcome<&Json> {
        self.line.get("expect").ok_or_else(|| "a vector has no expectation".to_owned())
    }

    pub fn schema(&self) -> Outcome<&Schema> {
        self.schema.as_ref().ok_or_else(|| format!("{} needs a schema", self.function))
    }

    /// A value by its role; if it is absent, a null of the schema's type.
    pub fn value(&self, role: &str) -> Outcome<Value> {
        let json = self.line.get("values").and_then(|values| values.get(role));
        let declared = self.schema.as_ref().map(Schema::implied_type);
        match (json, declared) {
            (None, _) => Err(format!("the value {role:?} is missing")),
            (Some(Json::Null), Some(ty)) => Ok(Value::null(ty.clone())),
            (Some(json), declared) => json::value(json, declared),
        }
    }

    /// A member of the line, of what is expected, or of the values.
    pub fn member(&self, name: &str) -> Outcome<&Json> {
        self.argument(name)
            .or_else(|| self.line.get("expect")?.get(name))
            .ok_or_else(|| format!("{name:?} is missing"))
    }

    /// A member of the line, or of its values.
    pub fn argument(&self, name: &str) -> Option<&Json> {
        self.line.get(name).or_else(|| self.line.get("values")?.get(name))
    }

    /// The type a line states, or that of its schema.
    pub fn ty(&self) -> Outcome<Type> {
        match (self.argument("type"), &self.schema) {
            (Some(ty), _) => Type::from_json(ty).map_err(|error| error.to_string()),
            (None, Some(schema)) => Ok(schema.implied_type().clone()),
            (None, None) => Err("neither a type nor a schema is given".to_owned()),
        }
    }
}

fn engine(json: &Json) -> Outcome<Engine> {
    Engine::ALL
        .into_iter()
        .find(|engine| json.as_str() == Some(engine.name()))
        .ok_or_else(|| format!("{json} is not a core"))
}
