//! Findings of several types that are shown as one.

use std::collections::{BTreeMap, BTreeSet};

use super::{Broken, Group, Replays};
use crate::calls::template;
use crate::record::Reason;
use crate::rule::{Level, RuleId};

/// Findings of the same rule with the same cause, such as a helper that several types share.
#[derive(Debug)]
pub struct Family<'r> {
    /// One for each type, in reading order; never empty.
    pub groups: Vec<&'r Group>,
    /// What follows from them.
    pub also: Vec<&'r Group>,
}

/// What findings have in common that are shown as one.
type Way<'r> = (Level, RuleId, Option<&'r Reason>, String);

impl<'r> Family<'r> {
    /// The families of some groups, in reading order.
    ///
    /// Without a cause of its own, a finding is like another one of the same rule if something that it says
    /// of an attribute is said there, too, and is to be mended in the same way.
    pub fn all(groups: &[&'r Group]) -> Vec<Family<'r>> {
        let keys: BTreeSet<String> = groups.iter().map(|group| group.key()).collect();
        let (following, own): (Vec<&Group>, Vec<&Group>) =
            groups.iter().partition(|group| group.follows.as_ref().is_some_and(|cause| keys.contains(cause)));
        let mut families: Vec<Family<'r>> = Vec::new();
        let mut at: BTreeMap<Way<'r>, Vec<usize>> = BTreeMap::new();
        for group in own {
            let ways = ways(group);
            // What breaks apart in one type are different mistakes.
            let is_open =
                |idx: &&usize| families[**idx].groups.iter().all(|other| !is_same_type(other, group));
            let open = ways.iter().filter_map(|way| at.get(way)?.iter().find(is_open)).min().copied();
            let idx = open.unwrap_or(families.len());
            match families.get_mut(idx) {
                Some(family) => family.groups.push(group),
                None => families.push(Family { groups: vec![group], also: Vec::new() }),
            }
            for way in ways {
                let known = at.entry(way).or_default();
                if !known.contains(&idx) {
                    known.push(idx);
                }
            }
        }
        for family in &mut families {
            let keys: BTreeSet<String> = family.groups.iter().map(|group| group.key()).collect();
            let follows = |group: &&&Group| group.follows.as_ref().is_some_and(|cause| keys.contains(cause));
            family.also = following.iter().filter(follows).copied().collect();
        }
        families
    }

    /// The keys of those groups that are shown in full: of the types that break a rule in the same way, one is.
    pub fn shown(groups: &[Group]) -> BTreeSet<String> {
        let groups: Vec<&Group> = groups.iter().collect();
        Family::all(&groups).iter().map(|family| family.first().key()).collect()
    }

    /// The group that is shown in full.
    pub fn first(&self) -> &'r Group {
        self.groups[0]
    }

    /// `and 2 other types`; empty if it is about one.
    pub fn others(&self) -> String {
        match self.groups.len() - 1 {
            0 => String::new(),
            1 => "and 1 other type".to_owned(),
            n => format!("and {n} other types"),
        }
    }

    /// The attribute that broke, or `2 attributes`; empty if it is the whole object.
    pub fn attributes(&self) -> String {
        let attributes = &self.first().attributes;
        match attributes.keys().next() {
            Some(only) if attributes.len() == 1 => only.clone(),
            _ => format!("{} attributes", attributes.len()),
        }
    }

    /// The plays of all of its cases that were played again.
    pub fn replays(&self) -> Option<Replays> {
        let replays = self.groups.iter().filter_map(|group| group.replays);
        replays.reduce(|one, other| one.and(other))
    }
}

fn is_same_type(one: &Group, other: &Group) -> bool {
    (one.kind, &one.type_name) == (other.kind, &other.type_name)
}

fn ways(group: &Group) -> Vec<Way<'_>> {
    let way = |cause: String| (group.level, group.rule.id, group.reason(), cause);
    if !group.cause.is_empty() {
        return vec![way(group.cause_text())];
    }
    let said = |broken: &Broken| {
        let fix = broken.evidence.fix.as_deref().unwrap_or_default();
        format!("{fix}: {}", template(&broken.evidence.message))
    };
    let said: BTreeSet<String> = group.attributes.values().map(said).collect();
    said.into_iter().map(way).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Masked;
    use crate::report::samples;

    #[test]
    fn types_that_break_a_rule_in_the_same_way_are_one_family() {
        let of = |type_name: &str, cause: &str| {
            let (type_name, cause) = (type_name.to_owned(), Masked::sample(cause.to_owned()));
            Group { type_name, cause, ..samples::plan_finding() }
        };
        let sizes = |groups: &[Group]| -> Vec<usize> {
            let groups: Vec<&Group> = groups.iter().collect();
            Family::all(&groups).iter().map(|family| family.groups.len()).collect()
        };
        let mut other_words = of("acme_key", "");
        let long = samples::long_finding();
        other_words.attributes = long.attributes.clone();
        assert_eq!(sizes(&[of("acme_disk", ""), other_words, of("acme_host", "")]), [2, 1]);
        assert_eq!(sizes(&[of("acme_disk", "main.read"), of("acme_key", "main.write")]), [1, 1]);
        assert_eq!(sizes(&[of("acme_disk", ""), of("acme_disk", ""), of("acme_key", "")]), [2, 1]);
        assert_eq!(sizes(&[of("acme_disk", "main.read"), long, of("acme_key", "main.read")]), [2, 1]);
    }

    #[test]
    fn what_follows_from_one_of_them_is_named_beside_it() {
        let cause = samples::plan_finding();
        let follower = Group { follows: Some(cause.key()), ..samples::long_finding() };
        let families = Family::all(&[&follower, &cause]);
        let [family] = &families[..] else { panic!("one family: {}", families.len()) };
        assert_eq!((family.first(), family.also[0]), (&cause, &follower));
        assert_eq!(Family::all(&[&follower]).len(), 1, "its cause is not shown, so it is");
    }
}
