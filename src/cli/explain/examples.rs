//! What each rule's fault does to the values of a conforming provider, generated from the faults.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::rule::Rule;

/// Values that break a rule, and values in their place that do not; each line has a role and a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    /// What was found, if no values say it.
    pub breaks: Vec<String>,
    /// Empty if no values say it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conforms: Vec<String>,
}

/// The examples by rule; a test compares them with what the faults do.
static EXAMPLES: LazyLock<BTreeMap<String, Example>> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).expect("a test reads the examples"));

impl Example {
    /// The example of a rule; empty if its fault needs a process.
    pub fn of(rule: &Rule) -> Example {
        EXAMPLES.get(rule.id).cloned().unwrap_or_default()
    }

    /// Every example.
    #[cfg(test)]
    pub fn all() -> &'static BTreeMap<String, Example> {
        &EXAMPLES
    }
}
