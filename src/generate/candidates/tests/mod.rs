//! What candidates are like, whatever the facts.

mod examples;
mod properties;

use super::{Candidate, Place, candidates};
use crate::generate::facts::{Constraint, Evidence, Fact, Strength, ValueFacts};
use crate::value::Type;

/// Facts of a strength, each from an answer of its own.
fn facts(strength: Strength, constraints: impl IntoIterator<Item = Constraint>) -> ValueFacts {
    let mut facts = ValueFacts::default();
    for (idx, constraint) in constraints.into_iter().enumerate() {
        let evidence = Evidence { answer: idx as u32 + 1, ..Evidence::default() };
        facts.add(Fact { constraint, strength, evidence });
    }
    facts
}

fn hard(constraints: impl IntoIterator<Item = Constraint>) -> ValueFacts {
    facts(Strength::Hard, constraints)
}

/// Facts that one answer taught.
fn at_once(constraints: impl IntoIterator<Item = Constraint>) -> ValueFacts {
    let mut facts = hard(constraints);
    facts.facts.iter_mut().for_each(|fact| fact.evidence.answer = 1);
    facts
}

fn place<'p>(name: &'p str, ty: &'p Type) -> Place<'p> {
    Place { name, path: name, ty, at_apply: false, in_set: false, scratch: None, temporary: None }
}

/// A word that scenarios could have.
const WORD: &str = "tfchpqwxy";

fn text(candidate: &Candidate) -> String {
    candidate.render(WORD, super::FIRST)
}

/// The texts for an argument, in order.
fn texts(name: &str, ty: &Type, facts: &ValueFacts) -> Vec<String> {
    candidates(&place(name, ty), facts).iter().map(text).collect()
}
