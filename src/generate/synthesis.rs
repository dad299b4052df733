//! States that are made up from plans, for where nothing may be applied.
//!
//! A synthesised state is the planned one with a plain value, chosen by type and name, in place of
//! everything that is not known yet. An engine would accept it as the result of an apply; whether
//! the provider would ever return it is another question.

use std::cell::Cell;

use super::names::format_of;
use super::witness::{self, Nth, formatted, key};
use crate::schema::{Attribute, Block, IdentitySchema, NestedAttributes, Nesting};
use crate::value::{Answer, Data, Number, Refinements, Type, Value, includes};

/// The state that an apply of a plan might leave: wholly known, and within what the plan's unknowns promise.
/// Write-only attributes are null, and so is what only a configuration sets, inside nested attributes of
/// which nothing was planned.
pub fn state(block: &Block, planned: &Value) -> Value {
    let made = |any| {
        let is_torn = Cell::new(false);
        let place = Place { any, is_torn: Some(&is_torn), ..Place::default() };
        let state = place.block(block, planned);
        (state, is_torn.get())
    };
    let mut ways = [Any::Text, Any::Null, Any::TextAlways].into_iter().map(made);
    let (state, _) = ways.find(|(_, is_torn)| !is_torn).unwrap_or_else(|| made(Any::Text));
    state
}

/// What is made up where the schema allows any type. The elements of a collection must have one type, and those
/// that were planned may rule out one way or the other.
#[derive(Clone, Copy, Default, PartialEq)]
enum Any {
    #[default]
    Text,
    /// Null, unless the plan promises that it is not.
    Null,
    /// Text, and collections without elements are collections of text.
    TextAlways,
}

/// The identity of an object with that state: what was planned, filled in; where none was planned, the
/// state's attributes of the same names. `None` if the schema has a type that cannot be read.
pub fn identity(schema: &IdentitySchema, planned: Option<&Value>, state: &Value) -> Option<Value> {
    let planned = planned.filter(|planned| planned.is_set());
    let members = schema.attributes.iter().map(|attribute| {
        let ty = attribute.ty.as_ref().ok()?;
        let of_state = || {
            let same = state.attribute(&attribute.name).filter(|value| value.ty() == ty && value.is_set());
            same.cloned().unwrap_or_else(|| Value::unknown(ty.clone()))
        };
        let value = planned.map_or_else(of_state, |planned| planned.member(&attribute.name));
        Some((&attribute.name, Place::default().member(&attribute.name).known(&value)))
    });
    Some(Value::object(members.collect::<Option<Vec<_>>>()?))
}

/// The most elements that an unknown collection gets, whatever it promises.
const ELEMENTS: u64 = 16;

const ONE_TYPE: &str = "elements made up for one type have one type";

/// A place in an object.
#[derive(Clone, Copy, Default)]
struct Place<'p> {
    /// `None` for the object itself, which has no name.
    outer: Option<&'p Place<'p>>,
    /// The name of the nearest attribute.
    name: &'p str,
    /// Position in the nearest collection: its elements stay different.
    element: u64,
    any: Any,
    /// Set where elements did not go together.
    is_torn: Option<&'p Cell<bool>>,
}

/// What the schema describes.
impl Place<'_> {
    fn block(&self, block: &Block, object: &Value) -> Value {
        self.members(
            object,
            &|place, value| match (block.attribute(place.name), block.block_type(place.name)) {
                (Some(attribute), _) => place.attribute(attribute, value),
                // With the legacy flag null is planned for no blocks, and corrected when it is applied.
                (None, Some(nested)) if !value.is_set() => nested.empty_value(),
                (None, Some(nested)) => {
                    place.objects(nested.nesting, value, &|place, object| place.block(&nested.block, object))
                }
                (None, None) => place.known(value),
            },
        )
    }

    fn attribute(&self, attribute: &Attribute, value: &Value) -> Value {
        match attribute.nested_attributes() {
            _ if attribute.write_only => Value::null(attribute.ty()),
            None => self.known(value),
            Some(nested) => {
                self.objects(nested.nesting, value, &|place, object| place.nested(nested, object))
            }
        }
    }

    /// One object of a nested attribute.
    fn nested(&self, nested: &NestedAttributes, object: &Value) -> Value {
        let is_open = object.is_unknown();
        self.members(object, &|place, value| match nested.attribute(place.name) {
            // An engine takes a value here for one that was configured, and drops it.
            Some(attribute) if is_open && !attribute.computed => Value::null(attribute.ty()),
            Some(attribute) => place.attribute(attribute, value),
            None => place.known(value),
        })
    }

    /// The objects in a value with that nesting.
    fn objects(
        &self,
        nesting: Nesting,
        value: &Value,
        object: &dyn Fn(&Place<'_>, &Value) -> Value,
    ) -> Value {
        match nesting {
            _ if value.is_null() => value.clone(),
            Nesting::Single | Nesting::Group | Nesting::Invalid(_) => object(self, value),
            Nesting::List | Nesting::Set | Nesting::Map => {
                let is_open = value.is_unknown();
                let whole = if is_open { self.known(value) } else { value.clone() };
                let inside = whole.children().into_iter().enumerate().map(|(idx, (_, element))| {
                    let unknown = is_open.then(|| Value::unknown(element.ty().clone()));
                    object(&self.nth(idx), unknown.as_ref().unwrap_or(element))
                });
                self.with_children(&whole, inside)
            }
        }
    }

    fn members(&self, object: &Value, member: &dyn Fn(&Place<'_>, &Value) -> Value) -> Value {
        let object = if object.is_unknown() { opened(object) } else { object.clone() };
        let members = object.attributes().map(|(name, value)| member(&self.member(name), value));
        self.with_children(&object, members)
    }
}

/// An object whose attributes are unknown, in place of an unknown object.
fn opened(unknown: &Value) -> Value {
    match unknown.ty() {
        ty @ Type::Object(object) => {
            let members = object.attributes().iter().map(|(_, ty)| Value::unknown(ty.clone()));
            Value::object_of(ty, members.collect())
        }
        ty => Value::null(ty.clone()),
    }
}

/// A type that holds text where another one holds any type.
fn of_text(ty: &Type) -> Type {
    match ty {
        Type::Dynamic => Type::String,
        Type::List(element) => Type::list(of_text(element)),
        Type::Set(element) => Type::set(of_text(element)),
        Type::Map(element) => Type::map(of_text(element)),
        other => other.clone(),
    }
}

/// What only has a type.
impl Place<'_> {
    /// Dynamic members of several elements may have become values of several types, which no collection can hold.
    fn with_children(&self, value: &Value, children: impl Iterator<Item = Value>) -> Value {
        value.with_children(children.collect()).unwrap_or_else(|| {
            self.is_torn.inspect(|is_torn| is_torn.set(true));
            value.unknowns_as_nulls()
        })
    }

    fn member<'p>(&'p self, name: &'p str) -> Place<'p> {
        Place { outer: Some(self), name, ..*self }
    }

    fn nth(&self, element: usize) -> Place<'_> {
        Place { element: element as u64, ..*self }
    }

    /// The schema path.
    fn path(&self) -> String {
        match self.outer.map(Place::path) {
            Some(outer) if !outer.is_empty() => format!("{outer}.{}", self.name),
            _ => self.name.to_owned(),
        }
    }

    /// A value with everything in it known.
    fn known(&self, value: &Value) -> Value {
        if value.is_wholly_known() {
            return value.clone();
        }
        match (value.ty(), value.data()) {
            (ty, Data::Unknown(refinements)) => self.made_up(ty, refinements.as_deref()),
            (Type::Object(_), _) => self.with_children(
                value,
                value.attributes().map(|(name, member)| self.member(name).known(member)),
            ),
            (ty, _) => {
                let inside = value.children().into_iter().enumerate();
                self.with_children(
                    value,
                    inside.map(|(idx, (_, element))| self.nth(idx).element(ty, element)),
                )
            }
        }
    }

    /// An element of a collection; one of dynamic type gets the type of the others.
    fn element(&self, collection: &Type, element: &Value) -> Value {
        match collection.element() {
            Some(ty) if element.is_unknown() => self.made_up(ty, element.refinements()),
            _ => self.known(element),
        }
    }

    fn made_up(&self, ty: &Type, promised: Option<&Refinements>) -> Value {
        let n_elements = promised.and_then(|promised| promised.min_length).unwrap_or(0).min(ELEMENTS);
        let elements = |ty: &Type| -> Vec<Value> {
            (0..n_elements as usize).map(|idx| self.nth(idx).made_up(ty, None)).collect()
        };
        match ty {
            Type::List(_) | Type::Set(_) | Type::Map(_)
                if self.any == Any::TextAlways && of_text(ty) != *ty =>
            {
                self.made_up(&of_text(ty), promised)
            }
            Type::Dynamic if self.any == Any::Null && !promised.is_some_and(|promised| promised.not_null) => {
                Value::null(Type::Dynamic)
            }
            Type::String | Type::Dynamic => Value::string(&self.text(promised)),
            Type::Number => self.number(promised),
            Type::Bool => Value::bool(false),
            Type::List(element) | Type::Set(element) => {
                Value::of_elements(ty, elements(element)).expect(ONE_TYPE)
            }
            Type::Map(element) => {
                Value::of_entries(ty, (0..).map(key).zip(elements(element))).expect(ONE_TYPE)
            }
            Type::Tuple(tuple) => {
                let parts = tuple.elements().iter().enumerate();
                Value::tuple(parts.map(|(idx, ty)| self.nth(idx).made_up(ty, None)).collect())
            }
            Type::Object(object) => {
                let members = object.attributes().iter();
                Value::object_of(ty, members.map(|(name, ty)| self.member(name).made_up(ty, None)).collect())
            }
        }
    }

    fn text(&self, promised: Option<&Refinements>) -> String {
        let nth = Nth::new(self.element, 0);
        let text = match (format_of(self.name, &self.path()), self.element) {
            (Some(format), _) => formatted(format, false, nth, &witness::word(&self.path(), 0, nth)),
            (None, 0) => format!("synth-{}", self.name),
            (None, idx) => format!("synth-{}-{}", self.name, idx + 1),
        };
        match promised.and_then(|promised| promised.prefix.as_deref()) {
            Some(prefix) if !text.starts_with(prefix) => format!("{prefix}{text}"),
            _ => text,
        }
    }

    /// 1, or the nearest number to a promised bound.
    fn number(&self, promised: Option<&Refinements>) -> Value {
        let plain = Value::number(1 + self.element as i64);
        let Some(promised) = promised else { return plain };
        let range = Value::refined(Type::Number, promised.clone());
        let bounds = [(&promised.lower, 1), (&promised.upper, -1)];
        let near = bounds.into_iter().flat_map(|(bound, step)| {
            let bound = bound.as_ref().map(|bound| bound.value.clone());
            let next = bound.as_ref().and_then(Number::to_i64).and_then(|bound| bound.checked_add(step));
            [bound, next.map(Number::from_i64)].into_iter().flatten().map(Value::number)
        });
        let mut candidates = std::iter::once(plain.clone()).chain(near);
        candidates.find(|number| includes(&range, number) != Answer::False).unwrap_or(plain)
    }
}
