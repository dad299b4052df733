//! Members of objects and elements of collections, where some may be null, unknown or missing.

use crate::value::{Data, Type, Value};

/// A member of an object; of a null a null, of an unknown an unknown, of anything else a null.
pub(super) fn member(object: &Value, name: &str, ty: &Type) -> Value {
    match object.attribute(name) {
        Some(value) => value.clone(),
        None if object.is_unknown() => Value::unknown(ty.clone()),
        None => Value::null(ty.clone()),
    }
}

/// An element of a list or tuple; of an unknown an unknown; `None` where there is none.
pub(super) fn element_at(list: &Value, idx: usize, ty: &Type) -> Option<Value> {
    if list.is_unknown() {
        return Some(Value::unknown(ty.clone()));
    }
    list.elements().and_then(|elements| elements.get(idx)).cloned()
}

/// The value of a key of a map, or of an attribute of an object that stands for a map.
pub(super) fn entry<'v>(map: &'v Value, key: &str) -> Option<&'v Value> {
    match map.data() {
        Data::Map(entries) => entries.get(key),
        _ => map.attribute(key),
    }
}

/// The keys of a map, or of an object that stands for a map; none of a null or an unknown.
pub(super) fn entries_of(map: &Value) -> Vec<(&str, &Value)> {
    match map.data() {
        Data::Map(entries) => entries.iter().map(|(key, value)| (key.as_ref(), value)).collect(),
        _ => map.attributes().collect(),
    }
}
