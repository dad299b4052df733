//! Shapes in which optional members are set in pairs, and the provider's rules about them hold.

use std::collections::{BTreeMap, BTreeSet};

use super::obligation::{Obligation, ObligationKind};
use super::pairs::{Group, PairPlan};
use super::shape::Shape;
use super::spec::TypeGenerator;

/// The most pairs that are looked for one by one because no row has them.
const MAX_SOLVED: usize = 400;

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

impl TypeGenerator<'_> {
    /// Shapes with pairs of optional arguments.
    pub fn pairs(&self) -> &PairPlan {
        self.pairs.get_or_init(|| PairPlan::of(self))
    }
}
