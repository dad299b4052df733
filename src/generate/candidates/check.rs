//! Whether a value satisfies one constraint.

use std::cmp::Ordering;

use super::formats::{may_be, network};
use super::go_regex::GoRegex;
use crate::generate::facts::{Constraint, Span};
use crate::generate::witness::Format;
use crate::value::{Number, Type};

/// A constraint that one value alone can break.
#[derive(Clone, Debug)]
pub(super) enum Check {
    OneOf(Vec<String>),
    NoneOf(Vec<String>),
    Bytes(Span),
    Chars(Span),
    Range { min: Option<Number>, max: Option<Number> },
    DivisibleBy(i64),
    Pattern(GoRegex),
    NotPattern(GoRegex),
    NoneOfChars(String),
    Whole,
    Format(Format),
    Prefix(String),
    Suffix(String),
    Contains(String),
    UrlSchemes(Vec<String>),
    PrefixLength(Span),
}

impl Check {
    /// `None` if no value alone can break it, or nothing sure is known about what it accepts.
    pub(super) fn of(constraint: &Constraint) -> Option<Check> {
        Some(match constraint.clone() {
            Constraint::OneOf(texts) => Check::OneOf(texts),
            Constraint::NoneOf(texts) => Check::NoneOf(texts),
            Constraint::Bytes(span) => Check::Bytes(span),
            Constraint::Chars(span) => Check::Chars(span),
            Constraint::Range { min, max } => Check::Range { min, max },
            Constraint::DivisibleBy(divisor) => Check::DivisibleBy(divisor),
            Constraint::Pattern(pattern) => Check::Pattern(GoRegex::parse(&pattern)?),
            Constraint::NotPattern(pattern) => Check::NotPattern(GoRegex::parse(&pattern)?),
            Constraint::NoneOfChars(chars) => Check::NoneOfChars(chars),
            Constraint::Whole => Check::Whole,
            Constraint::Format(format) => Check::Format(format),
            Constraint::Prefix(text) => Check::Prefix(text),
            Constraint::Suffix(text) => Check::Suffix(text),
            Constraint::Contains(text) => Check::Contains(text),
            Constraint::UrlSchemes(schemes) => Check::UrlSchemes(schemes),
            Constraint::PrefixLength(span) => Check::PrefixLength(span),
            Constraint::Count(_)
            | Constraint::Unique
            | Constraint::NoNullElements
            | Constraint::Literal(_)
            | Constraint::Layout(_)
            | Constraint::Characters(_)
            | Constraint::Key(_) => return None,
        })
    }

    /// Whether a value of a primitive type satisfies it. Numbers and bools are given as their texts.
    pub(super) fn holds(&self, ty: &Type, text: &str) -> bool {
        let is_text = *ty == Type::String;
        let number = || Number::parse(text).ok();
        let is_one = |texts: &[String]| texts.iter().any(|known| equals(ty, known, text));
        match self {
            Check::OneOf(texts) => is_one(texts),
            Check::NoneOf(texts) => !is_one(texts),
            Check::Range { .. } | Check::DivisibleBy(_) | Check::Whole if *ty == Type::Bool => true,
            Check::Range { min, max } => number().is_some_and(|number| {
                let is = |bound: &Option<Number>, not: Ordering| {
                    bound.as_ref().is_none_or(|bound| number.compare_value(bound) != not)
                };
                is(min, Ordering::Less) && is(max, Ordering::Greater)
            }),
            Check::DivisibleBy(divisor) => match number().map(|number| number.to_i64()) {
                Some(Some(number)) => number.checked_rem(*divisor) == Some(0),
                // Too large to tell, or a fraction.
                Some(None) => number().is_some_and(|number| number.is_integer()),
                None => false,
            },
            Check::Whole => number().is_some_and(|number| number.is_integer()),
            Check::Format(format) => !is_text || may_be(*format, text),
            // What is left is said of texts.
            _ if !is_text => true,
            Check::Bytes(span) => span.holds(text.len() as u64),
            Check::Chars(span) => span.holds(text.chars().count() as u64),
            Check::Pattern(regex) => regex.matches(text),
            Check::NotPattern(regex) => !regex.matches(text),
            Check::NoneOfChars(chars) => !text.contains(|c| chars.contains(c)),
            Check::Prefix(prefix) => text.starts_with(prefix),
            Check::Suffix(suffix) => text.ends_with(suffix),
            Check::Contains(part) => text.contains(part),
            Check::UrlSchemes(schemes) => text
                .split_once("://")
                .is_some_and(|(own, rest)| !rest.is_empty() && schemes.iter().any(|s| s == own)),
            Check::PrefixLength(span) => network(text).is_some_and(|(_, bits)| span.holds(bits)),
        }
    }
}

/// Whether two texts stand for the same value of a type.
fn equals(ty: &Type, one: &str, other: &str) -> bool {
    one == other
        || (*ty == Type::Number
            && matches!((Number::parse(one), Number::parse(other)), (Ok(one), Ok(other)) if one == other))
}
