//! What a provider's author wrote about the arguments of a type, as facts.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::facts::{Constraint, Evidence, Fact, Facts, Shown, Strength, Via, Written};
use super::names;
use super::supplier::{Mark, Supplier};
use super::witness::Format;
use crate::scenario::{Block, InstanceAddress, Source};
use crate::schema::Kind;
use crate::value::{AttributePath, PathStep, Value};

impl Shown {
    /// What a block shows; `place` is the file and the line.
    pub fn of(block: &Block, place: String) -> Shown {
        let mut shown = Shown { place, ..Shown::default() };
        block.arguments.resolved().walk(&mut |at, value| {
            let is_there = !value.is_null() && !value.elements().is_some_and(<[Value]>::is_empty);
            if is_there && !at.is_root() {
                shown.add(at, value);
            }
            is_there
        });
        let referred = block.arguments.references().iter();
        shown.set.extend(referred.map(|reference| reference.at.schema_path().to_string()));
        shown.config = marked(block);
        shown
    }

    fn add(&mut self, at: &AttributePath, value: &Value) {
        let path = at.schema_path().to_string();
        if let Some(PathStep::Key(key)) = at.steps().last() {
            push(self.keys.entry(path.clone()).or_default(), key.clone());
        }
        if let Some(text) = value.as_text() {
            push(self.texts.entry(path.clone()).or_default(), text);
        }
        self.set.insert(path);
    }
}

/// The arguments of a block with marks in place of references; `None` if one is not to an attribute of a resource.
fn marked(block: &Block) -> Option<Value> {
    let marks = block.arguments.references().iter().map(|reference| match &reference.source {
        Source::Attribute { of, path } => match path.steps() {
            [PathStep::Attribute(attribute)] if of.resource.kind == Kind::Resource => {
                let supplier =
                    Supplier { type_name: of.resource.type_name.clone(), attribute: attribute.clone() };
                Some((of, (attribute.clone(), Mark { supplier, nth: 0 }.value())))
            }
            _ => None,
        },
        Source::Template { .. } | Source::InstanceKey { .. } => None,
    });
    let mut objects: BTreeMap<&InstanceAddress, Vec<(String, Value)>> = BTreeMap::new();
    for (of, member) in marks.collect::<Option<Vec<_>>>()? {
        objects.entry(of).or_default().push(member);
    }
    let object = |of: &InstanceAddress| Some(Value::object(objects.get(of)?.iter().cloned()));
    Some(block.arguments.evaluate(true, None, &object)).filter(Value::is_wholly_known)
}

fn push(texts: &mut Vec<String>, text: String) {
    if !texts.contains(&text) {
        texts.push(text);
    }
}

/// The most values of one argument that are tried.
const MOST: usize = 8;

impl Facts {
    /// What the provider's author wrote, the first example first, then prose and sources. All of it proposes values,
    /// and rules nothing out.
    pub fn of_written(written: Arc<Written>) -> Facts {
        let mut facts = Facts::default();
        for example in &written.shown {
            let place = &example.place;
            for (path, texts) in &example.texts {
                let literals = texts.iter().map(|text| Constraint::Literal(text.clone()));
                literals.for_each(|literal| facts.suggest(path, literal, Via::Example, place, MOST));
            }
            for (path, keys) in &example.keys {
                let key = |key: &String| Constraint::Key(Box::new(Constraint::Literal(key.clone())));
                keys.iter().for_each(|text| facts.suggest(path, key(text), Via::Example, place, MOST));
            }
        }
        for claim in &written.claims {
            facts.suggest(&claim.path, claim.constraint.clone(), claim.via, &claim.place, 2 * MOST);
        }
        Facts { written, ..facts }
    }

    fn suggest(&mut self, path: &str, constraint: Constraint, via: Via, place: &str, most: usize) {
        let name = path.rsplit('.').next().unwrap_or(path);
        // What is in it limits how long the provider waits.
        if names::format_of(name, path) == Some(Format::Timeout) {
            return;
        }
        let known = self.values.entry(path.to_owned()).or_default();
        if known.facts.len() < most {
            let evidence =
                Evidence { via: via.name().to_owned(), seen: place.to_owned(), ..Evidence::default() };
            known.add(Fact { constraint, strength: Strength::Soft, evidence });
        }
    }

    /// What an earlier run learned, and what the provider's author wrote.
    #[must_use]
    pub fn and_written(mut self, written: Arc<Written>) -> Facts {
        let other = Facts::of_written(written);
        for (path, known) in other.values {
            let own = self.values.entry(path).or_default();
            known.facts.into_iter().for_each(|fact| {
                own.add(fact);
            });
        }
        Facts { written: other.written, ..self }
    }

    /// Has the values of one example come first, so that they are tried together.
    pub fn prefer(&mut self, shown: &Shown) {
        for (path, texts) in &shown.texts {
            let Some(known) = self.values.get_mut(path) else { continue };
            let is_of_it = |fact: &Fact| match &fact.constraint {
                Constraint::Literal(text) => texts.contains(text),
                _ => false,
            };
            known.facts.sort_by_key(|fact| !is_of_it(fact));
        }
    }
}
