//! A provider block that the provider accepts, where it refuses one without arguments.

use std::collections::BTreeSet;

use super::course::Course;
use super::{Budgets, Oracle, Stop, Subject};
use crate::generate::model::{NodeId, Presence, ROOT};
use crate::generate::shape::Shape;
use crate::scenario::Operation;
use crate::value::Value;

/// The most questions.
const QUESTIONS: u32 = 40;

/// For the smallest block; the others are for arguments that no answer names.
const BUDGETS: Budgets = Budgets { validate: 15, apply: 10, ..Budgets::DEFAULT };

/// For each other block that is tried.
const EACH: u32 = 4;

/// Words in the names of arguments that say who uses the remote system, and where it is.
const ACCESS: [&str; 14] = [
    "token",
    "key",
    "secret",
    "user",
    "password",
    "credential",
    "account",
    "tenant",
    "project",
    "url",
    "uri",
    "endpoint",
    "host",
    "address",
];

/// How the names of arguments begin that switch off what a provider does when it is configured.
const SWITCHES: [&str; 4] = ["skip", "disable", "insecure", "ignore"];

/// Finds a provider block with which the provider can be configured; `of` is the provider's own schema.
///
/// First the smallest one is changed as the provider's answers ask for. Where they do not say what is missing,
/// arguments are added that make it complain about something else when it is configured: it got further then. Those
/// that give access come first, and what switches checks off. Finally, all of them are tried at once.
pub async fn provider_block<O: Oracle>(of: Subject<'_>, oracle: &mut O) -> Result<Value, Stop> {
    let mut course = Course::new(of, oracle);
    let Err(stop) = course.solve(Operation::Apply, BUDGETS).await else { return course.applied() };
    if is_final(&stop) {
        return Err(stop);
    }
    let mut search = Search { complaint: first_words(&stop), course, added: BTreeSet::new() };
    let [access, switches, others] = groups(&search.course);
    if let Some(found) = search.step(&access).await? {
        return Ok(found);
    }
    // Checks run one after the other: until the first is off, nothing shows that the next can be.
    let unchecked = search.added.iter().chain(&switches).copied().collect();
    if let Some(found) = search.with(&unchecked).await? {
        return Ok(found);
    }
    for group in [switches, others] {
        if let Some(found) = search.step(&group).await? {
            return Ok(found);
        }
    }
    for added in together(&search.course) {
        if let Some(found) = search.with(&added).await? {
            return Ok(found);
        }
    }
    Err(stop)
}

/// A block that grows by arguments.
struct Search<'a, 'o, O> {
    course: Course<'a, 'o, O>,
    added: BTreeSet<NodeId>,
    /// What the provider says against the block with what was added.
    complaint: String,
}

impl<O: Oracle> Search<'_, '_, O> {
    /// Adds those of a group that get the provider further, each by itself; the block that it accepts, if there is one.
    async fn step(&mut self, group: &[NodeId]) -> Result<Option<Value>, Stop> {
        let mut helpful = self.added.clone();
        for candidate in group {
            if self.left() == 0 {
                break;
            }
            let added: BTreeSet<NodeId> = self.added.iter().copied().chain([*candidate]).collect();
            match self.settle(&added).await {
                Ok(found) => return Ok(Some(found)),
                Err(stop) if is_final(&stop) => return Err(stop),
                Err(stop) => {
                    let is_further = self.course.refused_at == Some(Operation::Apply);
                    if is_further && first_words(&stop) != self.complaint {
                        helpful.insert(*candidate);
                    }
                }
            }
        }
        if helpful.len() == self.added.len() {
            return Ok(None);
        }
        // Some help only together, such as a name and a password.
        self.added = helpful;
        self.with(&self.added.clone()).await
    }

    /// The block with these arguments, if the provider accepts it.
    async fn with(&mut self, added: &BTreeSet<NodeId>) -> Result<Option<Value>, Stop> {
        if added.is_empty() || self.left() == 0 {
            return Ok(None);
        }
        match self.settle(added).await {
            Ok(found) => Ok(Some(found)),
            Err(stop) if is_final(&stop) => Err(stop),
            Err(stop) => {
                if *added == self.added {
                    self.complaint = first_words(&stop);
                }
                Ok(None)
            }
        }
    }

    async fn settle(&mut self, added: &BTreeSet<NodeId>) -> Result<Value, Stop> {
        let budget = self.left().min(EACH);
        let course = &mut self.course;
        let shape = added.iter().fold(course.generator.minimal.clone(), |shape: Shape, id| {
            shape.with(&course.generator.model, *id)
        });
        Ok(course.settle(shape, added, Operation::Apply, budget).await?.config)
    }

    fn left(&self) -> u32 {
        QUESTIONS.saturating_sub(self.course.n_asked)
    }
}

/// A complaint without what differs from one question to the next.
fn first_words(stop: &Stop) -> String {
    let text = stop.to_string();
    let line = text.lines().next().unwrap_or_default();
    let words =
        line.split_whitespace().filter(|word| word.chars().all(|c| c.is_alphabetic() || ",.:;".contains(c)));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether no other block would change it. That the remote system is out of reach is no such reason: a provider may
/// look for what the block lacks on the network.
fn is_final(stop: &Stop) -> bool {
    matches!(stop, Stop::Broken(_) | Stop::OurDefect(_))
}

/// The arguments at the top that the smallest block lacks: those that give access, what switches checks off, and others.
fn groups<O: Oracle>(course: &Course<'_, '_, O>) -> [Vec<NodeId>; 3] {
    let (model, store) = (&course.generator.model, &course.generator.store);
    let mut groups = [Vec::new(), Vec::new(), Vec::new()];
    for id in model.ids() {
        let node = model.node(id);
        let is_free = node.parent == ROOT && node.presence == Presence::Optional && !node.deprecated;
        if !is_free || !store.is_open(id) {
            continue;
        }
        let gives_access = node.name.split('_').any(|part| ACCESS.contains(&part));
        let switches = SWITCHES.iter().any(|word| node.name.starts_with(word));
        groups[if switches { 1 } else { usize::from(!gives_access) * 2 }].push(id);
    }
    groups
}

/// Arguments that are tried together: those that give access, with what switches checks off, and all.
fn together<O: Oracle>(course: &Course<'_, '_, O>) -> [BTreeSet<NodeId>; 3] {
    let [access, switches, others] = groups(course);
    let of = |groups: &[&Vec<NodeId>]| groups.iter().flat_map(|group| group.iter().copied()).collect();
    [of(&[&access]), of(&[&access, &switches]), of(&[&access, &switches, &others])]
}
