//! The form in which people write vectors, and its translation.
//!
//! HCL, in groups of cases of one function, mostly of one schema:
//!
//! ```hcl
//! group "plan_valid/attribute" {
//!   fn     = assert_plan_valid
//!   schema = { name = required(string), id = computed(string), disk = blocks(list, { size = optional(number) }) }
//!   cases {
//!     a-configured-value-is-kept = { config = { name = "a" }, planned = { name = "a", id = unknown } }
//!     a-configured-value-is-lost = { config = { name = "a" }, planned = { name = "b" }, errors = ["PLAN-014 name"] }
//!   }
//! }
//! ```
//!
//! Attributes: `required`, `optional`, `computed`, `sensitive`, `write_only` around a type, or around
//! `nested(list, {…})`. Blocks: `blocks(list, {…})`, `computed_blocks(…)`. A schema that these
//! forms cannot express is `json({…})`. Values: literals of the schema's type, where missing
//! attributes are null and missing nested blocks empty; `unknown`, `unknown(not_null, prefix("a"),
//! length(1, 2), above(1), below(2))`, and `typed(list(string), …)` for a value of a type of its
//! own. `core` is both unless it is given.

use hcl::Expression;
use hcl::structure::{Body, Structure};
use serde_json::{Map, Value as Json, json};
use tfconform::schema::{Block, schema_from_json};
use tfconform::value::{AttributePath, PathError, Type, msgpack};

use crate::case::{FUNCTIONS, STRIP_REMOVED};
use crate::expression::{call, members, object, schema, text, texts, ty, value, word, words};
use crate::json::{Outcome, write_bytes, write_path, write_value};

/// A file of vectors generated from its source.
pub fn compile(text: &str) -> Outcome<String> {
    let body = hcl::parse(text).map_err(|error| error.to_string())?;
    let mut lines = String::new();
    for structure in body {
        match structure {
            Structure::Block(block) if block.identifier() == "group" => {
                let name = block.labels().first().map(|label| label.as_str().to_owned()).unwrap_or_default();
                group(&name, block.body(), &mut lines).map_err(|problem| format!("{name}: {problem}"))?;
            }
            other => return Err(format!("{other:?} is not a group")),
        }
    }
    Ok(lines)
}

fn group(name: &str, body: &Body, lines: &mut String) -> Outcome<()> {
    let mut shared = Vec::new();
    for structure in body.iter() {
        match structure {
            Structure::Attribute(attribute) => {
                shared.push((attribute.key().to_owned(), attribute.expr().clone()))
            }
            Structure::Block(cases) => {
                for case in cases.body().attributes() {
                    let id = format!("{name}/{}", case.key());
                    let line =
                        line(&id, case.expr(), &shared).map_err(|problem| format!("{id}: {problem}"))?;
                    lines.push_str(&line.to_string());
                    lines.push('\n');
                }
            }
        }
    }
    Ok(())
}

/// The settings of a case, which fall back to those of its group.
struct Source<'s> {
    own: Vec<(String, &'s Expression)>,
    shared: &'s [(String, Expression)],
}

impl Source<'_> {
    fn get(&self, name: &str) -> Option<&Expression> {
        let own = self.own.iter().find(|(key, _)| key == name).map(|(_, expression)| *expression);
        own.or_else(|| self.shared.iter().find(|(key, _)| key == name).map(|(_, expression)| expression))
    }

    fn need(&self, name: &str) -> Outcome<&Expression> {
        self.get(name).ok_or_else(|| format!("{name} is missing"))
    }
}

fn line(id: &str, case: &Expression, shared: &[(String, Expression)]) -> Outcome<Json> {
    let source = Source { own: members(case)?, shared };
    let known = [
        "fn", "core", "schema", "errors", "result", "paths", "kept", "ignore", "want", "bytes", "json",
        "type",
    ];
    let function = word(source.need("fn")?)?;
    let roles = FUNCTIONS.iter().find(|(name, _)| *name == function).map_or(&[][..], |(_, roles)| roles);
    if let Some((name, _)) =
        source.own.iter().find(|(name, _)| !known.contains(&name.as_str()) && !roles.contains(&name.as_str()))
    {
        return Err(format!("{function} does not use {name}"));
    }
    let mut line = Map::new();
    line.insert("id".into(), id.into());
    line.insert("fn".into(), function.clone().into());
    let core = source.get("core").map_or(Ok(vec!["terraform".to_owned(), "opentofu".to_owned()]), words)?;
    line.insert("core".into(), core.into());
    let mut block = None;
    if let Some(expression) = source.get("schema") {
        let json = json!({ "block": schema(expression)? });
        block = Some(schema_from_json(&json).map_err(|error| error.to_string())?.block);
        line.insert("schema".into(), json);
    }
    let mut values = Map::new();
    for role in roles {
        values.insert((*role).into(), role_value(source.get(role), block.as_ref())?);
    }
    if !values.is_empty() {
        line.insert("values".into(), values.into());
    }
    for name in ["want", "type"] {
        if let Some(expression) = source.get(name).filter(|_| function != "implied_type") {
            line.insert(name.into(), ty(expression)?.to_json());
        }
    }
    match source.get("ignore") {
        Some(Expression::Variable(all)) => drop(line.insert("ignore".into(), all.as_str().into())),
        Some(paths) => drop(line.insert("ignore".into(), texts(paths)?.into())),
        None => {}
    }
    if let Some(given) = source.get("paths") {
        line.insert("paths".into(), paths(given)?);
    }
    expectation(&function, &source, block.as_ref(), &mut line)?;
    Ok(line.into())
}

fn expectation(
    function: &str,
    source: &Source<'_>,
    block: Option<&Block>,
    line: &mut Map<String, Json>,
) -> Outcome<()> {
    let expect = match function {
        "equals" | "raw_equals" | "includes" => word(source.need("result")?)?.into(),
        "implied_type" => json!({ "type": ty(source.need("type")?)?.to_json() }),
        "msgpack" => {
            let hex = text(source.need("bytes")?)?;
            let bytes: Result<Vec<u8>, _> = (0..hex.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(hex.get(at..at + 2).unwrap_or("odd"), 16))
                .collect();
            line.insert("bytes".into(), write_bytes(&bytes.map_err(|error| error.to_string())?));
            json!({})
        }
        "state_json" => {
            line.insert("json".into(), text(source.need("json")?)?.into());
            json!({})
        }
        STRIP_REMOVED => {
            line.insert("json".into(), text(source.need("json")?)?.into());
            json!({ "json": text(source.need("result")?)? })
        }
        "requires_replace" if source.get("kept").is_some() => {
            json!({ "paths": paths(source.need("kept")?)? })
        }
        "proposed_new" | "normalize_legacy" | "ignore_changes" | "empty_value" => {
            json!({ "value": role_value(Some(source.need("result")?), block)? })
        }
        _ => json!({ "errors": errors(source.get("errors"))? }),
    };
    line.insert("expect".into(), expect);
    Ok(())
}

/// Errors are written `PLAN-014 rule[0].name`, without a path at the root.
fn errors(expression: Option<&Expression>) -> Outcome<Json> {
    let Some(expression) = expression else { return Ok(json!([])) };
    let error = |text: &String| {
        let (covers, path) = text.split_once(' ').unwrap_or((text, ""));
        Ok(json!({ "path": write_path(&path_of(path)?), "covers": covers }))
    };
    texts(expression)?.iter().map(error).collect()
}

fn paths(expression: &Expression) -> Outcome<Json> {
    texts(expression)?.iter().map(|text| Ok(write_path(&path_of(text)?))).collect()
}

fn path_of(text: &str) -> Outcome<AttributePath> {
    if text.is_empty() {
        Ok(AttributePath::root())
    } else {
        text.parse().map_err(|error: PathError| error.to_string())
    }
}

fn role_value(expression: Option<&Expression>, block: Option<&Block>) -> Outcome<Json> {
    match (expression, block) {
        (None, Some(_)) => Ok(Json::Null),
        (None, None) => Err("a value is missing".to_owned()),
        (Some(expression), Some(block)) => Ok(write_value(&object(expression, block)?, block.implied_type())),
        // Without a schema a value is decoded with the type it states.
        (Some(expression), None) => match call(expression) {
            Some(("typed", [declared, inner])) => {
                let ty = ty(declared)?;
                Ok(write_value(&value(inner, &ty)?, &ty))
            }
            _ => {
                let value = value(expression, &Type::Dynamic)?;
                let bytes = msgpack::encode(&value, value.ty());
                Ok(json!({ "type": value.ty().to_json(), "msgpack": write_bytes(&bytes) }))
            }
        },
    }
}
