//! Which findings follow from others.
//!
//! One mistake often breaks several rules, one after the other: a value that Read changes is planned anew
//! and written back. A group follows from another one if, wherever it was found, the other one was found
//! before it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Group;
use crate::record::MaskedFinding;

/// The earliest exchange of a group's findings, by scenario and instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places(BTreeMap<String, u32>);

impl Places {
    pub(super) fn add(&mut self, finding: &MaskedFinding<'_>) {
        let label = finding.judgement().label();
        let place = format!("{} {} {} {}", label.kind, label.type_name, label.number, finding.instance());
        self.put(place, finding.exchange());
    }

    pub(super) fn merge(&mut self, other: Places) {
        other.0.into_iter().for_each(|(place, exchange)| self.put(place, exchange));
    }

    fn put(&mut self, place: String, exchange: u32) {
        let earliest = self.0.entry(place).or_insert(exchange);
        *earliest = exchange.min(*earliest);
    }

    /// Whether these come before the others wherever those are.
    fn precede(&self, others: &Places) -> bool {
        let is_before = |(place, exchange)| self.0.get(place).is_some_and(|before| before < exchange);
        !others.0.is_empty() && others.0.iter().all(is_before)
    }
}

/// Says of every group, in reading order, which one it follows from: the first that precedes it, unless that
/// matters less.
pub(super) fn find(groups: &mut [Group]) {
    let causes: Vec<Option<usize>> = groups
        .iter()
        .map(|group| {
            let may_hide = |cause: &Group| {
                cause.level >= group.level && (cause.known.is_none() || group.known.is_some())
            };
            groups.iter().position(|cause| may_hide(cause) && cause.places.precede(&group.places))
        })
        .collect();
    let keys: Vec<String> = groups.iter().map(Group::key).collect();
    for (idx, group) in groups.iter_mut().enumerate() {
        // What precedes a cause precedes what follows from it, so the first has no cause itself, unless
        // that one matters less.
        group.follows = causes[idx].map(|cause| root(&causes, cause)).map(|cause| keys[cause].clone());
    }
}

fn root(causes: &[Option<usize>], mut at: usize) -> usize {
    while let Some(cause) = causes[at] {
        at = cause;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;
    use crate::rule::Level;

    /// Groups of a sample, each with its places, and which each follows from, by index.
    fn found(places: &[&[(&str, u32)]], change: impl Fn(usize, &mut Group)) -> Vec<Option<usize>> {
        let sample = samples::plan_finding();
        let mut groups: Vec<Group> = places
            .iter()
            .enumerate()
            .map(|(idx, places)| {
                let places = places.iter().map(|(place, exchange)| ((*place).to_owned(), *exchange));
                let path = format!("at{idx}");
                let mut group = Group { path, places: Places(places.collect()), ..sample.clone() };
                change(idx, &mut group);
                group
            })
            .collect();
        find(&mut groups);
        let keys: Vec<String> = groups.iter().map(Group::key).collect();
        let at = |key: &String| keys.iter().position(|other| other == key).unwrap();
        groups.iter().map(|group| group.follows.as_ref().map(at)).collect()
    }

    #[test]
    fn what_is_always_found_after_another_finding_follows_from_it() {
        let unchanged = |_: usize, _: &mut Group| {};
        let [cause, second, third] =
            [&[("a", 3), ("b", 3)][..], &[("a", 5)], &[("a", 7)]].map(|places: &[(&str, u32)]| places);
        assert_eq!(found(&[cause, second, third], unchanged), [None, Some(0), Some(0)]);
        // In one scenario without it, or before it.
        assert_eq!(found(&[cause, &[("a", 5), ("c", 5)]], unchanged), [None, None]);
        assert_eq!(found(&[cause, &[("a", 5), ("b", 2)]], unchanged), [None, None]);
        // In the same answer neither is first.
        assert_eq!(found(&[cause, &[("a", 3)]], unchanged), [None, None]);
        assert_eq!(found(&[cause, &[]], unchanged), [None, None]);
    }

    #[test]
    fn nothing_is_hidden_below_what_matters_less() {
        let places: [&[(&str, u32)]; 2] = [&[("a", 3)], &[("a", 5)]];
        let less = |idx: usize, group: &mut Group| {
            if idx == 0 {
                group.level = Level::Should;
            }
        };
        assert_eq!(found(&places, less), [None, None]);
        let known = |idx: usize, group: &mut Group| {
            group.known = (idx == 0).then(|| "it is so".to_owned());
        };
        assert_eq!(found(&places, known), [None, None]);
    }
}
