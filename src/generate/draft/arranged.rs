//! Which places can be set in one configuration.

use crate::generate::model::NodeId;
use crate::generate::shape::Shape;
use crate::generate::spec::TypeGenerator;

/// Places by what may be set with them.
pub(super) struct Arranged<T> {
    /// Has all that go together.
    pub shape: Shape,
    pub joint: Vec<T>,
    /// Those that exclude or need other arguments, each with the smallest shape that has it. Each needs a step of its
    /// own, because the parts of a refused step are tried next to what was accepted last.
    pub apart: Vec<(T, Shape)>,
}

impl<T: Copy> Arranged<T> {
    /// What no configuration can have is left out. The joint ones are set on top of `start`.
    pub fn of(
        places: &[T],
        id_of: impl Fn(T) -> NodeId,
        start: &Shape,
        at: &TypeGenerator<'_>,
    ) -> Arranged<T> {
        let (model, store) = (&at.model, &at.store);
        if store.rules.is_empty() {
            let shape = places.iter().fold(start.clone(), |shape, place| shape.with(model, id_of(*place)));
            return Arranged { shape, joint: places.to_vec(), apart: Vec::new() };
        }
        let mut arranged = Arranged { shape: at.repaired(start), joint: Vec::new(), apart: Vec::new() };
        let mut nodes: Vec<NodeId> = Vec::new();
        for place in places {
            let id = id_of(*place);
            let around = |shape: &Shape, nodes: &[NodeId]| {
                let has_all = |shape: &Shape| nodes.iter().all(|id| shape.has(model, store, *id));
                at.repaired_around(&shape.with(model, id), nodes).filter(has_all)
            };
            let Some(alone) = around(&at.minimal, &[id]) else { continue };
            nodes.push(id);
            let is_free = alone == at.with(id);
            match is_free.then(|| around(&arranged.shape, &nodes)).flatten() {
                Some(shape) => {
                    arranged.shape = shape;
                    arranged.joint.push(*place);
                }
                None => {
                    nodes.pop();
                    arranged.apart.push((*place, alone));
                }
            }
        }
        arranged
    }
}
