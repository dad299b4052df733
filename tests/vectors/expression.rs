//! Expressions of the authoring form: values, types and schemas.

use hcl::Expression;
use serde_json::{Map, Value as Json, json};
use tfconform::schema::{Block, Nesting};
use tfconform::value::{Bound, Number, Refinements, Type, Value};

use crate::json::Outcome;

/// An object of a block: what is not written is null or empty.
pub fn object(expression: &Expression, block: &Block) -> Outcome<Value> {
    let Expression::Object(_) = expression else { return value(expression, block.implied_type()) };
    let mut result = block.empty_value();
    for (name, expression) in members(expression)? {
        let inner = match (block.attribute(&name), block.block_type(&name)) {
            (Some(attribute), _) => value(expression, &attribute.ty())?,
            (None, Some(nested)) => {
                blocks(expression, &nested.block, nested.nesting, &nested.implied_type())?
            }
            (None, None) => return Err(format!("the schema has no {name}")),
        };
        result = result.with_attribute(&name, inner);
    }
    Ok(result)
}

fn blocks(expression: &Expression, block: &Block, nesting: Nesting, ty: &Type) -> Outcome<Value> {
    let inner = block.implied_type().clone();
    match (nesting, expression) {
        (Nesting::List, Expression::Array(items)) => {
            let items = items.iter().map(|item| object(item, block)).collect::<Outcome<Vec<Value>>>()?;
            Ok(if inner.has_dynamic() { Value::tuple(items) } else { Value::list(inner, items) })
        }
        (Nesting::Set, Expression::Array(items)) => {
            let items = items.iter().map(|item| object(item, block)).collect::<Outcome<Vec<Value>>>()?;
            Ok(Value::set(inner, items))
        }
        (Nesting::Map, Expression::Object(_)) => {
            let mut entries = Vec::new();
            for (key, item) in members(expression)? {
                entries.push((key, object(item, block)?));
            }
            Ok(if inner.has_dynamic() { Value::object(entries) } else { Value::map(inner, entries) })
        }
        (Nesting::Single | Nesting::Group, Expression::Object(_)) => object(expression, block),
        _ => value(expression, ty),
    }
}

/// A value under a type.
pub fn value(expression: &Expression, of: &Type) -> Outcome<Value> {
    if let Some((name, arguments)) = call(expression) {
        return match (name, arguments) {
            ("typed", [own, inner]) => value(inner, &ty(own)?),
            ("unknown", promises) => Ok(Value::refined(of.clone(), refinements(promises)?)),
            ("number", [digits]) => {
                Ok(Value::number(Number::parse(&text(digits)?).map_err(|error| error.to_string())?))
            }
            _ => Err(format!("{name} does not make a value")),
        };
    }
    match (expression, of) {
        (Expression::Null, _) => Ok(Value::null(of.clone())),
        (Expression::Variable(name), _) if name.as_str() == "unknown" => Ok(Value::unknown(of.clone())),
        (_, Type::Dynamic) => value(expression, &natural_type(expression)?),
        (Expression::Bool(truth), Type::Bool) => Ok(Value::bool(*truth)),
        (Expression::String(text), Type::String) => Ok(Value::string(text)),
        (Expression::Number(number), Type::Number) => {
            Ok(Value::number(Number::parse(&number.to_string()).map_err(|error| error.to_string())?))
        }
        (Expression::Array(items), Type::List(element)) => {
            Ok(Value::list(Type::clone(element), values(items, element)?))
        }
        (Expression::Array(items), Type::Set(element)) => {
            Ok(Value::set(Type::clone(element), values(items, element)?))
        }
        (Expression::Array(items), Type::Tuple(tuple)) if items.len() == tuple.elements().len() => {
            let items = items.iter().zip(tuple.elements()).map(|(item, ty)| value(item, ty));
            Ok(Value::tuple(items.collect::<Outcome<Vec<Value>>>()?))
        }
        (Expression::Object(_), Type::Map(element)) => {
            let mut entries = Vec::new();
            for (key, item) in members(expression)? {
                entries.push((key, value(item, element)?));
            }
            Ok(Value::map(Type::clone(element), entries))
        }
        (Expression::Object(_), Type::Object(object)) => {
            let nulls = object.attributes().iter().map(|(_, ty)| Value::null(ty.clone()));
            let mut result = Value::object_of(of, nulls.collect());
            for (name, item) in members(expression)? {
                let ty = object.get(&name).ok_or_else(|| format!("{of} has no {name}"))?;
                result = result.with_attribute(&name, value(item, ty)?);
            }
            Ok(result)
        }
        _ => Err(format!("{expression} is not of type {of}")),
    }
}

fn values(items: &[Expression], element: &Type) -> Outcome<Vec<Value>> {
    items.iter().map(|item| value(item, element)).collect()
}

/// The type the language gives an expression: nothing is unified.
fn natural_type(expression: &Expression) -> Outcome<Type> {
    Ok(match expression {
        Expression::Null => Type::Dynamic,
        Expression::Bool(_) => Type::Bool,
        Expression::Number(_) => Type::Number,
        Expression::String(_) => Type::String,
        Expression::Array(items) => {
            Type::tuple(items.iter().map(natural_type).collect::<Outcome<Vec<Type>>>()?)
        }
        Expression::Object(_) => {
            let mut attributes = Vec::new();
            for (name, item) in members(expression)? {
                attributes.push((name, natural_type(item)?));
            }
            Type::object(attributes)
        }
        other => match call(other) {
            Some(("typed", [own, _])) => ty(own)?,
            Some(("number", _)) => Type::Number,
            _ => return Err(format!("{other} has no natural type")),
        },
    })
}

fn refinements(promises: &[Expression]) -> Outcome<Refinements> {
    let mut result = Refinements::default();
    for promise in promises {
        match (call(promise), promise) {
            (None, Expression::Variable(name)) if name.as_str() == "not_null" => result.not_null = true,
            (Some(("prefix", [prefix])), _) => {
                result.prefix = Refinements::with_prefix(&text(prefix)?).prefix
            }
            (Some(("length", [min, max])), _) => {
                (result.min_length, result.max_length) = (Some(count(min)?), Some(count(max)?));
            }
            (Some(("above", [bound])), _) => {
                result.lower = Some(Bound { value: number(bound)?, inclusive: false })
            }
            (Some(("below", [bound])), _) => {
                result.upper = Some(Bound { value: number(bound)?, inclusive: false })
            }
            (Some(("at_least", [bound])), _) => {
                result.lower = Some(Bound { value: number(bound)?, inclusive: true })
            }
            (Some(("at_most", [bound])), _) => {
                result.upper = Some(Bound { value: number(bound)?, inclusive: true })
            }
            _ => return Err(format!("{promise} is not a refinement")),
        }
    }
    Ok(result)
}

fn number(expression: &Expression) -> Outcome<Number> {
    value(expression, &Type::Number)?
        .as_number()
        .cloned()
        .ok_or_else(|| format!("{expression} is not a number"))
}

fn count(expression: &Expression) -> Outcome<u64> {
    number(expression)?
        .to_i64()
        .and_then(|count| u64::try_from(count).ok())
        .ok_or("a length is negative".to_owned())
}

/// A block in the form of the tools' JSON.
pub fn schema(expression: &Expression) -> Outcome<Json> {
    if let Some(("json", [raw])) = call(expression) {
        return raw_json(raw);
    }
    let (mut attributes, mut block_types) = (Map::new(), Map::new());
    for (name, member) in members(expression)? {
        match call(member) {
            Some(("blocks", [nesting, inner])) => {
                block_types.insert(name, json!({ "nesting_mode": word(nesting)?, "block": schema(inner)? }));
            }
            Some(("computed_blocks", [nesting, inner])) => {
                let mut block = schema(inner)?;
                block["computed"] = true.into();
                block_types.insert(name, json!({ "nesting_mode": word(nesting)?, "block": block }));
            }
            _ => drop(attributes.insert(name, attribute(member)?)),
        }
    }
    Ok(json!({ "attributes": attributes, "block_types": block_types }))
}

fn attribute(expression: &Expression) -> Outcome<Json> {
    match call(expression) {
        Some((flag @ ("required" | "optional" | "computed" | "sensitive" | "write_only"), [inner])) => {
            let mut attribute = attribute(inner)?;
            attribute[flag] = true.into();
            Ok(attribute)
        }
        Some(("nested", [nesting, inner])) => {
            let mut attributes = Map::new();
            for (name, member) in members(inner)? {
                attributes.insert(name, attribute(member)?);
            }
            Ok(json!({ "nested_type": { "nesting_mode": word(nesting)?, "attributes": attributes } }))
        }
        _ => Ok(json!({ "type": ty(expression)?.to_json() })),
    }
}

/// A type as in a variable's declaration.
pub fn ty(expression: &Expression) -> Outcome<Type> {
    match (call(expression), expression) {
        (Some(("list", [element])), _) => Ok(Type::list(ty(element)?)),
        (Some(("set", [element])), _) => Ok(Type::set(ty(element)?)),
        (Some(("map", [element])), _) => Ok(Type::map(ty(element)?)),
        (Some(("tuple", [Expression::Array(elements)])), _) => {
            Ok(Type::tuple(elements.iter().map(ty).collect::<Outcome<Vec<Type>>>()?))
        }
        (Some(("object", [attributes])), _) => {
            let mut types = Vec::new();
            for (name, attribute) in members(attributes)? {
                types.push((name, ty(attribute)?));
            }
            Ok(Type::object(types))
        }
        (None, Expression::Variable(name)) => match name.as_str() {
            "string" => Ok(Type::String),
            "number" => Ok(Type::Number),
            "bool" => Ok(Type::Bool),
            "any" => Ok(Type::Dynamic),
            _ => Err(format!("{expression} is not a type")),
        },
        _ => Err(format!("{expression} is not a type")),
    }
}

/// An expression that is already JSON, in the language's syntax.
fn raw_json(expression: &Expression) -> Outcome<Json> {
    Ok(match expression {
        Expression::Null => Json::Null,
        Expression::Bool(truth) => (*truth).into(),
        Expression::String(text) => text.as_str().into(),
        Expression::Array(items) => items.iter().map(raw_json).collect::<Outcome<Vec<Json>>>()?.into(),
        Expression::Object(_) => {
            let mut result = Map::new();
            for (name, member) in members(expression)? {
                result.insert(name, raw_json(member)?);
            }
            result.into()
        }
        // Numbers, including negative ones.
        other => serde_json::from_str(&other.to_string()).map_err(|_| format!("{other} is not JSON"))?,
    })
}

pub fn call(expression: &Expression) -> Option<(&str, &[Expression])> {
    match expression {
        Expression::FuncCall(call) => Some((call.name.name.as_str(), &call.args)),
        _ => None,
    }
}

pub fn members(expression: &Expression) -> Outcome<Vec<(String, &Expression)>> {
    match expression {
        Expression::Object(object) => {
            Ok(object.iter().map(|(key, value)| (key.to_string(), value)).collect())
        }
        other => Err(format!("{other} is not an object")),
    }
}

pub fn word(expression: &Expression) -> Outcome<String> {
    match expression {
        Expression::Variable(name) => Ok(name.as_str().to_owned()),
        // `true`, `false` and `null` are keywords of the language.
        Expression::Bool(truth) => Ok(truth.to_string()),
        other => Err(format!("{other} is not a word")),
    }
}

pub fn words(expression: &Expression) -> Outcome<Vec<String>> {
    match expression {
        Expression::Array(items) => items.iter().map(word).collect(),
        other => Err(format!("{other} is not a list of words")),
    }
}

pub fn text(expression: &Expression) -> Outcome<String> {
    match expression {
        Expression::String(text) => Ok(text.clone()),
        other => Err(format!("{other} is not a string")),
    }
}

pub fn texts(expression: &Expression) -> Outcome<Vec<String>> {
    match expression {
        Expression::Array(items) => items.iter().map(text).collect(),
        other => Err(format!("{other} is not a list of strings")),
    }
}
