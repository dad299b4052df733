//! Upgrading stored states: pure, offline, from any version to the newest.

use serde_json::{Map, Value as Json};

use super::definition::Definition;
use crate::core::without_write_only;
use crate::schema::{Attribute, Block, NestedBlock, Nesting, Schema};
use crate::transcript::{Diagnostic, RawState};
use crate::value::{Value, state_json};

/// The state under the newest schema.
///
/// State of the newest version comes back unchanged, except for what the schema does not know.
pub fn upgrade(
    definition: &Definition,
    schema: &Schema,
    version: i64,
    raw: &RawState,
) -> Result<Value, Diagnostic> {
    let refuse = |detail: String| Err(Diagnostic::error("State cannot be upgraded", &detail));
    if !raw.flatmap.is_empty() {
        return refuse("This provider never wrote states in the flatmap format.".to_owned());
    }
    if version < 0 || version > schema.version {
        return refuse(format!("There is no version {version}; the newest is {}.", schema.version));
    }
    let mut json: Json = match serde_json::from_slice(&raw.json) {
        Ok(json @ Json::Object(_)) => json,
        Ok(_) => return refuse("The stored state is not an object.".to_owned()),
        Err(error) => return refuse(format!("The stored state is not JSON: {error}")),
    };
    for step in definition.upgrades.iter().skip(version as usize) {
        json = step(json);
    }
    conform_block(&schema.block, &mut json);
    match state_json::decode_json(&json, schema.implied_type()) {
        Ok(value) => Ok(without_write_only(&schema.block, &value)),
        Err(error) => refuse(format!("The stored state does not fit: {error}")),
    }
}

/// Drops what the schema does not know, and gives absent nested blocks their empty form.
fn conform_block(block: &Block, json: &mut Json) {
    let Json::Object(members) = json else { return };
    conform_attributes(&block.attributes, members, &|name| block.block_type(name).is_some());
    for nested in &block.block_types {
        let value = members.entry(nested.name.clone()).or_insert(Json::Null);
        if value.is_null() {
            *value = empty(nested);
        }
        each_element(nested.nesting, value, &mut |element| conform_block(&nested.block, element));
    }
}

fn conform_attributes(
    attributes: &[Attribute],
    members: &mut Map<String, Json>,
    also: &dyn Fn(&str) -> bool,
) {
    members.retain(|name, _| also(name) || attributes.iter().any(|attribute| attribute.name == *name));
    for attribute in attributes {
        let (Some(nested), Some(value)) = (attribute.nested_attributes(), members.get_mut(&attribute.name))
        else {
            continue;
        };
        each_element(nested.nesting, value, &mut |element| {
            if let Json::Object(members) = element {
                conform_attributes(&nested.attributes, members, &|_| false);
            }
        });
    }
}

fn empty(nested: &NestedBlock) -> Json {
    let empty = nested.empty_value();
    let json = state_json::encode(&empty, &nested.implied_type()).expect("an empty value is known");
    serde_json::from_str(&json).expect("the encoder writes JSON")
}

fn each_element(nesting: Nesting, json: &mut Json, visit: &mut dyn FnMut(&mut Json)) {
    // Blocks with dynamic members are stored with their type; the content is under "value".
    let json = match json {
        Json::Object(members)
            if matches!(nesting, Nesting::List | Nesting::Map)
                && members.len() == 2
                && members.contains_key("type")
                && members.contains_key("value") =>
        {
            return;
        }
        json => json,
    };
    match (nesting, json) {
        (Nesting::Single | Nesting::Group | Nesting::Invalid(_), json) => visit(json),
        (Nesting::List | Nesting::Set, Json::Array(items)) => items.iter_mut().for_each(visit),
        (Nesting::Map, Json::Object(members)) => members.values_mut().for_each(visit),
        _ => {}
    }
}
