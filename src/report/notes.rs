//! Notes: what a user should know about a run as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::human::thousands;
use crate::calls::{LONGEST_TEXT, MOST_DIAGNOSTICS, MOST_PATHS};
use crate::transcript::DriftKind;

/// How many types with possible leftovers are named.
const MAX_LEFT: usize = 5;

/// The notes of a run. What is counted over scenarios stays a count until it is printed, so that reports
/// can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notes {
    /// Notes from the run itself.
    said: BTreeSet<String>,
    /// Kinds of drift that were impossible: in how many scenarios, and why.
    impossible: BTreeMap<DriftKind, (u64, String)>,
    /// Types with possible leftovers, with the number of scenarios.
    left: BTreeMap<String, u64>,
    /// By type, what names the objects that were left.
    #[serde(default)]
    left_names: BTreeMap<String, BTreeSet<String>>,
    /// Why scenarios have no result, with their number.
    #[serde(default)]
    not_judged: BTreeMap<String, u64>,
    /// Calls with answers that were too large to be read as a whole, with the number of scenarios.
    #[serde(default)]
    cut: BTreeMap<String, u64>,
    /// If nothing could be applied: how long calls waited, and in how many scenarios.
    stuck: Option<(Duration, u64)>,
    /// Notes on the outcome, in this order.
    concluded: Vec<String>,
}

impl Notes {
    /// Adds a note on the outcome; these are printed last.
    pub fn push(&mut self, note: String) {
        self.concluded.push(note);
    }

    pub(super) fn say(&mut self, note: String) {
        self.said.insert(note);
    }

    /// One reason is kept for all: they differ only in the name of the type.
    pub(super) fn impossible(&mut self, kind: DriftKind, scenarios: u64, why: &str) {
        let entry = self.impossible.entry(kind).or_insert_with(|| (0, why.to_owned()));
        entry.0 += scenarios;
        if *why < *entry.1 {
            entry.1 = why.to_owned();
        }
    }

    pub(super) fn left(&mut self, type_name: &str, scenarios: u64, names: impl IntoIterator<Item = String>) {
        *self.left.entry(type_name.to_owned()).or_default() += scenarios;
        self.left_names.entry(type_name.to_owned()).or_default().extend(names);
    }

    pub(super) fn not_judged(&mut self, why: &str, scenarios: u64) {
        *self.not_judged.entry(why.to_owned()).or_default() += scenarios;
    }

    pub(super) fn cut(&mut self, rpc: &str, scenarios: u64) {
        *self.cut.entry(rpc.to_owned()).or_default() += scenarios;
    }

    pub(super) fn stuck(&mut self, stuck: Option<(Duration, u64)>) {
        self.stuck = stuck;
    }

    /// Every note as printed, in that order.
    pub fn lines(&self) -> Vec<String> {
        self.with(self.without_drift())
    }

    /// The same, but not which drift was not judged.
    pub fn lines_but_drift(&self) -> Vec<String> {
        self.with(std::iter::empty())
    }

    /// In how many scenarios drift was not judged; one that has several kinds of drift counts for each.
    pub fn scenarios_without_drift(&self) -> u64 {
        self.impossible.values().map(|(scenarios, _)| *scenarios).sum()
    }

    fn with(&self, without_drift: impl Iterator<Item = String>) -> Vec<String> {
        let mut lines = self.said.clone();
        lines.extend(without_drift);
        if !self.left.is_empty() {
            let mut types: Vec<String> =
                self.left.keys().take(MAX_LEFT).map(|type_name| self.named(type_name)).collect();
            if self.left.len() > MAX_LEFT {
                types.push("…".to_owned());
            }
            lines.insert(format!(
                "{} may have left an object behind, because a destroy failed or an apply gave no answer: {}",
                scenarios(self.left.values().sum()),
                types.join(", ")
            ));
        }
        for (rpc, count) in &self.cut {
            lines.insert(format!(
                "answers to {rpc} were too large in {}, and judged in part: of each, tfconform reads {} diagnostics, \
                 {} KiB of each text and {} paths that require replacement",
                scenarios(*count),
                thousands(MOST_DIAGNOSTICS as u64),
                LONGEST_TEXT >> 10,
                thousands(MOST_PATHS as u64),
            ));
        }
        for (why, count) in &self.not_judged {
            lines.insert(format!("{} not judged: {why}", scenarios(*count)));
        }
        if let Some((waited, hung)) = self.stuck {
            lines.insert(format!(
                "nothing could be applied: in {} the provider did not answer within {} s",
                scenarios(hung),
                waited.as_secs_f64()
            ));
        }
        lines.into_iter().chain(self.concluded.iter().cloned()).collect()
    }

    /// Which drift was not judged, once for each reason.
    fn without_drift(&self) -> impl Iterator<Item = String> {
        let mut reasons: BTreeMap<&str, BTreeMap<u64, Vec<&str>>> = BTreeMap::new();
        for (kind, (count, why)) in &self.impossible {
            reasons.entry(why).or_default().entry(*count).or_default().push(kind.name());
        }
        reasons.into_iter().map(|(why, counts)| {
            let is_all = counts.values().any(|kinds| kinds.len() == DriftKind::ALL.len());
            let counts = counts.into_iter().rev().map(|(count, kinds)| match is_all {
                true => format!("in {}", scenarios(count)),
                false => format!("({}) in {}", kinds.join(", "), scenarios(count)),
            });
            let counts: Vec<String> = counts.collect();
            format!("drift was not judged {}: {why}", counts.join(" and "))
        })
    }

    /// A type, with the names of what was left of it.
    fn named(&self, type_name: &str) -> String {
        let names = self.left_names.get(type_name).filter(|names| !names.is_empty());
        let Some(names) = names else { return type_name.to_owned() };
        let mut shown: Vec<&str> = names.iter().map(String::as_str).take(MAX_LEFT).collect();
        if names.len() > MAX_LEFT {
            shown.push("…");
        }
        format!("{type_name} ({})", shown.join(", "))
    }

    pub(super) fn merge(&mut self, other: Notes) {
        self.said.extend(other.said);
        for (kind, (scenarios, why)) in other.impossible {
            self.impossible(kind, scenarios, &why);
        }
        for (type_name, scenarios) in other.left {
            let names = other.left_names.get(&type_name).cloned().unwrap_or_default();
            self.left(&type_name, scenarios, names);
        }
        for (why, scenarios) in other.not_judged {
            self.not_judged(&why, scenarios);
        }
        for (rpc, scenarios) in other.cut {
            self.cut(&rpc, scenarios);
        }
        self.concluded.extend(other.concluded);
        self.concluded.sort();
        self.concluded.dedup();
    }
}

impl Extend<String> for Notes {
    fn extend<I: IntoIterator<Item = String>>(&mut self, notes: I) {
        self.concluded.extend(notes);
    }
}

/// `1 scenario`, `2 scenarios`.
fn scenarios(n: u64) -> String {
    format!("{n} scenario{}", if n == 1 { "" } else { "s" })
}
