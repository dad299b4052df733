//! From lessons to facts.

use std::collections::{BTreeMap, BTreeSet};

use super::Oracle;
use super::course::{Asked, Course};
use super::guess::Guess;
use crate::generate::candidates::spliced;
use crate::generate::facts::{Constraint, Fact, PresenceRule, Strength, ValueFacts};
use crate::generate::group_rules::Rules;
use crate::generate::learned::Learned;
use crate::generate::lesson::{Edit, Lesson, RelationBound, RelationOf};
use crate::generate::model::{Form, NodeId, Presence};
use crate::generate::presence::Problem;
use crate::generate::shape::Shape;
use crate::generate::store::place;
use crate::value::{Number, Type, Value};

impl<O: Oracle> Course<'_, '_, O> {
    /// Learns from the lessons of one refusal; whether anything changed that makes another attempt different.
    pub(super) fn take(
        &mut self,
        lessons: &[Lesson],
        asked: &Asked,
        shape: &mut Shape,
        wanted: &BTreeSet<NodeId>,
    ) -> bool {
        let mut told = BTreeSet::new();
        for lesson in lessons {
            told.extend(self.take_values(lesson, asked));
        }
        let mut has_changed = !told.is_empty();
        let mut rules: BTreeMap<&PresenceRule, bool> = BTreeMap::new();
        for lesson in lessons {
            let of_lesson: Vec<(&PresenceRule, Strength)> =
                lesson.edits.iter().filter_map(Edit::rule).collect();
            // If one of them is broken, there is no more behind the complaint than is written.
            let is_explained = of_lesson.iter().any(|(rule, _)| !self.holds(rule, &asked.shape));
            for (rule, strength) in of_lesson {
                if strength == Strength::Soft && !self.facts().rules.contains(rule) {
                    self.doubtful.insert(rule.clone());
                }
                *rules.entry(rule).or_default() |= is_explained;
            }
        }
        for edit in lessons.iter().flat_map(|lesson| &lesson.edits) {
            if let Edit::SetIfUnset(path) = edit {
                has_changed |= self.switch_on(path, shape);
            }
        }
        for (rule, is_explained) in rules {
            has_changed |= self.take_rule(rule, is_explained, asked, shape, wanted);
        }
        for lesson in lessons {
            // What is newly known leads to another value.
            if !lesson.path.as_ref().is_some_and(|path| told.contains(path)) {
                has_changed |= self.take_complaint(lesson, asked, shape, wanted);
            }
        }
        has_changed
    }

    /// Learns what a lesson says of values; the paths of which something was new.
    pub(super) fn take_values(&mut self, lesson: &Lesson, asked: &Asked) -> BTreeSet<String> {
        let facts = lesson.edits.iter().filter_map(|edit| match edit {
            Edit::Value { path, constraint, strength } => {
                Some((path.clone(), self.of_keys(path, constraint), *strength))
            }
            Edit::Relation { path, bound, of, others } => {
                let limit = related(&asked.config, *of, others)?;
                let (min, max) = match bound {
                    RelationBound::AtLeast => (Some(limit), None),
                    RelationBound::AtMost => (None, Some(limit)),
                    RelationBound::Above => (Some(limit.checked_add(1)?), None),
                    RelationBound::Below => (None, Some(limit.checked_sub(1)?)),
                    RelationBound::Equal => (Some(limit), Some(limit)),
                };
                let (min, max) = (min.map(Number::from), max.map(Number::from));
                Some((path.clone(), Constraint::Range { min, max }, Strength::Hard))
            }
            _ => None,
        });
        let mut facts: Vec<_> = facts.collect();
        facts.extend(self.spliced(lesson, asked));
        let evidence = lesson.evidence.clone();
        let mut told = BTreeSet::new();
        if !facts.is_empty() {
            self.learn(|known| {
                for (path, constraint, strength) in facts {
                    let fact = Fact { constraint, strength, evidence: evidence.clone() };
                    if known.values.entry(path.clone()).or_default().add(fact) {
                        told.insert(path);
                    }
                }
            });
        }
        told
    }

    /// The constraint, said of the keys of a map if no value of it could be one of the texts.
    fn of_keys(&self, path: &str, constraint: &Constraint) -> Constraint {
        let Constraint::OneOf(members) = constraint else { return constraint.clone() };
        let node = self.id(path).map(|id| self.generator.model.node(id));
        let is_of_another_type = match node.map(|node| &node.ty) {
            Some(Type::Map(inner)) => match **inner {
                Type::Bool => members.iter().all(|member| member.parse::<bool>().is_err()),
                Type::Number => members.iter().all(|member| Number::parse(member).is_err()),
                _ => false,
            },
            _ => false,
        };
        if is_of_another_type { Constraint::Key(Box::new(constraint.clone())) } else { constraint.clone() }
    }

    /// Values made of the refused one and of what a complaint quotes, where nothing else is known: a parser that
    /// complains of something else each time has got further.
    fn spliced(&mut self, lesson: &Lesson, asked: &Asked) -> Vec<(String, Constraint, Strength)> {
        let (Some(path), true) = (&lesson.path, lesson.edits.is_empty()) else { return Vec::new() };
        if !self.complaints.insert(lesson.complaint()) {
            return Vec::new();
        }
        let Some(sent) = sent(&asked.config, path) else { return Vec::new() };
        let literal = |text| (path.clone(), Constraint::Literal(text), Strength::Soft);
        spliced(&sent, &lesson.evidence.seen).into_iter().map(literal).collect()
    }

    fn take_rule(
        &mut self,
        rule: &PresenceRule,
        is_explained: bool,
        asked: &Asked,
        shape: &mut Shape,
        wanted: &BTreeSet<NodeId>,
    ) -> bool {
        let is_new = !self.facts().rules.contains(rule);
        let held = self.holds(rule, &asked.shape);
        if is_new {
            self.learn(|known| {
                known.rules.insert(rule.clone());
            });
        }
        // If it holds and is complained of all the same, the provider knows of more than is written, such as a default.
        (held && !is_explained && self.force(rule.clone(), shape, wanted)) || is_new
    }

    /// Whether a rule holds in a shape, as far as can be seen.
    fn holds(&self, rule: &PresenceRule, shape: &Shape) -> bool {
        let generator = &self.generator;
        let problem = Problem {
            model: &generator.model,
            store: &generator.store,
            rules: &Rules::new(&generator.model, [rule]),
            protected: &|_| false,
            avoided: &self.avoided,
        };
        problem.holds(shape)
    }

    /// Satisfies a rule that holds as far as can be seen, and not for the provider.
    fn force(&mut self, rule: PresenceRule, shape: &mut Shape, wanted: &BTreeSet<NodeId>) -> bool {
        match rule {
            // Around it something is missing as well.
            PresenceRule::Required(path) => self.switch_on(&path, shape),
            PresenceRule::Together(_, others) => {
                let mut has_changed = false;
                for other in others {
                    has_changed |= self.demand(PresenceRule::Required(other), shape, wanted);
                }
                has_changed
            }
            PresenceRule::When { then, .. } => self.demand(*then, shape, wanted),
            // A provider may take false, 0 or an empty text for absent.
            PresenceRule::AtLeastOne(paths) => {
                let members: Vec<NodeId> = paths.iter().filter_map(|path| self.id(path)).collect();
                let set = members
                    .into_iter()
                    .find(|id| shape.is_on(*id) && !wanted.contains(id) && !self.avoided.contains(id));
                // None of them counts as long as the block around them is left out.
                let Some(id) = set else { return paths.iter().any(|path| self.switch_on(path, shape)) };
                self.avoided.insert(id);
                *shape = shape.without(id);
                true
            }
            PresenceRule::Forbidden(_) | PresenceRule::AtMostOne(_) => false,
        }
    }

    /// Learns a rule; one that is known already is forced.
    fn demand(&mut self, rule: PresenceRule, shape: &mut Shape, wanted: &BTreeSet<NodeId>) -> bool {
        if self.facts().rules.contains(&rule) {
            return self.force(rule, shape, wanted);
        }
        self.learn(|known| {
            known.rules.insert(rule);
        });
        true
    }

    /// Makes the next attempt differ where a value was refused and nothing that was learned changes it.
    fn take_complaint(
        &mut self,
        lesson: &Lesson,
        asked: &Asked,
        shape: &mut Shape,
        wanted: &BTreeSet<NodeId>,
    ) -> bool {
        let is_of_presence = |edit: &Edit| matches!(edit, Edit::Presence { .. } | Edit::SetIfUnset(_));
        if lesson.edits.iter().any(is_of_presence) {
            return false;
        }
        let Some(path) = &lesson.path else { return false };
        let Some(id) = self.id(path) else { return false };
        if lesson.edits.contains(&Edit::ProviderAtFault) {
            return self.switch_off(id, shape, wanted);
        }
        let is_set = asked.shape.has(&self.generator.model, &self.generator.store, id);
        if !is_set {
            return self.switch_on(path, shape);
        }
        if !self.has_values(id) {
            return lesson.edits.is_empty() && self.switch_off(id, shape, wanted);
        }
        // No value of ours was refused.
        if self.generator.store.is_reference(id) {
            return self.switch_off(id, shape, wanted);
        }
        let lessons = std::slice::from_ref(lesson);
        if let Some(name) = self.first(id, path) {
            self.learn(|known| {
                known.values.entry(path.clone()).or_default().bad.insert(name);
            });
            let n_refused = self.refused.entry(id).or_default();
            *n_refused += 1;
            let is_tried_on = *n_refused < self.patience;
            if !self.is_exhausted(path) {
                // An argument that cannot be left out gets its next value.
                if !is_tried_on && !self.refer(lessons, asked, Guess::Refused) {
                    self.switch_off(id, shape, wanted);
                }
                return true;
            }
        }
        self.refer(lessons, asked, Guess::Refused) || self.give_up(id, path, shape, wanted)
    }

    /// No value is left: the argument is left out, or what is known about it is relaxed, twice.
    fn give_up(&mut self, id: NodeId, path: &str, shape: &mut Shape, wanted: &BTreeSet<NodeId>) -> bool {
        if !wanted.contains(&id) && self.switch_off(id, shape, wanted) {
            return true;
        }
        let times = self.relaxed.entry(path.to_owned()).or_default();
        *times += 1;
        match *times {
            1 => self.learn(|known| {
                let facts = known.values.entry(path.to_owned()).or_default();
                facts.facts.retain(|fact| fact.strength == Strength::Hard);
            }),
            2 => self.learn(|known| known.values.entry(path.to_owned()).or_default().bad.clear()),
            _ => return false,
        }
        !self.is_exhausted(path)
    }

    /// The name of the candidate that the argument is given.
    fn first(&self, id: NodeId, path: &str) -> Option<String> {
        let store = &self.generator.store;
        match store.learned(path) {
            Some(learned) => learned.first().map(str::to_owned),
            None => {
                let place = place(&self.generator.model, id, store.at_apply);
                Learned::new(&place, ValueFacts::default()).first().map(str::to_owned)
            }
        }
    }

    fn is_exhausted(&self, path: &str) -> bool {
        self.generator.store.learned(path).is_some_and(|learned| learned.first().is_none())
    }

    /// Remembers which arguments were accepted, and which values of those that something is known about.
    pub(super) fn accept(&mut self, shape: &Shape) {
        self.count(shape);
        let (model, store) = (&self.generator.model, &self.generator.store);
        let is_sent = |id: &NodeId| shape.has(model, store, *id) && !store.is_reference(*id);
        let accepted = model.ids().filter(is_sent).filter_map(|id| {
            let path = &model.node(id).path;
            let learned = store.learned(path)?;
            Some((path.clone(), learned.first()?.to_owned(), learned.fixed().map(str::to_owned)))
        });
        let accepted: Vec<(String, String, Option<String>)> = accepted.collect();
        if accepted.is_empty() {
            return;
        }
        self.learn(|known| {
            for (path, name, text) in accepted {
                let facts = known.values.entry(path).or_default();
                facts.texts.extend(text);
                if !facts.good.contains(&name) {
                    facts.good.push(name);
                }
            }
        });
    }

    /// Counts the arguments of a shape that was accepted.
    pub(super) fn count(&mut self, shape: &Shape) {
        let (model, store) = (&self.generator.model, &self.generator.store);
        self.set.extend(model.ids().filter(|id| shape.has(model, store, *id)));
    }

    pub(super) fn id(&self, path: &str) -> Option<NodeId> {
        let model = &self.generator.model;
        model.ids().find(|id| model.node(*id).path == path)
    }

    /// Whether a node is given values: a primitive one, or a collection of them.
    pub(super) fn has_values(&self, id: NodeId) -> bool {
        let node = self.generator.model.node(id);
        let ty = node.ty.element().unwrap_or(&node.ty);
        matches!(node.form, Form::Leaf) && matches!(ty, Type::String | Type::Number | Type::Bool)
    }

    fn switch_on(&self, path: &str, shape: &mut Shape) -> bool {
        let (model, store) = (&self.generator.model, &self.generator.store);
        let Some(id) = self.id(path) else { return false };
        let may = model.node(id).presence != Presence::Never && store.is_open(id);
        if !may || shape.has(model, store, id) {
            return false;
        }
        *shape = shape.with(model, id);
        true
    }

    /// Leaves out an argument, or the nearest part around it that may be left out.
    pub(super) fn switch_off(
        &mut self,
        mut id: NodeId,
        shape: &mut Shape,
        wanted: &BTreeSet<NodeId>,
    ) -> bool {
        let model = &self.generator.model;
        while id != crate::generate::model::ROOT {
            let is_optional = model.node(id).presence == Presence::Optional;
            if is_optional && !wanted.contains(&id) && shape.is_on(id) {
                self.avoided.insert(id);
                *shape = shape.without(id);
                return true;
            }
            id = model.node(id).parent;
        }
        false
    }
}

/// The first text that a configuration has at a schema path.
fn sent(config: &Value, path: &str) -> Option<String> {
    let mut found = None;
    config.walk(&mut |at, value| {
        if found.is_none() && at.schema_path().to_string() == path {
            found = value.as_text();
        }
        found.is_none()
    });
    found
}

/// The sum or product of some arguments of a configuration.
fn related(config: &Value, of: RelationOf, others: &[String]) -> Option<i64> {
    let numbers = others.iter().map(|path| sent(config, path)?.parse::<i64>().ok());
    let numbers: Vec<i64> = numbers.map(|number| number.unwrap_or(0)).collect();
    match of {
        RelationOf::Sum => numbers.iter().try_fold(0_i64, |sum, number| sum.checked_add(*number)),
        RelationOf::Product => numbers.iter().try_fold(1_i64, |all, number| all.checked_mul(*number)),
    }
}
