//! Refinements: what is known about an unknown value.

use std::cmp::Ordering;
use std::sync::Arc;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

use super::{Answer, Data, Number, Type, Value};

/// Longest string prefix a refinement carries, in bytes.
pub const MAX_PREFIX: usize = 256;

/// What is known of the text of a template at most, in bytes.
const LONGEST_OF_TEMPLATE: usize = 128;

/// The characters that cty keeps at the end of a prefix.
const NEVER_COMBINES: [&str; 30] = [
    "-", "_", ":", ";", "/", "\\", ",", ".", "(", ")", "{", "}", "[", "]", "|", "?", "!", "~", " ", "\t",
    "@", "#", "$", "%", "^", "&", "*", "+", "\"", "'",
];

/// What a refined unknown promises. Every field may be absent; all absent is a plain unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refinements {
    pub not_null: bool,
    /// Strings only.
    pub prefix: Option<Arc<str>>,
    /// Numbers only.
    pub lower: Option<Bound>,
    pub upper: Option<Bound>,
    /// Lists, sets and maps only: inclusive bounds of the number of elements.
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
}

/// One end of a number's range.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    pub value: Number,
    pub inclusive: bool,
}

impl Refinements {
    pub fn not_null() -> Refinements {
        Refinements { not_null: true, ..Refinements::default() }
    }

    pub fn with_prefix(prefix: &str) -> Refinements {
        Refinements { prefix: Some(super::nfc(prefix)), ..Refinements::default() }
    }

    /// What an engine knows of a text that begins with a known one: what follows may combine with its last character.
    ///
    /// Source: HCL, the value of a template; cty, the safe prefix of a text.
    pub fn of_template(known: &str) -> Refinements {
        let known = super::nfc(known);
        let ends = known.char_indices().map(|(start, char)| start + char.len_utf8());
        let end = ends.take_while(|end| *end <= LONGEST_OF_TEMPLATE).last().unwrap_or(0);
        let mut known = known[..end].to_owned();
        if let Some((start, last)) = known.grapheme_indices(true).next_back()
            && !NEVER_COMBINES.contains(&last)
        {
            known.truncate(start);
        }
        if known.is_empty() { Refinements::default() } else { Refinements::with_prefix(&known) }
    }

    pub fn with_length(min: Option<u64>, max: Option<u64>) -> Refinements {
        Refinements { min_length: min, max_length: max, ..Refinements::default() }
    }

    /// Promises nothing that does not hold for every value of the type anyway.
    pub fn is_empty(&self) -> bool {
        self.clone().without_the_obvious() == Refinements::default()
    }

    /// The same without an empty prefix or a minimum length of 0.
    #[must_use]
    pub(super) fn without_the_obvious(mut self) -> Refinements {
        self.prefix.take_if(|prefix| prefix.is_empty());
        self.min_length.take_if(|min| *min == 0);
        self
    }

    /// The prefix as a sender writes it: at most [`MAX_PREFIX`] bytes, a longer one truncated at
    /// the end of a grapheme.
    pub(super) fn sendable_prefix(&self) -> Option<&str> {
        let prefix = self.prefix.as_deref().filter(|prefix| !prefix.is_empty())?;
        if prefix.len() <= MAX_PREFIX {
            return Some(prefix);
        }
        let mut end = MAX_PREFIX - 1;
        while !prefix.is_char_boundary(end) {
            end -= 1;
        }
        let mut cursor = GraphemeCursor::new(end, prefix.len(), true);
        if !cursor.is_boundary(prefix, 0).unwrap_or(true) {
            end = cursor.prev_boundary(prefix, 0).ok().flatten().unwrap_or(0);
        }
        Some(&prefix[..end])
    }

    /// Whether the bounds contradict each other, which crashes Core.
    pub fn is_contradictory(&self) -> bool {
        let numbers = match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) => match lower.value.compare_value(&upper.value) {
                Ordering::Greater => true,
                Ordering::Equal => !(lower.inclusive && upper.inclusive),
                Ordering::Less => false,
            },
            _ => false,
        };
        numbers || matches!((self.min_length, self.max_length), (Some(min), Some(max)) if min > max)
    }
}

/// How many elements a value has, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthRange {
    pub min: u64,
    /// `None` means unbounded.
    pub max: Option<u64>,
}

impl LengthRange {
    pub fn exactly(length: u64) -> LengthRange {
        LengthRange { min: length, max: Some(length) }
    }

    pub fn is_known(self) -> bool {
        self.max == Some(self.min)
    }

    pub fn overlaps(self, other: LengthRange) -> bool {
        self.max.is_none_or(|max| other.min <= max) && other.max.is_none_or(|max| self.min <= max)
    }
}

impl Value {
    /// How many elements a tuple, list, map or set has; `None` for null and for other types.
    ///
    /// A set that contains unknowns may turn out to have fewer elements than it has now.
    ///
    /// Source: contract section 2.2.
    pub fn length(&self) -> Option<LengthRange> {
        match (&self.ty, &self.data) {
            (_, Data::Null) => None,
            (Type::Tuple(tuple), _) => Some(LengthRange::exactly(tuple.elements().len() as u64)),
            (Type::List(_) | Type::Set(_) | Type::Map(_), Data::Unknown(refinements)) => Some(LengthRange {
                min: refinements.as_ref().and_then(|r| r.min_length).unwrap_or(0),
                max: refinements.as_ref().and_then(|r| r.max_length),
            }),
            (Type::Set(_), Data::Elements(elements)) => {
                let physical = elements.len() as u64;
                let known = physical <= 1 || self.is_wholly_known();
                Some(LengthRange { min: if known { physical } else { 1 }, max: Some(physical) })
            }
            (Type::List(_), Data::Elements(elements)) => Some(LengthRange::exactly(elements.len() as u64)),
            (Type::Map(_), Data::Map(entries)) => Some(LengthRange::exactly(entries.len() as u64)),
            _ => None,
        }
    }
}

/// Whether `value` is in the range of `unknown`: whether apply may return it for what the plan promised.
///
/// `value` may itself be unknown: then only what is certain counts.
///
/// Source: contract section 2.2.
pub fn includes(unknown: &Value, value: &Value) -> Answer {
    // An unknown whose refinements leave a single value has become that value.
    if unknown.is_set() {
        return if unknown.equals(value) == Answer::False { Answer::False } else { Answer::Unknown };
    }
    let refinements = unknown.refinements();
    let not_null = refinements.is_some_and(|r| r.not_null);
    if value.is_null() {
        return if not_null { Answer::False } else { Answer::True };
    }
    // An unknown of dynamic type may still become any type.
    let undecided_type = value.ty == Type::Dynamic;
    if !undecided_type && !value.ty.conforms(&unknown.ty) {
        return Answer::False;
    }
    let Some(refinements) = refinements else { return Answer::Unknown };
    if excludes(refinements, value) { Answer::False } else { Answer::Unknown }
}

/// Whether filling in the unknowns of `config` can yield `known`; sets must be equal.
pub fn may_become(config: &Value, known: &Value) -> bool {
    if config.is_unknown() {
        return includes(config, known) != Answer::False;
    }
    if config == known {
        return true;
    }
    let (inside, filled) = (config.children(), known.children());
    !matches!(config.ty(), Type::Set(_))
        && !inside.is_empty()
        && inside.len() == filled.len()
        && inside
            .iter()
            .zip(&filled)
            .all(|((at, config), (there, known))| at == there && may_become(config, known))
}

fn excludes(range: &Refinements, value: &Value) -> bool {
    // Core holds only known strings to a prefix: two prefixes that contradict each other stay undecided.
    if let (Some(prefix), Some(known)) = (range.prefix.as_deref(), value.as_str())
        && !known.starts_with(prefix)
    {
        return true;
    }
    let own = value.refinements();
    let exact = value.as_number().map(|number| Bound { value: number.clone(), inclusive: true });
    let lowest = exact.clone().or_else(|| own.and_then(|own| own.lower.clone()));
    let highest = exact.or_else(|| own.and_then(|own| own.upper.clone()));
    if let (Some(lower), Some(highest)) = (&range.lower, &highest)
        && below(highest, lower)
    {
        return true;
    }
    if let (Some(upper), Some(lowest)) = (&range.upper, &lowest)
        && below(upper, lowest)
    {
        return true;
    }
    if range.min_length.is_some() || range.max_length.is_some() {
        let wanted = LengthRange { min: range.min_length.unwrap_or(0), max: range.max_length };
        if value.length().is_some_and(|length| !wanted.overlaps(length)) {
            return true;
        }
    }
    false
}

/// Whether a range that ends at `end` is entirely below one that starts at `start`.
fn below(end: &Bound, start: &Bound) -> bool {
    match end.value.compare_value(&start.value) {
        Ordering::Less => true,
        Ordering::Equal => !(end.inclusive && start.inclusive),
        Ordering::Greater => false,
    }
}
