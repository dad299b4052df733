//! Collections that grow, shrink, are reordered, emptied and nulled.

use super::arranged::Arranged;
use super::{Act, DraftStep, ScenarioDraft, chunk, draft, names};
use crate::generate::model::{Form, NodeId, Presence};
use crate::generate::obligation::ObligationKind::{self, *};
use crate::generate::shape::Shape;
use crate::generate::spec::{ConfigSpec, Mask, TypeGenerator};
use crate::generate::target::is_ordered;
use crate::generate::universe::{has_room, of_node};
use crate::generate::value_class::ValueClass;
use crate::value::Type;

/// Collections of one scenario.
const COLLECTIONS: usize = 2;

/// A collection, and the class that permutes it if the user chose it.
type Resized = (NodeId, Option<u64>);

pub(super) fn sizes(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let targets = at.targets();
    let chosen = targets.permutable.iter().map(|(id, class)| (*id, Some(*class)));
    let (mut sequences, mut maps) = (targets.sequences.iter(), targets.maps.iter());
    let mut blocks = targets.blocks.iter();
    // One of each sort in turn.
    let longest = targets.sequences.len().max(targets.maps.len()).max(targets.blocks.len());
    let others = (0..longest).flat_map(|_| [sequences.next(), maps.next(), blocks.next()]);
    let all: Vec<Resized> = chosen.chain(others.flatten().map(|id| (*id, None))).collect();
    let chunk = chunk(&all, n, at.at_once(COLLECTIONS))?;
    let paths: Vec<String> = chunk.iter().map(|(id, _)| at.model.first_path(*id)).collect();
    let about = format!("{}: elements added, moved, removed", names(paths.iter().map(String::as_str)));
    let steps = chunk.iter().flat_map(|(id, class)| match class {
        Some(class) => moved(*id, *class, at),
        None => more_and_fewer(*id, at),
    });
    Some(draft(&about, steps))
}

/// One more, in another order, and one fewer; blocks that may be absent also from and to none.
fn more_and_fewer(id: NodeId, at: &TypeGenerator<'_>) -> Vec<DraftStep> {
    let node = at.model.node(id);
    let path = at.model.first_path(id);
    let met = |kind: ObligationKind| [of_node(at, id, kind)];
    let is_block = matches!(node.form, Form::Block(_));
    let few = ConfigSpec::plain(at.with(id));
    let mut steps = vec![DraftStep::reach(few.clone())];
    if has_room(at, id) {
        let more = few.with_extra(&path, 1);
        steps.push(DraftStep::reach(more.clone()).change(met(Grown)));
        if is_ordered(&at.model, id) {
            steps.push(DraftStep::reach(more.reversed(&path)).change(met(Reordered)));
        }
        let fewer = if is_block {
            Act::ReachAfter(few.clone(), Mask::Wholes).step()
        } else {
            DraftStep::reach_after_unknown(few.clone())
        };
        steps.push(fewer.change(met(Shrunk)));
    }
    if is_block && node.presence != Presence::Required && at.store.may_unset(id) {
        let none = DraftStep::reach(few.shaped(few.shape.without(id)));
        steps.push(none.change(met(Unset)));
    }
    steps
}

/// A list that the user chose, in another order and back.
fn moved(id: NodeId, class: u64, at: &TypeGenerator<'_>) -> Vec<DraftStep> {
    let path = at.model.first_path(id);
    let chosen = ConfigSpec::plain(at.with(id));
    let moved = DraftStep::reach(chosen.with_class(&path, class));
    vec![
        DraftStep::reach(chosen.clone()),
        moved.change([of_node(at, id, Reordered)]),
        DraftStep::reach_after_unknown(chosen),
    ]
}

/// Collections of one scenario that are emptied, one after the other, each in five steps.
const EMPTIED: usize = 2;

/// Texts of one scenario that are emptied at once.
const TEXTS: usize = 10;

/// Null, empty, null, a value, empty: collections one after the other, then texts at once.
pub(super) fn emptied(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let is_text = |(id, _): &(NodeId, u64)| at.model.node(*id).ty == Type::String;
    let (texts, collections): (Vec<_>, Vec<_>) = at.targets().emptiable.iter().copied().partition(is_text);
    let n_at_once = at.at_once(EMPTIED);
    let n_collections = collections.len().div_ceil(n_at_once);
    let (chunk, at_once) = match n.checked_sub(n_collections) {
        None => (chunk(&collections, n, n_at_once)?, 1),
        Some(n) => (chunk(&texts, n, at.joint(TEXTS))?, at.joint(TEXTS)),
    };
    let paths: Vec<String> = chunk.iter().map(|(id, _)| at.model.first_path(*id)).collect();
    let about = format!("{}: null to empty and back", names(paths.iter().map(String::as_str)));
    let steps = chunk.chunks(at_once).flat_map(|values| {
        let arranged = Arranged::of(values, |(id, _)| id, &at.minimal, at);
        let joint = Some((arranged.joint, arranged.shape)).filter(|(joint, _)| !joint.is_empty());
        let apart = arranged.apart.into_iter().map(|(value, shape)| (vec![value], shape));
        joint
            .into_iter()
            .chain(apart)
            .flat_map(|(values, full)| from_null_to_empty_and_back(&values, full, at))
    });
    Some(draft(&about, steps))
}

fn from_null_to_empty_and_back(
    values: &[(NodeId, u64)],
    full: Shape,
    at: &TypeGenerator<'_>,
) -> [DraftStep; 5] {
    let full = ConfigSpec::plain(full);
    let paths: Vec<(String, u64)> =
        values.iter().map(|(id, class)| (at.model.first_path(*id), *class)).collect();
    let empty = full.with_classes(paths.iter().map(|(path, class)| (path.as_str(), *class)));
    let null = values.iter().fold(full.shape.clone(), |shape, (id, _)| shape.without(*id));
    let null = full.shaped(null);
    let step = |spec: &ConfigSpec, kind: fn(ValueClass) -> ObligationKind| {
        let mut step = DraftStep::reach(spec.clone());
        step.parts = values
            .iter()
            .map(|(id, class)| {
                let kind = kind(at.store.classes(&at.model, *id)[*class as usize]);
                let is_met = kind != Nulled || at.store.may_unset(*id);
                (*id, is_met.then(|| of_node(at, *id, kind)).into_iter().collect())
            })
            .collect();
        step
    };
    [
        DraftStep::reach(null.clone()),
        step(&empty, Class),
        step(&null, |_| Nulled),
        step(&full, |_| Set),
        step(&empty, |_| Emptied),
    ]
}
