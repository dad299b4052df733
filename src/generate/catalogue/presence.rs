//! Conclusions about which arguments may, must or must not be set.

use std::collections::BTreeSet;

use super::message::Teaching;
use super::reading::{Hit, Reading};
use crate::generate::facts::{Constraint, PresenceRule, Strength};
use crate::generate::lesson::{Edit, RelationBound, RelationOf};
use crate::value::Type;

impl Reading<'_> {
    /// The argument in a group.
    fn in_group(&self, hit: &Hit<'_>, group: &str) -> Option<String> {
        self.named(hit.group(group)?, hit).map(|id| self.places.path(id).to_owned())
    }

    /// The argument named as `key`, or else the one that the complaint is about.
    fn subject(&self, hit: &Hit<'_>) -> Option<String> {
        self.in_group(hit, "key").or_else(|| self.path().map(str::to_owned))
    }

    fn group_members(&self, hit: &Hit<'_>, with_path: bool) -> BTreeSet<String> {
        let mut members = match hit.group("list") {
            Some(list) => self.named_in(list, hit),
            None => ["key", "other"].iter().filter_map(|group| self.in_group(hit, group)).collect(),
        };
        members.extend(self.path().filter(|_| with_path).map(str::to_owned));
        members
    }

    /// What a hit says of the presence of arguments; nothing if it says nothing of it.
    pub fn presence(&self, hit: &Hit<'_>) -> Vec<PresenceRule> {
        let rules: Vec<PresenceRule> = match &hit.message.teaches {
            Teaching::Required {} => self.subject(hit).map(PresenceRule::Required).into_iter().collect(),
            Teaching::Forbidden {} => self.subject(hit).map(PresenceRule::Forbidden).into_iter().collect(),
            Teaching::RequiredWhen {} => self.when(hit, PresenceRule::Required).into_iter().collect(),
            Teaching::ForbiddenWhen {} => self.when(hit, PresenceRule::Forbidden).into_iter().collect(),
            Teaching::Mentioned {} => {
                let list = hit.group("list");
                let mut mentioned = self.mentioned(list.unwrap_or(hit.body.text));
                mentioned.extend(self.path().filter(|_| list.is_none()));
                let unset = mentioned.into_iter().filter(|path| !self.sent.is_set(path)).map(str::to_owned);
                vec![PresenceRule::AtLeastOne(unset.collect())]
            }
            Teaching::AtLeastOne { with_path } => {
                vec![PresenceRule::AtLeastOne(self.group_members(hit, *with_path))]
            }
            Teaching::AtMostOne { with_path } => {
                vec![PresenceRule::AtMostOne(self.group_members(hit, *with_path))]
            }
            Teaching::ExactlyOne { with_path } => {
                PresenceRule::exactly_one(&self.group_members(hit, *with_path)).to_vec()
            }
            Teaching::Together {} => self.together(hit),
            _ => Vec::new(),
        };
        rules.into_iter().filter(says_something).collect()
    }

    fn together(&self, hit: &Hit<'_>) -> Vec<PresenceRule> {
        let mut members = self.group_members(hit, false);
        let key = self.in_group(hit, "key");
        members.extend(key.clone());
        let firsts: Vec<String> = key.map_or_else(|| members.iter().cloned().collect(), |key| vec![key]);
        let rule = |first: String| {
            let others = members.iter().filter(|member| **member != first).cloned().collect();
            PresenceRule::Together(first, others)
        };
        firsts.into_iter().map(rule).collect()
    }

    /// A rule for `key` where `other` is `text`: a value, or a word that says that it is set.
    fn when(&self, hit: &Hit<'_>, then: fn(String) -> PresenceRule) -> Option<PresenceRule> {
        const SET: [&str; 7] = ["set", "specified", "provided", "configured", "present", "defined", "used"];
        let (key, path) = (self.in_group(hit, "key")?, self.in_group(hit, "other")?);
        let is = hit.group("text")?.trim_end_matches('.');
        let is_required = matches!(then(String::new()), PresenceRule::Required(_));
        let both = || BTreeSet::from([key.clone(), path.clone()]);
        Some(match (is, is_required) {
            (word, true) if SET.contains(&word) => PresenceRule::Together(path, BTreeSet::from([key])),
            (word, false) if SET.contains(&word) => PresenceRule::AtMostOne(both()),
            ("not", true) => PresenceRule::AtLeastOne(both()),
            ("not", false) => PresenceRule::Together(key, BTreeSet::from([path])),
            (is, _) => PresenceRule::When { path, is: is.to_owned(), then: Box::new(then(key)) },
        })
    }

    /// One of the arguments in a list is to be true, so each may as well be.
    pub fn one_true(&self, hit: &Hit<'_>) -> Vec<Edit> {
        let members = self.group_members(hit, false).into_iter();
        let is_true = |path| Edit::Value {
            path,
            constraint: Constraint::OneOf(vec!["true".to_owned()]),
            strength: Strength::Soft,
        };
        members.map(is_true).collect()
    }

    pub fn relation(&self, hit: &Hit<'_>) -> Option<Edit> {
        let bound = match hit.group("bound")? {
            "at least"
            | "greater than or equal to"
            | "larger than or equal to"
            | "higher than or equal to" => RelationBound::AtLeast,
            "at most" | "less than or equal to" | "smaller than or equal to" | "lower than or equal to" => {
                RelationBound::AtMost
            }
            "greater than" | "larger than" | "higher than" => RelationBound::Above,
            "less than" | "smaller than" | "lower than" => RelationBound::Below,
            _ => RelationBound::Equal,
        };
        let of = if hit.group("text") == Some("product") { RelationOf::Product } else { RelationOf::Sum };
        let terms = hit.group("list")?.split([' ', '+', '*', ',', '[', ']']).filter(|term| !term.is_empty());
        let terms: Option<Vec<String>> =
            terms.map(|term| self.named(term, hit).map(|id| self.places.path(id).to_owned())).collect();
        let (path, others) = (self.subject(hit)?, terms?);
        let is_number = |path: &String| {
            let id = self.places.absolute(path);
            id.and_then(|id| self.places.primitive(id)) == Some(&Type::Number)
        };
        let is_relation = !others.contains(&path) && is_number(&path) && others.iter().all(is_number);
        is_relation.then_some(Edit::Relation { path, bound, of, others })
    }
}

fn says_something(rule: &PresenceRule) -> bool {
    match rule {
        PresenceRule::AtMostOne(members) => members.len() > 1,
        PresenceRule::AtLeastOne(members) | PresenceRule::Together(_, members) => !members.is_empty(),
        PresenceRule::Required(_) | PresenceRule::Forbidden(_) | PresenceRule::When { .. } => true,
    }
}

/// How exactly prose says which arguments must be set: only its most exact words count.
pub(super) fn exactness(hit: &Hit<'_>) -> u8 {
    match &hit.message.teaches {
        Teaching::RequiredWhen {} | Teaching::ForbiddenWhen {} => 2,
        Teaching::Mentioned {} if hit.group("list").is_some() => 2,
        Teaching::Mentioned {} => 0,
        _ => 1,
    }
}
