//! What was learned in a run.

use std::collections::BTreeMap;

use crate::generate::Facts;
use crate::generate::Suppliers;
use crate::learn::{Learned, Stop};
use crate::report::coverage::Learning;
use crate::scenario::{Operation, Scenario};
use crate::schema::Kind;
use crate::transcript::ScenarioLabel;

/// A type, by its kind and name.
pub(super) type TypeKey = (Kind, String);

/// How many types one note names.
const NAMED: usize = 5;

/// What was learned about every type.
#[derive(Clone, Debug, Default)]
pub(super) struct Lessons {
    pub types: BTreeMap<TypeKey, Learned>,
    /// The types that others can refer to.
    pub suppliers: Suppliers,
    /// The questions that showed something, to be asked again.
    pub questions: BTreeMap<ScenarioLabel, (Kind, Scenario)>,
    /// How many questions took too long.
    pub n_given_up: u64,
}

impl Lessons {
    /// What a later part has learned replaces what an earlier one did, and its questions count with them.
    pub fn merge(&mut self, key: TypeKey, later: Learned) {
        let merged = match self.types.remove(&key) {
            Some(earlier) => Learned {
                n_asked: earlier.n_asked + later.n_asked,
                n_to_solve: match earlier.reached {
                    Some(_) => earlier.n_to_solve,
                    None => earlier.n_to_solve + later.n_to_solve,
                },
                stop: earlier.stop.filter(|_| earlier.reached.is_some()).or(later.stop),
                reached: later.reached.or(earlier.reached),
                applied: earlier.applied.or(later.applied),
                set: earlier.set.into_iter().chain(later.set).collect(),
                n_arguments: later.n_arguments,
                facts: later.facts,
            },
            None => later,
        };
        self.types.insert(key, merged);
    }

    /// Adds what was learned by trying again; it counts only of types that got further.
    pub fn retry(&mut self, retried: Lessons) {
        for (key, later) in retried.types {
            match self.types.get_mut(&key) {
                Some(earlier) if later.reached > earlier.reached => {
                    let n_to_solve = match earlier.reached {
                        Some(_) => earlier.n_to_solve,
                        None => earlier.n_to_solve + later.n_to_solve,
                    };
                    let set = earlier.set.union(&later.set).cloned().collect();
                    *earlier = Learned { n_asked: earlier.n_asked + later.n_asked, n_to_solve, set, ..later };
                }
                Some(earlier) => {
                    earlier.n_asked += later.n_asked;
                    earlier.set.extend(later.set);
                    // What was not tried to the end before.
                    if earlier.stop.is_none() && later.stop.is_some() {
                        (earlier.stop, earlier.facts) = (later.stop, later.facts);
                    }
                }
                None => drop(self.types.insert(key, later)),
            }
        }
        self.also(retried.questions, retried.n_given_up);
    }

    /// Adds questions that were asked about other types.
    pub fn also(&mut self, questions: BTreeMap<ScenarioLabel, (Kind, Scenario)>, n_given_up: u64) {
        self.questions.extend(questions);
        self.n_given_up += n_given_up;
    }

    /// The types that the provider refuses whatever is tried, with its words.
    pub fn notes(&self) -> Vec<String> {
        let stages = [
            (None, "is accepted"),
            (Some(Operation::Validate), "can be planned"),
            (Some(Operation::Plan), "can be applied"),
        ];
        let mut notes = Vec::new();
        if self.n_given_up > 0 {
            notes.push(format!(
                "the search for configurations gave up {}: creating an object took more than a third of --timeout, \
                 and the object may be left behind",
                if self.n_given_up == 1 {
                    "1 question".to_owned()
                } else {
                    format!("{} questions", self.n_given_up)
                }
            ));
        }
        for (reached, what) in stages {
            let stopped = self.types.iter().filter(|(_, learned)| learned.reached == reached);
            let stopped: Vec<String> = stopped
                .filter_map(|((kind, name), learned)| {
                    // What was broken is a finding of its own.
                    let stop = learned.stop.as_ref().filter(|stop| !matches!(stop, Stop::Broken(_)))?;
                    Some(format!("{}: {}", kind.qualified(name), short(stop)))
                })
                .collect();
            let types = match stopped.len() {
                0 => continue,
                1 => "1 type".to_owned(),
                n => format!("{n} types"),
            };
            let more = match stopped.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            let named = stopped[..stopped.len().min(NAMED)].join("; ");
            let how = "`tfconform why TYPE` shows them";
            notes.push(format!("no configuration {what} that was tried for {types} ({how}): {named}{more}"));
        }
        notes
    }

    /// How an accepted configuration of a type was found.
    pub fn learning(&self, key: &TypeKey) -> Option<Learning> {
        let learned = self.types.get(key)?;
        Some(Learning {
            accepted: learned.reached.is_some(),
            questions: learned.n_to_solve,
            arguments: learned.n_arguments,
            arguments_accepted: learned.set.len() as u32,
        })
    }

    /// The facts about a type.
    pub fn facts(&self, kind: Kind, type_name: &str) -> Facts {
        self.types.get(&(kind, type_name.to_owned())).map(|learned| learned.facts.clone()).unwrap_or_default()
    }
}

/// The words that stopped a type, on one line.
fn short(stop: &Stop) -> String {
    const LONGEST: usize = 120;
    let text = stop.to_string();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
