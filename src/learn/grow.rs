//! From the smallest configuration to the largest one.

use std::collections::{BTreeMap, BTreeSet};

use super::course::{Asked, Course};
use super::{Budgets, Oracle, Stop};
use crate::generate::facts::ValueFacts;
use crate::generate::learned::Learned;
use crate::generate::lesson::Lesson;
use crate::generate::model::{NodeId, Presence};
use crate::generate::shape::Shape;
use crate::generate::spec::ConfigSpec;
use crate::generate::store::place;
use crate::scenario::Operation;

/// How many rounds make the second values of arguments fit.
const ROUNDS: u32 = 6;

/// How many values of one argument are tried before the largest configuration does without it.
const PATIENCE: usize = 6;

/// How many combinations of arguments may be refused whatever is tried.
const PAIRS_FAILED: u32 = 3;

impl<O: Oracle> Course<'_, '_, O> {
    /// Sets as much as possible at once, then what is missing one by one, then other values.
    pub(super) async fn grow(&mut self, budgets: Budgets) -> Result<(), Stop> {
        let reached = self.reached.expect("there is something to grow from");
        let n_scenarios = self.options().cases.most();
        if self.facts().is_remembered && self.facts().everything.is_some() {
            let all = self.generator.everything().clone();
            let asked = self.asked(all.clone(), &ConfigSpec::plain(all));
            match self.ask(&asked.config, reached).await? {
                None if self.facts().grown_for.is_none_or(|scenarios| n_scenarios <= scenarios) => {
                    self.count(&asked.shape);
                    return Ok(());
                }
                None => {}
                Some(_) => self.learn(|facts| facts.everything = None),
            }
        }
        let n_nodes = self.generator.model.ids().len();
        let budgets = budgets.within(self.kind, self.options().cases, n_nodes);
        self.everything(Operation::Validate, budgets.everything).await?;
        let is_all = self.leftovers(budgets).await? & self.pairs(budgets).await?;
        let is_limited = !is_all && n_scenarios < usize::MAX;
        self.learn(|facts| facts.grown_for = is_limited.then_some(n_scenarios));
        self.seconds().await?;
        for (stage, budget) in [(Operation::Plan, budgets.everything), (Operation::Apply, budgets.apply)] {
            if stage <= reached {
                self.everything(stage, budget).await?;
            }
        }
        Ok(())
    }

    /// Finds the largest configuration that reaches a stage. Fails only if the provider broke.
    async fn everything(&mut self, stage: Operation, budget: u32) -> Result<(), Stop> {
        match self.largest(stage, budget).await {
            Ok(settled) => {
                let paths = settled.shape.paths(&self.generator.model);
                self.learn(|facts| facts.everything = Some(paths));
                Ok(())
            }
            Err(stop) if stop.is_last() => Err(stop),
            Err(_) => {
                if self.facts().everything.is_none() {
                    let minimal = self.facts().minimal.clone();
                    self.learn(|facts| facts.everything = minimal);
                }
                Ok(())
            }
        }
    }

    /// The first request tells the most: it is meant to fail. One argument that cannot be satisfied must not keep the
    /// others out. First several values of each are tried; then an argument is left out at its first complaint; then
    /// those whose absence makes a complaint go away.
    async fn largest(&mut self, stage: Operation, budget: u32) -> Result<Asked, Stop> {
        self.avoided.clear();
        for patience in [PATIENCE, 1] {
            (self.patience, self.refused) = (patience, BTreeMap::new());
            let all = self.generator.everything().clone();
            let settled = self.settle(all, &BTreeSet::new(), stage, budget).await;
            self.patience = usize::MAX;
            match settled {
                Err(Stop::Stuck { .. } | Stop::Contradictory | Stop::Budget { .. } | Stop::Cycle { .. }) => {}
                Ok(_) | Err(Stop::Broken(_) | Stop::TooSlow | Stop::Outside(_) | Stop::OurDefect(_)) => {
                    return settled;
                }
            }
        }
        // A complaint may name another argument than the one to blame: what was left out for it is in again.
        let mut shape = self.generator.everything().clone();
        let end = self.n_asked + budget * 2;
        while self.n_asked < end {
            shape = self.solved(&shape, &BTreeSet::new())?;
            let asked = self.asked(shape.clone(), &ConfigSpec::plain(shape.clone()));
            let Some((at, diagnostics)) = self.ask(&asked.config, stage).await? else {
                self.accept(&asked.shape);
                return Ok(asked);
            };
            let lessons = self.lessons(at, &diagnostics, &asked.config)?;
            // A refusal of another object says nothing about this one.
            let complaint = lessons.first().map(Lesson::complaint).unwrap_or_default();
            if lessons.is_empty()
                || !self.guilty_presence(&complaint, &mut shape, &BTreeSet::new(), at, end).await?
            {
                return Err(Stop::Stuck { path: None, complaint });
            }
        }
        Err(Stop::Contradictory)
    }

    /// Tries every optional argument that no accepted configuration has, next to the smallest one: with all that it
    /// contains, or else alone. Returns whether the limit of questions left none out.
    async fn leftovers(&mut self, budgets: Budgets) -> Result<bool, Stop> {
        let mut n_failed = 0;
        let all = self.generator.everything().clone();
        let model = &self.generator.model;
        let is_left = |id: &NodeId| {
            let node = model.node(*id);
            node.presence == Presence::Optional && !all.has(model, &self.generator.store, *id)
        };
        let left: Vec<NodeId> = model.ids().filter(is_left).collect();
        let end = self.n_asked.saturating_add(budgets.leftovers);
        for id in left {
            if self.n_asked >= end {
                return Ok(false);
            }
            if n_failed >= budgets.failures {
                break;
            }
            if self.set.contains(&id) || !self.generator.store.is_open(id) {
                continue;
            }
            n_failed += u32::from(!self.leftover(id, budgets.leftover).await?);
        }
        Ok(true)
    }

    /// Whether a configuration with an argument is accepted. Fails only if the provider broke.
    async fn leftover(&mut self, id: NodeId, budget: u32) -> Result<bool, Stop> {
        let wanted = self.with_ancestors(id);
        let (model, store) = (&self.generator.model, &self.generator.store);
        let alone = self.generator.with(id);
        let whole = alone.with_all(model, store, id);
        let shapes = if whole == alone { vec![alone] } else { vec![whole, alone] };
        for shape in shapes {
            self.avoided.clear();
            (self.patience, self.refused) = (PATIENCE, BTreeMap::new());
            let settled = self.settle(shape, &wanted, Operation::Validate, budget).await;
            self.patience = usize::MAX;
            match settled {
                Ok(_) => return Ok(true),
                Err(stop) if stop.is_last() => return Err(stop),
                Err(_) => {}
            }
        }
        Ok(false)
    }

    /// Asks for combinations of optional arguments: the rules about them show only there. Returns whether the limit of
    /// questions left none out.
    async fn pairs(&mut self, budgets: Budgets) -> Result<bool, Stop> {
        if budgets.pairs == 0 {
            return Ok(false);
        }
        let end = self.n_asked.saturating_add(budgets.pairs);
        let rows: Vec<Shape> = self.generator.pairs().rows.iter().map(|(shape, _)| shape.clone()).collect();
        let mut n_failed = 0;
        for row in rows {
            if self.n_asked >= end {
                return Ok(false);
            }
            self.avoided.clear();
            match self.settle(row, &BTreeSet::new(), Operation::Validate, budgets.pair).await {
                Ok(_) => {}
                Err(stop) if stop.is_last() => return Err(stop),
                Err(_) if n_failed == PAIRS_FAILED => return Ok(true),
                Err(_) => n_failed += 1,
            }
        }
        Ok(true)
    }

    fn with_ancestors(&self, mut id: NodeId) -> BTreeSet<NodeId> {
        let mut all = BTreeSet::new();
        while id != crate::generate::model::ROOT {
            all.insert(id);
            id = self.generator.model.node(id).parent;
        }
        all
    }

    /// Finds a second value for every argument of the largest configuration, for updates.
    async fn seconds(&mut self) -> Result<(), Stop> {
        for _ in 0..ROUNDS {
            let shape = self.generator.everything().clone();
            let targets = self.generator.targets();
            let changed = targets.changeable.iter().map(|place| &targets.places[*place].path);
            let spec = changed.fold(ConfigSpec::plain(shape.clone()), |spec, path| spec.with_class(path, 1));
            let asked = self.asked(shape.clone(), &spec);
            let Some((at, diagnostics)) = self.ask(&asked.config, Operation::Validate).await? else {
                self.accept_seconds(&shape);
                break;
            };
            let lessons = match self.lessons(at, &diagnostics, &asked.config) {
                Ok(lessons) => lessons,
                Err(stop) if stop.is_last() => return Err(stop),
                Err(_) => break,
            };
            let mut is_new = false;
            for path in lessons.iter().filter_map(|lesson| lesson.path.clone()) {
                is_new |= self.refuse_second(&path);
            }
            for lesson in &lessons {
                is_new |= !self.take_values(lesson, &asked).is_empty();
            }
            if !is_new {
                break;
            }
        }
        Ok(())
    }

    fn accept_seconds(&mut self, shape: &Shape) {
        let (model, store) = (&self.generator.model, &self.generator.store);
        let is_sent = |id: &NodeId| shape.has(model, store, *id) && !store.is_reference(*id);
        let accepted = model.ids().filter(is_sent).filter_map(|id| {
            let path = &model.node(id).path;
            let (_, second) = store.learned(path)?.first_two()?;
            Some((path.clone(), second))
        });
        let accepted: Vec<(String, String)> = accepted.collect();
        self.learn(|known| {
            for (path, second) in accepted {
                let facts = known.values.entry(path).or_default();
                if !facts.good.contains(&second) {
                    facts.good.push(second);
                }
            }
        });
    }

    /// Remembers that the second value of an argument was refused.
    fn refuse_second(&mut self, path: &str) -> bool {
        let store = &self.generator.store;
        let has_values = |id: &NodeId| self.has_values(*id) && !store.is_reference(*id);
        let Some(id) = self.id(path).filter(has_values) else { return false };
        let names = match store.learned(path) {
            Some(learned) => learned.first_two(),
            None => {
                let place = place(&self.generator.model, id, store.at_apply);
                Learned::new(&place, ValueFacts::default()).first_two()
            }
        };
        let Some((first, second)) = names else { return false };
        self.learn(|known| {
            let facts = known.values.entry(path.to_owned()).or_default();
            if !facts.good.contains(&first) {
                facts.good.insert(0, first);
            }
            facts.bad.insert(second);
        });
        true
    }
}
