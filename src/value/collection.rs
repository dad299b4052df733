//! Collections: lists, sets and maps, whose elements have one type.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Data, Type, Value, canonical, nfc};

const ONE_TYPE: &str = "the elements of one collection have one type";

/// The one type of a collection's elements, `declared` if none of them determines it; `None` if two
/// differ, which no engine can represent.
///
/// Nulls and unknowns of dynamic type fit with elements of any type.
pub(super) fn element_type<'v>(
    declared: &Type,
    elements: impl IntoIterator<Item = &'v Value> + Clone,
) -> Option<Type> {
    let mut types = elements.clone().into_iter().map(Value::ty);
    let ty = types.find(|ty| **ty != Type::Dynamic).unwrap_or(declared);
    elements.into_iter().all(|value| fits(value, ty)).then(|| ty.clone())
}

fn fits(value: &Value, element: &Type) -> bool {
    value.ty == *element || (value.ty == Type::Dynamic && !value.is_set())
}

fn list(element: Type, elements: Vec<Value>) -> Value {
    Value { ty: Type::list(element), data: Data::Elements(elements.into()) }
}

fn set(element: Type, elements: Vec<Value>) -> Value {
    Value { ty: Type::set(element), data: Data::Elements(canonical::canonical_set(elements).into()) }
}

fn map(element: Type, entries: BTreeMap<Arc<str>, Value>) -> Value {
    Value { ty: Type::map(element), data: Data::Map(Arc::new(entries)) }
}

fn normalised<K: AsRef<str>>(entries: impl IntoIterator<Item = (K, Value)>) -> BTreeMap<Arc<str>, Value> {
    entries.into_iter().map(|(key, value)| (nfc(key.as_ref()), value)).collect()
}

impl Value {
    /// A list whose elements all have type `element`.
    ///
    /// # Panics
    /// If an element has another type: mixed types would crash an engine.
    pub fn list(element: Type, elements: Vec<Value>) -> Value {
        assert!(elements.iter().all(|value| fits(value, &element)), "{ONE_TYPE}");
        list(element, elements)
    }

    /// A set: duplicates coalesce, order becomes canonical.
    ///
    /// # Panics
    /// As [`Value::list`].
    pub fn set(element: Type, elements: Vec<Value>) -> Value {
        assert!(elements.iter().all(|value| fits(value, &element)), "{ONE_TYPE}");
        set(element, elements)
    }

    /// A map; keys are normalised.
    ///
    /// # Panics
    /// As [`Value::list`].
    pub fn map<K: AsRef<str>>(element: Type, entries: impl IntoIterator<Item = (K, Value)>) -> Value {
        let entries = normalised(entries);
        assert!(entries.values().all(|value| fits(value, &element)), "{ONE_TYPE}");
        map(element, entries)
    }

    /// A list or set as declared by `ty`, with the type of its elements where `ty` is partly
    /// dynamic; `None` if they have several types, and for any other `ty`.
    pub fn of_elements(ty: &Type, elements: Vec<Value>) -> Option<Value> {
        match ty {
            Type::List(declared) => Some(list(element_type(declared, &elements)?, elements)),
            Type::Set(declared) => Some(set(element_type(declared, &elements)?, elements)),
            _ => None,
        }
    }

    /// A map as declared by `ty`; see [`Value::of_elements`].
    pub fn of_entries<K: AsRef<str>>(
        ty: &Type,
        entries: impl IntoIterator<Item = (K, Value)>,
    ) -> Option<Value> {
        let Type::Map(declared) = ty else { return None };
        let entries = normalised(entries);
        Some(map(element_type(declared, entries.values())?, entries))
    }

    /// The value at a key of a map, or of an attribute of an object that represents a map.
    pub fn entry(&self, key: &str) -> Option<&Value> {
        match &self.data {
            Data::Map(entries) => entries.get(key),
            _ => self.attribute(key),
        }
    }

    /// The entries of a map, or of an object that represents a map; empty for null and unknown.
    pub fn keyed(&self) -> Vec<(&str, &Value)> {
        match &self.data {
            Data::Map(entries) => entries.iter().map(|(key, value)| (key.as_ref(), value)).collect(),
            _ => self.attributes().collect(),
        }
    }

    /// The same collection or object with other children, in the order of [`Value::children`]; the
    /// value itself if it has none. `None` if the elements of a list, set or map would have several
    /// types.
    ///
    /// # Panics
    /// If an object is given more or fewer children than it has attributes.
    pub fn with_children(&self, children: Vec<Value>) -> Option<Value> {
        match (&self.ty, &self.data) {
            (Type::List(_) | Type::Set(_), Data::Elements(_)) => Value::of_elements(&self.ty, children),
            (_, Data::Elements(_)) => Some(Value::tuple(children)),
            (_, Data::Map(entries)) => Value::of_entries(&self.ty, entries.keys().zip(children)),
            (_, Data::Object(_)) => Some(Value::object_of(&self.ty, children)),
            _ => Some(self.clone()),
        }
    }
}
