//! Which findings are one: those with the same cause at attributes that break together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::group::CauseKey;
use super::{Confirmation, Group, Replays, rank};
use crate::rule::RuleId;

/// Unites groups until each cause is there once. The order of the groups does not matter.
///
/// Where rules say what the cause is, it is one wherever it shows. Otherwise groups are one if they share an
/// attribute, or if they were found in the same exchange.
pub(super) fn unite(groups: Vec<Group>) -> Vec<Group> {
    let groups = without_crashes_shown_elsewhere(groups);
    let mut by_cause: BTreeMap<CauseKey, Vec<Group>> = BTreeMap::new();
    for group in groups {
        by_cause.entry(group.cause_key()).or_default().push(group);
    }
    by_cause.into_values().flat_map(unite_with_one_cause).collect()
}

/// Without the crashes that no scenario repeats alone, where a scenario shows the same one.
fn without_crashes_shown_elsewhere(mut groups: Vec<Group>) -> Vec<Group> {
    let has_no_scenario = |group: &Group| group.kind.is_none() && group.places.exchanges().next().is_none();
    let shown: BTreeSet<(RuleId, String)> = groups
        .iter()
        .filter(|group| !group.cause.is_empty() && !has_no_scenario(group))
        .map(|group| (group.rule.id, group.cause.to_string()))
        .collect();
    groups.retain(|group| {
        !has_no_scenario(group) || !shown.contains(&(group.rule.id, group.cause.to_string()))
    });
    groups
}

fn unite_with_one_cause(groups: Vec<Group>) -> Vec<Group> {
    let components = components(&groups);
    let mut united: BTreeMap<usize, Group> = BTreeMap::new();
    for (group, component) in groups.into_iter().zip(components) {
        let group = match united.remove(&component) {
            Some(known) => known.with(group),
            None => group,
        };
        united.insert(component, group);
    }
    united.values_mut().for_each(Group::settle);
    united.into_values().collect()
}

/// Of each group, the number of its component: groups that share an attribute or an exchange are in one.
fn components(groups: &[Group]) -> Vec<usize> {
    if groups.iter().all(|group| !group.cause.is_empty()) {
        return vec![0; groups.len()];
    }
    let mut roots: Vec<usize> = (0..groups.len()).collect();
    let mut at_path: BTreeMap<&str, usize> = BTreeMap::new();
    let mut at_exchange: BTreeMap<(&str, u32), usize> = BTreeMap::new();
    for (idx, group) in groups.iter().enumerate() {
        let same_paths = group.attributes.keys().map(|path| *at_path.entry(path).or_insert(idx));
        let same_exchanges = group.places.exchanges().map(|at| *at_exchange.entry(at).or_insert(idx));
        for other in same_paths.chain(same_exchanges) {
            let (one, other) = (root(&roots, idx), root(&roots, other));
            roots[one.max(other)] = one.min(other);
        }
    }
    (0..groups.len()).map(|idx| root(&roots, idx)).collect()
}

fn root(roots: &[usize], mut at: usize) -> usize {
    while roots[at] != at {
        at = roots[at];
    }
    at
}

impl Group {
    /// What decides which of two first findings is the first of both.
    fn first_order(&self) -> impl Ord {
        let first = &self.first;
        (Reverse(first.level), rank(&first.scenario), first.exchange, first)
    }

    /// Both, with the findings of each.
    fn with(mut self, other: Group) -> Group {
        if other.first_order() < self.first_order() {
            (self.first, self.shrunk_in) = (other.first, other.shrunk_in);
        }
        for (path, broken) in other.attributes {
            match self.attributes.remove(&path) {
                Some(mut known) => {
                    known.add(broken);
                    self.attributes.insert(path, known);
                }
                None => drop(self.attributes.insert(path, broken)),
            }
        }
        self.replays = self.replays.into_iter().chain(other.replays).max_by_key(Replays::weight);
        self.places.merge(other.places);
        self.handling = self.handling.max(other.handling);
        self.engines.extend(other.engines);
        self
    }
}

impl Replays {
    /// Which of the plays of several cases say most: those that show the finding.
    fn weight(&self) -> impl Ord + use<> {
        let confirmation = match self.confirmation() {
            Confirmation::Confirmed => 2,
            Confirmation::Flaky => 1,
            Confirmation::Unconfirmed => 0,
        };
        (confirmation, self.seen, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Masked, Reason};
    use crate::report::{Places, samples};

    /// A finding at an attribute in some exchanges of one scenario.
    fn at(path: &str, exchanges: &[u32]) -> Group {
        let mut group = samples::plan_finding();
        let broken = group.attributes.pop_first().expect("it has one").1;
        group.attributes = [(path.to_owned(), broken)].into();
        group.places = Places::default();
        exchanges.iter().for_each(|exchange| group.places.put("lifecycle acme_bucket 7", *exchange));
        group
    }

    /// The attributes of each group that is left.
    fn attributes(groups: Vec<Group>) -> Vec<Vec<String>> {
        let groups = unite(groups).into_iter();
        let mut attributes: Vec<Vec<String>> =
            groups.map(|group| group.attributes.into_keys().collect()).collect();
        attributes.sort();
        attributes
    }

    #[test]
    fn a_crash_that_no_scenario_repeats_is_the_same_one_that_another_scenario_shows() {
        let shown = Group { places: at("name", &[3]).places, ..samples::crash_finding() };
        let alone = Group {
            kind: None,
            type_name: String::new(),
            places: Places::default(),
            ..samples::crash_finding()
        };
        assert_eq!(unite(vec![alone.clone(), shown.clone()]).len(), 1);
        assert_eq!(unite(vec![alone.clone()]).len(), 1, "it is shown where nothing else shows it");
        let other = Group { cause: Masked::sample("another panic".to_owned()), ..shown };
        assert_eq!(unite(vec![alone, other]).len(), 2);
    }

    #[test]
    fn attributes_that_break_in_one_exchange_are_one_finding() {
        let together = || vec![at("name", &[3, 9]), at("size", &[9]), at("disk.label", &[5])];
        assert_eq!(attributes(together()), [vec!["disk.label"], vec!["name", "size"]]);
        assert_eq!(attributes(together().into_iter().rev().collect()), attributes(together()));
        let linked = vec![at("name", &[3]), at("size", &[5]), at("name", &[5])];
        assert_eq!(
            attributes(linked),
            [["name", "size"]],
            "what breaks at two places links what breaks there"
        );
    }

    #[test]
    fn different_causes_and_types_stay_apart() {
        let mut panics = at("name", &[3]);
        panics.cause = Masked::sample("main.(*disk).Read".to_owned());
        let mut elsewhere = at("name", &[3]);
        elsewhere.type_name = "acme_disk".to_owned();
        let said = |path: &str, exchange| {
            let cause = Masked::sample("extension code 5 is not supported".to_owned());
            Group { cause, ..at(path, &[exchange]) }
        };
        assert_eq!(unite(vec![said("name", 3), said("size", 5)]).len(), 1, "one cause, wherever it shows");
        let mut known = at("name", &[3]);
        known.reason = Some(Reason::Known("it is so".to_owned()));
        assert_eq!(unite(vec![at("name", &[3]), panics, elsewhere, known]).len(), 4);
    }

    #[test]
    fn the_key_is_that_of_the_place_that_all_attributes_share() {
        let groups = unite(vec![at("disk.label", &[3]), at("disk.size", &[3])]);
        let [group] = &groups[..] else { panic!("one cause: {}", groups.len()) };
        assert_eq!((group.path.as_str(), group.count), ("disk", 2 * samples::plan_finding().count));
        let later = unite(vec![at("disk.size", &[4]), at("disk.note", &[4])]);
        assert_eq!(later[0].key(), group.key(), "whichever attributes a seed happens to break");
    }
}
