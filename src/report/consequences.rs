//! Which findings follow from others.
//!
//! One mistake often breaks several rules: a value that Read changes is planned anew and written back, and a
//! plan that differs leads to another action. A group follows from another one if, wherever it was found, the
//! other one was found before it, or in the same exchange and nearer to the cause. What follows from a finding
//! that is excused is excused with it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Group;
use crate::record::MaskedFinding;
use crate::rules::CATALOGUE;
use crate::suite::Handling;

/// The exchanges of a group's findings, by scenario and instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places(BTreeMap<String, BTreeSet<u32>>);

impl Places {
    pub(super) fn add(&mut self, finding: &MaskedFinding<'_>) {
        let label = finding.judgement().label();
        let place = format!("{} {} {} {}", label.kind, label.type_name, label.number, finding.instance());
        self.put(&place, finding.exchange());
    }

    pub(super) fn merge(&mut self, other: Places) {
        for (place, exchanges) in other.0 {
            self.0.entry(place).or_default().extend(exchanges);
        }
    }

    pub(super) fn put(&mut self, place: &str, exchange: u32) {
        self.0.entry(place.to_owned()).or_default().insert(exchange);
    }

    /// Each exchange, with its scenario and instance.
    pub(super) fn exchanges(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0
            .iter()
            .flat_map(|(place, exchanges)| exchanges.iter().map(|exchange| (place.as_str(), *exchange)))
    }

    /// Whether these are found in the exchanges in which the others are first found.
    fn are_those_of(&self, others: &Places) -> bool {
        let is_there = |(place, exchanges): (&String, &BTreeSet<u32>)| {
            self.0.get(place).zip(exchanges.first()).is_some_and(|(own, first)| own.contains(first))
        };
        others.0.iter().all(is_there)
    }

    /// Whether none of the others is found without these being found before, or in the same exchange.
    fn come_with(&self, others: &Places) -> bool {
        let is_with = |(place, exchanges): (&String, &BTreeSet<u32>)| {
            self.0.get(place).is_some_and(|own| own.first() <= exchanges.first())
        };
        !others.0.is_empty() && others.0.iter().all(is_with)
    }
}

/// Says of every group, in reading order, which one it follows from: the nearest to the cause of those that
/// always come with it, unless that matters less. One that is not excused goes first.
pub(super) fn find(groups: &mut [Group]) {
    let mut by_place: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (idx, group) in groups.iter().enumerate() {
        group.places.0.keys().for_each(|place| by_place.entry(place).or_default().push(idx));
    }
    let causes: Vec<Option<usize>> = groups
        .iter()
        .map(|group| {
            // A cause is found at every place of the group, so also at the first.
            let beside = &by_place[group.places.0.keys().next()?.as_str()];
            let leading = beside.iter().copied().filter(|cause| leads_to(&groups[*cause], group));
            leading.min_by_key(|cause| groups[*cause].own_excuse().is_some())
        })
        .collect();
    let roots: Vec<Option<usize>> =
        causes.iter().map(|cause| cause.map(|cause| root(&causes, cause))).collect();
    let led: Vec<_> = groups.iter().map(|group| (group.key(), group.own_excuse())).collect();
    for (group, root) in groups.iter_mut().zip(roots) {
        // What leads to a cause leads to what follows from it, unless it matters less or is elsewhere.
        let (follows, excuse) = root.map(|root| led[root].clone()).unzip();
        (group.follows, group.excuse) = (follows, excuse.flatten());
    }
}

fn leads_to(cause: &Group, group: &Group) -> bool {
    let may_hide = cause.level >= group.level && may_excuse(cause, group) && layer(cause) <= layer(group);
    let is_back = group.places.come_with(&cause.places);
    may_hide
        && cause.places.come_with(&group.places)
        && (!is_back || nearness(cause) < nearness(group))
        && touch(cause, group)
        && (is_of_places(group) || cause.places.are_those_of(&group.places) || is_as_common(cause, group))
}

/// Whether an excuse of the cause, if it has one, may count for the group: not against what the user demands.
fn may_excuse(cause: &Group, group: &Group) -> bool {
    cause.own_excuse().is_none() || group.handling != Some(Handling::Deny)
}

/// Whether it concerns places in an object, and not the whole of it.
fn is_of_places(group: &Group) -> bool {
    !group.attributes.contains_key("")
}

/// Whether it is found at least half as often as what may have caused it. A finding about a whole object touches every
/// finding about a part of it, and a mistake that shows in every scenario is beside all others: that one often comes
/// with the other does not make it the cause.
fn is_as_common(cause: &Group, group: &Group) -> bool {
    group.places.0.len() * 2 >= cause.places.0.len()
}

/// What a group is about: the process, the encoding, the schema, or values.
fn layer(group: &Group) -> usize {
    let layers = ["rpc", "wire", "schema"];
    layers.iter().position(|layer| group.rule.group() == *layer).unwrap_or(layers.len())
}

/// Smaller is nearer to the mistake: the process and the encoding before values, a place in the object before
/// the whole of it, and then the order of the catalogue.
fn nearness(group: &Group) -> impl Ord {
    let position = CATALOGUE.iter().position(|rule| rule.id == group.rule.id);
    (layer(group), group.attributes.contains_key(""), position, Reverse(group.level), group.keys())
}

/// Whether they can be about the same: one place is at, above or below one of the other.
fn touch(one: &Group, other: &Group) -> bool {
    let holds = |outer: &str, inner: &str| {
        outer.is_empty()
            || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let mut pairs = one.attributes.keys().flat_map(|path| other.attributes.keys().map(move |at| (path, at)));
    pairs.any(|(path, at)| holds(path, at) || holds(at, path))
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
    use crate::record::{Masked, Reason};
    use crate::report::samples;
    use crate::rule::Level;

    /// Groups of a sample at these attributes and exchanges, with what each follows from.
    fn ordered(places: &[(&str, &[(&str, u32)])], change: impl Fn(usize, &mut Group)) -> Vec<Group> {
        let sample = samples::plan_finding();
        let mut groups: Vec<Group> = places
            .iter()
            .enumerate()
            .map(|(idx, (path, places))| {
                let mut group = Group { places: Places::default(), ..sample.clone() };
                places.iter().for_each(|(place, exchange)| group.places.put(place, *exchange));
                let broken = group.attributes.pop_first().expect("it has one").1;
                group.attributes = [((*path).to_owned(), broken)].into();
                group.cause = Masked::sample(format!("cause {idx}"));
                change(idx, &mut group);
                group
            })
            .collect();
        find(&mut groups);
        groups
    }

    /// The same, by index.
    fn found(places: &[(&str, &[(&str, u32)])], change: impl Fn(usize, &mut Group)) -> Vec<Option<usize>> {
        let groups = ordered(places, change);
        let keys: Vec<String> = groups.iter().map(Group::key).collect();
        let at = |key: &String| keys.iter().position(|other| other == key).unwrap();
        groups.iter().map(|group| group.follows.as_ref().map(at)).collect()
    }

    fn unchanged(_: usize, _: &mut Group) {}

    #[test]
    fn what_is_always_found_after_another_finding_follows_from_it() {
        let cause: (&str, &[(&str, u32)]) = ("name", &[("a", 3), ("b", 3)]);
        let third = ("", &[("a", 7)][..]);
        assert_eq!(found(&[cause, ("name", &[("a", 5)]), third], unchanged), [None, Some(0), Some(0)]);
        // In one scenario without it, or before it.
        assert_eq!(found(&[cause, ("name", &[("a", 5), ("c", 5)])], unchanged), [None, None]);
        assert_eq!(found(&[cause, ("name", &[("a", 5), ("b", 2)])], unchanged), [None, None]);
        assert_eq!(found(&[cause, ("name", &[])], unchanged), [None, None]);
    }

    #[test]
    fn what_breaks_in_the_same_exchange_follows_from_what_is_nearest_to_the_cause() {
        let together: [(&str, &[(&str, u32)]); 2] = [("", &[("a", 3)]), ("name", &[("a", 3)])];
        assert_eq!(
            found(&together, unchanged),
            [Some(1), None],
            "a place explains more than the whole object"
        );
        let crash = |idx: usize, group: &mut Group| {
            if idx == 0 {
                group.rule = crate::rules::find("rpc/survives").expect("the rule exists");
            }
        };
        assert_eq!(found(&together, crash), [None, Some(0)]);
        let wider: [(&str, &[(&str, u32)]); 2] = [("", &[("a", 3), ("b", 3)]), ("name", &[("a", 3)])];
        assert_eq!(
            found(&wider, unchanged),
            [None, Some(0)],
            "what is also found alone has a cause of its own"
        );
    }

    #[test]
    fn what_concerns_another_attribute_does_not_follow() {
        let apart: [(&str, &[(&str, u32)]); 2] = [("name", &[("a", 3)]), ("names", &[("a", 5)])];
        assert_eq!(found(&apart, unchanged), [None, None]);
        let inside: [(&str, &[(&str, u32)]); 2] = [("disk", &[("a", 3)]), ("disk.size", &[("a", 5)])];
        assert_eq!(found(&inside, unchanged), [None, Some(0)]);
    }

    #[test]
    fn what_concerns_the_whole_object_does_not_follow_from_what_is_found_everywhere() {
        let everywhere: &[(&str, u32)] = &[("a", 3), ("b", 3), ("c", 3), ("d", 3), ("e", 3)];
        let at = |path| [("name", everywhere), (path, &[("a", 5), ("b", 5)])];
        assert_eq!(found(&at(""), unchanged), [None, None]);
        assert_eq!(found(&at("name"), unchanged), [None, Some(0)]);
        // Unless both are found in one exchange.
        let together: [(&str, &[(&str, u32)]); 2] = [("name", everywhere), ("", &[("a", 3), ("b", 3)])];
        assert_eq!(found(&together, unchanged), [None, Some(0)]);
    }

    #[test]
    fn the_end_of_a_process_does_not_follow_from_a_value() {
        let crash = |idx: usize, group: &mut Group| {
            if idx == 1 {
                group.rule = crate::rules::find("rpc/survives").expect("the rule exists");
            }
        };
        let places: [(&str, &[(&str, u32)]); 2] = [("name", &[("a", 3)]), ("", &[("a", 5)])];
        assert_eq!(found(&places, crash), [None, None]);
        assert_eq!(found(&places, unchanged), [None, Some(0)]);
    }

    #[test]
    fn nothing_is_hidden_below_what_matters_less() {
        let places: [(&str, &[(&str, u32)]); 2] = [("name", &[("a", 3)]), ("name", &[("a", 5)])];
        let less = |idx: usize, group: &mut Group| {
            if idx == 0 {
                group.level = Level::Should;
            }
        };
        assert_eq!(found(&places, less), [None, None]);
    }

    #[test]
    fn what_follows_from_an_excused_finding_is_excused_with_it() {
        let places: [(&str, &[(&str, u32)]); 2] = [("name", &[("a", 3)]), ("name", &[("a", 5)])];
        let excuses: [fn(&mut Group); 3] = [
            |group| group.reason = Some(Reason::Known("it is so".to_owned())),
            |group| group.handling = Some(Handling::Warn),
            |group| group.handling = Some(Handling::Allow),
        ];
        for excuse in excuses {
            let known = |idx: usize, group: &mut Group| {
                if idx == 0 {
                    excuse(group)
                }
            };
            let groups = ordered(&places, known);
            assert_eq!(groups[1].follows, Some(groups[0].key()));
            assert!(!groups[1].fails(Level::Advice));
            let denied = |idx: usize, group: &mut Group| match idx {
                0 => excuse(group),
                _ => group.handling = Some(Handling::Deny),
            };
            let groups = ordered(&places, denied);
            assert_eq!(groups[1].follows, None, "the user demands it");
            assert!(groups[1].fails(Level::Must));
        }
    }

    #[test]
    fn a_cause_that_is_not_excused_goes_first() {
        let places: [(&str, &[(&str, u32)]); 3] =
            [("disk", &[("a", 3)]), ("disk.size", &[("a", 4), ("b", 4)]), ("disk.size", &[("a", 5)])];
        let known = |idx: usize, group: &mut Group| {
            group.reason = (idx == 0).then(|| Reason::Known("it is so".to_owned()));
        };
        assert_eq!(found(&places, known), [None, None, Some(1)]);
    }
}
