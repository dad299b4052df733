//! What is tried again because an engine stopped before it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::lessons::TypeKey;
use crate::generate::obligation::Obligation;
use crate::generate::{Facts, Retry};
use crate::scenario::{EngineRun, ObligationId, Scenario};

/// How each type is tried again.
pub(super) type Retries = BTreeMap<TypeKey, TypeRetry>;

/// The obligations of each type that were not reached because an engine stopped before.
pub(super) type Unreached = BTreeMap<TypeKey, HashMap<Obligation, ObligationId>>;

/// What is tried again of a type, with the facts from which scenarios are made.
#[derive(Debug)]
pub(super) struct TypeRetry {
    pub facts: Facts,
    pub retry: Arc<Retry>,
}

/// How many scenarios about one argument may crash the provider, or get no answer in time. A crash costs a new process,
/// and some values take all memory first.
const ENOUGH: usize = 2;

/// How many scenarios of a type crashed the provider or got no answer, by the argument that they are about.
pub(super) struct Tally<'r> {
    /// The schema paths that obligations are about.
    places: HashMap<ObligationId, &'r str>,
    n_failed: BTreeMap<&'r str, usize>,
}

impl<'r> Tally<'r> {
    pub fn of(again: &'r TypeRetry) -> Tally<'r> {
        let wanted = again.retry.wanted.iter();
        let places = wanted.map(|(obligation, id)| (*id, &*obligation.path)).collect();
        Tally { places, n_failed: BTreeMap::new() }
    }

    /// Counts a scenario that crashed the provider or got no answer.
    pub fn add(&mut self, scenario: &Scenario) {
        if let Some(place) = self.place(scenario) {
            *self.n_failed.entry(place).or_default() += 1;
        }
    }

    /// Whether enough is known about the argument that a scenario is about.
    pub fn has_enough(&self, scenario: &Scenario) -> bool {
        let n_failed = self.place(scenario).and_then(|place| self.n_failed.get(place));
        n_failed.is_some_and(|n| *n >= ENOUGH)
    }

    /// The one place that a scenario is about; `None` if there are several, or if it is about the whole object.
    fn place(&self, scenario: &Scenario) -> Option<&'r str> {
        let ids = scenario.runs.iter().flat_map(EngineRun::obligations);
        let mut places = ids.filter_map(|id| self.places.get(&id).copied());
        let first = places.next().filter(|place| !place.is_empty())?;
        places.all(|place| place == first).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::obligation::ObligationKind;
    use crate::scenario::Aims;
    use crate::transcript::ScenarioLabel;

    #[test]
    fn an_argument_that_crashes_the_provider_is_tried_twice_and_others_go_on() {
        let kinds = [ObligationKind::Set, ObligationKind::Unset, ObligationKind::Changed];
        let of = |path: &str| kinds.clone().map(|kind| Obligation { path: path.into(), kind });
        let all = ["size", "note", ""].into_iter().flat_map(of);
        let wanted: HashMap<Obligation, ObligationId> = all.zip((0..).map(ObligationId)).collect();
        let about = |path: &str, kind: &ObligationKind| {
            let id = wanted[&Obligation { path: path.into(), kind: kind.clone() }];
            let aims = Aims { config: vec![id], ..Aims::default() };
            Scenario::new(ScenarioLabel::default(), vec![EngineRun { aims, ..EngineRun::default() }])
        };
        let retry = Arc::new(Retry { wanted: wanted.clone(), ..Retry::default() });
        let again = TypeRetry { facts: Facts::default(), retry };
        let mut tally = Tally::of(&again);
        for path in ["size", ""] {
            tally.add(&about(path, &kinds[0]));
            assert!(!tally.has_enough(&about(path, &kinds[1])));
            tally.add(&about(path, &kinds[1]));
        }
        assert!(tally.has_enough(&about("size", &kinds[2])));
        assert!(!tally.has_enough(&about("note", &kinds[2])));
        assert!(!tally.has_enough(&about("", &kinds[2])), "a behaviour says nothing about the others");
    }
}
