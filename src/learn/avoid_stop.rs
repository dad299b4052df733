//! Where an engine stops at the smallest configuration: the nearest one at which it does not.

use std::collections::BTreeSet;

use super::course::Course;
use super::{Oracle, Stop};
use crate::generate::facts::PresenceRule;
use crate::generate::model::{NodeId, Presence};
use crate::generate::shape::Shape;
use crate::generate::spec::ConfigSpec;
use crate::scenario::Operation;

/// How many configurations are tried.
const QUESTIONS: u32 = 80;

/// How many arguments are left out of the largest configuration, one at a time, if an engine stops at that one, too.
const LEFT_OUT: usize = 30;

impl<O: Oracle> Course<'_, '_, O> {
    /// Finds the arguments to set, or the one to leave out, so that an engine does not stop, and adds them to the rules of
    /// the provider. Fails if an engine stops at whatever is tried, or does not stop at the smallest configuration.
    pub(super) async fn avoid_stop(&mut self, stage: Operation) -> Result<(), Stop> {
        let minimal = self.generator.minimal.clone();
        if self.passes(&minimal, stage, QUESTIONS).await {
            return Err(Stop::Contradictory);
        }
        let (full, left_out) = self.passing(stage).await.ok_or(Stop::Contradictory)?;
        let kept = self.fewest(&minimal, &full, stage, QUESTIONS).await;
        let model = &self.generator.model;
        let path = |id: &NodeId| model.node(*id).path.clone();
        let set = kept.iter().map(|id| PresenceRule::Required(path(id)));
        let rules: Vec<PresenceRule> =
            set.chain(left_out.iter().map(|id| PresenceRule::Forbidden(path(id)))).collect();
        let minimal = self.with(&minimal, &kept).paths(model);
        let everything = full.paths(model);
        self.learn(|facts| {
            facts.rules.extend(rules);
            (facts.minimal, facts.everything) = (Some(minimal), Some(everything));
        });
        self.reached = Some(stage);
        Ok(())
    }

    /// The largest configuration at which an engine does not stop, and what was left out of it.
    async fn passing(&mut self, stage: Operation) -> Option<(Shape, Option<NodeId>)> {
        let all = self.generator.everything().clone();
        if self.passes(&all, stage, QUESTIONS).await {
            return Some((all, None));
        }
        let model = &self.generator.model;
        let outermost = model.ids().filter(|id| {
            let node = model.node(*id);
            node.presence == Presence::Optional && all.is_on(*id) && self.is_free(*id)
        });
        for id in outermost.take(LEFT_OUT).collect::<Vec<_>>() {
            let shape = all.without(id);
            if self.passes(&shape, stage, QUESTIONS).await {
                return Some((shape, Some(id)));
            }
        }
        None
    }

    /// Whether the user leaves it open if a node is set.
    fn is_free(&self, id: NodeId) -> bool {
        self.generator.store.pinned(id).is_none()
    }

    /// The fewest nodes of the full shape that a smaller one needs to pass, as far as `end` questions tell. Halves, then
    /// quarters and so on, are dropped if it passes without them.
    pub(super) async fn fewest(
        &mut self,
        small: &Shape,
        full: &Shape,
        stage: Operation,
        end: u32,
    ) -> Vec<NodeId> {
        let is_more = |id: &NodeId| full.is_on(*id) && !small.is_on(*id);
        // A member brings its block with it, so members are dropped first.
        let mut kept: Vec<NodeId> = self.generator.model.ids().rev().filter(is_more).collect();
        let mut size = kept.len().div_ceil(2);
        while size > 0 {
            let mut first = 0;
            while first < kept.len() && self.n_asked < end {
                let left = kept[first..].iter().take(size);
                let left: BTreeSet<NodeId> = left.copied().collect();
                let fewer: Vec<NodeId> = kept.iter().copied().filter(|id| !left.contains(id)).collect();
                if self.passes(&self.with(small, &fewer), stage, end).await {
                    kept = fewer;
                } else {
                    first += size;
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        kept
    }

    pub(super) fn with(&self, shape: &Shape, nodes: &[NodeId]) -> Shape {
        nodes.iter().fold(shape.clone(), |shape, id| shape.with(&self.generator.model, *id))
    }

    /// Whether a shape is accepted; not if `end` questions were asked.
    pub(super) async fn passes(&mut self, shape: &Shape, stage: Operation, end: u32) -> bool {
        if self.n_asked >= end {
            return false;
        }
        let asked = self.asked(shape.clone(), &ConfigSpec::plain(shape.clone()));
        matches!(self.ask(&asked.config, stage).await, Ok(None))
    }
}
