//! Prior state, configuration and planned state at one place.

use super::members::{element_at, member};
use super::problem::Problem;
use crate::value::{AttributePath, Type, Value};

/// The three values that a plan check compares.
#[derive(Clone)]
pub(super) struct PlanValues {
    /// Null if the prior state has nothing at this place.
    pub(super) prior: Value,
    pub(super) config: Value,
    pub(super) planned: Value,
}

impl PlanValues {
    pub(super) fn new(prior: &Value, config: &Value, planned: &Value) -> PlanValues {
        PlanValues { prior: prior.clone(), config: config.clone(), planned: planned.clone() }
    }

    pub(super) fn member(&self, name: &str, ty: &Type) -> PlanValues {
        PlanValues {
            prior: member(&self.prior, name, ty),
            config: member(&self.config, name, ty),
            planned: member(&self.planned, name, ty),
        }
    }

    /// The elements at an index; what is missing is null.
    pub(super) fn index(&self, idx: usize, ty: &Type) -> PlanValues {
        let at = |list| element_at(list, idx, ty).unwrap_or_else(|| Value::null(ty.clone()));
        PlanValues { prior: at(&self.prior), config: at(&self.config), planned: at(&self.planned) }
    }

    /// The elements at a key; what is missing is null.
    pub(super) fn key(&self, key: &str, ty: &Type) -> PlanValues {
        let at = |map: &Value| match map.entry(key) {
            Some(value) => value.clone(),
            None if map.is_unknown() => Value::unknown(ty.clone()),
            None => Value::null(ty.clone()),
        };
        PlanValues { prior: at(&self.prior), config: at(&self.config), planned: at(&self.planned) }
    }

    /// A problem that shows the values at this place.
    pub(super) fn problem(&self, path: &AttributePath, covers: &'static str, message: &str) -> Problem {
        let problem = Problem::new(path, covers, message).with("configuration", &self.config);
        let problem = if self.prior.is_null() { problem } else { problem.with("prior state", &self.prior) };
        problem.with("planned state", &self.planned)
    }
}
