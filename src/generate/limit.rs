//! Values that are played although what was learned rules them out, and those next to a learned bound.
//!
//! A provider that refuses every number below 1 may still crash on -1. What was learned keeps such values out of
//! all other scenarios, so each of them has a scenario of its own.

use std::fmt;
use std::sync::Arc;

use num_traits::ToPrimitive as _;

use super::facts::{Constraint, Span};
use super::learned::Learned;
use super::value_class::ValueClass;
use crate::value::{Number, Type};

/// The longest text of a learned length that is played, in letters.
const LONGEST: u64 = 100_000;

/// The most elements of a learned number that are played.
const MOST: u64 = 1_000;

/// A value at a bound that was learned, or beyond it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// A number, or a text that is read as one.
    Value(Arc<str>),
    /// A text of so many letters.
    Letters(u64),
    /// So many elements or blocks.
    Count(u64),
    /// A kind of value that is ruled out.
    Class(ValueClass),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Value(text) => f.write_str(text),
            Limit::Letters(1) => f.write_str("1 letter"),
            Limit::Letters(n) => write!(f, "{n} letters"),
            Limit::Count(1) => f.write_str("1 element"),
            Limit::Count(n) => write!(f, "{n} elements"),
            Limit::Class(class) => f.write_str(class.about()),
        }
    }
}

/// The values on both sides of every bound that is known for sure, for an argument or element of this type.
///
/// No element and no letter at all are kinds of values, and so are not here.
pub(super) fn around_bounds(learned: &Learned, ty: &Type) -> Vec<Limit> {
    let is_collection = ty.element().is_some();
    let mut limits = Vec::new();
    for constraint in learned.hard() {
        match constraint {
            Constraint::Count(span) if is_collection => {
                limits.extend(both_sides(*span, MOST).map(Limit::Count));
            }
            Constraint::Bytes(span) | Constraint::Chars(span) if *ty == Type::String => {
                limits.extend(both_sides(*span, LONGEST).map(Limit::Letters));
            }
            Constraint::Range { min, max } if matches!(ty, Type::String | Type::Number) => {
                let min = min.iter().flat_map(|min| [beyond(min, -1), Some(min.clone())]);
                let max = max.iter().flat_map(|max| [Some(max.clone()), beyond(max, 1)]);
                limits.extend(min.chain(max).flatten().map(number));
            }
            Constraint::DivisibleBy(divisor) if matches!(ty, Type::String | Type::Number) => {
                limits.extend(divisor.checked_add(1).map(Number::from_i64).map(number));
            }
            _ => {}
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    limits.retain(|limit| seen.insert(limit.clone()));
    limits
}

fn number(number: Number) -> Limit {
    Limit::Value(Arc::from(number.to_string()))
}

/// The sizes next to the ends of a span, on both sides; 0 is not among them.
fn both_sides(span: Span, most: u64) -> impl Iterator<Item = u64> {
    let min = span.min.into_iter().flat_map(|min| [min.checked_sub(1), Some(min)]);
    let max = span.max.into_iter().flat_map(|max| [Some(max), max.checked_add(1)]);
    min.chain(max).flatten().filter(move |size| (1..=most).contains(size))
}

/// The next whole number in a direction.
fn beyond(bound: &Number, step: i64) -> Option<Number> {
    let whole = match bound.to_i64() {
        Some(whole) => whole.checked_add(step),
        None if bound.is_integer() => None,
        None => {
            let lossy = bound.to_f64_lossy();
            if step < 0 { lossy.floor().to_i64() } else { lossy.ceil().to_i64() }
        }
    };
    whole.map(Number::from_i64)
}
