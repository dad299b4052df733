//! Members of objects and elements of collections, some of which may be null, unknown or missing.

use crate::value::{Type, Value};

/// A member of an object; null for a null, unknown for an unknown, null for anything else.
pub(super) fn member(object: &Value, name: &str, ty: &Type) -> Value {
    match object.attribute(name) {
        Some(value) => value.clone(),
        None if object.is_unknown() => Value::unknown(ty.clone()),
        None => Value::null(ty.clone()),
    }
}

/// An element of a list or tuple; unknown for an unknown; `None` if there is none.
pub(super) fn element_at(list: &Value, idx: usize, ty: &Type) -> Option<Value> {
    if list.is_unknown() {
        return Some(Value::unknown(ty.clone()));
    }
    list.elements().and_then(|elements| elements.get(idx)).cloned()
}
