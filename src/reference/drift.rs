//! Drift: changes made in the remote system, behind the provider's back.

use std::path::Path;

use serde_json::Value as Json;

use super::objects::Objects;
use super::private::Private;
use super::schema::Offered;
use super::store::Store;
use crate::scenario::NewValue;
use crate::schema::{Attribute, Schema};
use crate::transcript::{Drift, DriftKind};
use crate::value::{AttributePath, SchemaPath, Type, Value, state_json};

/// Why a change cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Impossible(pub String);

fn impossible<T>(why: impl Into<String>) -> Result<T, Impossible> {
    Err(Impossible(why.into()))
}

/// Changes the object that `state` describes, and returns what was changed.
pub fn change_remotely(
    store: &Path,
    protocol: u8,
    type_name: &str,
    state: &Value,
    kind: DriftKind,
    to: Option<&NewValue>,
) -> Result<Drift, Impossible> {
    let found = Offered::ALL.into_iter().find_map(|types| types.definitions(protocol).remove(type_name));
    let Some(definition) = &found else { return impossible(format!("there is no type {type_name}")) };
    let store = Store::open_quietly(store, protocol).map_err(|error| Impossible(error.to_string()))?;
    let schema = &definition.schema;
    let type_name = definition.kept_as(type_name);
    let objects = Objects { store: &store, seed: 0, type_name, definition, schema };
    let found = objects.find(state, &Private::default()).map_err(|failure| Impossible(failure.detail))?;
    let Some((handle, record)) = found else { return impossible("the object does not exist") };
    if kind == DriftKind::Vanish {
        objects.remove(&handle, &record).map_err(|failure| Impossible(failure.detail))?;
        return Ok(Drift { kind, path: String::new() });
    }
    let remote = objects.state_of(&record).map_err(|failure| Impossible(failure.detail))?;
    let keep = |changed: Value, path: String| {
        let kept = store.replace_state(type_name, &handle, record, &changed, schema.implied_type());
        kept.map_err(|error| Impossible(error.to_string()))?;
        Ok(Drift { kind, path })
    };
    if let Some(NewValue { path, value }) = to {
        return match with(&remote, path, value) {
            Some(changed) => keep(changed, path.clone()),
            None => impossible(format!("this {type_name} has no {path}")),
        };
    }
    let change = match kind {
        DriftKind::Change => changed(schema, &remote, &|name| {
            let place = SchemaPath::new([name]);
            definition.chain(&place).is_empty() && !definition.spellings.contains_key(&place)
        }),
        DriftKind::AddElement => with_one_more(schema, &remote),
        DriftKind::Respell => definition.spellings.iter().find_map(|(place, spelling)| {
            let name = place.to_string();
            let other = spelling.another(remote.attribute(&name)?.as_str()?)?;
            Some((name, Value::string(&other)))
        }),
        DriftKind::Vanish => None,
    };
    let Some((name, value)) = change else {
        return impossible(format!("nothing in this {type_name} can be changed like that"));
    };
    keep(remote.with_attribute(&name, value), AttributePath::root().attribute(&name).to_string())
}

/// The object with another value; `None` if it has nothing there.
fn with(remote: &Value, path: &str, value: &Json) -> Option<Value> {
    let path: AttributePath = path.parse().ok()?;
    let now = remote.at(&path).filter(|now| !now.is_null())?;
    let value = state_json::decode_json(value, now.ty()).ok()?;
    Some(remote.transform(&mut |at, now| if *at == path { value.clone() } else { now }))
}

/// Attributes that could drift, with those first that a user configures and nothing else
/// depends on.
fn candidates<'s>(schema: &'s Schema, is_plain: &dyn Fn(&str) -> bool) -> Vec<&'s Attribute> {
    let mut candidates: Vec<&Attribute> = schema
        .block
        .attributes
        .iter()
        .filter(|attribute| !attribute.write_only && attribute.is_configurable() && attribute.name != "name")
        .collect();
    candidates.sort_by_key(|attribute| (!is_plain(&attribute.name), attribute.computed, attribute.sensitive));
    candidates
}

fn changed(schema: &Schema, remote: &Value, is_plain: &dyn Fn(&str) -> bool) -> Option<(String, Value)> {
    let set = candidates(schema, is_plain)
        .into_iter()
        .find_map(|attribute| Some((attribute.name.clone(), another(remote.attribute(&attribute.name)?)?)));
    // Where no configured attribute is set, computed ones may change as well.
    set.or_else(|| {
        schema
            .block
            .attributes
            .iter()
            .filter(|attribute| !matches!(attribute.name.as_str(), "id" | "name") && !attribute.write_only)
            .find_map(|attribute| {
                Some((attribute.name.clone(), another(remote.attribute(&attribute.name)?)?))
            })
    })
}

/// A materially different value of the same type; `None` if there is no simple one.
fn another(value: &Value) -> Option<Value> {
    match value.ty() {
        Type::String => Some(Value::string(&format!("{}-drifted", value.as_str()?))),
        Type::Bool => Some(Value::bool(!value.as_bool()?)),
        Type::Number => {
            let next = value.as_number()?.to_i64().and_then(|number| number.checked_add(1)).unwrap_or(1);
            Some(Value::number(next))
        }
        _ => None,
    }
}

fn with_one_more(schema: &Schema, remote: &Value) -> Option<(String, Value)> {
    let grown = |attribute: &Attribute| {
        let value = remote.attribute(&attribute.name)?;
        let element = value.ty().element()?;
        let new = match element {
            Type::String => Value::string("drifted"),
            Type::Number => Value::number(424_242),
            Type::Bool => Value::bool(true),
            _ => return None,
        };
        let element = element.clone();
        let value = match value.ty() {
            Type::List(_) => Value::list(element, value.elements()?.iter().cloned().chain([new]).collect()),
            Type::Set(_) => Value::set(element, value.elements()?.iter().cloned().chain([new]).collect()),
            _ => Value::map(
                element,
                value
                    .entries()?
                    .iter()
                    .map(|(key, value)| (key.to_string(), value.clone()))
                    .chain([("drifted".to_owned(), new)]),
            ),
        };
        (value != *remote.attribute(&attribute.name)?).then(|| (attribute.name.clone(), value))
    };
    candidates(schema, &|_| true).into_iter().find_map(grown)
}
