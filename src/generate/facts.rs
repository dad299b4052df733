//! What a provider's answers taught about the arguments of one type.
//!
//! Arguments are named by schema path: names joined by dots, indexes, map keys and set elements left
//! out (`network.subnet.cidr`). What is said of a collection of primitive values is said of its
//! elements, unless it is a count or a key. Everything is in ordered maps, so the same answers give
//! the same facts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::supplier::Supplier;
use super::witness::Format;
use crate::value::{Number, Value};

/// What is known about one type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// By schema path.
    pub values: BTreeMap<String, ValueFacts>,
    /// The arguments that are set to values of other resources, by schema path.
    pub references: BTreeMap<String, Supplier>,
    /// Which arguments may, must or must not be set together.
    pub rules: BTreeSet<PresenceRule>,
    /// The optional arguments that are set in the smallest configuration that was accepted.
    pub minimal: Option<BTreeSet<String>>,
    /// The optional arguments that are set in the largest one.
    pub everything: Option<BTreeSet<String>>,
    /// How many scenarios the questions were limited to; `None` if no question was left out.
    pub grown_for: Option<usize>,
    /// The members of the root that are set as the author wrote them, because other values were refused.
    pub base: BTreeMap<String, Value>,
    /// What the provider's author wrote about it.
    pub written: Arc<Written>,
    /// Whether an earlier run learned it, so that the first answer shows whether it still holds.
    pub is_remembered: bool,
}

/// What is known about the values of one argument.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueFacts {
    /// In the order in which they were learned, without repeats.
    pub facts: Vec<Fact>,
    /// The names of candidates that were accepted, the first that was needed first.
    pub good: Vec<String>,
    /// The texts that were accepted, of those that hold no word of a scenario.
    pub texts: BTreeSet<String>,
    /// The names of candidates that were refused.
    pub bad: BTreeSet<String>,
}

/// A constraint, and how it became known.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub constraint: Constraint,
    pub strength: Strength,
    pub evidence: Evidence,
}

/// How a fact became known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The entry of the catalogue that matched, such as `V04`.
    pub via: String,
    /// The words that it matched, or all if nothing was concluded, without values of ours.
    pub seen: String,
    /// Which answer it was, counted from 1 for each type. Constraints of one kind from one answer may be
    /// alternatives; those from several answers all hold.
    pub answer: u32,
}

/// How sure a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strength {
    /// It proposes values and orders them, and rules nothing out: prose is not always true.
    Soft,
    /// A value that breaks it is not sent, except to see it refused.
    Hard,
}

/// A range of sizes; an end that is absent is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    pub min: Option<u64>,
    pub max: Option<u64>,
}

/// What an accepted value is like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Constraint {
    /// One of these texts, in the order in which they are tried. For a number or a bool: its text.
    OneOf(Vec<String>),
    NoneOf(Vec<String>),
    /// The length of a text in bytes.
    Bytes(Span),
    /// The length of a text in characters.
    Chars(Span),
    /// Inclusive. Of a text: it is read as such a number.
    Range {
        #[serde(with = "number")]
        min: Option<Number>,
        #[serde(with = "number")]
        max: Option<Number>,
    },
    DivisibleBy(i64),
    /// A regular expression in the syntax of Go, unanchored.
    Pattern(String),
    NotPattern(String),
    /// None of these characters.
    NoneOfChars(String),
    /// How many elements or blocks there are.
    Count(Span),
    /// No two elements are equal.
    Unique,
    /// No element is null.
    NoNullElements,
    /// A number without a fraction.
    Whole,
    Format(Format),
    /// This text, as an example of what is accepted.
    Literal(String),
    Prefix(String),
    Suffix(String),
    Contains(String),
    /// The layout of a date or time, in the notation of Go or as `hh:mm`, `yyyy-mm-dd`.
    Layout(String),
    /// Prose that names the characters of a text.
    Characters(String),
    /// A URL with one of these schemes.
    UrlSchemes(Vec<String>),
    /// A network whose prefix has a length in this range.
    PrefixLength(Span),
    /// Said of the keys of a map.
    Key(Box<Constraint>),
}

/// Which arguments may, must or must not be set, by schema path. A rule about members of a block holds in
/// each of its blocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PresenceRule {
    Required(String),
    Forbidden(String),
    AtMostOne(BTreeSet<String>),
    AtLeastOne(BTreeSet<String>),
    /// Where the first is set, all others are.
    Together(String, BTreeSet<String>),
    /// Where an argument has a value, the rule holds.
    When {
        path: String,
        is: String,
        then: Box<PresenceRule>,
    },
}

impl PresenceRule {
    /// The argument that this rule alone decides about, and whether it must be set.
    pub fn decides(&self) -> Option<(&str, bool)> {
        match self {
            PresenceRule::Required(path) => Some((path, true)),
            PresenceRule::Forbidden(path) => Some((path, false)),
            PresenceRule::AtLeastOne(paths) if paths.len() == 1 => Some((paths.first()?, true)),
            _ => None,
        }
    }
}

/// What one example shows, by schema path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// The file and the line.
    pub place: String,
    /// The arguments that are set.
    pub set: BTreeSet<String>,
    /// The values of those of a primitive type, and of the elements of collections, as texts.
    pub texts: BTreeMap<String, Vec<String>>,
    /// The keys of maps.
    pub keys: BTreeMap<String, Vec<String>>,
    /// All of it, with marks where it refers to other resources; `None` if something was left out of it, or its author
    /// would not have it used.
    pub config: Option<Value>,
}

/// What the author of a provider wrote about one type, in examples, prose and sources.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    pub shown: Vec<Shown>,
    pub claims: Vec<Claim>,
}

/// What prose or sources say about the values of one argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The schema path.
    pub path: String,
    pub constraint: Constraint,
    pub via: Via,
    /// The file and the line; empty for the schema.
    pub place: String,
}

/// Where a provider's author wrote something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    Example,
    Description,
    Documentation,
    Source,
}

impl Via {
    const ALL: [Via; 4] = [Via::Example, Via::Description, Via::Documentation, Via::Source];

    /// As [`Evidence::via`] says it.
    pub const fn name(self) -> &'static str {
        match self {
            Via::Example => "example",
            Via::Description => "description",
            Via::Documentation => "documentation",
            Via::Source => "source",
        }
    }
}

impl Facts {
    /// The last answer that taught something; 0 if none did.
    pub fn last_answer(&self) -> u32 {
        let facts = self.values.values().flat_map(|known| &known.facts);
        facts.map(|fact| fact.evidence.answer).max().unwrap_or(0)
    }
}

/// A number as a text, which holds it exactly.
mod number {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use crate::value::Number;

    pub fn serialize<S: Serializer>(number: &Option<Number>, serializer: S) -> Result<S::Ok, S::Error> {
        number.as_ref().map(ToString::to_string).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Number>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| Number::parse(&text).map_err(D::Error::custom)).transpose()
    }
}

impl Fact {
    /// Whether an example shows it.
    pub fn is_of_example(&self) -> bool {
        self.evidence.via == Via::Example.name()
    }

    /// Whether the provider's author wrote it, and no answer said it.
    pub fn is_written(&self) -> bool {
        Via::ALL.iter().any(|via| self.evidence.via == via.name())
    }

    /// What the user says holds whatever the provider answers.
    pub fn of_user(constraint: Constraint) -> Fact {
        let evidence = Evidence { via: "hint".to_owned(), ..Evidence::default() };
        Fact { constraint, strength: Strength::Hard, evidence }
    }
}

impl ValueFacts {
    /// Adds a fact that is not known yet; whether it was new. A soft one that is heard again from a surer
    /// source becomes hard.
    pub fn add(&mut self, fact: Fact) -> bool {
        match self.facts.iter_mut().find(|known| known.constraint == fact.constraint) {
            Some(known) if known.strength < fact.strength => {
                *known = fact;
                true
            }
            Some(_) => false,
            None => {
                self.facts.push(fact);
                true
            }
        }
    }

    /// Adds what is known about another argument with the same values.
    pub fn extend(&mut self, other: &ValueFacts) {
        for fact in &other.facts {
            self.add(fact.clone());
        }
        for name in &other.good {
            if !self.good.contains(name) {
                self.good.push(name.clone());
            }
        }
        self.texts.extend(other.texts.iter().cloned());
        self.bad.extend(other.bad.iter().cloned());
    }

    /// The constraints that no candidate may break.
    pub fn hard(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| fact.strength == Strength::Hard)
    }
}

impl Span {
    pub fn new(min: Option<u64>, max: Option<u64>) -> Span {
        Span { min, max }
    }

    /// What both allow.
    #[must_use]
    pub fn and(self, other: Span) -> Span {
        let max = self.max.into_iter().chain(other.max).min();
        Span { min: self.min.max(other.min), max }
    }

    pub fn holds(self, size: u64) -> bool {
        self.min.is_none_or(|min| size >= min) && self.max.is_none_or(|max| size <= max)
    }
}

impl PresenceRule {
    /// Exactly one of some arguments, as the two rules that say so.
    pub fn exactly_one(paths: &BTreeSet<String>) -> [PresenceRule; 2] {
        [PresenceRule::AtMostOne(paths.clone()), PresenceRule::AtLeastOne(paths.clone())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_kept_once_and_at_its_surest() {
        let fact = |strength| Fact {
            constraint: Constraint::Prefix("vpc-".to_owned()),
            strength,
            evidence: Evidence::default(),
        };
        let mut facts = ValueFacts::default();
        assert!(facts.add(fact(Strength::Soft)));
        assert!(!facts.add(fact(Strength::Soft)));
        assert!(facts.add(fact(Strength::Hard)));
        assert!(!facts.add(fact(Strength::Soft)));
        assert_eq!(facts.hard().count(), 1);
    }

    #[test]
    fn a_span_may_be_open_at_either_end() {
        assert!(Span::default().holds(0));
        assert!(Span::new(Some(2), None).holds(2) && !Span::new(Some(2), None).holds(1));
        assert!(!Span::new(None, Some(3)).holds(4));
    }
}
