//! Which optional paths are switched on.

use std::collections::BTreeSet;

use super::choices::{ChoiceKey, ChoicePurpose, Choices, Facet};
use super::model::{Form, NodeId, Presence, ROOT, SchemaModel};
use super::store::StoreSnapshot;
use crate::schema::Nesting;

/// The optional nodes that are on. Required ones are not listed: they are on whenever their parent is.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    on: Vec<bool>,
}

/// Most nodes in a shape with everything on, shallow ones first.
const EVERYTHING: usize = 800;
/// The same for a shape drawn at random.
const SOME: usize = 200;

impl Shape {
    /// Nothing optional, except what the user pinned, and what makes blocks differ in a set that
    /// needs several.
    pub fn required(model: &SchemaModel<'_>, store: &StoreSnapshot) -> Shape {
        let mut on: Vec<bool> =
            (0..model.nodes.len()).map(|id| store.pinned(id).is_some() && store.may_set(id)).collect();
        for id in model.ids().filter_map(|id| distinguishing(model, store, id)) {
            on[id] = true;
        }
        Shape { on }
    }

    /// What is required, and the optional nodes at these schema paths.
    pub fn of(model: &SchemaModel<'_>, store: &StoreSnapshot, paths: &BTreeSet<String>) -> Shape {
        let mut shape = Shape::required(model, store);
        for id in model.ids().filter(|id| paths.contains(&model.node(*id).path)) {
            shape.on[id] |= store.may_set(id);
        }
        shape
    }

    /// The schema paths of the optional nodes that are on.
    pub fn paths(&self, model: &SchemaModel<'_>) -> BTreeSet<String> {
        model.ids().filter(|id| self.on[*id]).map(|id| model.node(id).path.clone()).collect()
    }

    /// Everything that is not deprecated.
    pub fn everything(model: &SchemaModel<'_>, store: &StoreSnapshot) -> Shape {
        Shape::required(model, store).grown(model, store, ROOT, EVERYTHING, &mut |_| true)
    }

    /// Each optional path with the same probability, itself random: leaving much out covers more.
    pub fn some(model: &SchemaModel<'_>, store: &StoreSnapshot, choices: &mut dyn Choices) -> Shape {
        let key = ChoiceKey { facet: Facet::Scenario, path: "", purpose: ChoicePurpose::On };
        let density = 1 + choices.pick(&key, 3);
        Shape::required(model, store).grown(model, store, ROOT, SOME, &mut |id| {
            let path = &model.node(id).path;
            let key = ChoiceKey { facet: Facet::Presence, path, purpose: ChoicePurpose::On };
            // 0 is off, being the simplest; the others are on, more of them the denser the shape.
            choices.pick(&key, 4) >= 4 - density
        })
    }

    /// This shape with what is wanted below a node that is on, shallow nodes first. Deprecated ones are only wanted below
    /// one that is deprecated itself.
    fn grown(
        self,
        model: &SchemaModel<'_>,
        store: &StoreSnapshot,
        top: NodeId,
        budget: usize,
        wanted: &mut dyn FnMut(NodeId) -> bool,
    ) -> Shape {
        let mut shape = self;
        let mut active = vec![false; model.nodes.len()];
        active[top] = true;
        let is_deprecated = model.node(top).deprecated;
        let mut n_active = 0;
        for id in model.ids() {
            let node = model.node(id);
            if !active[node.parent] || !store.is_open(id) {
                continue;
            }
            if node.presence == Presence::Optional
                && !shape.on[id]
                && ((node.deprecated && !is_deprecated) || n_active >= budget || !wanted(id))
            {
                continue;
            }
            active[id] = true;
            shape.on[id] |= node.presence == Presence::Optional;
            n_active += 1;
        }
        shape
    }

    pub fn is_on(&self, id: NodeId) -> bool {
        self.on[id]
    }

    /// How many optional nodes are on.
    pub fn n_on(&self) -> usize {
        self.on.iter().filter(|on| **on).count()
    }

    /// This shape with a node and all its ancestors.
    #[must_use]
    pub fn with(&self, model: &SchemaModel<'_>, mut id: NodeId) -> Shape {
        let mut shape = self.clone();
        while id != ROOT {
            shape.on[id] |= model.node(id).presence == Presence::Optional;
            id = model.node(id).parent;
        }
        shape
    }

    /// This shape with a node, all its ancestors, and as much as possible below it.
    #[must_use]
    pub fn with_all(&self, model: &SchemaModel<'_>, store: &StoreSnapshot, top: NodeId) -> Shape {
        self.with(model, top).grown(model, store, top, EVERYTHING, &mut |_| true)
    }

    #[must_use]
    pub fn without(&self, id: NodeId) -> Shape {
        let mut shape = self.clone();
        shape.on[id] = false;
        shape
    }

    /// Whether a configuration of this shape has the node.
    pub fn has(&self, model: &SchemaModel<'_>, store: &StoreSnapshot, mut id: NodeId) -> bool {
        while id != ROOT {
            let node = model.node(id);
            let there = match node.presence {
                Presence::Never => false,
                Presence::Required | Presence::Member => !store.is_withheld(id),
                Presence::Optional => self.on[id] && store.may_set(id),
            };
            if !there {
                return false;
            }
            id = node.parent;
        }
        true
    }
}

/// The member that must be set for the blocks of a set to differ: if several blocks are required
/// but none of their members, the first member.
fn distinguishing(model: &SchemaModel<'_>, store: &StoreSnapshot, id: NodeId) -> Option<NodeId> {
    let node = model.node(id);
    match &node.form {
        Form::Block(nested) if nested.nesting == Nesting::Set && nested.min_items > 1 => {}
        _ => return None,
    }
    let leaves =
        || node.children.iter().copied().filter(|child| matches!(model.node(*child).form, Form::Leaf));
    let demanded = |child: NodeId| model.node(child).presence == Presence::Required;
    if leaves().any(demanded) {
        return None;
    }
    leaves().find(|child| store.is_open(*child) && store.given(*child).is_none())
}
