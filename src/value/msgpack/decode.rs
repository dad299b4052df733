//! Decoding: never fails outright, strict in what it reports, lenient in what it yields.

use std::collections::BTreeMap;
use std::sync::Arc;

use unicode_normalization::is_nfc;

use super::issue::{Issue, IssueKind};
use super::reader::{Item, Reader};
use crate::value::{
    AttributePath, Bound, Data, Number, NumberError, ObjectType, PathStep, Refinements, Type, Value,
};

/// Deeper nesting than any schema can imply comes only from dynamic types inside dynamic types.
const MAX_DEPTH: usize = 160;
const MAX_REFINEMENT: usize = 1024;
/// More values than any object holds. A null takes one byte on the wire, and a hundred times that decoded.
pub const MAX_VALUES: usize = 1_000_000;
/// From about here, an engine that allocates as many elements as a header announces is in trouble.
const RUINOUS_COUNT: u64 = 1 << 24;

/// The result of decoding bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// `None` if an engine could not decode it either.
    pub value: Option<Value>,
    /// All issues, in the order found. If `value` is `None` the last one is the reason.
    pub issues: Vec<Issue>,
}

/// Decodes bytes under the type their position is declared with.
pub fn decode(bytes: &[u8], ty: &Type) -> Decoded {
    let mut decoder =
        Decoder { reader: Reader::new(bytes), path: Vec::new(), issues: Vec::new(), depth: 0, n_values: 0 };
    let value = decoder.value(ty).ok();
    if value.is_some() && decoder.reader.remaining() > 0 {
        decoder.note(IssueKind::TrailingBytes(decoder.reader.remaining()));
    }
    Decoded { value, issues: decoder.issues }
}

/// A step of the path, as cheap as possible: most paths are never shown.
enum Step {
    Attribute(Arc<str>),
    Key(Arc<str>),
    Index(usize),
}

struct Decoder<'a> {
    reader: Reader<'a>,
    path: Vec<Step>,
    issues: Vec<Issue>,
    depth: usize,
    /// How many values were begun.
    n_values: usize,
}

/// The reason is already among the issues.
struct Undecodable;

type Outcome<T> = Result<T, Undecodable>;

impl<'a> Decoder<'a> {
    fn note(&mut self, kind: IssueKind) {
        let path = AttributePath::new(self.path.iter().map(|step| match step {
            Step::Attribute(name) => PathStep::Attribute(name.to_string()),
            Step::Key(key) => PathStep::Key(key.to_string()),
            Step::Index(idx) => PathStep::Index(*idx as i64),
        }));
        let issue = Issue { path, offset: self.reader.offset(), kind };
        self.issues.push(issue);
    }

    fn fail<T>(&mut self, kind: IssueKind) -> Outcome<T> {
        self.note(kind);
        Err(Undecodable)
    }

    fn item(&mut self) -> Outcome<Item<'a>> {
        match self.reader.item() {
            Ok(item) => Ok(item),
            Err(what) => self.fail(IssueKind::Malformed(what)),
        }
    }

    fn inside<T>(&mut self, step: Step, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.path.push(step);
        let outcome = read(self);
        self.path.pop();
        outcome
    }

    /// The number of elements a header announces; each takes at least a byte, so it cannot exceed
    /// the bytes left.
    fn count(&mut self, announced: u64, bytes_each: u64) -> Outcome<usize> {
        if announced.saturating_mul(bytes_each) > self.reader.remaining() as u64 {
            return self.fail(if announced > RUINOUS_COUNT {
                IssueKind::HugeHeader(announced)
            } else {
                IssueKind::Malformed("the bytes end inside a collection")
            });
        }
        Ok(announced as usize)
    }

    fn value(&mut self, ty: &Type) -> Outcome<Value> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail(IssueKind::TooDeep);
        }
        self.n_values += 1;
        if self.n_values > MAX_VALUES {
            return self.fail(IssueKind::TooLarge(format!("more than {MAX_VALUES} values")));
        }
        let item = self.item()?;
        let value = match item {
            Item::Nil => Ok(Value::null(ty.clone())),
            Item::Extension { code, payload } => self.unknown(ty, code, payload),
            item => self.known(ty, item),
        };
        self.depth -= 1;
        value
    }

    fn known(&mut self, ty: &Type, item: Item<'a>) -> Outcome<Value> {
        match (ty, item) {
            (Type::Dynamic, Item::Array(2)) => self.dynamic(),
            (Type::Dynamic, _) => self.fail(IssueKind::DynamicForm),
            (Type::String, Item::Text(bytes)) => Ok(Value::string(&self.text(bytes))),
            (Type::String, Item::Binary(bytes)) => {
                self.note(IssueKind::BinaryString);
                Ok(Value::string(&self.text(bytes)))
            }
            (Type::Bool, Item::Bool(value)) => Ok(Value::bool(value)),
            (Type::Number, item) => self.number(item).map(Value::number),
            (Type::List(element), Item::Array(length)) => {
                let elements = self.elements(element, length)?;
                self.collection(Value::of_elements(ty, elements))
            }
            (Type::Set(element), Item::Array(length)) => {
                let elements = self.elements(element, length)?;
                let given = elements.len();
                let set = self.collection(Value::of_elements(ty, elements))?;
                if set.elements().is_some_and(|kept| kept.len() < given) {
                    self.note(IssueKind::DuplicateElement);
                }
                Ok(set)
            }
            (Type::Tuple(tuple), Item::Array(length)) => {
                let wanted = tuple.elements().len();
                if length != wanted as u64 {
                    return self.fail(IssueKind::TupleLength { wanted, found: length as usize });
                }
                let mut elements = Vec::with_capacity(wanted.min(self.reader.remaining()));
                for (idx, ty) in tuple.elements().iter().enumerate() {
                    elements.push(self.inside(Step::Index(idx), |this| this.value(ty))?);
                }
                Ok(Value::tuple(elements))
            }
            (Type::Map(element), Item::Map(length)) => self.map(ty, element, length),
            (Type::Object(object), Item::Map(length)) => self.object(ty, object, length),
            (ty, item) => {
                let wanted = match ty {
                    Type::String => "a string",
                    Type::Bool => "a bool",
                    Type::List(_) => "a list",
                    Type::Set(_) => "a set",
                    Type::Tuple(_) => "a tuple",
                    Type::Map(_) => "a map",
                    Type::Object(_) => "an object",
                    Type::Number | Type::Dynamic => unreachable!("handled above"),
                };
                self.fail(IssueKind::WrongShape { wanted, found: item.describe() })
            }
        }
    }

    fn text(&mut self, bytes: &[u8]) -> String {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                if !text.is_ascii() && !is_nfc(text) {
                    self.note(IssueKind::NotNfc);
                }
                text.to_owned()
            }
            Err(_) => {
                self.note(IssueKind::InvalidUtf8);
                String::from_utf8_lossy(bytes).into_owned()
            }
        }
    }

    fn number(&mut self, item: Item<'a>) -> Outcome<Number> {
        match item {
            Item::Unsigned { value, minimal } => {
                if !minimal {
                    self.note(IssueKind::NotMinimal);
                }
                Ok(Number::from_u64(value))
            }
            Item::Signed { value, minimal } => {
                if !minimal {
                    self.note(IssueKind::NotMinimal);
                }
                Ok(Number::from_i64(value))
            }
            Item::Double { value, single } => match Number::from_f64(value) {
                Err(_) => self.fail(IssueKind::NotANumber),
                Ok(number) => {
                    if number.is_infinite() {
                        self.note(IssueKind::Infinity);
                    } else if number.is_integer() && number.to_i64().is_none() {
                        self.note(IssueKind::IntegralDoubleLosesDigits);
                    } else if number.is_integer() {
                        self.note(IssueKind::IntegralDouble);
                    } else if single {
                        self.note(IssueKind::NotMinimal);
                    }
                    Ok(number)
                }
            },
            Item::Text(bytes) | Item::Binary(bytes) => {
                let parsed =
                    std::str::from_utf8(bytes).map_err(|_| NumberError::Syntax).and_then(Number::parse);
                match parsed {
                    Ok(number) => {
                        if number.is_infinite() {
                            self.note(IssueKind::Infinity);
                        }
                        Ok(number)
                    }
                    Err(error) => self.fail(IssueKind::BadNumber(error)),
                }
            }
            item => self.fail(IssueKind::WrongShape { wanted: "a number", found: item.describe() }),
        }
    }

    fn dynamic(&mut self) -> Outcome<Value> {
        let ty = match self.item()? {
            Item::Binary(bytes) => Type::parse(bytes),
            Item::Text(bytes) => {
                self.note(IssueKind::BinaryString);
                Type::parse(bytes)
            }
            _ => return self.fail(IssueKind::DynamicForm),
        };
        match ty {
            Ok(ty) => self.value(&ty),
            Err(error) => self.fail(IssueKind::DynamicType(error)),
        }
    }

    fn elements(&mut self, element: &Type, announced: u64) -> Outcome<Vec<Value>> {
        let count = self.count(announced, 1)?;
        let mut elements = Vec::new();
        for idx in 0..count {
            elements.push(self.inside(Step::Index(idx), |this| this.value(element))?);
        }
        Ok(elements)
    }

    fn collection(&mut self, value: Option<Value>) -> Outcome<Value> {
        match value {
            Some(value) => Ok(value),
            None => self.fail(IssueKind::MixedElementTypes),
        }
    }

    fn key(&mut self) -> Outcome<Option<String>> {
        Ok(match self.item()? {
            Item::Text(bytes) | Item::Binary(bytes) => Some(self.text(bytes)),
            _ => None,
        })
    }

    fn map(&mut self, ty: &Type, element: &Type, announced: u64) -> Outcome<Value> {
        let count = self.count(announced, 2)?;
        let mut entries: BTreeMap<Arc<str>, Value> = BTreeMap::new();
        for _ in 0..count {
            let Some(key) = self.key()? else { return self.fail(IssueKind::KeyNotAString) };
            let value = self.inside(Step::Key(key.as_str().into()), |this| this.value(element))?;
            if entries.insert(crate::value::nfc(&key), value).is_some() {
                self.note(IssueKind::DuplicateKey(key));
            }
        }
        self.collection(Value::of_entries(ty, entries))
    }

    fn object(&mut self, ty: &Type, object: &ObjectType, announced: u64) -> Outcome<Value> {
        let wanted = object.attributes().len();
        if announced == 0 && wanted > 0 {
            return self.fail(IssueKind::EmptyObject);
        }
        if announced != wanted as u64 {
            return self.fail(IssueKind::AttributeCount { wanted, found: announced as usize });
        }
        let count = self.count(announced, 2)?;
        let mut values: Vec<Option<Value>> = vec![None; count];
        for position in 0..count {
            // Senders sort attributes, so the next name is nearly always the expected one.
            let expected = object.attributes().get(position).map(|(name, _)| name);
            let (idx, name) = match (self.item()?, expected) {
                (Item::Text(bytes) | Item::Binary(bytes), Some(name)) if bytes == name.as_bytes() => {
                    (Some(position), Arc::clone(name))
                }
                (Item::Text(bytes) | Item::Binary(bytes), _) => {
                    let name = self.text(bytes);
                    (object.index_of(&crate::value::nfc(&name)), name.into())
                }
                _ => return self.fail(IssueKind::AttributeNameNotAString),
            };
            let Some(idx) = idx else { return self.fail(IssueKind::UnsupportedAttribute(name.to_string())) };
            let inner = &object.attributes()[idx].1;
            let value = self.inside(Step::Attribute(Arc::clone(&name)), |this| this.value(inner))?;
            if values[idx].replace(value).is_some() {
                self.note(IssueKind::DuplicateAttribute(name.to_string()));
            }
        }
        if let Some(idx) = values.iter().position(Option::is_none) {
            let name = object.attributes()[idx].0.to_string();
            return self.fail(IssueKind::MissingAttribute(name));
        }
        Ok(Value::object_of(ty, values.into_iter().flatten().collect()))
    }

    fn unknown(&mut self, ty: &Type, code: i8, payload: &'a [u8]) -> Outcome<Value> {
        if payload.len() <= 1 {
            if code == 12 {
                self.note(IssueKind::EmptyRefinement);
            } else if code != 0 {
                self.note(IssueKind::ExtensionCode(code));
            }
            return Ok(Value::unknown(ty.clone()));
        }
        if code != 12 {
            return self.fail(IssueKind::UnsupportedExtension(code));
        }
        if payload.len() > MAX_REFINEMENT {
            return self.fail(IssueKind::RefinementTooLong(payload.len()));
        }
        if *ty == Type::Dynamic {
            self.note(IssueKind::BadRefinement("the dynamic type cannot be refined"));
            return Ok(Value::unknown(Type::Dynamic));
        }
        // The payload is a separate small message; offsets inside it are reported as its end.
        let outer = std::mem::replace(&mut self.reader, Reader::new(payload));
        let outcome = self.refinements(ty);
        let trailing = self.reader.remaining();
        self.reader = outer;
        let refined = outcome?;
        let misread = matches!(self.issues.last(), Some(issue) if matches!(issue.kind, IssueKind::UnknownRefinement(_)));
        if trailing > 0 && !misread {
            self.note(IssueKind::TrailingBytes(trailing));
        }
        Ok(refined)
    }

    fn refinements(&mut self, ty: &Type) -> Outcome<Value> {
        let Item::Map(count) = self.item()? else {
            return self.fail(IssueKind::BadRefinement("the payload is not a map"));
        };
        if count == 0 {
            self.note(IssueKind::EmptyRefinement);
        }
        let mut refinements = Refinements::default();
        let mut is_null = false;
        let collection = matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_));
        for _ in 0..count {
            let key = match self.item()? {
                Item::Unsigned { value, .. } => i64::try_from(value).unwrap_or(i64::MAX),
                Item::Signed { value, .. } => value,
                _ => return self.fail(IssueKind::BadRefinement("a key is not an integer")),
            };
            match key {
                1 => match self.item()? {
                    Item::Bool(null) => {
                        is_null = null;
                        refinements.not_null = !null;
                    }
                    _ => return self.fail(IssueKind::BadRefinement("nullness is not a bool")),
                },
                2 if *ty == Type::String => match self.item()? {
                    Item::Text(bytes) => refinements.prefix = Some(crate::value::nfc(&self.text(bytes))),
                    _ => return self.fail(IssueKind::BadRefinement("the prefix is not a string")),
                },
                3 if *ty == Type::Number => refinements.lower = self.bound()?,
                4 if *ty == Type::Number => refinements.upper = self.bound()?,
                5 if collection => refinements.min_length = Some(self.length()?),
                6 if collection => refinements.max_length = Some(self.length()?),
                2..=6 => return self.fail(IssueKind::BadRefinement("the type cannot have this refinement")),
                other => {
                    // Core ignores the key and then reads its value as the next key: nothing after
                    // it can be trusted.
                    self.note(IssueKind::UnknownRefinement(other));
                    return Ok(Value::unknown(ty.clone()));
                }
            }
        }
        if refinements.is_contradictory() {
            return self.fail(IssueKind::ContradictoryRefinement);
        }
        if is_null {
            return Ok(Value::null(ty.clone()));
        }
        Ok(collapse(ty, refinements))
    }

    fn bound(&mut self) -> Outcome<Option<Bound>> {
        let Item::Array(2) = self.item()? else {
            return self.fail(IssueKind::BadRefinement("a bound is not a pair"));
        };
        let item = self.item()?;
        let value = self.number(item)?;
        let Item::Bool(inclusive) = self.item()? else {
            return self.fail(IssueKind::BadRefinement("a bound does not say whether it is inclusive"));
        };
        // An infinite bound says nothing.
        Ok(Some(Bound { value, inclusive }).filter(|bound| !bound.value.is_infinite()))
    }

    fn length(&mut self) -> Outcome<u64> {
        match self.item()? {
            Item::Unsigned { value, .. } => Ok(value),
            _ => self.fail(IssueKind::BadRefinement("a length bound is not a natural number")),
        }
    }
}

/// Largest list that a refinement may turn into a known value; the engines have no limit here.
const MAX_COLLAPSED: u64 = 1024;

/// Refinements that leave only one possible value are that value.
fn collapse(ty: &Type, refinements: Refinements) -> Value {
    if refinements.not_null {
        if let (Some(lower), Some(upper)) = (&refinements.lower, &refinements.upper)
            && lower.value == upper.value
        {
            return Value::number(lower.value.clone());
        }
        match (ty, refinements.min_length.unwrap_or(0), refinements.max_length) {
            (Type::List(element), 0, Some(0)) => return Value::list(Type::clone(element), Vec::new()),
            (Type::Set(element), 0, Some(0)) => return Value::set(Type::clone(element), Vec::new()),
            (Type::Map(element), 0, Some(0)) => return Value::map::<&str>(Type::clone(element), []),
            (Type::List(element), min, Some(max)) if min == max && max <= MAX_COLLAPSED => {
                let elements = vec![Value::unknown(Type::clone(element)); max as usize];
                return Value::list(Type::clone(element), elements);
            }
            (Type::Set(element), 1, Some(1)) => {
                return Value::set(Type::clone(element), vec![Value::unknown(Type::clone(element))]);
            }
            _ => {}
        }
    }
    let value = Value::refined(ty.clone(), refinements);
    debug_assert!(matches!(value.data(), Data::Unknown(_)));
    value
}
