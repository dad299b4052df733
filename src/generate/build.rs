//! Builds a configuration, legal by construction.
//!
//! Source: contract section 4.2.

use super::choices::{ChoiceKey, ChoicePurpose, Choices, Facet, is_within};
use super::collect::{compare, empty, list, map, set};
use super::facts::Span;
use super::limit::Limit;
use super::model::{Form, NodeId, Presence, ROOT, SchemaModel};
use super::names;
use super::pins::{filled, permuted};
use super::shape::Shape;
use super::store::{StoreSnapshot, items};
use super::value_class::{MANY, ValueClass, in_other_case, letters, with_white_space};
use super::witness::{self, Format, Nth, WORDS};
use crate::schema::Nesting;
use crate::value::{Number, Type, Value};

/// Names decisions about all values that the user chose. No path of a schema is like it.
pub(super) const VALUES: &str = "{values}";

/// Beyond this many elements every collection has one: nested minimum counts multiply without limit.
const MAX_ELEMENTS: usize = 20_000;

/// A place with a value at or beyond a limit.
#[derive(Clone, Debug)]
pub struct AtLimit {
    /// As choices name it: `disk[0].size`.
    pub path: String,
    pub limit: Limit,
}

/// A configuration of a shape, if asked with one value at a limit. Pure: the same inputs give the same value.
///
/// It is wholly known, except that an argument that must be set but may not be filled is unknown.
pub fn build(
    model: &SchemaModel<'_>,
    store: &StoreSnapshot,
    shape: &Shape,
    limit: Option<&AtLimit>,
    choices: &mut dyn Choices,
) -> Value {
    let mut builder = Builder {
        model,
        store,
        shape,
        limit,
        choices,
        path: String::new(),
        element: None,
        n_elements: 0,
        only: Only::All,
        is_secret: false,
    };
    builder.object(ROOT, model.schema.implied_type())
}

struct Builder<'b, 's> {
    model: &'b SchemaModel<'s>,
    store: &'b StoreSnapshot,
    shape: &'b Shape,
    limit: Option<&'b AtLimit>,
    choices: &'b mut dyn Choices,
    /// The current path, with indexes: `disk[0].size`.
    path: String,
    /// Position in the enclosing collections, as one number.
    element: Option<u64>,
    /// How many elements were built so far.
    n_elements: usize,
    /// Which members the object about to be built gets.
    only: Only,
    /// Whether the argument being built is sensitive or write-only.
    is_secret: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Only {
    All,
    Required,
    /// Every second of the members that may be null.
    Half,
}

impl Only {
    /// Whether the nullable member at a position is set.
    fn wants(self, idx: usize) -> bool {
        match self {
            Only::All => true,
            Only::Required => false,
            Only::Half => idx.is_multiple_of(2),
        }
    }
}

/// What the elements of a collection are like.
struct Collection {
    class: ValueClass,
    /// The fewest elements if it is not empty.
    fewest: usize,
    most: usize,
    ordered: bool,
    /// What the elements are declared as.
    inner: Type,
}

impl<'b> Builder<'b, '_> {
    fn pick(&mut self, facet: Facet, purpose: ChoicePurpose, domain: u64) -> u64 {
        self.choices.pick(&ChoiceKey { facet, path: &self.path, purpose }, domain)
    }

    fn class(&mut self, classes: &[ValueClass]) -> ValueClass {
        if let Some(Limit::Class(class)) = self.limit() {
            return *class;
        }
        classes[self.pick(Facet::Value, ChoicePurpose::Class, classes.len() as u64) as usize]
    }

    /// The limit at which the value at the current path is to be.
    fn limit(&self) -> Option<&'b Limit> {
        self.limit.filter(|at| at.path == self.path).map(|at| &at.limit)
    }

    /// Builds something one step further down.
    fn below<T>(&mut self, step: &dyn Fn(&mut String), make: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        step(&mut self.path);
        let made = make(self);
        self.path.truncate(length);
        made
    }

    fn object(&mut self, id: NodeId, ty: &Type) -> Value {
        let model = self.model;
        let children = &model.node(id).children;
        let only = std::mem::replace(&mut self.only, Only::All);
        let values = children.iter().enumerate().map(|(idx, child)| {
            let node = model.node(*child);
            let there = match node.presence {
                Presence::Never => false,
                Presence::Required => true,
                Presence::Optional => {
                    let wanted = only.wants(idx) || self.store.pinned(*child).is_some();
                    wanted && self.shape.is_on(*child) && self.store.may_set(*child)
                }
                Presence::Member => only.wants(idx) && !self.store.is_withheld(*child),
            };
            let at_root = id == ROOT;
            self.below(
                &|path| {
                    if !at_root {
                        path.push('.');
                    }
                    path.push_str(&node.name);
                },
                |builder| if there { builder.member(*child) } else { builder.absent(*child) },
            )
        });
        let values = values.collect();
        Value::object_of(ty, values)
    }

    fn absent(&self, id: NodeId) -> Value {
        let node = self.model.node(id);
        match &node.form {
            Form::Leaf | Form::Structure { .. } => Value::null(node.ty.clone()),
            Form::Block(nested) => nested.empty_value(),
        }
    }

    fn member(&mut self, id: NodeId) -> Value {
        let (model, store) = (self.model, self.store);
        let node = model.node(id);
        self.is_secret = node.is_secret;
        if store.is_withheld(id) {
            return Value::unknown(node.ty.clone());
        }
        if let Some(value) = self.base(id) {
            return filled(value, &self.own_word());
        }
        let classes = store.classes(model, id);
        if let Some(values) = store.given(id) {
            let class = self.class(&classes);
            let key = ChoiceKey { facet: Facet::Scenario, path: VALUES, purpose: ChoicePurpose::Variant };
            let first = self.choices.pick(&key, values.len() as u64) as usize;
            let value = &values[(first + usize::from(class == ValueClass::Second)) % values.len()];
            let permuted = if class == ValueClass::Permuted { permuted(value) } else { None };
            return filled(permuted.as_ref().unwrap_or(value), &self.own_word());
        }
        let (inner, limits) = match &node.form {
            Form::Leaf => return self.value(node.plain_name(), &node.ty, &node.path, &classes),
            Form::Block(nested) => (nested.block.implied_type().clone(), items(nested)),
            Form::Structure { .. } => {
                (node.ty.element().cloned().unwrap_or_else(|| node.ty.clone()), (0, usize::MAX))
            }
        };
        let class = self.class(&classes);
        let only = match class {
            ValueClass::Bare => Only::Required,
            ValueClass::PartlyNull => Only::Half,
            _ => Only::All,
        };
        let is_block = matches!(node.form, Form::Block(_));
        let nesting = node.form.nesting().expect("a node with members has a nesting");
        let inner_type = inner.clone();
        let mut make = move |builder: &mut Self| {
            builder.only = only;
            builder.object(id, &inner_type)
        };
        if !matches!(nesting, Nesting::List | Nesting::Set | Nesting::Map) {
            return make(self);
        }
        let limits = self.limits(&node.path, (limits.0.max(1), limits.1));
        let collection = Collection {
            class,
            fewest: limits.0,
            most: limits.1,
            ordered: nesting == Nesting::List,
            inner: inner.clone(),
        };
        let elements = self.elements(&collection, &mut make);
        match nesting {
            Nesting::List if is_block && inner.has_dynamic() => Value::tuple(elements),
            Nesting::Map if is_block && inner.has_dynamic() => {
                Value::object((0..).map(witness::key).zip(elements))
            }
            Nesting::List => list(&inner, elements),
            Nesting::Set => set(&inner, elements),
            _ => map(&inner, class, self.store.learned(&node.path), elements),
        }
    }

    /// The value that the author wrote, if nothing in it is decided.
    fn base(&self, id: NodeId) -> Option<&'b Value> {
        let value = self.store.base(id, |id| self.shape.is_on(id))?;
        let is_at_limit = self.limit.is_some_and(|at| is_within(&at.path, &self.path));
        (!is_at_limit && self.choices.is_undecided(&self.path)).then_some(value)
    }

    /// A value of a type, for an argument of this name and schema path.
    fn value(&mut self, name: &str, ty: &Type, path: &str, classes: &[ValueClass]) -> Value {
        let class = self.class(classes);
        if let Some(value) = self.at_limit(name, ty, path) {
            return value;
        }
        match ty {
            Type::String => Value::string(&self.text(name, path, class)),
            Type::Number => match class.number() {
                Some(number) => Value::number(number),
                None => {
                    let nth = self.nth(class);
                    if let Some(value) = self.learned(ty, path, nth) {
                        return value;
                    }
                    Value::number(witness::number(names::is_port(name), self.element.is_some(), nth))
                }
            },
            Type::Bool => {
                let nth = self.nth(class);
                if let Some(value) = self.learned(ty, path, nth) {
                    return value;
                }
                Value::bool((nth.element + nth.variant).is_multiple_of(2))
            }
            Type::Dynamic => self.dynamic(name, path, class),
            Type::List(inner) | Type::Set(inner) | Type::Map(inner) => {
                let pairs = matches!(ty, Type::Map(_)) && names::is_tags(name);
                let ordered = matches!(ty, Type::List(_));
                let limits = self.limits(path, (if pairs { 2 } else { 1 }, usize::MAX));
                let inner_type = Type::clone(inner);
                let collection =
                    Collection { class, fewest: limits.0, most: limits.1, ordered, inner: inner_type };
                let classes = self.store.classes_of_value(name, path, inner);
                let elements =
                    self.elements(&collection, &mut |builder| builder.value(name, inner, path, &classes));
                match ty {
                    Type::List(_) => list(inner, elements),
                    Type::Set(_) => set(inner, elements),
                    _ => map(inner, class, self.store.learned(path), elements),
                }
            }
            Type::Tuple(tuple) => Value::tuple(
                tuple
                    .elements()
                    .iter()
                    .enumerate()
                    .map(|(idx, ty)| {
                        let classes = self.store.classes_of_value(name, path, ty);
                        self.below(&|path| path.push_str(&format!("[{idx}]")), |builder| {
                            builder.value(name, ty, path, &classes)
                        })
                    })
                    .collect(),
            ),
            Type::Object(object) => {
                let values = object.attributes().iter().map(|(member, ty)| {
                    let path = format!("{path}.{member}");
                    let classes = self.store.classes_of_value(member, &path, ty);
                    self.below(&|path| path.extend([".", member]), |builder| {
                        builder.value(member, ty, &path, &classes)
                    })
                });
                let values = values.collect();
                Value::object_of(ty, values)
            }
        }
    }

    /// The value at the limit that the current path is to be at, if that is a limit of single values.
    fn at_limit(&mut self, name: &str, ty: &Type, path: &str) -> Option<Value> {
        match (self.limit()?, ty) {
            (Limit::Value(text), Type::Number) => Number::parse(text).ok().map(Value::number),
            (Limit::Value(text), Type::String) => Some(Value::string(text)),
            (Limit::Letters(length), Type::String) => {
                let typical = self.text(name, path, ValueClass::Typical);
                let word = if typical.is_empty() { "x" } else { &typical };
                Some(Value::string(&letters(word, *length as usize)))
            }
            _ => None,
        }
    }

    /// The fewest and the most elements, within what answers of the provider said unless the current path is to
    /// be beyond that.
    fn limits(&self, path: &str, (fewest, most): (usize, usize)) -> (usize, usize) {
        let bound = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let said = match self.limit() {
            Some(Limit::Count(count)) => return (bound(*count), bound(*count)),
            Some(Limit::Class(_)) => Span::default(),
            _ => self.store.count(path),
        };
        let most = said.max.map_or(most, |max| most.min(bound(max)));
        let fewest = said.min.map_or(fewest, |min| fewest.max(bound(min))).min(MAX_ELEMENTS);
        (fewest, most.max(fewest))
    }

    /// The word that values of the user's choice get in this scenario.
    fn own_word(&mut self) -> String {
        let key = ChoiceKey { facet: Facet::Value, path: VALUES, purpose: ChoicePurpose::Letters };
        witness::word(VALUES, self.choices.pick(&key, WORDS), Nth::new(0, 0))
    }

    fn nth(&mut self, class: ValueClass) -> Nth {
        let variant =
            2 * self.pick(Facet::Value, ChoicePurpose::Witness, 3) + u64::from(class == ValueClass::Second);
        Nth { element: self.element.unwrap_or(0), variant, is_secret: self.is_secret }
    }

    fn text(&mut self, name: &str, path: &str, class: ValueClass) -> String {
        if let Some(text) = class.text(self.is_secret) {
            return text.to_owned();
        }
        if class == ValueClass::OtherCase {
            return in_other_case(&self.text(name, path, ValueClass::Typical));
        }
        if class == ValueClass::NonCanonical
            && let Some(format) = self.store.format(name, path, &Type::String)
        {
            let nth = self.nth(class);
            let word = witness::word(path, self.salt(path), nth);
            return witness::non_canonical(format, nth, &word).unwrap_or(word);
        }
        let format = names::format_of(name, path);
        if (class, format) == (ValueClass::Json, Some(Format::JsonPolicy)) {
            return with_white_space(&self.text(name, path, ValueClass::Typical));
        }
        let nth = self.nth(class);
        let salt = self.salt(path);
        if !class.is_of_words()
            && let Some(learned) = self.store.learned(path)
            && let Some(text) = learned.text(&witness::word(path, salt, nth), nth)
        {
            return text;
        }
        match format {
            // At apply every file stays below the scratch folder, whatever its name.
            Some(Format::Path) if self.store.at_apply => {
                let word = witness::word(path, salt, nth);
                match &self.store.scratch {
                    Some(scratch) => scratch.join(word).to_string_lossy().into_owned(),
                    None => word,
                }
            }
            Some(format) if !class.is_of_words() => {
                let word = witness::word(path, salt, nth);
                witness::formatted(format, self.store.at_apply, nth, &word)
            }
            _ => {
                let word = witness::word(path, salt, nth);
                class.text_of(&word).unwrap_or(word)
            }
        }
    }

    /// What distinguishes the words at a schema path from those of other scenarios.
    fn salt(&mut self, path: &str) -> u64 {
        let key = ChoiceKey { facet: Facet::Value, path, purpose: ChoicePurpose::Letters };
        self.choices.pick(&key, WORDS)
    }

    /// A typical value as the provider's answers ask for it.
    fn learned(&mut self, ty: &Type, path: &str, nth: Nth) -> Option<Value> {
        let learned = self.store.learned(path)?;
        let word = witness::word(path, self.salt(path), nth);
        learned.value(ty, &word, nth)
    }

    fn dynamic(&mut self, name: &str, path: &str, class: ValueClass) -> Value {
        let text = Value::string(&self.text(name, path, class));
        let number = Value::number(7);
        match class {
            ValueClass::AsNumber => number,
            ValueClass::AsBool => Value::bool(true),
            ValueClass::AsTuple => Value::tuple(vec![text, number]),
            ValueClass::AsObject => Value::object([("one", text), ("two", number)]),
            _ => text,
        }
    }

    /// The elements of a collection, each built at its own path.
    fn elements(&mut self, collection: &Collection, make: &mut dyn FnMut(&mut Self) -> Value) -> Vec<Value> {
        let Collection { class, fewest, most, ordered, .. } = *collection;
        if class == ValueClass::Empty {
            return Vec::new();
        }
        let room = most.saturating_sub(fewest).min(2) as u64;
        let extra = self.pick(Facet::Count, ChoicePurpose::Extra, room + 1) as usize;
        let fewest = match class {
            ValueClass::Two | ValueClass::Equal | ValueClass::Descending | ValueClass::NullElement => {
                fewest.max(2).min(most)
            }
            ValueClass::EmptyElement => fewest.max(2).min(most),
            ValueClass::Many => fewest.max(MANY).min(most),
            _ => fewest,
        };
        let count = if self.n_elements > MAX_ELEMENTS { 1 } else { (fewest + extra).min(most) };
        self.n_elements += count;
        let outer = self.element;
        let mut elements: Vec<Value> = Vec::new();
        for idx in 0..count {
            self.element = Some(4 * outer.unwrap_or(0) + idx as u64);
            elements.push(match (class, elements.first()) {
                (ValueClass::Equal, Some(first)) => first.clone(),
                (ValueClass::NullElement, Some(_)) => Value::null(collection.inner.clone()),
                (ValueClass::EmptyElement, Some(_)) => empty(&collection.inner),
                _ => self.below(&|path| path.push_str(&format!("[{idx}]")), &mut *make),
            });
        }
        self.element = outer;
        if class == ValueClass::Descending {
            elements.sort_by(|a, b| compare(b, a));
        } else if ordered && self.pick(Facet::Count, ChoicePurpose::Order, 2) == 1 {
            elements.reverse();
        }
        elements
    }
}
