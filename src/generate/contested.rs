//! Optional arguments that a provider seems to demand or to refuse, whatever else is configured.
//!
//! What was learned keeps them always set or never set, so that the schema's own word is tested in scenarios of their
//! own.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::facts::Facts;
use super::group_rules::Rules;
use super::model::{NodeId, Presence, SchemaModel};
use super::obligation::{Obligation, ObligationKind};
use super::presence::Problem;
use super::shape::Shape;
use super::store::StoreSnapshot;

/// An optional argument, and a configuration that does with it what was always refused.
#[derive(Clone, Debug)]
pub(crate) struct Contested {
    pub obligation: Obligation,
    pub is_set: bool,
    /// All that was learned of other arguments holds.
    pub shape: Shape,
}

/// What is known about a type.
pub(super) struct Known<'k, 's> {
    pub model: &'k SchemaModel<'s>,
    pub store: &'k StoreSnapshot,
    pub facts: &'k Facts,
    /// The smallest configuration that was accepted, and the largest.
    pub minimal: &'k Shape,
    pub everything: &'k Shape,
}

impl Known<'_, '_> {
    /// None as long as no configuration is known that the provider accepts.
    pub fn contested(&self) -> Vec<Contested> {
        if self.facts.minimal.is_none() {
            return Vec::new();
        }
        let is_candidate = |id: &NodeId| {
            let is_optional = self.model.node(*id).presence == Presence::Optional;
            is_optional && self.store.is_open(*id) && self.store.pinned(*id).is_none()
        };
        self.model.ids().filter(is_candidate).filter_map(|id| self.contested_at(id)).collect()
    }

    fn contested_at(&self, id: NodeId) -> Option<Contested> {
        let Known { model, store, .. } = *self;
        let path = model.node(id).path.as_str();
        let is_decided =
            |is_set: bool| self.facts.rules.iter().any(|rule| rule.decides() == Some((path, is_set)));
        let (is_demanded, is_refused) = (is_decided(true), is_decided(false));
        if is_demanded == is_refused {
            return None;
        }
        let is_set = is_refused;
        let others = self.facts.rules.iter().filter(|rule| rule.decides().is_none_or(|(of, _)| of != path));
        let rules = Rules::new(model, others);
        // Without it all else is set that might take its place; with it nothing that might be in its way.
        let shape = match is_set {
            true => self.minimal.with(model, id),
            false => self.everything.with(model, id).without(id),
        };
        let (protected, avoided) = (|other| other == id, BTreeSet::new());
        let problem = Problem { model, store, rules: &rules, protected: &protected, avoided: &avoided };
        let shape = problem.solve(&shape).ok().filter(|shape| shape.has(model, store, id) == is_set)?;
        let obligation = Obligation::of(&Arc::from(path), ObligationKind::Optional { is_set });
        Some(Contested { obligation, is_set, shape })
    }
}
