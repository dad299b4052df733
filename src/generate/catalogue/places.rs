//! Arguments as messages name them, found in the schema.

use std::collections::BTreeMap;

use super::key::{Step, steps};
use crate::generate::model::{Form, NodeId, Presence, ROOT, SchemaModel};
use crate::schema::Nesting;
use crate::value::{AttributePath, PathStep, Type};

/// The arguments of one type.
pub(super) struct Places<'m> {
    pub model: &'m SchemaModel<'m>,
    by_name: BTreeMap<&'m str, Vec<NodeId>>,
}

impl<'m> Places<'m> {
    pub fn new(model: &'m SchemaModel<'m>) -> Places<'m> {
        let mut by_name: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        for id in model.ids() {
            by_name.entry(&model.node(id).name).or_default().push(id);
        }
        Places { model, by_name }
    }

    /// The schema path of a node.
    pub fn path(&self, id: NodeId) -> &'m str {
        &self.model.nodes[id].path
    }

    /// What the provider's own path leads to, as far as the schema has it; the root for an empty one.
    pub fn of_wire(&self, path: &AttributePath) -> NodeId {
        self.walk(&wire_steps(path)).0
    }

    /// What a key such as `a.0.b` or `a[0].b` names, from the root.
    pub fn absolute(&self, key: &str) -> Option<NodeId> {
        self.complete(&steps(key)?)
    }

    /// What an expression names; one that begins with `<` starts at a path.
    pub fn relative(&self, expression: &str, from: &AttributePath) -> Option<NodeId> {
        let steps = steps(expression)?;
        if steps.first() != Some(&Step::Up) {
            return self.complete(&steps);
        }
        self.complete(&wire_steps(from).into_iter().chain(steps).collect::<Vec<_>>())
    }

    /// What a name means next to an argument: a member of it, of its parent, of its parent's parent and so on.
    pub fn near(&self, key: &str, at: NodeId) -> Option<NodeId> {
        let steps = steps(key).filter(|steps| matches!(steps[0], Step::Name(_)))?;
        let mut around = at;
        loop {
            match self.walk_from(around, &steps) {
                (ROOT, _) => return None,
                (found, true) => return Some(found),
                _ if around == ROOT => return None,
                _ => around = self.model.node(around).parent,
            }
        }
    }

    /// The only node of a name inside another.
    pub fn inside(&self, name: &str, around: NodeId) -> Option<NodeId> {
        let mut found = self.all_inside(name, around);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    pub fn all_inside(&self, name: &str, around: NodeId) -> impl Iterator<Item = NodeId> {
        let named = self.by_name.get(name).into_iter().flatten().copied();
        named.filter(move |id| *id != around && self.holds(around, *id))
    }

    /// The only value inside a node whose path ends with words, as prose names it: `volume path` for `volume.path`.
    pub fn in_prose(&self, words: &str, around: NodeId) -> Option<NodeId> {
        let split = |text: &str| -> Vec<String> {
            text.split([' ', '.', '_']).map(str::to_ascii_lowercase).collect()
        };
        let words = split(words);
        let is_meant =
            |id: &NodeId| *id != around && self.holds(around, *id) && split(self.path(*id)).ends_with(&words);
        let mut found = self.model.ids().filter(is_meant);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The node of a name next to another.
    pub fn sibling(&self, name: &str, of: NodeId) -> Option<NodeId> {
        let siblings = &self.model.node(self.model.node(of).parent).children;
        siblings.iter().copied().find(|id| *self.model.node(*id).name == *name)
    }

    /// Whether a node is another, or inside it.
    pub fn holds(&self, around: NodeId, mut id: NodeId) -> bool {
        while id != around && id != ROOT {
            id = self.model.node(id).parent;
        }
        id == around
    }

    pub fn are_siblings(&self, a: NodeId, b: NodeId) -> bool {
        self.model.node(a).parent == self.model.node(b).parent
    }

    pub fn is_set_of_objects(&self, id: NodeId) -> bool {
        self.model.node(id).form.nesting() == Some(Nesting::Set)
    }

    /// Whether it has elements.
    pub fn is_collection(&self, id: NodeId) -> bool {
        let node = self.model.node(id);
        node.ty.element().is_some() || node.form.is_collection()
    }

    /// Whether it is a map of primitive values.
    pub fn is_map(&self, id: NodeId) -> bool {
        let node = self.model.node(id);
        matches!((&node.form, &node.ty), (Form::Leaf, Type::Map(_)))
    }

    /// Whether a configuration may have it.
    pub fn is_configurable(&self, id: NodeId) -> bool {
        self.model.node(id).presence != Presence::Never
    }

    /// The primitive type of its value, or of its elements.
    pub fn primitive(&self, id: NodeId) -> Option<&'m Type> {
        let mut ty = &self.model.nodes[id].ty;
        while let Type::List(inner) | Type::Set(inner) | Type::Map(inner) = ty {
            ty = inner;
        }
        matches!(ty, Type::String | Type::Number | Type::Bool).then_some(ty)
    }

    fn complete(&self, steps: &[Step]) -> Option<NodeId> {
        match self.walk(steps) {
            (ROOT, _) | (_, false) => None,
            (id, true) => Some(id),
        }
    }

    fn walk(&self, steps: &[Step]) -> (NodeId, bool) {
        self.walk_from(ROOT, steps)
    }

    /// How far steps lead, and whether that is all the way.
    fn walk_from(&self, start: NodeId, steps: &[Step]) -> (NodeId, bool) {
        let mut trail = vec![start];
        for step in steps {
            let here = *trail.last().expect("it begins with a node");
            let child = |name: &str| {
                let children = &self.model.node(here).children;
                children.iter().find(|id| *self.model.node(**id).name == *name).copied()
            };
            match step {
                Step::Name(name) => match child(name) {
                    Some(id) => trail.push(id),
                    // The older spelling of keys: the rest is one.
                    None if self.is_map(here) => return (here, true),
                    None => return (here, false),
                },
                // Members of an object may be written as keys.
                Step::Key(key) => trail.push(child(key).unwrap_or(here)),
                Step::Element => trail.push(here),
                Step::Up if trail.len() > 1 => {
                    trail.pop();
                }
                Step::Up => return (here, false),
            }
        }
        (*trail.last().expect("it begins with a node"), true)
    }
}

fn wire_steps(path: &AttributePath) -> Vec<Step> {
    let step = |step: &PathStep| match step {
        PathStep::Attribute(name) => Step::Name(name.clone()),
        PathStep::Key(key) => Step::Key(key.clone()),
        PathStep::Index(_) | PathStep::Element(_) => Step::Element,
    };
    path.steps().iter().map(step).collect()
}
