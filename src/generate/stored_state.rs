//! What an engine would have stored of a state made up from a configuration, altered.

use std::collections::BTreeMap;
use std::ops::BitOr;

use bytes::Bytes;
use serde_json::{Map, Value as Json};

use super::synthesis;
use crate::core::placeholder_object;
use crate::engine::Engine;
use crate::schema::Schema;
use crate::transcript::{Alteration, OldState, RawState, StateForm};
use crate::value::{Type, Value, state_json};

/// A state in the form in which it is stored, and its type.
pub struct StoredState<'s> {
    json: Json,
    ty: &'s Type,
}

impl<'s> StoredState<'s> {
    /// The state that an apply of the configuration might leave; `None` if it cannot be stored.
    pub fn of(schema: &'s Schema, config: &Value) -> Option<StoredState<'s>> {
        let ty = schema.implied_type();
        let planned = placeholder_object(&schema.block, config, Engine::default());
        let state = synthesis::state(&schema.block, &planned);
        let json = serde_json::from_str(&state_json::encode(&state, ty).ok()?).ok()?;
        Some(StoredState { json, ty })
    }

    /// The state as it is to be; `None` if the alteration changes nothing, or if there is no such state: an
    /// empty flat map is none at all.
    pub fn altered(&self, old: &OldState) -> Option<RawState> {
        let mut json = self.json.clone();
        match old.alteration {
            Alteration::Nothing => {}
            _ if !alter(&mut json, &old.at, old.alteration) => return None,
            _ => {}
        }
        match old.form {
            StateForm::Json => Some(RawState { json: Bytes::from(json.to_string()), ..RawState::default() }),
            StateForm::Flatmap => {
                let mut flatmap = BTreeMap::new();
                flatten("", &json, self.ty, &mut flatmap);
                (!flatmap.is_empty()).then(|| RawState { flatmap, ..RawState::default() })
            }
        }
    }
}

/// Alters the attributes at a path, in every element on the way; says whether there was one to alter.
fn alter(json: &mut Json, at: &str, alteration: Alteration) -> bool {
    match json {
        Json::Array(elements) => {
            elements.iter_mut().map(|element| alter(element, at, alteration)).fold(false, bool::bitor)
        }
        Json::Object(members) => match at.split_once('.') {
            None if at.is_empty() => {
                let names: Vec<String> = members.keys().cloned().collect();
                names.iter().map(|name| alter_member(members, name, alteration)).fold(false, bool::bitor)
            }
            None => alter_member(members, at, alteration),
            Some(("*", rest)) => {
                members.values_mut().map(|member| alter(member, rest, alteration)).fold(false, bool::bitor)
            }
            Some((name, rest)) => members.get_mut(name).is_some_and(|member| alter(member, rest, alteration)),
        },
        _ => false,
    }
}

fn alter_member(members: &mut Map<String, Json>, name: &str, alteration: Alteration) -> bool {
    let Some(member) = members.get_mut(name) else { return false };
    let altered = match (alteration, &*member) {
        (Alteration::Absent, _) => {
            // The others keep their order.
            *members = std::mem::take(members).into_iter().filter(|(other, _)| other != name).collect();
            return true;
        }
        (_, Json::Null) | (Alteration::Nothing, _) => None,
        (Alteration::Null, _) => Some(Json::Null),
        (Alteration::Text, Json::Number(_) | Json::Bool(_)) => Some(Json::from(member.to_string())),
        (Alteration::Number, Json::String(_)) => Some(Json::from(1)),
        (Alteration::List, Json::Array(_)) => None,
        (Alteration::List, single) => Some(Json::from(vec![single.clone()])),
        (Alteration::Single, Json::Array(elements)) => elements.first().cloned(),
        (Alteration::Text | Alteration::Number | Alteration::Single, _) => None,
    };
    altered.map(|altered| *member = altered).is_some()
}

/// Writes a value as engines did before Terraform 0.12: `name`, `list.#`, `list.0.name`, `map.%`, `map.key`.
/// They had nothing for null, and no dynamic types.
fn flatten(path: &str, json: &Json, ty: &Type, out: &mut BTreeMap<String, String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (json, ty) {
        (Json::Null, _) | (_, Type::Dynamic) => {}
        (Json::Array(elements), Type::Set(element)) => {
            out.insert(below("#"), elements.len().to_string());
            for (idx, json) in elements.iter().enumerate() {
                // A set's elements were numbered by a hash.
                flatten(&below(&(1_000_003 * (idx + 1)).to_string()), json, element, out);
            }
        }
        (Json::Array(elements), Type::List(_) | Type::Tuple(_)) => {
            out.insert(below("#"), elements.len().to_string());
            for (idx, json) in elements.iter().enumerate() {
                let element = match ty {
                    Type::Tuple(tuple) => tuple.elements().get(idx),
                    list => list.element(),
                };
                flatten(&below(&idx.to_string()), json, element.unwrap_or(&Type::Dynamic), out);
            }
        }
        (Json::Object(members), Type::Map(element)) => {
            out.insert(below("%"), members.len().to_string());
            for (key, json) in members {
                flatten(&below(key), json, element, out);
            }
        }
        (Json::Object(members), Type::Object(object)) => {
            for (name, json) in members {
                flatten(&below(name), json, object.get(name).unwrap_or(&Type::Dynamic), out);
            }
        }
        (Json::String(text), _) => drop(out.insert(path.to_owned(), text.clone())),
        (Json::Number(_) | Json::Bool(_), _) => drop(out.insert(path.to_owned(), json.to_string())),
        // Of another shape than the type says: flat maps were never altered so.
        (Json::Array(_) | Json::Object(_), _) => {}
    }
}
