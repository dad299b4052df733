//! Pairs of optional members, each set or not.
//!
//! Every member of a group has a number of its own, and each bit of the numbers is two rows of the plan: the
//! members with that bit are set, then all others. Two numbers differ in a bit, which gives the
//! rows in which one of the two is set. They also agree in one: the numbers have an even count of bits, so
//! that two that are opposites in all of them have the same parity, which is one more bit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::model::{NodeId, Presence, SchemaModel};
use super::obligation::{Obligation, ObligationKind};
use super::shape::Shape;
use super::spec::TypeGenerator;
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

/// The most pairs that are looked for one by one because no row has them.
const MAX_SOLVED: usize = 400;

/// The rows of a type, in which the provider's rules about arguments hold.
#[derive(Debug, Default)]
pub(crate) struct PairPlan {
    /// A shape each, with the pairs that it has.
    pub rows: Vec<(Shape, Vec<Obligation>)>,
    /// Pairs that no shape has in which the rules hold.
    pub ruled_out: BTreeSet<Obligation>,
}

impl PairPlan {
    /// Rows of optional members at the top, then of those of blocks at each depth, of all blocks at once; then the
    /// pairs that rules keep out of all of them, as far as there are shapes that have them.
    pub fn of(at: &TypeGenerator<'_>) -> PairPlan {
        let groups = &at.targets().pairs;
        let mut by_depth: BTreeMap<usize, Vec<&Group>> = BTreeMap::new();
        groups.iter().for_each(|group| by_depth.entry(group.depth).or_default().push(group));
        let mut plan = PairPlan::default();
        for (depth, groups) in by_depth {
            let start = if depth == 0 { &at.minimal } else { at.everything() };
            let longest = groups.iter().map(|group| group.n_rows()).max().unwrap_or_default();
            for row in 0..longest {
                let has_row = groups.iter().filter(|group| row < group.n_rows());
                let shape = has_row.fold(start.clone(), |shape, group| group.row(row, &shape, &at.model));
                plan.add(at.repaired(&shape), &groups, at);
            }
            if !at.store.rules.is_empty() {
                plan.solve(start, &groups, at);
            }
        }
        plan
    }

    fn add(&mut self, shape: Shape, groups: &[&Group], at: &TypeGenerator<'_>) {
        let is_there = |group: &&&Group| shape.has(&at.model, &at.store, group.parent);
        let met = groups.iter().filter(is_there).flat_map(|group| group.met(&at.model, &shape));
        match self.rows.iter_mut().find(|(row, _)| *row == shape) {
            Some((_, known)) => known.extend(met),
            None => {
                let met = met.collect();
                self.rows.push((shape, met));
            }
        }
    }

    /// Looks for a shape for each pair that no row has.
    fn solve(&mut self, start: &Shape, groups: &[&Group], at: &TypeGenerator<'_>) {
        let mut met: BTreeSet<Obligation> = self.rows.iter().flat_map(|(_, met)| met.clone()).collect();
        let mut n_solved = 0;
        for group in groups {
            for (a, b, pair) in group.each(&at.model) {
                if met.contains(&pair) || n_solved == MAX_SOLVED {
                    continue;
                }
                n_solved += 1;
                let ObligationKind::Pair { is_set, other_is_set, .. } = pair.kind else { continue };
                let turned = |shape: Shape, id, is_on| match is_on {
                    true => shape.with(&at.model, id),
                    false => shape.without(id),
                };
                let shape = turned(turned(start.clone(), a, is_set), b, other_is_set);
                let has_both = |shape: &Shape| {
                    shape.has(&at.model, &at.store, group.parent)
                        && (shape.is_on(a), shape.is_on(b)) == (is_set, other_is_set)
                };
                match at.repaired_around(&shape, &[a, b]).filter(has_both) {
                    Some(shape) => {
                        met.extend(groups.iter().flat_map(|group| group.met(&at.model, &shape)));
                        self.add(shape, groups, at);
                    }
                    None => {
                        self.ruled_out.insert(pair);
                    }
                }
            }
        }
    }
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
    fn each(&self, model: &SchemaModel<'_>) -> Vec<(NodeId, NodeId, Obligation)> {
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
