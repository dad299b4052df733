//! Which values break no hard constraint of a place.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::mem::discriminant;

use super::check::Check;
use crate::generate::facts::{Fact, Strength, ValueFacts};
use crate::value::{Data, Type, Value};

/// The constraints that no value may break, and those that one had better not.
#[derive(Debug, Default)]
pub struct Rules {
    hard: Vec<Rule>,
    soft: Vec<Check>,
}

#[derive(Debug)]
enum Rule {
    One(Check),
    All(Vec<Rule>),
    Any(Vec<Rule>),
}

impl Rules {
    /// What the facts demand.
    ///
    /// A provider whose validator accepts any of several things complains once for each. So constraints from
    /// one answer that none of the probes satisfies together are alternatives; first those of one kind, then
    /// all of them. Constraints from several answers all hold, and so do those that are from no answer.
    pub(super) fn new(facts: &ValueFacts, ty: &Type, probes: impl FnOnce() -> Vec<String>) -> Rules {
        let mut answers: BTreeMap<u32, Vec<&Fact>> = BTreeMap::new();
        facts.hard().for_each(|fact| answers.entry(fact.evidence.answer).or_default().push(fact));
        // Most answers teach one thing about a value.
        let probes = LazyCell::new(probes);
        let joined = |rules: Vec<Rule>| {
            let holds = |text: &String| rules.iter().all(|rule| rule.holds(ty, text));
            let together = rules.len() < 2 || probes.iter().any(holds);
            if together { Rule::All(rules) } else { Rule::Any(rules) }
        };
        let one = |fact: &Fact| Check::of(&fact.constraint).map(Rule::One);
        let of_answer = |(answer, mut facts): (u32, Vec<&Fact>)| {
            if answer == 0 {
                return Rule::All(facts.into_iter().filter_map(one).collect());
            }
            let mut kinds = Vec::new();
            while let Some(first) = facts.first() {
                let kind = discriminant(&first.constraint);
                let is_alike = |fact: &&Fact| discriminant(&fact.constraint) == kind;
                kinds.push(joined(facts.iter().copied().filter(is_alike).filter_map(one).collect()));
                facts.retain(|fact| !is_alike(fact));
            }
            joined(kinds)
        };
        let hard = answers.into_iter().map(of_answer).collect();
        let soft = facts.facts.iter().filter(|fact| fact.strength == Strength::Soft);
        Rules { hard, soft: soft.filter_map(|fact| Check::of(&fact.constraint)).collect() }
    }

    /// Whether a value breaks no hard constraint; so does whatever is null, unknown or no primitive.
    pub fn permits(&self, value: &Value) -> bool {
        match value.data() {
            Data::String(text) => self.permits_text(&Type::String, text),
            Data::Number(number) => self.permits_text(&Type::Number, &number.to_string()),
            Data::Bool(value) => self.permits_text(&Type::Bool, &value.to_string()),
            _ => true,
        }
    }

    /// As [`Rules::permits`], for the text of a value of a primitive type.
    pub(super) fn permits_text(&self, ty: &Type, text: &str) -> bool {
        self.hard.iter().all(|rule| rule.holds(ty, text))
    }

    /// How many soft constraints a value breaks.
    pub(super) fn n_doubts(&self, ty: &Type, text: &str) -> usize {
        self.soft.iter().filter(|check| !check.holds(ty, text)).count()
    }
}

impl Rule {
    fn holds(&self, ty: &Type, text: &str) -> bool {
        match self {
            Rule::One(check) => check.holds(ty, text),
            Rule::All(rules) => rules.iter().all(|rule| rule.holds(ty, text)),
            Rule::Any(rules) => rules.iter().any(|rule| rule.holds(ty, text)),
        }
    }
}
