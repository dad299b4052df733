//! Types of values and schemas.
//!
//! Capsule types and the optional-attribute marks of object types do not exist here: neither ever
//! appears in a value.

use std::fmt;
use std::sync::Arc;

use serde_json::Value as Json;

/// How deeply a type may nest before it is refused; only hostile answers go deeper.
pub const MAX_TYPE_DEPTH: usize = 64;

/// The type of a value, or a constraint on one.
///
/// [`Type::Dynamic`] is a constraint ("any type"): a *known* value never has it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    String,
    Number,
    Bool,
    Dynamic,
    List(Arc<Type>),
    Set(Arc<Type>),
    Map(Arc<Type>),
    Tuple(Arc<TupleType>),
    Object(Arc<ObjectType>),
}

/// The element types of a tuple, in order.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TupleType {
    elements: Box<[Type]>,
    has_dynamic: bool,
}

/// The attributes of an object type, sorted bytewise by name.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectType {
    attributes: Box<[(Arc<str>, Type)]>,
    has_dynamic: bool,
}

impl TupleType {
    pub fn elements(&self) -> &[Type] {
        &self.elements
    }
}

impl ObjectType {
    /// Names and types, sorted bytewise by name.
    pub fn attributes(&self) -> &[(Arc<str>, Type)] {
        &self.attributes
    }

    /// The index of an attribute in [`ObjectType::attributes`].
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.attributes.binary_search_by(|(candidate, _)| candidate.as_ref().cmp(name)).ok()
    }

    pub fn get(&self, name: &str) -> Option<&Type> {
        self.index_of(name).map(|idx| &self.attributes[idx].1)
    }

    /// The type with the same names but other types, in the same order.
    pub(super) fn retyped(&self, types: impl IntoIterator<Item = Type>) -> Type {
        let names = self.attributes.iter().map(|(name, _)| Arc::clone(name));
        let attributes: Box<[(Arc<str>, Type)]> = names.zip(types).collect();
        let has_dynamic = attributes.iter().any(|(_, ty)| ty.has_dynamic());
        Type::Object(Arc::new(ObjectType { attributes, has_dynamic }))
    }
}

impl Type {
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    pub fn set(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }

    pub fn map(element: Type) -> Type {
        Type::Map(Arc::new(element))
    }

    pub fn tuple(elements: impl IntoIterator<Item = Type>) -> Type {
        let elements: Box<[Type]> = elements.into_iter().collect();
        let has_dynamic = elements.iter().any(Type::has_dynamic);
        Type::Tuple(Arc::new(TupleType { elements, has_dynamic }))
    }

    /// An object type; if two attributes have the same name the later wins.
    pub fn object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Type)>) -> Type {
        let sorted: std::collections::BTreeMap<Arc<str>, Type> =
            attributes.into_iter().map(|(name, ty)| (super::nfc(name.as_ref()), ty)).collect();
        let attributes: Box<[(Arc<str>, Type)]> = sorted.into_iter().collect();
        let has_dynamic = attributes.iter().any(|(_, ty)| ty.has_dynamic());
        Type::Object(Arc::new(ObjectType { attributes, has_dynamic }))
    }

    /// Whether it contains the dynamic pseudo-type at any depth.
    pub fn has_dynamic(&self) -> bool {
        match self {
            Type::Dynamic => true,
            Type::String | Type::Number | Type::Bool => false,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.has_dynamic(),
            Type::Tuple(tuple) => tuple.has_dynamic,
            Type::Object(object) => object.has_dynamic,
        }
    }

    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::String | Type::Number | Type::Bool)
    }

    /// The element type of a list, set or map.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::List(element) | Type::Set(element) | Type::Map(element) => Some(element),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&ObjectType> {
        match self {
            Type::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether a value of this type satisfies the constraint `want`, without any conversion.
    ///
    /// Source: contract section 2.1.
    pub fn conforms(&self, want: &Type) -> bool {
        match (self, want) {
            (_, Type::Dynamic) => true,
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
                a.conforms(b)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.elements.len() == b.elements.len()
                    && a.elements.iter().zip(&*b.elements).all(|(a, b)| a.conforms(b))
            }
            (Type::Object(a), Type::Object(b)) => {
                Arc::ptr_eq(a, b)
                    || (a.attributes.len() == b.attributes.len()
                        && a.attributes
                            .iter()
                            .zip(&*b.attributes)
                            .all(|((a_name, a), (b_name, b))| a_name == b_name && a.conforms(b)))
            }
            (given, want) => given == want,
        }
    }

    /// Parses a type from its JSON form, such as `["list","string"]`.
    ///
    /// Optional-attribute marks of objects are accepted and dropped, as Core does.
    pub fn from_json(json: &Json) -> Result<Type, TypeError> {
        from_json(json, 0)
    }

    /// Like [`Type::from_json`], from text.
    pub fn parse(text: &[u8]) -> Result<Type, TypeError> {
        let json = serde_json::from_slice(text).map_err(|error| TypeError::NotJson(error.to_string()))?;
        Type::from_json(&json)
    }

    /// The JSON form, as Core writes it: no white space, object attributes sorted.
    pub fn to_json_text(&self) -> String {
        let mut text = String::new();
        write_json(self, &mut text);
        text
    }

    pub fn to_json(&self) -> Json {
        serde_json::from_str(&self.to_json_text()).expect("the type writer emits JSON")
    }
}

/// Why a text is not a type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TypeError {
    #[error("not JSON: {0}")]
    NotJson(String),
    #[error("{0} is not a type")]
    NotAType(String),
    #[error("optional attribute {0:?} is not declared")]
    UndeclaredOptional(String),
    #[error("nested more than {MAX_TYPE_DEPTH} levels deep")]
    TooDeep,
}

fn from_json(json: &Json, depth: usize) -> Result<Type, TypeError> {
    if depth > MAX_TYPE_DEPTH {
        return Err(TypeError::TooDeep);
    }
    let wrong = || TypeError::NotAType(json.to_string());
    match json {
        Json::String(name) => match name.as_str() {
            "string" => Ok(Type::String),
            "number" => Ok(Type::Number),
            "bool" => Ok(Type::Bool),
            "dynamic" => Ok(Type::Dynamic),
            _ => Err(wrong()),
        },
        Json::Array(parts) => match parts.as_slice() {
            [Json::String(kind), inner] if kind == "list" => Ok(Type::list(from_json(inner, depth + 1)?)),
            [Json::String(kind), inner] if kind == "set" => Ok(Type::set(from_json(inner, depth + 1)?)),
            [Json::String(kind), inner] if kind == "map" => Ok(Type::map(from_json(inner, depth + 1)?)),
            [Json::String(kind), Json::Array(elements)] if kind == "tuple" => {
                let elements: Result<Vec<_>, _> = elements.iter().map(|e| from_json(e, depth + 1)).collect();
                Ok(Type::tuple(elements?))
            }
            [Json::String(kind), Json::Null] if kind == "object" => Ok(Type::object::<&str>([])),
            [Json::String(kind), Json::Null] if kind == "tuple" => Ok(Type::tuple([])),
            [Json::String(kind), Json::Object(attributes), optional @ ..]
                if kind == "object" && optional.len() <= 1 =>
            {
                let mut members = Vec::with_capacity(attributes.len());
                for (name, ty) in attributes {
                    members.push((name.as_str(), from_json(ty, depth + 1)?));
                }
                for name in optional.first().map(optional_names).transpose()?.unwrap_or_default() {
                    if !attributes.contains_key(name) {
                        return Err(TypeError::UndeclaredOptional(name.to_owned()));
                    }
                }
                Ok(Type::object(members))
            }
            _ => Err(wrong()),
        },
        _ => Err(wrong()),
    }
}

fn optional_names(json: &Json) -> Result<Vec<&str>, TypeError> {
    let wrong = || TypeError::NotAType(json.to_string());
    json.as_array().ok_or_else(wrong)?.iter().map(|name| name.as_str().ok_or_else(wrong)).collect()
}

fn write_json(ty: &Type, out: &mut String) {
    match ty {
        Type::String => out.push_str("\"string\""),
        Type::Number => out.push_str("\"number\""),
        Type::Bool => out.push_str("\"bool\""),
        Type::Dynamic => out.push_str("\"dynamic\""),
        Type::List(element) => write_collection("list", element, out),
        Type::Set(element) => write_collection("set", element, out),
        Type::Map(element) => write_collection("map", element, out),
        Type::Tuple(tuple) => {
            out.push_str("[\"tuple\",[");
            for (idx, element) in tuple.elements.iter().enumerate() {
                if idx > 0 {
                    out.push(',');
                }
                write_json(element, out);
            }
            out.push_str("]]");
        }
        Type::Object(object) => {
            out.push_str("[\"object\",{");
            for (idx, (name, ty)) in object.attributes.iter().enumerate() {
                if idx > 0 {
                    out.push(',');
                }
                super::state_json::write_string(name, out);
                out.push(':');
                write_json(ty, out);
            }
            out.push_str("}]");
        }
    }
}

fn write_collection(kind: &str, element: &Type, out: &mut String) {
    out.push_str("[\"");
    out.push_str(kind);
    out.push_str("\",");
    write_json(element, out);
    out.push(']');
}

/// As a user writes it in a variable declaration: `list(string)`, `object({a=number})`, `any`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::String => f.write_str("string"),
            Type::Number => f.write_str("number"),
            Type::Bool => f.write_str("bool"),
            Type::Dynamic => f.write_str("any"),
            Type::List(element) => write!(f, "list({element})"),
            Type::Set(element) => write!(f, "set({element})"),
            Type::Map(element) => write!(f, "map({element})"),
            Type::Tuple(tuple) => {
                f.write_str("tuple([")?;
                for (idx, element) in tuple.elements.iter().enumerate() {
                    write!(f, "{}{element}", if idx > 0 { ", " } else { "" })?;
                }
                f.write_str("])")
            }
            Type::Object(object) => {
                f.write_str("object({")?;
                for (idx, (name, ty)) in object.attributes.iter().enumerate() {
                    write!(f, "{}{name}={ty}", if idx > 0 { ", " } else { "" })?;
                }
                f.write_str("})")
            }
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_refused(text: &str) {
        assert!(Type::parse(text.as_bytes()).is_err(), "{text} was taken for a type");
    }

    #[test]
    fn type_json_round_trips() {
        for text in [
            r#""string""#,
            r#"["list","dynamic"]"#,
            r#"["tuple",["string",["set","number"]]]"#,
            r#"["object",{"Z":"bool","a":["map","string"]}]"#,
            r#"["object",{}]"#,
        ] {
            assert_eq!(Type::parse(text.as_bytes()).unwrap().to_json_text(), text);
        }
    }

    #[test]
    fn what_core_refuses_as_a_type_is_refused() {
        for text in [
            r#""any""#,
            r#""list""#,
            r#"["list"]"#,
            r#"["list","string","x"]"#,
            "null",
            "{}",
            "",
            r#"["capsule","x"]"#,
            r#"["tuple","string"]"#,
            r#"["object",{"a":null}]"#,
            r#"["object",{"a":"string"},["b"]]"#,
        ] {
            assert_refused(text);
        }
        let deep = format!("{}\"string\"{}", "[\"list\",".repeat(100), "]".repeat(100));
        assert_refused(&deep);
    }

    #[test]
    fn oddities_that_core_accepts_are_accepted() {
        assert_eq!(Type::parse(br#"["object",null]"#).unwrap(), Type::object::<&str>([]));
        // As `tftypes.Tuple{}` is written when its element types are a nil slice.
        assert_eq!(Type::parse(br#"["tuple",null]"#).unwrap(), Type::tuple([]));
        assert_eq!(
            Type::parse(br#"["object",{"a":"string"},["a"]]"#).unwrap(),
            Type::object([("a", Type::String)])
        );
    }

    #[test]
    fn conformance_lets_dynamic_stand_for_anything_and_converts_nothing() {
        let any_list = Type::list(Type::Dynamic);
        assert!(Type::list(Type::String).conforms(&any_list));
        assert!(!Type::set(Type::String).conforms(&any_list));
        assert!(!Type::Number.conforms(&Type::String));
        assert!(!Type::object([("a", Type::String)]).conforms(&Type::object([("b", Type::String)])));
        assert!(!any_list.conforms(&Type::list(Type::String)));
    }
}
