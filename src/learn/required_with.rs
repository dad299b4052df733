//! The arguments that another one requires, where that shows only while something is planned or applied.

use super::course::Course;
use super::{Oracle, Stop};
use crate::generate::facts::PresenceRule;
use crate::generate::model::{NodeId, Presence};
use crate::generate::shape::Shape;
use crate::generate::spec::ConfigSpec;
use crate::scenario::Operation;

/// How many arguments are tried alone.
const ARGUMENTS: usize = 60;

/// How many configurations are tried to find what one of them requires.
const QUESTIONS: u32 = 40;

/// If more others are needed, nothing is concluded about the one argument.
const MOST: usize = 4;

impl<O: Oracle> Course<'_, '_, O> {
    /// Adds each argument of the largest configuration to the smallest one. If the provider refuses that, what it takes for
    /// it to be accepted becomes a rule. Fails if the largest configuration is refused, or nothing was found.
    pub(super) async fn find_required_with(&mut self, stage: Operation) -> Result<(), Stop> {
        let (minimal, full) = (self.generator.minimal.clone(), self.generator.everything().clone());
        if self.refused(&full, stage).await?.is_some() {
            return Err(Stop::Contradictory);
        }
        let model = &self.generator.model;
        let is_asked = |id: &NodeId| {
            model.node(*id).presence == Presence::Optional && full.is_on(*id) && !minimal.is_on(*id)
        };
        for id in model.ids().filter(is_asked).take(ARGUMENTS).collect::<Vec<_>>() {
            // With the rules that are known, among them those that were found here.
            let Some(alone) = self.generator.repaired_around(&self.generator.with(id), &[id]) else {
                continue;
            };
            if !alone.is_on(id)
                || self.refused(&alone, stage).await?.is_none_or(|at| at == Operation::Validate)
            {
                continue;
            }
            let end = self.n_asked + QUESTIONS;
            let needed = self.fewest(&alone, &full, stage, end).await;
            let has_found = (1..=MOST).contains(&needed.len())
                && self.passes(&self.with(&alone, &needed), stage, u32::MAX).await;
            if has_found {
                let path = |id: &NodeId| self.generator.model.node(*id).path.clone();
                let rule = PresenceRule::Together(path(&id), needed.iter().map(path).collect());
                self.learn(|facts| {
                    facts.rules.insert(rule);
                });
                self.reached = Some(stage);
            }
        }
        self.reached.map(drop).ok_or(Stop::Contradictory)
    }

    /// The stage at which the provider refuses a shape.
    async fn refused(&mut self, shape: &Shape, stage: Operation) -> Result<Option<Operation>, Stop> {
        let asked = self.asked(shape.clone(), &ConfigSpec::plain(shape.clone()));
        Ok(self.ask(&asked.config, stage).await?.map(|(at, _)| at))
    }
}
