//! What an algorithm found wrong.

use super::declaration::Declaration;
use crate::schema::{self, Block};
use crate::value::{AttributePath, Value};

/// In place of a contract entry.
const UNJUDGED: &str = "";

/// The most pairs of elements of two sets that are compared.
pub(super) const MAX_PAIRS: usize = 10_000_000;

/// One violation of the contract, at one place in one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The place; the root for the whole object. May end in or pass through an element of a set.
    pub path: AttributePath,
    /// The contract entry that is violated.
    pub covers: &'static str,
    /// A lower-case fragment without values: those are in `values`, so that a report can mask them.
    pub message: String,
    /// The values concerned, each with its role: "configuration", "prior state", "planned state",
    /// "new state", …
    pub values: Vec<(&'static str, Value)>,
    /// Whether the place is in an attribute that the schema declares sensitive: a report must not
    /// show `values`.
    pub sensitive: bool,
}

impl Problem {
    pub fn new(path: &AttributePath, covers: &'static str, message: impl Into<String>) -> Problem {
        Problem { path: path.clone(), covers, message: message.into(), values: Vec::new(), sensitive: false }
    }

    /// Something that was not compared, and is no violation: it is too large.
    pub(super) fn unjudged(path: &AttributePath, n_pairs: usize) -> Problem {
        let message = format!("two sets are too large to be compared: {n_pairs} pairs of elements");
        Problem::new(path, UNJUDGED, message)
    }

    /// Whether it is only something that was not compared.
    pub fn is_unjudged(&self) -> bool {
        self.covers == UNJUDGED
    }

    #[must_use]
    pub fn with(mut self, role: &'static str, value: &Value) -> Problem {
        self.values.push((role, value.clone()));
        self
    }
}

impl From<schema::Problem> for Problem {
    fn from(problem: schema::Problem) -> Problem {
        Problem::new(&problem.path.into(), problem.covers, problem.message)
    }
}

/// Marks what is in a sensitive attribute, at any depth of nested attributes.
pub(super) fn mark_sensitive(block: &Block, mut problems: Vec<Problem>) -> Vec<Problem> {
    for problem in &mut problems {
        problem.sensitive |= passes_sensitive(Declaration::Block(block), &problem.path);
    }
    problems
}

/// The problems as an engine reports them: all those in a sensitive attribute of a block become
/// one, at the attribute.
///
/// Source: contract entry APPLY-024.
pub fn as_engines_tell(block: &Block, problems: &[Problem]) -> Vec<Problem> {
    let mut told: Vec<Problem> = Vec::new();
    for problem in problems {
        let Some(place) = sensitive_attribute(block, &problem.path) else {
            told.push(problem.clone());
            continue;
        };
        if !told.iter().any(|earlier| earlier.covers == "APPLY-024" && earlier.path == place) {
            let message = "inconsistent values for sensitive attribute";
            told.push(Problem { sensitive: true, ..Problem::new(&place, "APPLY-024", message) });
        }
    }
    told
}

/// The sensitive attribute of a block, at any depth, that is at a path or contains it.
fn sensitive_attribute(block: &Block, path: &AttributePath) -> Option<AttributePath> {
    let mut place = Declaration::Block(block);
    for (idx, step) in path.steps().iter().enumerate() {
        place = place.step(step);
        if let Declaration::Attribute(attribute) = place {
            let taken = path.steps()[..=idx].iter().cloned();
            return attribute.sensitive.then(|| AttributePath::new(taken));
        }
    }
    None
}

fn passes_sensitive(mut place: Declaration<'_>, path: &AttributePath) -> bool {
    path.steps().iter().any(|step| {
        place = place.step(step);
        matches!(place, Declaration::Attribute(attribute) if attribute.sensitive)
    })
}
