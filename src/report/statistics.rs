//! Counts by rule.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Report;
use crate::rule::{Level, RuleId};
use crate::schema::Kind;

/// What was found of one rule, without findings that the user allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleCount {
    pub rule: RuleId,
    /// The highest level of its findings.
    pub level: Level,
    /// Findings that differ in their cause or their type.
    pub findings: u64,
    /// The types that they are about.
    pub types: u64,
    /// How often they were made.
    pub times: u64,
}

impl Report {
    /// What was found of each rule, the most findings first, then by the rule's name.
    pub fn statistics(&self) -> Vec<RuleCount> {
        let mut counts: BTreeMap<RuleId, RuleCount> = BTreeMap::new();
        let mut types: BTreeMap<RuleId, BTreeSet<(Option<Kind>, &str)>> = BTreeMap::new();
        for group in self.groups.iter().filter(|group| !group.is_allowed()) {
            let (rule, level) = (group.rule.id, group.level);
            let none = RuleCount { rule, level, findings: 0, types: 0, times: 0 };
            let count = counts.entry(rule).or_insert(none);
            count.level = count.level.max(level);
            count.findings += 1;
            count.times += group.count;
            if !group.type_name.is_empty() {
                types.entry(rule).or_default().insert((group.kind, &group.type_name));
            }
        }
        let n_types = |rule| types.get(rule).map_or(0, |types| types.len() as u64);
        let counts = counts.into_values().map(|count| RuleCount { types: n_types(count.rule), ..count });
        let mut counts: Vec<RuleCount> = counts.collect();
        counts.sort_by_key(|count| Reverse(count.findings));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Group, samples};
    use super::*;
    use crate::record::Masked;
    use crate::suite::Handling;

    #[test]
    fn findings_are_counted_by_rule_the_most_common_first() {
        let of = |type_name: &str, cause: &str, level| {
            let (type_name, cause) = (type_name.to_owned(), Masked::sample(cause.to_owned()));
            Group { type_name, cause, level, count: 3, ..samples::plan_finding() }
        };
        let other = Group { handling: Some(Handling::Warn), count: 2, ..samples::tolerated_finding() };
        let allowed = Group { handling: Some(Handling::Allow), ..samples::long_finding() };
        let same = [of("acme_disk", "a", Level::Should), of("acme_disk", "b", Level::Must)];
        let groups =
            [other.clone()].into_iter().chain(same).chain([of("acme_host", "a", Level::Must), allowed]);
        let counts = samples::report(groups.collect()).statistics();
        let (first, second) = (same_rule(), other.rule.id);
        assert_eq!(
            counts,
            [
                RuleCount { rule: first, level: Level::Must, findings: 3, types: 2, times: 9 },
                RuleCount { rule: second, level: other.level, findings: 1, types: 1, times: 2 },
            ]
        );
    }

    fn same_rule() -> RuleId {
        samples::plan_finding().rule.id
    }
}
