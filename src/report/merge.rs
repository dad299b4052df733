//! Merges reports, such as those of the parts of a run.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::consequences;
use super::group;
use super::unite::unite;
use super::{Group, Refusal, Report, RunLine, Snapshots, Totals, TypeLine, Types};
use crate::rule::Level;
use crate::schema::Kind;

impl Report {
    /// One report for the runs of both.
    ///
    /// The order of merging does not matter. Both are expected to be of one run; if what was run differs, the
    /// greater line wins. Parts may run at the same time, so the longest time counts.
    #[must_use]
    pub fn merge(mut self, other: Report) -> Report {
        self.run = RunLine { shard: None, ..self.run.max(other.run) };
        self.groups.extend(other.groups);
        self.totals.merge(other.totals);
        self.per_type = types(self.per_type, other.per_type);
        self.coverage = std::mem::take(&mut self.coverage).merge(other.coverage);
        self.refusals = refusals(self.refusals, other.refusals);
        self.notes.merge(other.notes);
        for (rule, reasons) in other.inconclusive {
            let known = self.inconclusive.entry(rule).or_default();
            for (reason, count) in reasons {
                *known.entry(reason).or_default() += count;
            }
        }
        self.snapshots = match (self.snapshots, other.snapshots) {
            (Some(one), Some(other)) => Some(one.merge(other)),
            (one, other) => one.or(other),
        };
        self.unusable |= other.unusable;
        self.nothing_applied = self.nothing_applied.max(other.nothing_applied);
        self.sandbox_failed |= other.sandbox_failed;
        self.settle();
        self
    }

    /// Recomputes derived counts, and sorts everything into reading order.
    pub(super) fn settle(&mut self) {
        let order = |refusal: &Refusal| {
            let Refusal { kind, type_name, rpc, message, by_engine, scenarios } = refusal.clone();
            (Reverse(scenarios), type_name, kind, rpc, message, by_engine)
        };
        self.refusals.sort_by_cached_key(order);
        let totals = &mut self.totals;
        totals.types = Types::of(&self.per_type);
        totals.findings = Level::ALL.into_iter().map(|level| (level, 0)).collect();
        self.groups = in_reading_order(std::mem::take(&mut self.groups));
        for group in &self.groups {
            *totals.findings.entry(group.level).or_default() += group.count;
        }
        totals.is_stuck = totals.hung > 0 && totals.types.applied == 0;
        self.notes.stuck(totals.is_stuck.then_some((totals.waited, totals.hung)));
    }
}

/// Each cause once, with what follows from it.
pub(super) fn in_reading_order(groups: Vec<Group>) -> Vec<Group> {
    let mut groups = unite(groups);
    groups.sort_by(|one, other| one.order().cmp(&other.order()));
    group::number(&mut groups);
    consequences::find(&mut groups);
    groups
}

fn types(one: Vec<TypeLine>, other: Vec<TypeLine>) -> Vec<TypeLine> {
    let mut lines: BTreeMap<(Kind, String), TypeLine> = BTreeMap::new();
    for line in one.into_iter().chain(other) {
        let key = (line.kind, line.type_name.clone());
        let known = lines.entry(key).or_insert_with_key(|(kind, name)| TypeLine::new(*kind, name.clone()));
        known.scenarios += line.scenarios;
        known.refused += line.refused;
        known.reach(line.reached);
    }
    lines.into_values().collect()
}

fn refusals(one: Vec<Refusal>, other: Vec<Refusal>) -> Vec<Refusal> {
    let mut refusals: BTreeMap<Refusal, u64> = BTreeMap::new();
    for refusal in one.into_iter().chain(other) {
        *refusals.entry(Refusal { scenarios: 0, ..refusal.clone() }).or_default() += refusal.scenarios;
    }
    refusals.into_iter().map(|(refusal, scenarios)| Refusal { scenarios, ..refusal }).collect()
}

impl Snapshots {
    /// A file that changed in one is no longer unchanged in the other.
    fn merge(self, other: Snapshots) -> Snapshots {
        let changes: BTreeSet<_> = self.changes.into_iter().chain(other.changes).collect();
        let unchanged: BTreeSet<_> = self.unchanged.into_iter().chain(other.unchanged).collect();
        let has_changed = |file: &PathBuf| changes.iter().any(|change| change.file == *file);
        Snapshots {
            unchanged: unchanged.into_iter().filter(|file| !has_changed(file)).collect(),
            changes: changes.iter().cloned().collect(),
            accepted: self.accepted && other.accepted,
        }
    }
}

impl Totals {
    /// Derived counts are left to the report.
    fn merge(&mut self, other: Totals) {
        self.scenarios += other.scenarios;
        self.defects += other.defects;
        self.is_lost |= other.is_lost;
        self.hung += other.hung;
        self.waited = self.waited.max(other.waited);
        self.exchanges += other.exchanges;
        for (rule, tally) in other.rules {
            self.rules.entry(rule).or_default().merge(tally);
        }
        self.wall = self.wall.max(other.wall);
        self.parts = self.parts.longest(&other.parts);
        self.provider_cpu = self.provider_cpu.zip(other.provider_cpu).map(|(one, other)| one + other);
        self.harness_cpu += other.harness_cpu;
        self.provider_peak_memory =
            self.provider_peak_memory.zip(other.provider_peak_memory).map(|(one, other)| one.max(other));
        self.harness_peak_memory = self.harness_peak_memory.max(other.harness_peak_memory);
    }
}

#[cfg(test)]
mod tests;
