//! What is known about the values of one type, beyond its schema.
//!
//! That is what the user pinned, what may not be filled, which values other resources make, and what the provider's
//! answers taught.

mod classes;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::base::Base;
use super::candidates::Place;
use super::facts::{Constraint, Fact, Span};
use super::group_rules::Rules;
use super::learned::Learned;
use super::model::{Form, NodeId, Presence, ROOT, SchemaModel};
use super::{Options, Pins, names};
use crate::schema::{NestedBlock, Nesting};
use crate::value::{Type, Value};

/// What answers said about values, by schema path.
type LearnedValues = BTreeMap<String, Arc<Learned>>;

/// Fixed while scenarios are generated from it; indexed by the nodes of its model.
#[derive(Debug)]
pub struct StoreSnapshot {
    /// Values may reach the provider's own machine and its remote system.
    pub at_apply: bool,
    /// The folder that paths stay below at apply.
    pub scratch: Option<PathBuf>,
    temporary: Option<PathBuf>,
    pinned: Vec<Option<Vec<Value>>>,
    /// Stands for the values of other resources.
    referred: Vec<Option<Vec<Value>>>,
    /// Whether any argument has one.
    refers: bool,
    withheld: Vec<bool>,
    /// Withheld, or requires something that is.
    blocked: Vec<bool>,
    /// May be set, and so may all its ancestors.
    open: Vec<bool>,
    learned: LearnedValues,
    base: Base,
    /// Whether a configuration is known that the provider accepts.
    has_accepted: bool,
    pub rules: Rules,
}

impl StoreSnapshot {
    pub fn new(model: &SchemaModel<'_>, options: &Options, at_apply: bool) -> StoreSnapshot {
        StoreSnapshot::after(&LearnedValues::new(), model, options, at_apply)
    }

    /// The same after more was learned: values about which nothing new is known stay as they are.
    #[must_use]
    pub fn updated(&self, model: &SchemaModel<'_>, options: &Options) -> StoreSnapshot {
        let is_elsewhere = (&self.scratch, &self.temporary) != (&options.scratch, &options.temporary);
        let known = if is_elsewhere { &LearnedValues::new() } else { &self.learned };
        StoreSnapshot::after(known, model, options, self.at_apply)
    }

    fn after(
        known: &LearnedValues,
        model: &SchemaModel<'_>,
        options: &Options,
        at_apply: bool,
    ) -> StoreSnapshot {
        let pins: &Pins = &options.pins;
        let guarded = at_apply && !options.safe_to_run;
        let n_nodes = model.nodes.len();
        let pinned: Vec<Option<Vec<Value>>> = (0..n_nodes).map(|id| pins.of(model, id)).collect();
        let referred = referred(model, options);
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
        let learned = learned(known, model, options, at_apply);
        let rules = Rules::new(model, &options.facts.rules);
        let has_accepted = options.facts.minimal.is_some();
        let base = Base::new(model, &options.facts.base);
        StoreSnapshot {
            at_apply,
            scratch: options.scratch.clone(),
            temporary: options.temporary.clone(),
            pinned,
            refers: referred.iter().any(Option::is_some),
            referred,
            withheld,
            blocked,
            open,
            learned,
            base,
            has_accepted,
            rules,
        }
    }

    /// What answers of the provider said about the values at a schema path.
    pub fn learned(&self, path: &str) -> Option<&Learned> {
        self.learned.get(path).map(Arc::as_ref)
    }

    /// How many elements or blocks there may be, as far as answers of the provider said.
    pub fn count(&self, path: &str) -> Span {
        self.learned(path).map(Learned::count).unwrap_or_default()
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

    /// The text that a node usually has, if that is always the same one.
    pub fn usual_text(&self, model: &SchemaModel<'_>, id: NodeId) -> Option<String> {
        self.learned(&model.node(id).path)?.fixed().map(str::to_owned)
    }

    /// The value of a member of the root that is set as the author wrote it, in a configuration in which the optional
    /// nodes are on of which `is_on` says so; nothing else of it may be decided.
    pub fn base(&self, id: NodeId, is_on: impl Fn(NodeId) -> bool) -> Option<&Value> {
        self.base.value(id, is_on).filter(|_| self.pinned(id).is_none() && !self.is_withheld(id))
    }

    pub fn pinned(&self, id: NodeId) -> Option<&[Value]> {
        self.pinned[id].as_deref()
    }

    /// Whether an optional node may become null again: neither the user nor the provider demands a value.
    pub fn may_unset(&self, id: NodeId) -> bool {
        self.pinned(id).is_none() && !self.rules.demand(id)
    }

    /// The values that a node is given if it is set: those that the user chose, or those of other resources.
    pub fn given(&self, id: NodeId) -> Option<&[Value]> {
        self.pinned(id).or(self.referred[id].as_deref())
    }

    /// Whether a node has the value of another resource if it is set.
    pub fn is_reference(&self, id: NodeId) -> bool {
        self.pinned(id).is_none() && self.referred[id].is_some()
    }

    /// Whether any argument has a value of another resource.
    pub fn refers(&self) -> bool {
        self.refers
    }
}

/// The values of other resources, by node.
fn referred(model: &SchemaModel<'_>, options: &Options) -> Vec<Option<Vec<Value>>> {
    let mut referred = vec![None; model.nodes.len()];
    if options.facts.references.is_empty() {
        return referred;
    }
    for id in model.ids() {
        let of = |id: NodeId| options.facts.references.get(&model.node(id).path);
        let supplier = of(id).or_else(|| of(model.counterpart(id)?));
        referred[id] = supplier.and_then(|supplier| options.suppliers.marked(supplier, model, id));
    }
    referred
}

/// What answers said about each value; by schema path. What is `known` of the same facts is kept.
fn learned(
    known: &LearnedValues,
    model: &SchemaModel<'_>,
    options: &Options,
    at_apply: bool,
) -> LearnedValues {
    let (values, formats) = (&options.facts.values, &options.pins.formats);
    if values.is_empty() && formats.is_empty() {
        return LearnedValues::new();
    }
    let about = |id: NodeId| {
        let path = &model.node(id).path;
        let of_counterpart = model.counterpart(id).and_then(|other| values.get(&model.node(other).path));
        let (of_values, format) = (values.get(path), formats.get(path));
        let is_known = of_values.is_some() || of_counterpart.is_some() || format.is_some();
        let mut facts = is_known.then(|| of_values.cloned().unwrap_or_default())?;
        of_counterpart.into_iter().for_each(|other| facts.extend(other));
        facts.facts.extend(format.map(|format| Fact::of_user(Constraint::Format(*format))));
        if let Some(known) = known.get(path).filter(|known| known.is_of(&facts)) {
            return Some((path.clone(), Arc::clone(known)));
        }
        let (scratch, temporary) = (options.scratch.as_deref(), options.temporary.as_deref());
        let place = Place { scratch, temporary, ..place(model, id, at_apply) };
        Some((path.clone(), Arc::new(Learned::new(&place, facts))))
    };
    model.ids().filter_map(about).collect()
}

/// A node as a place of values: those of its elements if it is a collection.
pub(crate) fn place<'p>(model: &'p SchemaModel<'_>, mut id: NodeId, at_apply: bool) -> Place<'p> {
    let node = model.node(id);
    let ty = node.ty.element().unwrap_or(&node.ty);
    let mut in_set = matches!(node.ty, Type::Set(_));
    while id != ROOT {
        id = model.node(id).parent;
        in_set |= model.node(id).form.nesting() == Some(Nesting::Set);
    }
    Place { name: node.plain_name(), path: &node.path, ty, at_apply, in_set, scratch: None, temporary: None }
}

/// How many blocks there may be, as numbers that a generator can work with.
pub(crate) fn items(nested: &NestedBlock) -> (usize, usize) {
    let clamp = |count: i64| usize::try_from(count.clamp(0, 100)).expect("clamped");
    let min = clamp(nested.min_items);
    let max = if nested.max_items <= 0 { usize::MAX } else { clamp(nested.max_items) };
    (min, max.max(min))
}
