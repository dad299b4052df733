//! Configurations in which something is not known yet.

use super::choices::{ChoiceKey, ChoicePurpose, Choices, Facet};
use super::legal::may_be_unknown;
use super::model::{Form, NodeId, Presence, ROOT, SchemaModel};
use super::store::StoreSnapshot;
use super::supplier::marks;
use crate::schema::Nesting;
use crate::value::{Answer, Bound, Data, Refinements, Type, Value, includes};

/// What is at a place that could be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A plain attribute that is set.
    Attribute,
    /// An element inside one.
    Element,
    /// A whole nested attribute, or one of objects.
    Structure,
    /// All blocks of a type, as with a dynamic block over an unknown collection. A list or a set of blocks is
    /// unknown then; a single block is an object with unknown members, and blocks keep their labels.
    Block,
    /// An optional attribute that will turn out to be null.
    Absent,
}

/// A place of a configuration that could be unknown.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    pub kind: PlaceKind,
    /// With indexes: `disk[0].size`.
    pub path: &'p str,
    /// What it will turn out to be.
    pub value: &'p Value,
    /// The type of an unknown there.
    pub ty: &'p Type,
}

impl Place<'_> {
    pub fn unknown(&self) -> Value {
        Value::unknown(self.ty.clone())
    }

    /// An unknown with or without refinements, which the value to come satisfies.
    pub fn refined(&self, choices: &mut dyn Choices) -> Value {
        let key = ChoiceKey { facet: Facet::Unknown, path: self.path, purpose: ChoicePurpose::Refine };
        let choice = choices.pick(&key, 4);
        if self.value.is_null() || self.kind == PlaceKind::Block || choice == 0 {
            return self.unknown();
        }
        let promise = if choice == 1 { Refinements::not_null() } else { promise(self.value, choice == 2) };
        Value::refined(self.ty.clone(), promise)
    }
}

/// What can be said about a value without giving it away: an engine treats a range of one value as
/// that value.
fn promise(value: &Value, low: bool) -> Refinements {
    let not_null = Refinements::not_null();
    match value.data() {
        Data::String(text) => {
            let half = text.char_indices().nth(text.chars().count().div_ceil(2)).map_or(0, |(at, _)| at);
            Refinements { not_null: true, ..Refinements::with_prefix(&text[..half]) }
        }
        Data::Number(number) => {
            let bound = Some(Bound { value: number.clone(), inclusive: true });
            if low {
                Refinements { lower: bound, ..not_null }
            } else {
                Refinements { upper: bound, ..not_null }
            }
        }
        Data::Elements(_) | Data::Map(_) if !matches!(value.ty(), Type::Tuple(_)) => {
            let length = value.length().map_or(0, |length| length.min);
            let (min, max) = if low { (Some(length), None) } else { (None, Some(length + 1)) };
            Refinements { not_null: true, ..Refinements::with_length(min, max) }
        }
        _ => not_null,
    }
}

/// `config` with some places unknown: `decide` is called for each, outer ones first, and returns a
/// replacement, or `None` to leave it and continue inside.
///
/// Block labels and map keys stay known, and so do write-only attributes and the version attribute
/// next to one, and what stands for the value of another resource.
pub fn relax(
    model: &SchemaModel<'_>,
    store: &StoreSnapshot,
    config: &Value,
    decide: &mut dyn FnMut(&Place<'_>) -> Option<Value>,
) -> Value {
    let mut walk = Walk { model, store, decide, path: String::new(), uniform: false };
    walk.object(ROOT, config)
}

struct Walk<'w, 's> {
    model: &'w SchemaModel<'s>,
    store: &'w StoreSnapshot,
    decide: &'w mut dyn FnMut(&Place<'_>) -> Option<Value>,
    path: String,
    /// Inside a collection whose elements have one type, an unknown keeps the type of the value it replaces.
    uniform: bool,
}

impl Walk<'_, '_> {
    fn below(&mut self, step: &dyn Fn(&mut String), go: impl FnOnce(&mut Self) -> Value) -> Value {
        let length = self.path.len();
        step(&mut self.path);
        let value = go(self);
        self.path.truncate(length);
        value
    }

    fn decided(&mut self, kind: PlaceKind, declared: &Type, value: &Value) -> Option<Value> {
        // It is unknown by itself as long as the other resource is not there.
        if self.store.refers() && !marks(value).is_empty() {
            return None;
        }
        let ty = unknown_type(declared, value, self.uniform)?;
        (self.decide)(&Place { kind, path: &self.path, value, ty: &ty })
    }

    fn object(&mut self, id: NodeId, object: &Value) -> Value {
        let model = self.model;
        let Data::Object(values) = object.data() else { return object.clone() };
        let values = model.node(id).children.iter().zip(values.iter()).map(|(child, value)| {
            self.below(
                &|path| {
                    if id != ROOT {
                        path.push('.');
                    }
                    path.push_str(&model.node(*child).name);
                },
                |walk| walk.member(*child, value),
            )
        });
        let values = values.collect();
        Value::object_of(object.ty(), values)
    }

    fn member(&mut self, id: NodeId, value: &Value) -> Value {
        let model = self.model;
        let node = model.node(id);
        if node.steady || node.presence == Presence::Never || !self.store.is_open(id) || value.is_unknown() {
            return value.clone();
        }
        let kind = match &node.form {
            Form::Block(_) => PlaceKind::Block,
            _ if value.is_null() => PlaceKind::Absent,
            Form::Leaf => PlaceKind::Attribute,
            Form::Structure { .. } => PlaceKind::Structure,
        };
        let is_whole = match &node.form {
            Form::Block(nested) => may_be_unknown(nested.nesting),
            _ => true,
        };
        if !is_whole && is_absent(&node.form, value) {
            return value.clone();
        }
        if !node.holds_steady
            && let Some(unknown) = self.decided(kind, &node.ty, value)
        {
            return if is_whole { unknown } else { self.with_unknown_members(id, value, self.uniform) };
        }
        if is_absent(&node.form, value) {
            return value.clone();
        }
        match node.form.nesting() {
            None => self.inside(value, &node.ty),
            Some(Nesting::List | Nesting::Set | Nesting::Map) => {
                self.elements(value, &mut |walk, element| walk.object(id, element))
            }
            Some(Nesting::Single | Nesting::Group | Nesting::Invalid(_)) => self.object(id, value),
        }
    }

    /// Blocks that cannot be unknown themselves, with all that is written in them unknown.
    fn with_unknown_members(&self, id: NodeId, blocks: &Value, uniform: bool) -> Value {
        let uniform = uniform || matches!(blocks.ty(), Type::Map(_));
        let members = |object: &Value| {
            let Data::Object(values) = object.data() else { return object.clone() };
            let values = self.model.node(id).children.iter().zip(values.iter());
            let values = values.map(|(child, value)| self.unknown_member(*child, value, uniform)).collect();
            Value::object_of(object.ty(), values)
        };
        match self.model.node(id).form.nesting() {
            Some(Nesting::Map) => {
                let blocks_inside = blocks.children().into_iter().map(|(_, block)| members(block)).collect();
                blocks.with_children(blocks_inside).unwrap_or_else(|| blocks.clone())
            }
            _ => members(blocks),
        }
    }

    fn unknown_member(&self, id: NodeId, value: &Value, uniform: bool) -> Value {
        let node = self.model.node(id);
        let is_fixed = node.steady || node.holds_steady || node.presence == Presence::Never;
        let is_reference = self.store.refers() && !marks(value).is_empty();
        if is_fixed || is_reference || !self.store.is_open(id) || is_absent(&node.form, value) {
            return value.clone();
        }
        match &node.form {
            Form::Block(nested) if !may_be_unknown(nested.nesting) => {
                self.with_unknown_members(id, value, uniform)
            }
            _ => unknown_type(&node.ty, value, uniform).map_or_else(|| value.clone(), Value::unknown),
        }
    }

    /// The contents of a plain value.
    fn inside(&mut self, value: &Value, declared: &Type) -> Value {
        // A dynamic value carries its type, so no type inside it is open.
        let declared = if *declared == Type::Dynamic { value.ty() } else { declared };
        match (declared, value.data()) {
            (Type::Object(object), Data::Object(values)) => {
                let values = object.attributes().iter().zip(values.iter()).map(|((name, ty), value)| {
                    self.below(&|path| path.extend([".", name]), |walk| walk.element(value, ty))
                });
                let values = values.collect();
                Value::object_of(value.ty(), values)
            }
            (Type::Tuple(tuple), _) => {
                let mut types = tuple.elements().iter();
                self.elements(value, &mut |walk, element| {
                    walk.element(element, types.next().expect("a tuple's type has one for each element"))
                })
            }
            (collection, _) => {
                let inner = collection.element().unwrap_or(collection);
                self.elements(value, &mut |walk, element| walk.element(element, inner))
            }
        }
    }

    fn element(&mut self, value: &Value, declared: &Type) -> Value {
        if value.is_null() {
            return value.clone();
        }
        match self.decided(PlaceKind::Element, declared, value) {
            Some(unknown) => unknown,
            None => self.inside(value, declared),
        }
    }

    /// The elements of a list, set, map or tuple, and of an object that represents a map of blocks.
    fn elements(&mut self, value: &Value, go: &mut dyn FnMut(&mut Self, &Value) -> Value) -> Value {
        let outer = self.uniform;
        self.uniform |= matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Map(_));
        let children = value.children().into_iter().enumerate().map(|(idx, (_, element))| {
            self.below(&|path| path.push_str(&format!("[{idx}]")), |walk| go(walk, element))
        });
        let relaxed =
            value.with_children(children.collect()).expect("an unknown keeps the type it stands for");
        self.uniform = outer;
        relaxed
    }
}

/// The type of an unknown in place of a value; `uniform` if it is inside a collection whose elements have one type.
/// `None` if the wire cannot express it: the concrete type of an unknown of such a type.
fn unknown_type(declared: &Type, value: &Value, uniform: bool) -> Option<Type> {
    match uniform {
        true if declared.has_dynamic() && *declared != Type::Dynamic => None,
        true => Some(value.ty().clone()),
        false => Some(declared.clone()),
    }
}

/// Whether nothing is written there.
fn is_absent(form: &Form<'_>, value: &Value) -> bool {
    match form {
        Form::Block(nested) => value.is_null() || *value == nested.empty_value(),
        _ => value.is_null(),
    }
}

/// Whether `unknown` is `config` with some things not known yet: what is known is the same, and
/// every unknown may turn out to be the value in `config`.
pub fn relaxes(unknown: &Value, config: &Value) -> bool {
    if unknown.is_unknown() {
        return includes(unknown, config) != Answer::False;
    }
    match (unknown.data(), config.data()) {
        (Data::Elements(some), Data::Elements(all)) if matches!(unknown.ty(), Type::Set(_)) => {
            some.iter().all(|a| all.iter().any(|b| relaxes(a, b)))
                && all.iter().all(|b| some.iter().any(|a| relaxes(a, b)))
        }
        (Data::Elements(some), Data::Elements(all)) => {
            some.len() == all.len() && some.iter().zip(all.iter()).all(|(a, b)| relaxes(a, b))
        }
        (Data::Map(some), Data::Map(all)) => {
            some.keys().eq(all.keys()) && some.values().zip(all.values()).all(|(a, b)| relaxes(a, b))
        }
        (Data::Object(some), Data::Object(all)) => {
            let names =
                |value: &Value| value.attributes().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
            names(unknown) == names(config) && some.iter().zip(all.iter()).all(|(a, b)| relaxes(a, b))
        }
        _ => unknown == config,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Options;
    use crate::rule::example;
    use crate::value;

    #[test]
    fn places_are_whole_values_before_what_is_inside_and_never_write_only() {
        let schema = example::schema();
        let schema = &schema.resources[example::THING];
        let model = SchemaModel::new(schema);
        let store = StoreSnapshot::new(&model, &Options::default(), false);
        let ty = schema.implied_type();
        let config = value!({
            name: "web", ports: [1, 2], token: "secret", keyed: [{ label: "a" }],
            disk: [{ size: 1, tag: [] }], rule: [], one: { name: "o" }, group: {}, zone: { a: { name: "z" } }
        })
        .of(ty);
        let mut places = Vec::new();
        let same = relax(&model, &store, &config, &mut |place| {
            if place.kind != PlaceKind::Absent {
                places.push(place.path.to_owned());
            }
            None
        });
        assert_eq!(same, config);
        // A group that is left out is not there to be unknown.
        let expected = "disk disk[0].size disk[0].tag keyed[0].label layer name one one.name ports ports[0] ports[1] rule zone zone[0].name";
        assert_eq!(places.join(" "), expected);
        let unknown = relax(&model, &store, &config, &mut |place| Some(place.unknown()));
        let single = Value::unknown(Type::String);
        assert!(unknown.member("disk").is_unknown() && unknown.member("rule").is_unknown());
        assert_eq!(unknown.member("one").member("name"), single);
        assert_eq!(unknown.member("zone").children()[0].1.member("name"), single);
        assert_eq!(unknown.member("group"), config.member("group"));
    }

    #[test]
    fn a_relaxed_configuration_may_become_the_configuration_and_no_other() {
        let ty = Type::object([("a", Type::set(Type::String)), ("b", Type::Number)]);
        let config = value!({ a: ["x", "y"], b: 2 }).of(&ty);
        assert!(relaxes(&value!({ a: [unknown, "y"], b: unknown }).of(&ty), &config));
        assert!(!relaxes(&value!({ a: ["z", unknown], b: 2 }).of(&ty), &config));
        assert!(!relaxes(&value!({ a: unknown, b: 3 }).of(&ty), &config));
        let bound = promise(&Value::number(3), true);
        let above = config.with_attribute("b", Value::refined(Type::Number, bound));
        assert!(!relaxes(&above, &config));
    }
}
