//! What is tried once more, because an engine stopped before it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::lessons::TypeKey;
use crate::generate::obligation::Obligation;
use crate::generate::{Facts, Retry};
use crate::scenario::{EngineRun, ObligationId, Scenario};

/// What is tried once more, by type.
pub(super) type Round = BTreeMap<TypeKey, TypeRetry>;

/// What an engine did not get to, by type.
pub(super) type KeptBack = BTreeMap<TypeKey, HashMap<Obligation, ObligationId>>;

/// How a type is tried once more.
#[derive(Debug)]
pub(super) struct TypeRetry {
    pub facts: Facts,
    pub retry: Arc<Retry>,
}

/// The places that obligations are about, as schema paths.
pub(super) struct Places<'r>(HashMap<ObligationId, &'r str>);

impl TypeRetry {
    pub fn places(&self) -> Places<'_> {
        Places(self.retry.wanted.iter().map(|(obligation, id)| (*id, &*obligation.path)).collect())
    }
}

impl<'r> Places<'r> {
    /// The place that a scenario is about; `None` if there are several.
    pub fn of(&self, scenario: &Scenario) -> Option<&'r str> {
        let ids = scenario.runs.iter().flat_map(EngineRun::obligations);
        let mut places = ids.filter_map(|id| self.0.get(&id).copied());
        let first = places.next()?;
        places.all(|place| place == first).then_some(first)
    }
}
