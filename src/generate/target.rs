//! The places of a type that a scenario can be about.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::limit::Limit;
use super::model::{Form, NodeId, Presence, SchemaModel};
use super::pairs::{Group, groups};
use super::shape::Shape;
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
    /// As obligations name it: `disk.size`, `ports[]`.
    pub schema_path: Arc<str>,
    pub classes: Vec<ValueClass>,
    pub limits: Vec<Limit>,
    /// Whether its classes are about its elements or members, and not about one value.
    pub is_container: bool,
}

impl Target {
    /// The indexes of its classes that few users would write.
    pub fn unusual(&self) -> impl Iterator<Item = usize> {
        (0..self.classes.len()).filter(|idx| {
            let class = self.classes[*idx];
            !class.is_usual() && class != ValueClass::Permuted
        })
    }
}

/// Whether objects are created with a value of the class: any text may be an object's key, and one that does not depend
/// on the scenario may be that of another object, which a crash left behind.
pub(super) fn is_for_new_objects(class: ValueClass) -> bool {
    class.text(false).is_none()
}

/// What scenarios can be about. In each list shallow places come before deep ones, and different
/// types alternate, so that even a few cover many types.
#[derive(Debug)]
pub(crate) struct Targets {
    /// Every optional node; deprecated ones last.
    pub optional: Vec<NodeId>,
    /// Optional values that can also be empty, with the class that makes them empty.
    pub emptiable: Vec<(NodeId, u64)>,
    /// Lists and sets of values.
    pub sequences: Vec<NodeId>,
    /// Lists that the user chose, with the class that permutes them.
    pub permutable: Vec<(NodeId, u64)>,
    pub maps: Vec<NodeId>,
    /// Block types that allow several blocks.
    pub blocks: Vec<NodeId>,
    /// Those of `places` with another typical value, to which an update can change them; deprecated
    /// ones last.
    pub changeable: Vec<usize>,
    /// Single values with unusual classes.
    pub values: Vec<usize>,
    /// Those of `values` that are not in every configuration.
    pub optional_values: Vec<usize>,
    /// Collections and objects with unusual classes, those at the same depth together.
    pub containers: Vec<Vec<usize>>,
    /// A place and the position of one of its limits: the first limits of all places come first.
    pub limits: Vec<(usize, usize)>,
    pub places: Vec<Target>,
    pub pairs: Vec<Group>,
}

impl Targets {
    pub fn of(model: &SchemaModel<'_>, store: &StoreSnapshot, minimal: &Shape) -> Targets {
        let open: Vec<NodeId> = model.ids().filter(|id| store.is_open(*id)).take(MAX_TARGETS).collect();
        let (current, deprecated): (Vec<NodeId>, Vec<NodeId>) =
            open.into_iter().partition(|id| !model.node(*id).deprecated);
        let is_optional = |id: NodeId| model.node(id).presence == Presence::Optional;
        let is_free = |id: NodeId| store.given(id).is_none();
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
        optional.extend(deprecated.iter().copied().filter(|id| is_optional(*id)));
        let is_value = |id: NodeId| is_free(id) && !matches!(model.node(id).form, Form::Block(_));
        let mut places = places(model, store, &current);
        let (mut changeable, n_current) = (changeable(model, &places, 0), places.len());
        let values = values(model, &places);
        let containers = containers(model, &places);
        places.extend(self::places(model, store, &deprecated));
        changeable.extend(self::changeable(model, &places, n_current));
        Targets {
            sequences: select(&|id| {
                is_value(id) && matches!(model.node(id).ty, Type::List(_) | Type::Set(_))
            }),
            maps: select(&|id| is_value(id) && matches!(model.node(id).ty, Type::Map(_))),
            blocks: select(&|id| is_block_collection(model, id) && room(model, id) > 0),
            optional_values: values
                .iter()
                .copied()
                .filter(|place| !minimal.has(model, store, places[*place].id))
                .collect(),
            pairs: groups(model, store, &current),
            limits: limits(&places),
            changeable,
            values,
            containers,
            optional,
            permutable,
            emptiable,
            places,
        }
    }

    /// A collection that an element can be added to, the likeliest first.
    pub fn collection(&self) -> Option<NodeId> {
        self.sequences.iter().chain(&self.maps).chain(&self.blocks).next().copied()
    }

    /// The unusual classes of single values, each once.
    pub fn unusual_classes(&self) -> Vec<ValueClass> {
        let mut classes: Vec<ValueClass> = Vec::new();
        for target in self.values.iter().map(|place| &self.places[*place]) {
            for class in target.unusual().map(|idx| target.classes[idx]) {
                if !classes.contains(&class) {
                    classes.push(class);
                }
            }
        }
        classes
    }
}

/// Of the places from `first` on. Required ones alternate with optional ones: they are more likely to
/// require replacement.
fn changeable(model: &SchemaModel<'_>, places: &[Target], first: usize) -> Vec<usize> {
    let changes = |place: &usize| {
        let target = &places[*place];
        let has_second = target.classes.get(1) == Some(&ValueClass::Second);
        // A changed write-only value alone never shows in a plan.
        has_second && !model.node(target.id).steady
    };
    let all = (first..places.len()).filter(changes).collect();
    let all = in_turns(all, |place: &usize| places[*place].classes.clone());
    let mut all = in_turns(all, |place| model.node(places[*place].id).presence == Presence::Optional);
    // How long a call may take says least about an object.
    all.sort_by_key(|place| places[*place].path.starts_with("timeouts."));
    all
}

fn limits(places: &[Target]) -> Vec<(usize, usize)> {
    let of_place =
        |(place, target): (usize, &Target)| (0..target.limits.len()).map(move |limit| (place, limit));
    let mut limits: Vec<(usize, usize)> = places.iter().enumerate().flat_map(of_place).collect();
    limits.sort_by_key(|(place, limit)| (*limit, *place));
    limits
}

fn values(model: &SchemaModel<'_>, places: &[Target]) -> Vec<usize> {
    // A write-only value never shows.
    let shows = |target: &Target| !model.node(target.id).steady;
    let is_wanted = |place: &usize| {
        let target = &places[*place];
        !target.is_container && shows(target) && target.unusual().next().is_some()
    };
    (0..places.len()).filter(is_wanted).collect()
}

fn containers(model: &SchemaModel<'_>, places: &[Target]) -> Vec<Vec<usize>> {
    let mut by_depth: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, target) in places.iter().enumerate() {
        if target.is_container && target.unusual().next().is_some() {
            // Elements of a collection are inside of it.
            let inside = usize::from(target.path.ends_with(']'));
            let depth = model.node(target.id).path.matches('.').count() + inside;
            by_depth.entry(depth).or_default().push(place);
        }
    }
    by_depth.into_values().collect()
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
            (Form::Leaf, Some(element)) if store.given(id).is_none() => Some(Target {
                id,
                path: format!("{path}[0]"),
                schema_path: Arc::from(format!("{}[]", node.path)),
                classes: store.classes_of_value(&node.name, &node.path, element),
                limits: store.limits_of_value(&node.name, &node.path, element),
                is_container: element.element().is_some(),
            }),
            _ => None,
        };
        let is_container = !matches!(node.form, Form::Leaf) || node.ty.element().is_some();
        let (schema_path, limits) = (Arc::from(&*node.path), store.limits(model, id));
        places.push(Target { id, path, schema_path, classes, limits, is_container });
        places.extend(element);
    }
    places
}

/// Whether the order of a node's elements means something.
pub(crate) fn is_ordered(model: &SchemaModel<'_>, id: NodeId) -> bool {
    let node = model.node(id);
    node.form.nesting() == Some(Nesting::List) || matches!(node.ty, Type::List(_))
}
