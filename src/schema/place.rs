//! Which places in the objects of a block are secret: sensitive and write-only attributes, and all that is
//! in them.

use std::sync::Arc;

use super::{Attribute, AttributeKind, Block, Member, NestedAttributes, NestedBlock, Nesting};
use crate::value::{AttributePath, Data, PathStep, Type, Value};

/// A place in the objects of a block, as far as it decides what is secret there.
///
/// It also has an answer for what does not fit the block: what is in an object with secrets, or in place of
/// one, and is not declared, is secret.
#[derive(Clone, Copy, Debug)]
pub struct Place<'s> {
    shape: Shape<'s>,
    is_secret: bool,
    /// Whether that is only because nobody can tell: something is here that does not fit.
    is_in_doubt: bool,
    name: &'s str,
}

/// What belongs at a place.
#[derive(Clone, Copy, Debug)]
enum Shape<'s> {
    Object(Members<'s>),
    /// Several of these objects, in a list or a set.
    Elements(Members<'s>),
    /// The same, by key.
    Entries(Members<'s>),
    /// Something without declarations inside; its type, if that is declared.
    Plain(Option<&'s Type>),
}

#[derive(Clone, Copy, Debug)]
enum Members<'s> {
    Block(&'s Block),
    Attributes(&'s NestedAttributes),
}

impl<'s> Members<'s> {
    fn named(self, name: &str) -> Option<Member<'s>> {
        match self {
            Members::Block(block) => block.member_named(name),
            Members::Attributes(nested) => nested.attribute(name).map(Member::Attribute),
        }
    }

    fn hold_secret(self) -> bool {
        match self {
            Members::Block(block) => block.holds_secret(),
            Members::Attributes(nested) => {
                nested.attributes.iter().any(|inner| inner.any(&Attribute::is_secret))
            }
        }
    }
}

/// What is found at a secret place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found<'v> {
    /// A string, a number or a bool, or such a null or unknown.
    Value(&'v Value),
    /// The key of a map, or the name of an attribute that no schema declares.
    Key(&'v str),
}

/// What replaces the parts of a value.
pub trait Rewrite {
    /// In place of a string, a number, a bool, or anything unknown; of the same type.
    fn value(&mut self, place: Place<'_>, value: &Value) -> Value;

    /// In place of a key of the map at a place, or of an attribute's name that no schema declares.
    fn key(&mut self, place: Place<'_>, key: &str) -> String;
}

impl<'s> Place<'s> {
    /// An object of this block; without one, nothing in it is secret.
    pub fn object(block: Option<&'s Block>) -> Place<'s> {
        let shape = block.map_or(Shape::Plain(None), |block| Shape::Object(Members::Block(block)));
        Place { shape, is_secret: false, is_in_doubt: false, name: "" }
    }

    /// Whether it is in a sensitive or write-only attribute, or may be.
    pub fn is_secret(self) -> bool {
        self.is_secret
    }

    /// Whether it is in a sensitive or write-only attribute without doubt.
    pub fn is_declared_secret(self) -> bool {
        self.is_secret && !self.is_in_doubt
    }

    /// Whether there is a secret here or anywhere inside.
    pub fn holds_secret(self) -> bool {
        self.is_secret
            || match self.shape {
                Shape::Object(members) | Shape::Elements(members) | Shape::Entries(members) => {
                    members.hold_secret()
                }
                Shape::Plain(_) => false,
            }
    }

    /// The name of the last attribute on the way here; empty if there is none.
    pub fn name(self) -> &'s str {
        self.name
    }

    /// Whether this is a declared attribute of the object here, and not a key that anyone may choose.
    pub fn declares(self, name: &str) -> bool {
        match self.shape {
            Shape::Object(members) => members.named(name).is_some(),
            Shape::Plain(Some(Type::Object(object))) => object.get(name).is_some(),
            Shape::Elements(_) | Shape::Entries(_) | Shape::Plain(_) => false,
        }
    }

    /// A plain value here; where objects with secrets belong, it is one.
    #[must_use]
    pub fn plain(self) -> Place<'s> {
        if matches!(self.shape, Shape::Plain(_)) { self } else { self.misfit() }
    }

    /// Whether no objects of the schema belong here.
    pub fn is_plain(self) -> bool {
        matches!(self.shape, Shape::Plain(_))
    }

    /// Whether a list or set of objects belongs here.
    pub fn has_elements(self) -> bool {
        matches!(self.shape, Shape::Elements(_))
    }

    /// Whether a value here may name its own type.
    pub fn may_be_dynamic(self) -> bool {
        match self.shape {
            Shape::Elements(_) | Shape::Entries(_) => true,
            Shape::Plain(ty) => ty == Some(&Type::Dynamic),
            Shape::Object(_) => false,
        }
    }

    /// The declared type, if it is a plain value.
    pub fn ty(self) -> Option<&'s Type> {
        match self.shape {
            Shape::Plain(ty) => ty,
            _ => None,
        }
    }

    /// The attribute with this name, or the element with this key.
    #[must_use]
    pub fn member(self, name: &str) -> Place<'s> {
        match self.shape {
            Shape::Object(members) => match members.named(name) {
                Some(Member::Attribute(attribute)) => self.attribute(attribute),
                Some(Member::Block(nested)) => self.blocks(nested),
                None => self.misfit(),
            },
            Shape::Entries(members) => Place { shape: Shape::Object(members), ..self },
            Shape::Elements(_) => self.misfit(),
            Shape::Plain(ty) => {
                let inner = ty.and_then(|ty| match ty {
                    Type::Dynamic => Some(ty),
                    Type::Object(object) => object.get(name),
                    other => other.element(),
                });
                Place { shape: Shape::Plain(inner), ..self }
            }
        }
    }

    /// An element of a list, a set or a tuple, by its position; of a set, that does not matter.
    #[must_use]
    pub fn element(self, idx: usize) -> Place<'s> {
        match self.shape {
            Shape::Elements(members) => Place { shape: Shape::Object(members), ..self },
            Shape::Object(_) | Shape::Entries(_) => self.misfit(),
            Shape::Plain(ty) => {
                let inner = ty.and_then(|ty| match ty {
                    Type::Dynamic => Some(ty),
                    Type::Tuple(tuple) => tuple.elements().get(idx),
                    other => other.element(),
                });
                Place { shape: Shape::Plain(inner), ..self }
            }
        }
    }

    /// The place of an entry in the flat map of an old state, such as `disk.0.size`.
    #[must_use]
    pub fn flat(self, path: &str) -> Place<'s> {
        path.split('.').fold(self, |place, name| match place.shape {
            Shape::Elements(_) | Shape::Plain(_) if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                place.element(name.parse().unwrap_or_default())
            }
            Shape::Elements(_) | Shape::Entries(_) if matches!(name, "#" | "%") => Place::object(None),
            _ => place.member(name),
        })
    }

    /// Something inside that does not belong here.
    #[must_use]
    pub fn misfit(self) -> Place<'s> {
        let is_in_doubt = self.is_in_doubt || !self.is_secret;
        Place { shape: Shape::Plain(None), is_secret: self.holds_secret(), is_in_doubt, ..self }
    }

    fn attribute(self, attribute: &'s Attribute) -> Place<'s> {
        let shape = match &attribute.kind {
            AttributeKind::Nested(nested) => shape(nested.nesting, Members::Attributes(nested)),
            AttributeKind::Typed(ty) => Shape::Plain(Some(ty)),
            AttributeKind::Invalid(_) => Shape::Plain(None),
        };
        Place { shape, is_secret: self.is_secret || attribute.is_secret(), name: &attribute.name, ..self }
    }

    fn blocks(self, nested: &'s NestedBlock) -> Place<'s> {
        Place { shape: shape(nested.nesting, Members::Block(&nested.block)), name: &nested.name, ..self }
    }

    fn step(self, step: &PathStep) -> Place<'s> {
        match step {
            PathStep::Attribute(name) | PathStep::Key(name) => self.member(name),
            PathStep::Index(idx) => self.element(usize::try_from(*idx).unwrap_or_default()),
            PathStep::Element(_) => self.element(0),
        }
    }

    /// Visits everything secret in the value at this place.
    pub fn each_secret(self, value: &Value, visit: &mut dyn FnMut(Place<'s>, Found<'_>)) {
        if !self.holds_secret() {
            return;
        }
        if value.ty().is_primitive() {
            if self.is_secret {
                visit(self, Found::Value(value));
            }
            return;
        }
        for (step, child) in value.children() {
            match &step {
                PathStep::Key(key) if self.is_secret => visit(self, Found::Key(key)),
                PathStep::Attribute(name) if self.is_secret && !self.declares(name) => {
                    visit(self, Found::Key(name));
                }
                _ => {}
            }
            self.step(&step).each_secret(child, visit);
        }
    }

    /// The value at this place, rewritten.
    pub fn rewrite(self, value: &Value, by: &mut dyn Rewrite) -> Value {
        // Names are in types too: elements that are alike stay so, even if one is null or empty.
        let mut ty = || self.renamed(value.ty(), &mut |place, name| by.key(place, name));
        match value.data() {
            Data::Null => Value::null(ty()),
            Data::Unknown(_) => {
                let ty = ty();
                let value = by.value(self, value);
                match value.data() {
                    Data::Unknown(None) => Value::unknown(ty),
                    Data::Unknown(Some(refinements)) => Value::refined(ty, (**refinements).clone()),
                    _ => value,
                }
            }
            Data::Bool(_) | Data::Number(_) | Data::String(_) => by.value(self, value),
            Data::Elements(elements) => {
                let ty = ty();
                let elements = elements.iter().enumerate();
                let elements: Vec<Value> =
                    elements.map(|(idx, element)| self.element(idx).rewrite(element, by)).collect();
                match ty {
                    Type::Tuple(_) => Value::tuple(elements),
                    ty => Value::of_elements(&ty, elements).expect("changed elements keep one type"),
                }
            }
            Data::Map(entries) => {
                let ty = ty();
                let entries: Vec<(Arc<str>, Value)> = entries
                    .iter()
                    .map(|(key, element)| {
                        (Arc::from(by.key(self, key)), self.member(key).rewrite(element, by))
                    })
                    .collect();
                Value::of_entries(&ty, entries).expect("changed elements keep one type")
            }
            Data::Object(_) => {
                let members = value.attributes().map(|(name, member)| {
                    let key = if self.declares(name) { name.to_owned() } else { by.key(self, name) };
                    (key, self.member(name).rewrite(member, by))
                });
                let members: Vec<(String, Value)> = members.collect();
                if members.iter().zip(value.attributes()).all(|((key, _), (name, _))| key == name) {
                    let children = members.into_iter().map(|(_, member)| member).collect();
                    return value.with_children(children).expect("an object takes any values");
                }
                Value::object(members)
            }
        }
    }

    /// The type of a value at this place, with names of attributes that are not declared as `name_of` has them:
    /// in the type of a map of blocks they are its labels, and what users chose inside.
    pub fn renamed(self, ty: &Type, name_of: &mut dyn FnMut(Place<'s>, &str) -> String) -> Type {
        match ty {
            Type::Object(object) => {
                let attributes = object.attributes().iter().map(|(name, ty)| {
                    let shown = if self.declares(name) { name.to_string() } else { name_of(self, name) };
                    (shown, self.member(name).renamed(ty, name_of))
                });
                Type::object(attributes.collect::<Vec<_>>())
            }
            Type::Tuple(tuple) => {
                let elements = tuple.elements().iter().enumerate();
                Type::tuple(
                    elements.map(|(idx, ty)| self.element(idx).renamed(ty, name_of)).collect::<Vec<_>>(),
                )
            }
            Type::List(element) => Type::list(self.element(0).renamed(element, name_of)),
            Type::Set(element) => Type::set(self.element(0).renamed(element, name_of)),
            // Every key has the same kind of place.
            Type::Map(element) => Type::map(self.member("key").renamed(element, name_of)),
            Type::String | Type::Number | Type::Bool | Type::Dynamic => ty.clone(),
        }
    }
}

fn shape(nesting: Nesting, members: Members<'_>) -> Shape<'_> {
    match nesting {
        Nesting::Single | Nesting::Group | Nesting::Invalid(_) => Shape::Object(members),
        Nesting::List | Nesting::Set => Shape::Elements(members),
        Nesting::Map => Shape::Entries(members),
    }
}

impl Block {
    /// Visits everything secret in an object.
    pub fn each_secret(&self, object: &Value, visit: &mut dyn FnMut(Place<'_>, Found<'_>)) {
        Place::object(Some(self)).each_secret(object, visit);
    }

    /// The name of a sensitive or write-only attribute that an object sets; `None` if it sets none.
    pub fn configured_secret(&self, object: &Value) -> Option<String> {
        let mut set = None;
        self.each_secret(object, &mut |place, found| {
            if !matches!(found, Found::Value(value) if value.is_null()) {
                set.get_or_insert_with(|| place.name().to_owned());
            }
        });
        set
    }

    /// Whether the place is sensitive: it, or an attribute that contains it, is marked sensitive.
    pub fn is_sensitive(&self, path: &AttributePath) -> bool {
        self.holds_secret()
            && path.steps().iter().fold(Place::object(Some(self)), |place, step| place.step(step)).is_secret
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::schema::strategy::{blocks, configs};
    use crate::value;

    proptest! {
        #[test]
        fn secrets_are_the_plain_values_at_sensitive_places(
            (block, object) in blocks().prop_flat_map(|block| (Just(block.clone()), configs(&block, true))),
        ) {
            let (mut by_path, mut together) = (Vec::new(), Vec::new());
            object.walk(&mut |path, value| {
                if value.ty().is_primitive() && block.is_sensitive(path) {
                    by_path.push(value.clone());
                }
                true
            });
            block.each_secret(&object, &mut |_, found| {
                if let Found::Value(value) = found {
                    together.push(value.clone());
                }
            });
            prop_assert_eq!(by_path, together);
        }

        #[test]
        fn an_object_is_rewritten_to_itself(
            (block, object) in blocks().prop_flat_map(|block| (Just(block.clone()), configs(&block, true))),
        ) {
            struct Same;
            impl Rewrite for Same {
                fn value(&mut self, _: Place<'_>, value: &Value) -> Value { value.clone() }
                fn key(&mut self, _: Place<'_>, key: &str) -> String { key.to_owned() }
            }
            prop_assert_eq!(Place::object(Some(&block)).rewrite(&object, &mut Same), object);
        }
    }

    #[test]
    fn a_long_path_is_followed_once() {
        let attribute = Attribute::typed("any", Type::Dynamic).optional();
        let block = Block::new(vec![attribute, Attribute::typed("pin", Type::Number).sensitive()], vec![]);
        let steps = (0..100_000).map(|_| PathStep::Key("k".to_owned()));
        let path = AttributePath::new([PathStep::Attribute("any".to_owned())].into_iter().chain(steps));
        let began = std::time::Instant::now();
        assert!(!block.is_sensitive(&path));
        assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
    }

    fn zoned() -> Block {
        let inner = Block::new(
            vec![
                Attribute::typed("any", Type::Dynamic).optional(),
                Attribute::typed("pin", Type::Number).optional().sensitive(),
            ],
            vec![],
        );
        Block::new(vec![], vec![NestedBlock::new("zone", Nesting::Map, inner)])
    }

    #[test]
    fn blocks_by_key_are_known_as_objects_too() {
        // With a dynamic attribute inside, an engine sends them as an object.
        let block = zoned();
        let object = value!({ zone: { a: { any: 1, pin: 7 } } }).of(block.implied_type());
        let mut found = Vec::new();
        block.each_secret(&object, &mut |place, secret| found.push(format!("{} {secret:?}", place.name())));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("pin "), "{found:?}");
    }

    #[test]
    fn what_is_not_declared_among_secrets_is_secret() {
        let block = zoned();
        let place = Place::object(Some(&block));
        assert!(place.member("zone").element(0).is_secret());
        assert!(place.member("other").is_secret() && !place.member("other").is_declared_secret());
        assert!(!place.member("zone").member("a").member("any").is_secret());
        assert!(place.member("zone").member("a").member("pin").element(0).is_secret());
    }
}
