//! What was learned in a run.

use std::collections::BTreeMap;

use crate::generate::Facts;
use crate::learn::Learned;
use crate::scenario::{Operation, Scenario};
use crate::schema::Kind;
use crate::transcript::ScenarioLabel;

/// A type, by its kind and name.
pub(super) type TypeKey = (Kind, String);

/// What was learned about every type.
#[derive(Debug, Default)]
pub(super) struct Lessons {
    pub types: BTreeMap<TypeKey, Learned>,
    /// The questions that showed something, to be asked again.
    pub questions: BTreeMap<ScenarioLabel, (Kind, Scenario)>,
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
                facts: later.facts,
            },
            None => later,
        };
        self.types.insert(key, merged);
    }

    /// The types of which no configuration reached what could be reached, with the words that stopped them.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for ((_, name), learned) in &self.types {
            let Some(stop) = learned.stop.as_ref().filter(|_| learned.reached != Some(Operation::Apply))
            else {
                continue;
            };
            let what = match learned.reached {
                None => "was accepted",
                Some(Operation::Validate) => "could be planned",
                Some(_) => "could be applied",
            };
            notes.push(format!("no configuration of {name} {what}: {stop}"));
        }
        notes
    }

    /// The facts about a type.
    pub fn facts(&self, kind: Kind, type_name: &str) -> Facts {
        self.types.get(&(kind, type_name.to_owned())).map(|learned| learned.facts.clone()).unwrap_or_default()
    }
}
