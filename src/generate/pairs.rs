//! Pairs of optional members, each set or not.
//!
//! Every member of a group has a number of its own, and each bit of the numbers is two rows of the plan: the
//! members with that bit are set, then all others. Two numbers differ in a bit, which gives the
//! rows in which one of the two is set. They also agree in one: the numbers have an even count of bits, so
//! that two that are opposites in all of them have the same parity, which is one more bit.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::model::{NodeId, Presence, SchemaModel};
use super::obligation::{Obligation, ObligationKind};
use super::shape::Shape;
use super::store::StoreSnapshot;

/// The most members of a group; those that come later are left out.
const MAX_MEMBERS: usize = 40;

/// Optional members of one block or nested attribute.
#[derive(Debug)]
pub(crate) struct Group {
    pub parent: NodeId,
    /// 0 at the top.
    pub depth: usize,
    pub members: Vec<NodeId>,
}

/// The rows of a type, in which the provider's rules about arguments hold.
#[derive(Debug, Default)]
pub(crate) struct PairPlan {
    /// A shape each, with the pairs that it has.
    pub rows: Vec<(Shape, Vec<Obligation>)>,
    /// Pairs that no shape has in which the rules hold.
    pub ruled_out: BTreeSet<Obligation>,
}

/// The groups of two or more, shallow ones first.
pub(super) fn groups(model: &SchemaModel<'_>, store: &StoreSnapshot, ids: &[NodeId]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for id in ids.iter().copied() {
        let node = model.node(id);
        if node.presence != Presence::Optional || store.pinned(id).is_some() {
            continue;
        }
        match groups.iter_mut().find(|group| group.parent == node.parent) {
            Some(group) if group.members.len() == MAX_MEMBERS => {}
            Some(group) => group.members.push(id),
            None => {
                let depth = node.path.matches('.').count();
                groups.push(Group { parent: node.parent, depth, members: vec![id] });
            }
        }
    }
    groups.retain(|group| group.members.len() > 1);
    groups
}

/// How many rows there are, which together have each pair of members in all four ways.
fn n_rows(n_members: usize) -> usize {
    2 * (n_bits(n_members) + 1)
}

/// Whether a member is set in a row.
fn is_set(n_members: usize, member: usize, row: usize) -> bool {
    let bit = row / 2;
    let is_one = match bit < n_bits(n_members) {
        true => member >> bit & 1 == 1,
        false => member.count_ones() % 2 == 1,
    };
    is_one == row.is_multiple_of(2)
}

/// An even number of bits that is enough for all members.
fn n_bits(n_members: usize) -> usize {
    let n_bits = (usize::BITS - (n_members - 1).leading_zeros()) as usize;
    n_bits.next_multiple_of(2)
}

impl Group {
    pub fn n_rows(&self) -> usize {
        n_rows(self.members.len())
    }

    /// A shape with those members set that a row has.
    pub fn row(&self, row: usize, shape: &Shape, model: &SchemaModel<'_>) -> Shape {
        let members = self.members.iter().enumerate();
        members.fold(shape.clone(), |shape, (member, id)| match is_set(self.members.len(), member, row) {
            true => shape.with(model, *id),
            false => shape.without(*id),
        })
    }

    /// All obligations of the group.
    pub fn all(&self, model: &SchemaModel<'_>) -> Vec<Obligation> {
        self.each(model).into_iter().map(|(_, _, pair)| pair).collect()
    }

    /// The same with both members.
    pub fn each(&self, model: &SchemaModel<'_>) -> Vec<(NodeId, NodeId, Obligation)> {
        let ways = [(true, true), (true, false), (false, true), (false, false)];
        ways.into_iter().flat_map(|way| self.pairs(model, |_, _| way)).collect()
    }

    /// Those that a configuration of this shape meets, if it has what the members are members of.
    pub fn met(&self, model: &SchemaModel<'_>, shape: &Shape) -> Vec<Obligation> {
        let pairs = self.pairs(model, |a, b| (shape.is_on(a), shape.is_on(b)));
        pairs.into_iter().map(|(_, _, pair)| pair).collect()
    }

    fn pairs(
        &self,
        model: &SchemaModel<'_>,
        way: impl Fn(NodeId, NodeId) -> (bool, bool),
    ) -> Vec<(NodeId, NodeId, Obligation)> {
        let paths: Vec<Arc<str>> =
            self.members.iter().map(|id| Arc::from(model.node(*id).path.as_str())).collect();
        let mut pairs = Vec::new();
        for (idx, a) in self.members.iter().enumerate() {
            for (other, b) in self.members.iter().enumerate().skip(idx + 1) {
                let (is_set, other_is_set) = way(*a, *b);
                let other = Arc::clone(&paths[other]);
                let kind = ObligationKind::Pair { other, is_set, other_is_set };
                pairs.push((*a, *b, Obligation::of(&paths[idx], kind)));
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_pair_is_in_the_rows_in_every_way() {
        for n in 2..=MAX_MEMBERS {
            for a in 0..n {
                for b in 0..a {
                    let ways: BTreeSet<(bool, bool)> =
                        (0..n_rows(n)).map(|row| (is_set(n, a, row), is_set(n, b, row))).collect();
                    assert_eq!(ways.len(), 4, "{a} and {b} of {n}");
                }
            }
        }
        assert_eq!(n_rows(30), 14);
    }
}
