//! The places of a type that a scenario can be about.

use std::cmp::Reverse;

use super::model::{Form, NodeId, Presence, SchemaModel};
use super::store::{StoreSnapshot, items};
use super::value_class::ValueClass;
use crate::schema::Nesting;
use crate::value::Type;

/// Beyond this many, the deepest are left out.
const MAX_TARGETS: usize = 3_000;

/// A place whose value class can be chosen: a node, or the first element of a plain collection.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub id: NodeId,
    /// As choices name it: `disk[0].size`, `ports[0]`.
    pub path: String,
    pub classes: Vec<ValueClass>,
}

/// What scenarios can be about. In each list shallow places come before deep ones, and different
/// types alternate, so that even a few cover many types.
#[derive(Debug)]
pub(crate) struct Targets {
    /// Every optional node; deprecated ones last.
    pub optional: Vec<NodeId>,
    /// Optional values that can be null, set, and null again.
    pub nullable: Vec<NodeId>,
    /// Those of them that can also be empty, with the class that makes them empty.
    pub emptiable: Vec<(NodeId, u64)>,
    /// Lists and sets of values.
    pub sequences: Vec<NodeId>,
    /// Lists that the user chose, with the class that permutes them.
    pub permutable: Vec<(NodeId, u64)>,
    pub maps: Vec<NodeId>,
    /// Block types that allow several blocks.
    pub blocks: Vec<NodeId>,
    /// Those of `places` with another typical value, to which an update can change them.
    pub changeable: Vec<usize>,
    /// Places of texts that may be any text.
    pub texts: Vec<usize>,
    /// Places with an unusual class.
    pub unusual: Vec<(usize, u64)>,
    pub places: Vec<Target>,
}

impl Targets {
    pub fn of(model: &SchemaModel<'_>, store: &StoreSnapshot) -> Targets {
        let open: Vec<NodeId> = model.ids().filter(|id| store.is_open(*id)).take(MAX_TARGETS).collect();
        let (current, deprecated): (Vec<NodeId>, Vec<NodeId>) =
            open.into_iter().partition(|id| !model.node(*id).deprecated);
        let is_optional = |id: NodeId| model.node(id).presence == Presence::Optional;
        let is_free = |id: NodeId| store.pinned(id).is_none();
        let select = |wanted: &dyn Fn(NodeId) -> bool| {
            let selected = current.iter().copied().filter(|id| wanted(*id)).collect();
            in_turns(selected, |id| sort(model, *id))
        };
        let mut nullable = select(&|id| {
            is_optional(id) && is_free(id) && !model.node(id).steady && !is_block_collection(model, id)
        });
        // Other scenarios start with the first of each type; these with the last of the same depth.
        nullable.sort_by_key(|id| (model.node(*id).path.matches('.').count(), Reverse(*id)));
        let nullable = in_turns(nullable, |id| sort(model, *id));
        let mut emptiable: Vec<(NodeId, u64)> = nullable
            .iter()
            .filter_map(|id| {
                let classes = store.classes(model, *id);
                let is_empty =
                    |class: &ValueClass| matches!(class, ValueClass::Empty | ValueClass::EmptyText);
                Some((*id, classes.iter().position(is_empty)? as u64))
            })
            .collect();
        emptiable.sort_by_key(|(id, _)| model.node(*id).ty == Type::String);
        let permutable = select(&|id| !is_free(id)).into_iter().filter_map(|id| {
            let classes = store.classes(model, id);
            Some((id, classes.iter().position(|class| *class == ValueClass::Permuted)? as u64))
        });
        let permutable = permutable.collect();
        let mut optional = select(&is_optional);
        optional.extend(deprecated.into_iter().filter(|id| is_optional(*id)));
        let is_value = |id: NodeId| is_free(id) && !matches!(model.node(id).form, Form::Block(_));
        let places = places(model, store, &current);
        Targets {
            sequences: select(&|id| {
                is_value(id) && matches!(model.node(id).ty, Type::List(_) | Type::Set(_))
            }),
            maps: select(&|id| is_value(id) && matches!(model.node(id).ty, Type::Map(_))),
            blocks: select(&|id| is_block_collection(model, id) && room(model, id) > 0),
            changeable: changeable(model, &places),
            texts: texts(model, &places),
            unusual: unusual(&places),
            optional,
            permutable,
            nullable,
            emptiable,
            places,
        }
    }
}

impl Targets {
    /// A collection that an element can be added to, the likeliest first.
    pub fn collection(&self) -> Option<NodeId> {
        self.sequences.iter().chain(&self.maps).chain(&self.blocks).next().copied()
    }
}

/// Required ones alternate with optional ones: they are more likely to require replacement.
fn changeable(model: &SchemaModel<'_>, places: &[Target]) -> Vec<usize> {
    let changes = |place: &usize| {
        let target = &places[*place];
        let has_second = target.classes.get(1) == Some(&ValueClass::Second);
        // A changed write-only value alone never shows in a plan.
        has_second && !model.node(target.id).steady
    };
    let all = in_turns((0..places.len()).filter(changes).collect(), |place| places[*place].classes.clone());
    let mut all = in_turns(all, |place| model.node(places[*place].id).presence == Presence::Optional);
    // How long a call may take says least about an object.
    all.sort_by_key(|place| places[*place].path.starts_with("timeouts."));
    all
}

/// The most free texts that one scenario is about.
const MAX_TEXTS: usize = 30;

fn texts(model: &SchemaModel<'_>, places: &[Target]) -> Vec<usize> {
    let is_free = |place: &usize| {
        let target = &places[*place];
        // A write-only value never shows.
        target.classes.contains(&ValueClass::Capitals) && !model.node(target.id).steady
    };
    (0..places.len()).filter(is_free).take(MAX_TEXTS).collect()
}

/// What distinguishes nodes that each deserve a scenario.
fn sort(model: &SchemaModel<'_>, id: NodeId) -> (bool, u8, Option<Nesting>) {
    let node = model.node(id);
    let ty = match node.ty {
        Type::String => 0,
        Type::Number => 1,
        Type::Bool => 2,
        Type::Dynamic => 3,
        Type::List(_) => 4,
        Type::Set(_) => 5,
        Type::Map(_) => 6,
        Type::Tuple(_) => 7,
        Type::Object(_) => 8,
    };
    (matches!(node.form, Form::Block(_)), ty, node.form.nesting())
}

/// Alternates between sorts, keeping the order of sorts and within each sort.
fn in_turns<T, K: PartialEq>(items: Vec<T>, sort: impl Fn(&T) -> K) -> Vec<T> {
    let mut sorts: Vec<(K, Vec<T>)> = Vec::new();
    for item in items {
        let key = sort(&item);
        match sorts.iter_mut().find(|(sort, _)| *sort == key) {
            Some((_, items)) => items.push(item),
            None => sorts.push((key, vec![item])),
        }
    }
    let mut turns: Vec<_> = sorts.into_iter().map(|(_, items)| items.into_iter()).collect();
    let mut mixed = Vec::new();
    loop {
        let before = mixed.len();
        mixed.extend(turns.iter_mut().filter_map(Iterator::next));
        if mixed.len() == before {
            return mixed;
        }
    }
}

fn is_block_collection(model: &SchemaModel<'_>, id: NodeId) -> bool {
    matches!(model.node(id).form, Form::Block(_)) && model.node(id).form.is_collection()
}

/// How many blocks are allowed beyond the required ones, or beyond one.
pub(crate) fn room(model: &SchemaModel<'_>, id: NodeId) -> usize {
    match &model.node(id).form {
        Form::Block(nested) => {
            let (min, max) = items(nested);
            max - if model.node(id).presence == Presence::Required { min } else { 0 }
        }
        _ => usize::MAX,
    }
}

fn places(model: &SchemaModel<'_>, store: &StoreSnapshot, ids: &[NodeId]) -> Vec<Target> {
    let mut places = Vec::new();
    for id in ids.iter().copied() {
        let node = model.node(id);
        let path = model.first_path(id);
        let classes = store.classes(model, id);
        let element = match (&node.form, node.ty.element()) {
            (Form::Leaf, Some(element)) if store.pinned(id).is_none() => {
                let classes = store.classes_of_value(&node.name, &node.path, element);
                Some(Target { id, path: format!("{path}[0]"), classes })
            }
            _ => None,
        };
        places.push(Target { id, path, classes });
        places.extend(element);
    }
    places
}

/// Every class of every place but the typical ones.
///
/// Places with the same classes go through them together: each class on the next place,
/// then once more with the places shifted by one, until all were paired.
fn unusual(places: &[Target]) -> Vec<(usize, u64)> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, target) in places.iter().enumerate() {
        match groups.iter_mut().find(|group| places[group[0]].classes == target.classes) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    let mut pairs = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let classes = &places[group[0]].classes;
        let is_unusual = |class: &ValueClass| !matches!(class, ValueClass::Typical | ValueClass::Second);
        let unusual = (0..classes.len()).filter(|idx| is_unusual(&classes[*idx]));
        for shift in 0..group.len() {
            for (turn, class) in unusual.clone().enumerate() {
                pairs.push((number, (group[(turn + shift) % group.len()], class as u64)));
            }
        }
    }
    in_turns(pairs, |(group, _)| *group).into_iter().map(|(_, pair)| pair).collect()
}

/// Whether the order of a node's elements means something.
pub(crate) fn is_ordered(model: &SchemaModel<'_>, id: NodeId) -> bool {
    let node = model.node(id);
    node.form.nesting() == Some(Nesting::List) || matches!(node.ty, Type::List(_))
}
