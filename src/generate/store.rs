//! What is known about the values of one type, beyond its schema.
//!
//! Today that is what the user pinned and what may not be filled; constraints learned from a
//! provider's answers belong here too.

use std::path::PathBuf;

use super::model::{Form, NodeId, Presence, SchemaModel};
use super::pins::permuted;
use super::value_class::{self, ValueClass};
use super::witness::Format;
use super::{Options, Pins, names};
use crate::schema::NestedBlock;
use crate::value::{Type, Value};

/// Fixed while scenarios are generated from it; indexed by the nodes of its model.
#[derive(Debug)]
pub struct StoreSnapshot {
    /// Values may reach the provider's own machine and its remote system.
    pub at_apply: bool,
    /// The folder that paths stay below at apply.
    pub scratch: Option<PathBuf>,
    pinned: Vec<Option<Vec<Value>>>,
    withheld: Vec<bool>,
    /// Withheld, or requires something that is.
    blocked: Vec<bool>,
    /// May be set, and so may all its ancestors.
    open: Vec<bool>,
}

impl StoreSnapshot {
    pub fn new(model: &SchemaModel<'_>, options: &Options, at_apply: bool) -> StoreSnapshot {
        let pins: &Pins = &options.pins;
        let guarded = at_apply && !options.safe_to_run;
        let n_nodes = model.nodes.len();
        let pinned: Vec<Option<Vec<Value>>> = (0..n_nodes).map(|id| pins.of(model, id)).collect();
        let mut runs = vec![false; n_nodes];
        let mut withheld = vec![false; n_nodes];
        for id in model.ids() {
            let node = model.node(id);
            runs[id] = runs[node.parent] || names::runs_programs(&node.name);
            // A block that runs something is withheld argument by argument, so that pins inside it count.
            let is_value = matches!(node.form, Form::Leaf);
            let unsafe_here = guarded && runs[id] && is_value && pinned[id].is_none();
            withheld[id] = unsafe_here || pins.never.contains(&node.path);
        }
        let mut blocked = withheld.clone();
        for id in model.ids().rev() {
            if blocked[id] && model.node(id).presence == Presence::Required {
                blocked[model.node(id).parent] = true;
            }
        }
        let mut open = vec![true; n_nodes];
        for id in model.ids() {
            let node = model.node(id);
            let required_anyway = node.presence == Presence::Required && !withheld[id];
            // Whatever is inside a pinned value was decided with it.
            let inside_pinned = pinned[node.parent].is_some();
            open[id] = open[node.parent]
                && !inside_pinned
                && node.presence != Presence::Never
                && (!blocked[id] || required_anyway);
        }
        let scratch = options.scratch.clone();
        StoreSnapshot { at_apply, scratch, pinned, withheld, blocked, open }
    }

    /// Whether a configuration could have the node at all.
    pub fn is_open(&self, id: NodeId) -> bool {
        self.open[id]
    }

    /// Whether no value may be filled in, even if one is required.
    pub fn is_withheld(&self, id: NodeId) -> bool {
        self.withheld[id]
    }

    /// Whether an optional node may be set.
    pub fn may_set(&self, id: NodeId) -> bool {
        !self.blocked[id]
    }

    pub fn pinned(&self, id: NodeId) -> Option<&[Value]> {
        self.pinned[id].as_deref()
    }

    /// The value classes of a node, the simplest first; indexed by choices of its class.
    pub fn classes(&self, model: &SchemaModel<'_>, id: NodeId) -> Vec<ValueClass> {
        let node = model.node(id);
        if let Some(values) = self.pinned(id) {
            // The words of a command have their order.
            let may_permute = !names::runs_programs(&node.name);
            let is_permuted = may_permute && values.iter().any(|value| permuted(value).is_some());
            let classes = [
                (ValueClass::Typical, true),
                (ValueClass::Second, values.len() > 1),
                (ValueClass::Permuted, is_permuted),
            ];
            return classes.into_iter().filter(|(_, is_there)| *is_there).map(|(class, _)| class).collect();
        }
        match &node.form {
            Form::Leaf => self.classes_of_value(&node.name, &node.path, &node.ty),
            Form::Structure { .. } => value_class::of_members(&node.form).to_vec(),
            Form::Block(nested) => {
                let (_, max) = items(nested);
                let fits = |class: &ValueClass| *class != ValueClass::Two || max >= 2;
                value_class::of_members(&node.form).iter().copied().filter(fits).collect()
            }
        }
    }

    /// The value classes for a type, in an argument of this name and schema path.
    pub fn classes_of_value(&self, name: &str, path: &str, ty: &Type) -> Vec<ValueClass> {
        let all = value_class::of_type(ty);
        let format = names::format_of(name, path).filter(|_| *ty == Type::String);
        let is_typical = match format {
            Some(Format::Path) => self.at_apply,
            // Nothing else is a duration.
            Some(Format::Timeout) => true,
            _ => false,
        };
        let fits = |class: &ValueClass| match format {
            None => true,
            Some(Format::Json) => !class.is_of_words() || *class == ValueClass::Json,
            Some(_) => !class.is_of_words(),
        };
        all[..if is_typical { 2 } else { all.len() }].iter().copied().filter(fits).collect()
    }
}

/// How many blocks there may be, as numbers that a generator can work with.
pub(super) fn items(nested: &NestedBlock) -> (usize, usize) {
    let clamp = |count: i64| usize::try_from(count.clamp(0, 100)).expect("clamped");
    let min = clamp(nested.min_items);
    let max = if nested.max_items <= 0 { usize::MAX } else { clamp(nested.max_items) };
    (min, max.max(min))
}
