//! What an engine removes from stored state before it calls for an upgrade.
//!
//! Source: contract section 4.11, entry UPGRADE-007.

use serde_json::{Map, Value as Json};

use crate::engine::Engine;
use crate::value::{Type, nfc};

/// State JSON without the attributes its type no longer has; `None` if there are none.
///
/// The result has its names in bytewise order. In OpenTofu its numbers are converted through doubles.
/// Only done if the stored version is the schema's.
///
/// Source: contract section 4.11.
pub fn strip_removed(state: &Json, ty: &Type, engine: Engine) -> Option<Json> {
    let mut stripped = state.clone();
    if !strip(&mut stripped, ty) {
        return None;
    }
    Some(rewritten(stripped, engine.strips_through_doubles()))
}

/// Removes unknown attributes, and returns whether there were any.
fn strip(json: &mut Json, ty: &Type) -> bool {
    match (json, ty) {
        (Json::Object(members), Type::Object(object)) => {
            let n_members = members.len();
            members.retain(|name, _| object.get(&nfc(name)).is_some());
            let mut stripped = members.len() < n_members;
            for (name, inner) in members {
                if let Some(ty) = object.get(&nfc(name)) {
                    stripped |= strip(inner, ty);
                }
            }
            stripped
        }
        (Json::Object(members), Type::Map(element)) => strip_all(members.values_mut(), element),
        (Json::Array(items), Type::List(element) | Type::Set(element)) => {
            strip_all(items.iter_mut(), element)
        }
        _ => false,
    }
}

fn strip_all<'j>(elements: impl Iterator<Item = &'j mut Json>, ty: &Type) -> bool {
    let mut stripped = false;
    for element in elements {
        stripped |= strip(element, ty);
    }
    stripped
}

fn rewritten(json: Json, through_doubles: bool) -> Json {
    match json {
        Json::Object(members) => {
            let mut members: Vec<(String, Json)> = members.into_iter().collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            let members = members.into_iter().map(|(name, inner)| (name, rewritten(inner, through_doubles)));
            Json::Object(members.collect::<Map<_, _>>())
        }
        Json::Array(items) => {
            Json::Array(items.into_iter().map(|inner| rewritten(inner, through_doubles)).collect())
        }
        Json::Number(number) if through_doubles => through_double(&number).unwrap_or(Json::Number(number)),
        other => other,
    }
}

/// A number as a double prints it: shortest digits, an exponent below 1e-6 and from 1e21 on.
fn through_double(number: &serde_json::Number) -> Option<Json> {
    let double: f64 = number.as_str().parse().ok()?;
    let size = double.abs();
    let text = if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{double:e}");
        if text.contains("e-") { text } else { text.replace('e', "e+") }
    } else {
        double.to_string()
    };
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_go_prints_them() {
        for (input, expected) in [
            ("9007199254740993", "9007199254740992"),
            ("1e21", "1e+21"),
            ("123456789012345678901234", "1.2345678901234569e+23"),
            ("1.50", "1.5"),
            ("-0.0000001", "-1e-7"),
            ("1e2", "100"),
            ("0", "0"),
        ] {
            let number: serde_json::Number = serde_json::from_str(input).unwrap();
            assert_eq!(through_double(&number).unwrap().to_string(), expected, "{input}");
        }
    }
}
