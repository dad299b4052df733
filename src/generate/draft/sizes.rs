//! Collections that grow, shrink, are reordered, emptied and nulled.

use super::{Act, DraftStep, ScenarioDraft, chunk, draft, names};
use crate::generate::model::{Form, NodeId, Presence};
use crate::generate::obligation::ObligationKind::{self, *};
use crate::generate::spec::{ConfigSpec, Mask, TypeGenerator};
use crate::generate::target::is_ordered;
use crate::generate::universe::{has_room, of_node};
use crate::generate::value_class::ValueClass;

/// Collections of one scenario.
const COLLECTIONS: usize = 3;

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
    let chunk = chunk(&all, n, COLLECTIONS)?;
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
    if is_block && node.presence != Presence::Required {
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

/// Values of one scenario that are emptied, each of which takes five steps.
const EMPTIED: usize = 2;

/// Null, empty, null, a value, empty, null.
pub(super) fn emptied(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let chunk = chunk(&at.targets().emptiable, n, EMPTIED)?;
    let paths: Vec<String> = chunk.iter().map(|(id, _)| at.model.first_path(*id)).collect();
    let about = format!("{}: null to empty and back", names(paths.iter().map(String::as_str)));
    let steps = chunk.iter().flat_map(|(id, class)| {
        let full = ConfigSpec::plain(at.with(*id));
        let empty = full.with_class(&at.model.first_path(*id), *class);
        let null = full.shaped(full.shape.without(*id));
        let met = |kind: ObligationKind| [of_node(at, *id, kind)];
        let class = match at.model.node(*id).ty {
            crate::value::Type::String => ValueClass::EmptyText,
            _ => ValueClass::Empty,
        };
        [
            DraftStep::reach(null.clone()),
            DraftStep::reach(empty.clone()).config(met(Class(class))),
            DraftStep::reach(null).change(met(Nulled)),
            DraftStep::reach(full),
            DraftStep::reach(empty).change(met(Emptied)),
        ]
    });
    Some(draft(&about, steps))
}
