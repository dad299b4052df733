//! What is created before it is destroyed because of what the same run destroys, as Terraform decides it since 1.16.
//!
//! The graph of an apply destroys each object that goes, also one that is no longer configured. If that object is
//! destroyed last, what waits for it is created first, and what it waits for is destroyed last as well.

use std::collections::VecDeque;

use super::{Change, Vertex};
use crate::engine::defects::{self, EngineDefect};

/// The indices of the changes that Terraform has create first, though they say otherwise.
///
/// It looks at them in no particular order, so that some of these are forced in one run and not in the next.
///
/// Source: the graphs of Terraform 1.16.0-rc2.
pub(in crate::lifecycle) fn force_created_first(changes: &[Vertex]) -> Vec<usize> {
    if !changes.iter().any(Vertex::destroys) {
        return Vec::new();
    }
    let mut is_first: Vec<bool> = changes.iter().map(Vertex::is_created_first).collect();
    let mut found: VecDeque<usize> = (0..changes.len()).filter(|idx| is_first[*idx]).collect();
    let mut forced = Vec::new();
    while let Some(idx) = found.pop_front() {
        let change = &changes[idx];
        for (other, at) in changes.iter().enumerate().filter(|(other, _)| *other != idx) {
            let is_forced = change.waits_for(at) || change.destroys() && at.waits_for(change);
            if is_forced && !std::mem::replace(&mut is_first[other], true) {
                found.push_back(other);
                forced.push(other);
            }
        }
    }
    forced
}

/// What goes wrong where an object is forced that is to be destroyed first.
pub(in crate::lifecycle) fn defect_of_the_order(
    forced: &Vertex,
    changes: &[Vertex],
) -> &'static EngineDefect {
    let mut used = changes.iter().filter(|change| forced.recorded.contains(&change.address.resource));
    match used.clone().any(|change| change.change == Change::DestroyReplaced) {
        true => &defects::REPLACED_WITH_WHAT_IT_USES,
        false if used.any(Vertex::is_created_first) => &defects::REPLACED_WHILE_WHAT_IT_USES_CHANGES,
        false => &defects::REPLACED_UNDER_A_REMOVED_DEPENDENT,
    }
}

impl Vertex {
    fn destroys(&self) -> bool {
        self.change != Change::Apply
    }

    fn is_created_first(&self) -> bool {
        self.create_before_destroy
            || matches!(self.change, Change::DestroyReplaced | Change::Destroy(Some(_)))
    }

    /// Whether it waits for another change, if nothing is created first.
    fn waits_for(&self, other: &Vertex) -> bool {
        let (own, block) = (&self.address.resource, &other.address.resource);
        match (self.destroys(), other.destroys()) {
            (false, false) => self.dependencies.contains(block),
            (false, true) => {
                let is_same = self.address == other.address;
                is_same || self.recorded.contains(block) || other.recorded.contains(own)
            }
            (true, true) => other.recorded.contains(own),
            (true, false) => false,
        }
    }
}
