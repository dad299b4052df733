//! Builds collections from elements.

use std::cmp::Ordering;

use super::learned::Learned;
use super::value_class::ValueClass;
use super::witness;
use crate::value::{Type, Value};

/// Elements of one collection have one type: if dynamic types made them differ, all become like the first.
fn uniform(declared: &Type, mut elements: Vec<Value>) -> (Type, Vec<Value>) {
    let Some(first) = elements.first().cloned() else { return (declared.clone(), elements) };
    for element in &mut elements {
        let fits_any = *element.ty() == Type::Dynamic && !element.is_set();
        if element.ty() != first.ty() && !fits_any {
            *element = first.clone();
        }
    }
    (first.ty().clone(), elements)
}

/// A list, declared with elements of this type.
pub(super) fn list(declared: &Type, elements: Vec<Value>) -> Value {
    let (ty, elements) = uniform(declared, elements);
    Value::list(ty, elements)
}

pub(super) fn set(declared: &Type, elements: Vec<Value>) -> Value {
    let (ty, elements) = uniform(declared, elements);
    Value::set(ty, elements)
}

/// A map; some classes are about its first key.
pub(super) fn map(
    declared: &Type,
    class: ValueClass,
    learned: Option<&Learned>,
    elements: Vec<Value>,
) -> Value {
    let (ty, elements) = uniform(declared, elements);
    let usual = |idx| learned.and_then(|learned| learned.key(idx)).unwrap_or_else(|| witness::key(idx));
    let key = |idx| match class.key() {
        Some(special) if idx == 0 => special.to_owned(),
        _ => usual(idx),
    };
    Value::map(ty, (0..).map(key).zip(elements))
}

/// A collection of this type without elements; null if it is none.
pub(super) fn empty(ty: &Type) -> Value {
    match ty {
        Type::List(inner) => list(inner, Vec::new()),
        Type::Set(inner) => set(inner, Vec::new()),
        Type::Map(inner) => map(inner, ValueClass::Empty, None, Vec::new()),
        _ => Value::null(ty.clone()),
    }
}

/// An arbitrary but fixed order of values.
pub(super) fn compare(a: &Value, b: &Value) -> Ordering {
    match (a.as_number(), b.as_number()) {
        (Some(a), Some(b)) => a.compare_value(b),
        _ => a.as_str().cmp(&b.as_str()),
    }
}
