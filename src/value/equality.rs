//! The two equalities.

use super::range::includes;
use super::{Data, Type, Value};

/// A three-valued truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    True,
    False,
    Unknown,
}

impl Answer {
    pub fn is_true(self) -> bool {
        self == Answer::True
    }

    fn and(self, other: Answer) -> Answer {
        match (self, other) {
            (Answer::False, _) | (_, Answer::False) => Answer::False,
            (Answer::Unknown, _) | (_, Answer::Unknown) => Answer::Unknown,
            (Answer::True, Answer::True) => Answer::True,
        }
    }
}

impl From<bool> for Answer {
    fn from(truth: bool) -> Answer {
        if truth { Answer::True } else { Answer::False }
    }
}

/// Structural identity: same type, same null- and unknown-ness, same refinements, recursively.
///
/// Source: contract section 2.3, "RawEquals".
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.ty == other.ty
            && match (&self.data, &other.data) {
                (Data::Null, Data::Null) => true,
                (Data::Unknown(a), Data::Unknown(b)) => a == b,
                (Data::Bool(a), Data::Bool(b)) => a == b,
                (Data::Number(a), Data::Number(b)) => a == b,
                (Data::String(a), Data::String(b)) => a == b,
                (Data::Elements(a), Data::Elements(b)) | (Data::Object(a), Data::Object(b)) => {
                    std::sync::Arc::ptr_eq(a, b) || a == b
                }
                (Data::Map(a), Data::Map(b)) => std::sync::Arc::ptr_eq(a, b) || a == b,
                _ => false,
            }
    }
}

impl Value {
    /// Equality as in the language; an unknown may leave it undecided.
    ///
    /// Source: contract section 2.3, "Equals".
    pub fn equals(&self, other: &Value) -> Answer {
        match (&self.data, &other.data) {
            (Data::Null, Data::Null) => return Answer::True,
            (Data::Null, Data::Unknown(_)) => return null_equals_unknown(other),
            (Data::Unknown(_), Data::Null) => return null_equals_unknown(self),
            (Data::Null, _) | (_, Data::Null) => return Answer::False,
            (Data::Unknown(_), _) | (_, Data::Unknown(_)) => return unknown_equals(self, other),
            _ => {}
        }
        // An unknown inside may still turn out to make the types equal.
        if self.ty != other.ty && self.is_wholly_known() && other.is_wholly_known() {
            return Answer::False;
        }
        match (&self.ty, &other.ty) {
            (Type::Set(_), Type::Set(_)) => self.set_equals(other),
            (Type::List(_), Type::List(_)) | (Type::Tuple(_), Type::Tuple(_)) => {
                all(self.elements(), other.elements())
            }
            (Type::Object(a), Type::Object(b)) => {
                let names = |ty: &super::ObjectType| {
                    ty.attributes().iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
                };
                if names(a) != names(b) {
                    return Answer::False;
                }
                self.attributes()
                    .zip(other.attributes())
                    .fold(Answer::True, |so_far, ((_, a), (_, b))| so_far.and(a.equals(b)))
            }
            (Type::Map(_), Type::Map(_)) => match (self.entries(), other.entries()) {
                (Some(a), Some(b)) if a.len() == b.len() && a.keys().eq(b.keys()) => {
                    a.values().zip(b.values()).fold(Answer::True, |so_far, (a, b)| so_far.and(a.equals(b)))
                }
                _ => Answer::False,
            },
            _ => (self == other).into(),
        }
    }

    fn set_equals(&self, other: &Value) -> Answer {
        // Sets are sorted, so this is quick, and nearly always the answer.
        if self == other && self.is_wholly_known() {
            return Answer::True;
        }
        let (Some(a), Some(b)) = (self.elements(), other.elements()) else { return Answer::False };
        if a.iter().chain(b).any(Value::is_unknown) {
            return Answer::Unknown;
        }
        // An element that merely contains an unknown is never a member of anything.
        let member = |element: &Value, of: &[Value]| {
            element.is_wholly_known() && of.iter().any(|candidate| candidate.equals(element).is_true())
        };
        (a.iter().all(|element| member(element, b)) && b.iter().all(|element| member(element, a))).into()
    }
}

fn all(a: Option<&[Value]>, b: Option<&[Value]>) -> Answer {
    match (a, b) {
        (Some(a), Some(b)) if a.len() == b.len() => {
            a.iter().zip(b).fold(Answer::True, |so_far, (a, b)| so_far.and(a.equals(b)))
        }
        _ => Answer::False,
    }
}

fn null_equals_unknown(unknown: &Value) -> Answer {
    if unknown.refinements().is_some_and(|r| r.not_null) { Answer::False } else { Answer::Unknown }
}

fn unknown_equals(a: &Value, b: &Value) -> Answer {
    let dynamic = a.ty == Type::Dynamic || b.ty == Type::Dynamic;
    if !dynamic && a.ty != b.ty && !a.ty.has_dynamic() && !b.ty.has_dynamic() {
        return Answer::False;
    }
    let excluded = (a.is_unknown() && includes(a, b) == Answer::False && !dynamic)
        || (b.is_unknown() && includes(b, a) == Answer::False && !dynamic);
    if excluded { Answer::False } else { Answer::Unknown }
}
