//! What a value is, and its encodings.
//!
//! Types, null, unknown with refinements, 512-bit numbers, NFC strings and unordered sets, exactly
//! as the engines see them; MessagePack and state JSON both ways; HCL for output only, of values
//! and of the parts that may be shown ([`tree`]). Pure: no clock, no disk, no network.
//!
//! Marks (sensitive and the like) are deliberately absent: they are annotations inside an engine
//! and never cross the wire.

mod canonical;
mod collection;
mod equality;
mod hcl;
mod invisible;
mod literal;
pub mod made_up;
pub mod msgpack;
mod number;
mod path;
mod path_text;
mod range;
mod schema_path;
pub mod state_json;
pub mod tree;
mod ty;
pub mod typed;

use std::collections::BTreeMap;
use std::sync::Arc;

use unicode_normalization::{UnicodeNormalization, is_nfc};

pub use equality::Answer;
pub use invisible::is_invisible;
pub use literal::Literal;
pub use number::{MAX_EXPONENT, Number, NumberError, TEXT_PRECISION};
pub use path::{AttributePath, PathStep};
pub use path_text::PathError;
pub use range::{Bound, LengthRange, Refinements, includes, may_become};
pub use schema_path::SchemaPath;
pub use ty::{MAX_TYPE_DEPTH, ObjectType, TupleType, Type, TypeError};

/// A string as the engines store it: Unicode normalisation form C.
pub fn nfc(text: &str) -> Arc<str> {
    if text.is_ascii() || is_nfc(text) { Arc::from(text) } else { Arc::from(text.nfc().collect::<String>()) }
}

/// A value of a concrete type: null, unknown or known.
///
/// Rust equality (`==`) is structural identity: same type, same
/// nullness, same refinements, recursively ("RawEquals" in the contract). The
/// language's three-valued equality is [`Value::equals`].
#[derive(Clone)]
pub struct Value {
    ty: Type,
    data: Data,
}

/// The content of a [`Value`], apart from its type.
#[derive(Clone)]
pub enum Data {
    Null,
    /// `None` is an unknown without any refinement.
    Unknown(Option<Arc<Refinements>>),
    Bool(bool),
    Number(Number),
    String(Arc<str>),
    /// Elements of a list or tuple in order, of a set in canonical order.
    Elements(Arc<[Value]>),
    Map(Arc<BTreeMap<Arc<str>, Value>>),
    /// The attributes of an object, in the order of its type.
    Object(Arc<[Value]>),
}

impl Value {
    pub fn null(ty: Type) -> Value {
        Value { ty, data: Data::Null }
    }

    pub fn unknown(ty: Type) -> Value {
        Value { ty, data: Data::Unknown(None) }
    }

    /// An unknown with refinements; those without effect, and any on the dynamic type, are dropped.
    pub fn refined(ty: Type, refinements: Refinements) -> Value {
        let refinements = refinements.without_the_obvious();
        let data =
            if ty == Type::Dynamic || refinements.is_empty() { None } else { Some(Arc::new(refinements)) };
        Value { ty, data: Data::Unknown(data) }
    }

    pub fn string(text: &str) -> Value {
        Value { ty: Type::String, data: Data::String(nfc(text)) }
    }

    pub fn bool(value: bool) -> Value {
        Value { ty: Type::Bool, data: Data::Bool(value) }
    }

    pub fn number(value: impl Into<Number>) -> Value {
        Value { ty: Type::Number, data: Data::Number(value.into()) }
    }

    pub fn tuple(elements: Vec<Value>) -> Value {
        let ty = Type::tuple(elements.iter().map(|value| value.ty.clone()));
        Value { ty, data: Data::Elements(elements.into()) }
    }

    /// An object; its type follows from its attributes.
    pub fn object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Value)>) -> Value {
        let attributes: BTreeMap<Arc<str>, Value> =
            attributes.into_iter().map(|(name, value)| (nfc(name.as_ref()), value)).collect();
        let ty = Type::object(attributes.iter().map(|(name, value)| (name, value.ty.clone())));
        Value { ty, data: Data::Object(attributes.into_values().collect()) }
    }

    /// An object of an existing type, its values in the order of the type's attributes.
    ///
    /// If a value is more concrete than the type says (a dynamic attribute), the object's type
    /// becomes as concrete.
    ///
    /// # Panics
    /// If there are more or fewer values than attributes.
    pub fn object_of(ty: &Type, values: Vec<Value>) -> Value {
        let object = ty.as_object().expect("object_of is given an object type");
        assert_eq!(object.attributes().len(), values.len(), "one value for each attribute");
        let ty = if object.attributes().iter().zip(&values).all(|((_, want), value)| *want == value.ty) {
            ty.clone()
        } else {
            object.retyped(values.iter().map(|value| value.ty.clone()))
        };
        Value { ty, data: Data::Object(values.into()) }
    }

    pub fn ty(&self) -> &Type {
        &self.ty
    }

    pub fn data(&self) -> &Data {
        &self.data
    }

    pub fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    /// Whether the value *itself* is unknown; see [`Value::is_wholly_known`].
    pub fn is_unknown(&self) -> bool {
        matches!(self.data, Data::Unknown(_))
    }

    /// Neither null nor unknown itself.
    pub fn is_set(&self) -> bool {
        !self.is_null() && !self.is_unknown()
    }

    /// Whether it contains no unknown at any depth.
    pub fn is_wholly_known(&self) -> bool {
        match &self.data {
            Data::Unknown(_) => false,
            Data::Null | Data::Bool(_) | Data::Number(_) | Data::String(_) => true,
            Data::Elements(values) | Data::Object(values) => values.iter().all(Value::is_wholly_known),
            Data::Map(entries) => entries.values().all(Value::is_wholly_known),
        }
    }

    pub fn refinements(&self) -> Option<&Refinements> {
        match &self.data {
            Data::Unknown(refinements) => refinements.as_deref(),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self.data {
            Data::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_number(&self) -> Option<&Number> {
        match &self.data {
            Data::Number(number) => Some(number),
            _ => None,
        }
    }

    /// A known text, number or bool as a text.
    pub fn as_text(&self) -> Option<String> {
        match self.data() {
            Data::String(text) => Some(text.to_string()),
            Data::Number(number) => Some(number.to_string()),
            Data::Bool(value) => Some(value.to_string()),
            _ => None,
        }
    }

    /// The elements of a known list, tuple or set.
    pub fn elements(&self) -> Option<&[Value]> {
        match &self.data {
            Data::Elements(elements) => Some(elements),
            _ => None,
        }
    }

    pub fn entries(&self) -> Option<&BTreeMap<Arc<str>, Value>> {
        match &self.data {
            Data::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The named attributes of a known object, in name order.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &Value)> {
        let (names, values): (&[(Arc<str>, Type)], &[Value]) = match (&self.ty, &self.data) {
            (Type::Object(ty), Data::Object(values)) => (ty.attributes(), values),
            _ => (&[], &[]),
        };
        names.iter().map(|(name, _)| name.as_ref()).zip(values)
    }

    /// An attribute of a known object.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        match (&self.ty, &self.data) {
            (Type::Object(ty), Data::Object(values)) => values.get(ty.index_of(name)?),
            _ => None,
        }
    }

    /// An attribute of an object that may be null or unknown: null of a null, unknown of an unknown.
    ///
    /// A name that the object's type does not have yields a null of dynamic type.
    pub fn member(&self, name: &str) -> Value {
        if let Some(value) = self.attribute(name) {
            return value.clone();
        }
        let ty = self.ty.as_object().and_then(|ty| ty.get(name)).cloned().unwrap_or(Type::Dynamic);
        if self.is_unknown() { Value::unknown(ty) } else { Value::null(ty) }
    }

    /// This object with one attribute replaced; unchanged if it has no such attribute.
    #[must_use]
    pub fn with_attribute(&self, name: &str, value: Value) -> Value {
        match (&self.ty, &self.data) {
            (Type::Object(ty), Data::Object(values)) => match ty.index_of(name) {
                Some(idx) => {
                    let mut values = values.to_vec();
                    values[idx] = value;
                    Value::object_of(&self.ty, values)
                }
                None => self.clone(),
            },
            _ => self.clone(),
        }
    }

    /// The values directly inside, with the step that leads to each.
    pub fn children(&self) -> Vec<(PathStep, &Value)> {
        match (&self.ty, &self.data) {
            (Type::Set(_), Data::Elements(elements)) => {
                elements.iter().map(|element| (PathStep::Element(element.clone()), element)).collect()
            }
            (_, Data::Elements(elements)) => elements
                .iter()
                .enumerate()
                .map(|(idx, element)| (PathStep::Index(idx as i64), element))
                .collect(),
            (_, Data::Map(entries)) => {
                entries.iter().map(|(key, value)| (PathStep::Key(key.to_string()), value)).collect()
            }
            (Type::Object(_), Data::Object(_)) => {
                self.attributes().map(|(name, value)| (PathStep::Attribute(name.to_owned()), value)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Visits this value and everything inside, parents first; `visit` says whether to descend.
    pub fn walk(&self, visit: &mut dyn FnMut(&AttributePath, &Value) -> bool) {
        fn go(
            value: &Value,
            path: &mut AttributePath,
            visit: &mut dyn FnMut(&AttributePath, &Value) -> bool,
        ) {
            if !visit(path, value) {
                return;
            }
            for (step, child) in value.children() {
                path.push(step);
                go(child, path, visit);
                path.pop();
            }
        }
        go(self, &mut AttributePath::root(), visit);
    }

    /// Rebuilds the value bottom-up: children first, then `change` on the rebuilt parent.
    #[must_use]
    pub fn transform(&self, change: &mut dyn FnMut(&AttributePath, Value) -> Value) -> Value {
        fn go(
            value: &Value,
            path: &mut AttributePath,
            change: &mut dyn FnMut(&AttributePath, Value) -> Value,
        ) -> Value {
            let mut children = Vec::new();
            for (step, child) in value.children() {
                path.push(step);
                children.push(go(child, path, change));
                path.pop();
            }
            let rebuilt = value.with_children(children).expect("changed elements keep one type");
            change(path, rebuilt)
        }
        go(self, &mut AttributePath::root(), change)
    }

    /// A copy in which every unknown, at any depth, has lost its refinements.
    #[must_use]
    pub fn unrefined(&self) -> Value {
        if self.is_wholly_known() {
            return self.clone();
        }
        self.transform(&mut |_, value| if value.is_unknown() { Value::unknown(value.ty) } else { value })
    }

    /// A copy in which every unknown has become null; elements of sets may coalesce.
    ///
    /// Source: contract section 4.10.
    #[must_use]
    pub fn unknowns_as_nulls(&self) -> Value {
        if self.is_wholly_known() {
            return self.clone();
        }
        self.transform(&mut |_, value| if value.is_unknown() { Value::null(value.ty) } else { value })
    }

    /// The value at a path, as Core applies a path to a value.
    ///
    /// A step into an unknown yields an unknown; a step into null, into a set, or to something
    /// missing yields `None`.
    ///
    /// Source: contract section 4.7.
    pub fn at(&self, path: &AttributePath) -> Option<Value> {
        path.steps().iter().try_fold(self.clone(), |value, step| value.step(step))
    }

    fn step(&self, step: &PathStep) -> Option<Value> {
        if self.is_null() {
            return None;
        }
        match (step, &self.ty) {
            (_, Type::Dynamic) => Some(Value::unknown(Type::Dynamic)),
            (PathStep::Attribute(name) | PathStep::Key(name), Type::Object(ty)) => {
                ty.get(name).is_some().then(|| self.member(name))
            }
            (PathStep::Attribute(name) | PathStep::Key(name), Type::Map(element)) => match &self.data {
                Data::Map(entries) => entries.get(name.as_str()).cloned(),
                _ => Some(Value::unknown(Type::clone(element))),
            },
            (PathStep::Index(idx), Type::List(element)) => match &self.data {
                Data::Elements(elements) => elements.get(usize::try_from(*idx).ok()?).cloned(),
                _ => Some(Value::unknown(Type::clone(element))),
            },
            (PathStep::Index(idx), Type::Tuple(tuple)) => {
                let idx = usize::try_from(*idx).ok()?;
                let ty = tuple.elements().get(idx)?;
                match &self.data {
                    Data::Elements(elements) => elements.get(idx).cloned(),
                    _ => Some(Value::unknown(ty.clone())),
                }
            }
            _ => None,
        }
    }

    /// This value with the one at `path` replaced; unchanged if there is nothing at the path.
    #[must_use]
    pub fn with_at(&self, path: &AttributePath, new: Value) -> Value {
        self.transform(&mut |at, value| if at == path { new.clone() } else { value })
    }
}

#[cfg(test)]
pub(crate) mod strategy;
#[cfg(test)]
mod tests;
