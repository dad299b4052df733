//! Ways to write a value that satisfy what is known about it.
//!
//! Pure: the same facts about the same place give the same candidates in the same order.

mod battery;
mod candidate;
mod charset;
mod check;
mod formats;
mod go_regex;
mod layout;
mod network;
mod numbers;
mod patterns;
mod rules;
mod slots;
mod splice;
mod told;
mod walk;
mod words;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

pub use candidate::Candidate;
#[cfg(test)]
pub(super) use formats::may_be;
pub use rules::Rules;
pub use splice::spliced;

use super::facts::{Constraint, Fact, ValueFacts};
use super::names;
use super::witness::Format;
use crate::value::{Number, Type, Value};
use candidate::FIRST;
use words::TextShape;

/// Where a value is wanted.
#[derive(Clone, Debug)]
pub struct Place<'p> {
    /// The argument's own name.
    pub name: &'p str,
    /// Its schema path.
    pub path: &'p str,
    /// A string, a number or a bool.
    pub ty: &'p Type,
    /// Whether the value may reach the provider's own machine and its remote system.
    pub at_apply: bool,
    /// Whether the nearest collection around it is a set, in which equal elements are one.
    pub in_set: bool,
    /// The folder that files stay in at apply; without it they are bare names.
    pub scratch: Option<&'p Path>,
    /// The folder for absolute paths, if there is no such folder.
    pub temporary: Option<&'p Path>,
}

/// Words by which texts are tried before they are proposed: no letter is in both.
const SAMPLES: [&str; 2] = [patterns::SAMPLE, "zyxwvutsr"];

/// Ways to write a value, in the order in which to try them; none if nothing that is known can satisfy what
/// is demanded.
///
/// Those that were accepted come first, and those that were refused are left out, together with all that
/// would write the same. Then comes what examples of the documentation show, if it is not a name; then members of enums, texts that match patterns, literals, formats that the
/// provider named, what the argument's name suggests, the default text with what is known of its length and
/// its ends, examples in descriptions, and at last one text of every kind. Of these, those that break fewer soft constraints come
/// first. All satisfy the hard ones.
pub fn candidates(place: &Place<'_>, facts: &ValueFacts) -> Vec<Candidate> {
    let mut facts = Cow::Borrowed(facts);
    if names::is_label(place.name) {
        // Any format fits it, and then scenarios would give the same name to different objects.
        let is_kept = |fact: &Fact| {
            fact.is_of_example()
                || !told::is_hearsay(fact)
                || !matches!(fact.constraint, Constraint::Format(_) | Constraint::Literal(_))
        };
        facts.to_mut().facts.retain(is_kept);
    }
    let facts = &*facts;
    let proposed = proposals(place, facts);
    let rules = Arc::new(rules(place.ty, facts));
    let named = |name: &String| Candidate::named(name, place);
    let refused: BTreeSet<String> = facts.bad.iter().filter_map(named).map(|bad| sample(&bad)).collect();
    let good: Vec<Candidate> = facts.good.iter().filter_map(named).collect();
    let n_good = good.len();
    let mut seen = BTreeSet::new();
    let mut found: Vec<(usize, Candidate)> = Vec::new();
    for (idx, candidate) in good.into_iter().chain(proposed).enumerate() {
        let text = sample(&candidate);
        let is_refused = facts.bad.contains(candidate.name()) || (idx >= n_good && refused.contains(&text));
        let fits = SAMPLES.iter().all(|word| rules.permits_text(place.ty, &candidate.render(word, FIRST)));
        let is_possible = place.is_of_type(&text) && place.is_safe(&candidate, &text);
        if is_refused || !fits || !is_possible || !seen.insert(text.clone()) {
            continue;
        }
        let n_doubts = if idx < n_good { 0 } else { 1 + rules.n_doubts(place.ty, &text) };
        found.push((n_doubts, candidate.with_rules(&rules)));
    }
    found.sort_by_key(|(n_doubts, _)| *n_doubts);
    let mut found: Vec<Candidate> = found.into_iter().map(|(_, candidate)| candidate).collect();
    if place.in_set {
        let texts: Vec<String> = found.iter().filter_map(Candidate::fixed_text).map(str::to_owned).collect();
        found = found.into_iter().map(|candidate| candidate.with_others(&texts)).collect();
    }
    found
}

/// What the facts demand of every value of a primitive type, whatever the argument is called.
pub fn rules(ty: &Type, facts: &ValueFacts) -> Rules {
    let place =
        Place { name: "", path: "", ty, at_apply: false, in_set: false, scratch: None, temporary: None };
    Rules::new(facts, ty, || proposals(&place, facts).iter().map(sample).collect())
}

/// Whether a value breaks no hard constraint. Null, unknown and collections break none.
///
/// For many values of one place, [`rules`] does the work once.
pub fn permits(facts: &ValueFacts, value: &Value) -> bool {
    !value.ty().is_primitive() || rules(value.ty(), facts).permits(value)
}

/// What is known about the keys of a map, as facts about their texts.
pub fn of_keys(facts: &ValueFacts) -> ValueFacts {
    let mut keys = ValueFacts::default();
    for fact in &facts.facts {
        if let Constraint::Key(constraint) = &fact.constraint {
            keys.add(Fact { constraint: Constraint::clone(constraint), ..fact.clone() });
        }
    }
    keys
}

/// Everything that is worth a try, in order, whatever is demanded.
fn proposals(place: &Place<'_>, facts: &ValueFacts) -> Vec<Candidate> {
    let told = told::told(place, facts);
    // What names an object is made up first: scenarios would give the same name to different objects.
    let shown = if names::is_label(place.name) { Vec::new() } else { told::shown(place, facts) };
    if *place.ty != Type::String {
        return shown.into_iter().chain(told).collect();
    }
    let is_enum_known = facts.facts.iter().any(|fact| matches!(fact.constraint, Constraint::OneOf(_)));
    let mut proposals = shown;
    if names::expects_enum(place.name) && !is_enum_known {
        // The refusal lists the members.
        proposals.push(Candidate::word(place));
    }
    proposals.extend(told);
    let mut prior = match names::format_of(place.name, place.path) {
        // A half of what is called so is written in one of the other ways.
        Some(Format::GoDuration) => [Format::GoDuration, Format::IsoDuration, Format::Int]
            .into_iter()
            .flat_map(|format| told::styles(format, place))
            .collect(),
        Some(format) => told::styles(format, place),
        None => Vec::new(),
    }
    .into_iter();
    proposals.extend(prior.next());
    let words = TextShape::of(facts).words().into_iter();
    proposals.extend(words.map(|slots| Candidate::text(slots, place)));
    // Later than the word, by which scenarios keep their objects apart.
    proposals.extend(told::made_ids(place, facts));
    proposals.extend(told::examples(place, facts));
    proposals.extend(prior);
    proposals.push(Candidate::word(place));
    let usual = names::usual_words(place.name);
    proposals.extend(usual.map(|word| Candidate::fixed("other", word, place)));
    proposals.extend(battery::battery(place));
    proposals
}

/// What a candidate writes for the first element.
fn sample(candidate: &Candidate) -> String {
    candidate.render(SAMPLES[0], FIRST)
}

impl<'p> Place<'p> {
    /// The folder for absolute paths.
    fn folder(&self) -> Option<&'p Path> {
        self.scratch.or(self.temporary)
    }

    /// Whether values are names of files of the machine.
    fn is_file(&self) -> bool {
        self.at_apply && names::format_of(self.name, self.path) == Some(Format::Path)
    }

    /// Whether a text stands for a value of the type.
    fn is_of_type(&self, text: &str) -> bool {
        match self.ty {
            Type::Number => Number::parse(text).is_ok(),
            Type::Bool => matches!(text, "true" | "false"),
            _ => true,
        }
    }

    /// Whether a text may reach the machine: what names a file stays in a folder of ours.
    fn is_safe(&self, candidate: &Candidate, text: &str) -> bool {
        if !self.is_file() {
            return true;
        }
        let is_bare = !text.contains(['/', '\\', '~']);
        let is_made = candidate.fixed_text().is_none();
        let is_inside = is_made && self.folder().is_some_and(|folder| Path::new(text).starts_with(folder));
        (is_bare || is_inside) && text.split('/').all(|part| part != "..")
    }
}
