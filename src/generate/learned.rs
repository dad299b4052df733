//! The values of an argument about which a provider's answers said something.

use super::candidates::{Candidate, Place, Rules, candidates, of_keys, rules};
use super::facts::{Constraint, Span, Strength, ValueFacts};
use super::witness::{Format, Nth};
use crate::value::{Number, Type, Value};

/// What an argument may be given.
#[derive(Debug)]
pub struct Learned {
    facts: ValueFacts,
    rules: Rules,
    /// Every way to write a value, the likeliest first.
    all: Vec<Candidate>,
    /// How many of them are as good as the first: accepted before, or members of a list that the provider named.
    n_usual: usize,
    /// The keys of a map, where they are not free.
    keys: Vec<String>,
}

impl Learned {
    pub fn new(place: &Place<'_>, facts: ValueFacts) -> Learned {
        let mut all = candidates(place, &facts);
        let is_usual = |candidate: &Candidate| {
            facts.good.iter().any(|name| name == candidate.name()) || facts.is_member(candidate.name())
        };
        // The sort is stable: each part keeps its order.
        all.sort_by_key(|candidate| !is_usual(candidate));
        let n_usual = all.iter().filter(|candidate| is_usual(candidate)).count().max(1).min(all.len());
        Learned { rules: rules(place.ty, &facts), keys: keys(place, &facts), facts, all, n_usual }
    }

    /// Whether it is what these facts say.
    pub fn is_of(&self, facts: &ValueFacts) -> bool {
        self.facts == *facts
    }

    /// The name of the candidate that comes first; `None` if none is left.
    pub fn first(&self) -> Option<&str> {
        self.all.first().map(Candidate::name)
    }

    /// The text that is always the first one.
    pub fn fixed(&self) -> Option<&str> {
        self.all.first()?.fixed_text()
    }

    /// A typical text; `word` is unique to the place and the scenario.
    pub fn text(&self, word: &str, nth: Nth) -> Option<String> {
        self.nth(nth).map(|candidate| candidate.render(word, nth))
    }

    /// A typical value of a primitive type.
    pub fn value(&self, ty: &Type, word: &str, nth: Nth) -> Option<Value> {
        let text = self.text(word, nth)?;
        match ty {
            Type::String => Some(Value::string(&text)),
            Type::Number => Number::parse(&text).ok().map(Value::number),
            Type::Bool => text.parse().ok().map(Value::bool),
            _ => None,
        }
    }

    /// Whether there is another typical value.
    pub fn has_second(&self) -> bool {
        self.all.len() > 1 || self.all.first().is_some_and(varies)
    }

    /// The names of the candidates of the first two values; `None` if both are written one way.
    pub fn first_two(&self) -> Option<(String, String)> {
        let name = |variant| Some(self.nth(Nth::new(0, variant))?.name().to_owned());
        let (first, second) = (name(0)?, name(1)?);
        (first != second).then_some((first, second))
    }

    /// The key of the n-th element of a map, where keys are not free.
    pub fn key(&self, idx: u64) -> Option<String> {
        self.keys.get(usize::try_from(idx).ok()?).cloned()
    }

    /// Whether a value breaks nothing that is known for sure.
    pub fn permits(&self, value: &Value) -> bool {
        self.rules.permits(value)
    }

    /// The format that answers name, or texts that are written in it.
    pub fn format(&self) -> Option<Format> {
        self.facts.facts.iter().find_map(|fact| match fact.constraint {
            Constraint::Format(format) => Some(format),
            _ => None,
        })
    }

    /// What no value may break.
    pub fn hard(&self) -> impl Iterator<Item = &Constraint> {
        self.facts.hard().map(|fact| &fact.constraint)
    }

    /// How many elements or blocks there may be.
    pub fn count(&self) -> Span {
        self.hard().fold(Span::default(), |span, constraint| match constraint {
            Constraint::Count(other) => span.and(*other),
            _ => span,
        })
    }

    /// Whether equal elements are refused.
    pub fn is_unique(&self) -> bool {
        self.hard().any(|constraint| *constraint == Constraint::Unique)
    }

    /// Whether null elements are refused.
    pub fn refuses_null_elements(&self) -> bool {
        self.hard().any(|constraint| *constraint == Constraint::NoNullElements)
    }

    fn nth(&self, nth: Nth) -> Option<&Candidate> {
        let first = self.all.first()?;
        let n_tried = match self.n_usual {
            1 if varies(first) => 1,
            n => n.max(2).min(self.all.len()),
        };
        self.all.get((nth.variant % n_tried as u64) as usize)
    }
}

/// Keys that satisfy what is known about them; none if nothing is.
fn keys(place: &Place<'_>, facts: &ValueFacts) -> Vec<String> {
    let facts = of_keys(facts);
    if facts.facts.is_empty() {
        return Vec::new();
    }
    let place = Place { name: "key", ty: &Type::String, in_set: true, ..place.clone() };
    let nth = |element| Nth::new(element, 0);
    let first = |candidate: &Candidate| candidate.render("tfcabcdef", nth(0));
    let mut keys: Vec<String> = candidates(&place, &facts).iter().map(first).collect();
    keys.dedup();
    keys
}

/// Whether a candidate alone makes several values.
fn varies(candidate: &Candidate) -> bool {
    let nth = |variant| Nth::new(0, variant);
    candidate.render("tfcabcdef", nth(0)) != candidate.render("tfcuvwxyz", nth(1))
}

impl ValueFacts {
    /// Whether a candidate is a member of a list that the provider named.
    fn is_member(&self, name: &str) -> bool {
        let lists = self.facts.iter().filter(|fact| fact.strength == Strength::Hard);
        let lists = lists.filter_map(|fact| match &fact.constraint {
            Constraint::OneOf(members) => Some(members),
            _ => None,
        });
        let member = ["enum ", "literal "].iter().find_map(|source| name.strip_prefix(source));
        member.is_some_and(|member| lists.flatten().any(|other| other == member))
    }
}
