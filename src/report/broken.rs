//! What broke at one attribute.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::{Occurrence, rank};
use crate::record::{Evidence, Masked};
use crate::rule::Level;
use crate::transcript::ScenarioLabel;

/// The findings of a group at one attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    pub level: Level,
    /// How often.
    pub count: u64,
    /// Where the first one was found: the most serious, by number of the scenario, then by exchange.
    pub scenario: ScenarioLabel,
    /// Counted from 1.
    pub exchange: u32,
    /// The values of the first one, without the objects of the exchange.
    pub evidence: Masked<Evidence>,
}

impl Broken {
    /// One finding.
    pub(super) fn once(first: &Occurrence) -> Broken {
        Broken {
            level: first.level,
            count: 1,
            scenario: first.scenario.clone(),
            exchange: first.exchange,
            evidence: first.evidence.without_objects(),
        }
    }

    /// Adds what was found at the same attribute.
    pub(super) fn add(&mut self, other: Broken) {
        let count = self.count + other.count;
        if other.order() < self.order() {
            *self = other;
        }
        self.count = count;
    }

    fn order(&self) -> impl Ord {
        (Reverse(self.level), rank(&self.scenario), self.exchange, &self.evidence)
    }

    /// Whether there are values to show side by side.
    pub fn has_values(&self) -> bool {
        !self.evidence.allowed.is_empty() || self.evidence.actual.is_some()
    }

    /// Whether it broke in the exchange of an occurrence.
    pub fn is_in(&self, occurrence: &Occurrence) -> bool {
        (&self.scenario, self.exchange) == (&occurrence.scenario, occurrence.exchange)
    }
}
