//! Arguments that need the value of another resource.
//!
//! Which resource that is can only be guessed: by the words of the refusal and by names ([`Offers`]). Each guess is
//! a question in which the argument refers to the resource, whose object is created with it. If the complaint goes
//! away, the guess was right.

use std::collections::BTreeSet;

use super::Oracle;
use super::course::{Asked, Course};
use super::guess::{Guess, OnTrial};
use crate::generate::lesson::Lesson;
use crate::generate::model::SchemaModel;
use crate::generate::ranking::{Argument, Match, Offers, n_said};
use crate::generate::supplier::Supplier;
use crate::generate::suppliers::can_refer;
use crate::schema::{Kind, Schema};

/// How many suppliers are tried for one argument.
const MOST: usize = 5;

impl<O: Oracle> Course<'_, '_, O> {
    /// Has an argument refer to another resource, or to another one than before; whether it did. Without lessons
    /// the other resource was refused.
    pub(super) fn refer(&mut self, lessons: &[Lesson], asked: &Asked, guess: Guess) -> bool {
        if self.options().suppliers.is_empty() {
            return false;
        }
        let failed = self.on_trial.take_if(|trial| trial.failed(lessons));
        // Otherwise the last guess helped: whatever is complained of now is something else.
        self.on_trial = None;
        let retried = failed.map(|trial| {
            self.learn(|known| drop(known.references.remove(&trial.path)));
            Lesson { path: Some(trial.path), ..trial.because }
        });
        let has_failed = retried.is_some();
        let found = retried.iter().chain(lessons).find_map(|lesson| {
            let (path, supplier) = self.guess(lesson, asked, guess)?;
            Some((path, supplier, lesson.clone()))
        });
        let Some((path, supplier, because)) = found else { return has_failed };
        self.guesses.insert((path.clone(), supplier.clone()));
        self.learn(|known| drop(known.references.insert(path.clone(), supplier)));
        self.on_trial = Some(OnTrial { path, because });
        true
    }

    /// Drops a guess that nothing has confirmed.
    pub(super) fn acquit(&mut self) {
        if let Some(trial) = self.on_trial.take() {
            self.learn(|known| drop(known.references.remove(&trial.path)));
        }
    }

    /// The likeliest argument and supplier that were not tried.
    fn guess(&self, lesson: &Lesson, asked: &Asked, guess: Guess) -> Option<(String, Supplier)> {
        if !lesson.names_nothing && guess == Guess::Absent {
            return None;
        }
        let (model, store) = (&self.generator.model, &self.generator.store);
        let is_meant = |path: &str| lesson.path.as_deref().is_none_or(|meant| meant == path);
        let may_refer = model.ids().filter(|id| {
            can_refer(model, *id)
                && store.is_open(*id)
                && store.given(*id).is_none()
                && asked.shape.has(model, store, *id)
                && is_meant(&model.node(*id).path)
        });
        let found = may_refer.flat_map(|id| {
            let node = model.node(id);
            let argument = Argument { name: node.plain_name(), reads: self.reads() };
            let ranked = self.options().suppliers.offers().ranked(argument, &lesson.template);
            let n_said = n_said(node.plain_name(), &lesson.template);
            let is_reason = move |found: Match| match (lesson.names_nothing, &lesson.path) {
                (true, Some(_)) => true,
                // What is only mentioned could be meant by any argument.
                (true, None) => found > Match::Mentioned,
                (false, Some(_)) => found.is_strong(),
                (false, None) => found.is_strong() && n_said.is_some(),
            };
            // Which argument is meant matters only if the complaint does not tell.
            let n_said = n_said.filter(|_| !lesson.names_nothing && lesson.path.is_none());
            let ranked = ranked.into_iter().filter(move |(found, _)| is_reason(*found)).take(MOST);
            ranked.map(move |(found, supplier)| ((n_said, found), node.path.clone(), supplier.clone()))
        });
        let is_new = |(_, path, supplier): &(_, String, Supplier)| {
            !self.guesses.contains(&(path.clone(), supplier.clone()))
        };
        let mut found: Vec<((Option<usize>, Match), String, Supplier)> = found.filter(is_new).collect();
        // The sort is stable: each argument keeps its order.
        found.sort_by_key(|(found, ..)| std::cmp::Reverse(*found));
        found.into_iter().next().map(|(_, path, supplier)| (path, supplier))
    }
}

/// The types that arguments of a type could refer to, of those that are offered; `text` is a complaint.
pub fn could_refer<'o>(
    schema: &Schema,
    kind: Kind,
    type_name: &str,
    text: &str,
    offers: &'o Offers,
) -> BTreeSet<&'o str> {
    let model = SchemaModel::new(schema);
    let arguments = model.ids().filter(|id| can_refer(&model, *id));
    let reads = (kind == Kind::DataSource).then_some(type_name);
    let ranked =
        arguments.flat_map(|id| offers.ranked(Argument { name: model.node(id).plain_name(), reads }, text));
    let named = ranked.filter(|(found, _)| *found != Match::Attribute);
    named.map(|(_, supplier)| supplier.type_name.as_str()).collect()
}

#[cfg(test)]
mod tests;
