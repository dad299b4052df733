//! Values written the way a user would, for examples and tests.

use super::{Number, Type, Value};

/// A value without a type, as created by `value!`. A type turns it into a [`Value`].
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Null,
    Unknown,
    Bool(bool),
    Number(Number),
    String(String),
    List(Vec<Literal>),
    Object(Vec<(String, Literal)>),
}

impl Literal {
    /// The value of this type: missing attributes are null, a list fits lists, sets and tuples.
    ///
    /// # Panics
    /// If the literal does not fit the type; literals are written by people in code.
    pub fn of(&self, ty: &Type) -> Value {
        match (self, ty) {
            (Literal::Null, _) => Value::null(ty.clone()),
            (Literal::Unknown, _) => Value::unknown(ty.clone()),
            (_, Type::Dynamic) => self.of(&self.natural_type()),
            (Literal::Bool(value), Type::Bool) => Value::bool(*value),
            (Literal::Number(number), Type::Number) => Value::number(number.clone()),
            (Literal::String(text), Type::String) => Value::string(text),
            (Literal::List(items), Type::List(element)) => {
                let element = element_type(element, items);
                let items = items.iter().map(|item| item.of(&element)).collect();
                Value::list(element, items)
            }
            (Literal::List(items), Type::Set(element)) => {
                Value::set(Type::clone(element), items.iter().map(|item| item.of(element)).collect())
            }
            (Literal::List(items), Type::Tuple(tuple)) => {
                Value::tuple(items.iter().zip(tuple.elements()).map(|(item, ty)| item.of(ty)).collect())
            }
            (Literal::Object(members), Type::Map(element)) => {
                Value::map(Type::clone(element), members.iter().map(|(key, item)| (key, item.of(element))))
            }
            (Literal::Object(members), Type::Object(object)) => {
                for (name, _) in members {
                    assert!(object.get(name).is_some(), "attribute {name:?} is not in {ty}");
                }
                let member =
                    |name: &str| members.iter().find(|(given, _)| given == name).map(|(_, item)| item);
                Value::object(object.attributes().iter().map(|(name, ty)| {
                    (name, member(name).map_or_else(|| Value::null(ty.clone()), |item| item.of(ty)))
                }))
            }
            (literal, ty) => panic!("{literal:?} is not of type {ty}"),
        }
    }

    /// The type the language would give the expression: tuples and objects, nothing unified.
    pub fn natural_type(&self) -> Type {
        match self {
            Literal::Null | Literal::Unknown => Type::Dynamic,
            Literal::Bool(_) => Type::Bool,
            Literal::Number(_) => Type::Number,
            Literal::String(_) => Type::String,
            Literal::List(items) => Type::tuple(items.iter().map(Literal::natural_type)),
            Literal::Object(members) => {
                Type::object(members.iter().map(|(name, item)| (name, item.natural_type())))
            }
        }
    }
}

/// The one type of a list's elements: if it is dynamic, the first fully typed item decides.
fn element_type(declared: &Type, items: &[Literal]) -> Type {
    if !declared.has_dynamic() {
        return declared.clone();
    }
    let types: Vec<Type> = items.iter().map(|item| item.of(declared).ty().clone()).collect();
    let whole = types.iter().find(|ty| !ty.has_dynamic());
    whole.or(types.first()).unwrap_or(declared).clone()
}

impl From<bool> for Literal {
    fn from(value: bool) -> Literal {
        Literal::Bool(value)
    }
}

impl From<i64> for Literal {
    fn from(value: i64) -> Literal {
        Literal::Number(Number::from_i64(value))
    }
}

impl From<i32> for Literal {
    fn from(value: i32) -> Literal {
        Literal::from(i64::from(value))
    }
}

/// A decimal fraction as written, not the double nearest to it.
impl From<f64> for Literal {
    fn from(value: f64) -> Literal {
        Literal::Number(Number::parse(&value.to_string()).expect("a double prints as a decimal number"))
    }
}

impl From<&str> for Literal {
    fn from(text: &str) -> Literal {
        Literal::String(text.to_owned())
    }
}

impl From<String> for Literal {
    fn from(text: String) -> Literal {
        Literal::String(text)
    }
}

/// Writes a [`Literal`]: `value!({ name: "web", id: unknown, tags: ["a", null] })`.
#[macro_export]
macro_rules! value {
    (null) => { $crate::value::Literal::Null };
    (unknown) => { $crate::value::Literal::Unknown };
    ([ $($item:tt),* $(,)? ]) => { $crate::value::Literal::List(vec![ $($crate::value!($item)),* ]) };
    ({ $($name:tt : $item:tt),* $(,)? }) => {
        $crate::value::Literal::Object(vec![ $(($crate::value!(@name $name), $crate::value!($item))),* ])
    };
    (@name $name:ident) => { stringify!($name).to_owned() };
    (@name $name:literal) => { $name.to_owned() };
    ($other:expr) => { $crate::value::Literal::from($other) };
}
