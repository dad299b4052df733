//! Perfect matchings of small bipartite graphs.

use std::collections::HashMap;

/// Pairs as many nodes on the left as possible with different nodes of the `n_right` on the right, by
/// augmenting paths, and returns each left node's partner.
///
/// `order` lists each left node once. Early ones keep a partner once they have one, though not
/// always the same. `compatible` is called at most once per pair, and only if the answer matters.
/// `preferred` names a right node to try first.
pub fn maximum_matching(
    order: &[usize],
    n_right: usize,
    preferred: &dyn Fn(usize) -> Option<usize>,
    compatible: &mut dyn FnMut(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut search = Search {
        compatible,
        answers: HashMap::new(),
        n_right,
        partner_of_right: vec![None; n_right],
        visited_by: vec![None; n_right],
        turn: 0,
    };
    for (turn, &left) in order.iter().enumerate() {
        search.turn = turn;
        search.augment(left, preferred(left));
    }
    let mut partners = vec![None; order.len()];
    for (right, left) in search.partner_of_right.iter().enumerate() {
        if let Some(left) = left {
            partners[*left] = Some(right);
        }
    }
    partners
}

struct Search<'c> {
    compatible: &'c mut dyn FnMut(usize, usize) -> bool,
    /// What was asked before.
    answers: HashMap<(usize, usize), bool>,
    n_right: usize,
    partner_of_right: Vec<Option<usize>>,
    /// In which turn each was tried last.
    visited_by: Vec<Option<usize>>,
    turn: usize,
}

impl Search<'_> {
    fn are_compatible(&mut self, left: usize, right: usize) -> bool {
        *self.answers.entry((left, right)).or_insert_with(|| (self.compatible)(left, right))
    }

    /// Finds a partner for `left`, re-pairing others if that helps.
    fn augment(&mut self, left: usize, preferred: Option<usize>) -> bool {
        for right in preferred.into_iter().chain(0..self.n_right) {
            if self.visited_by[right] == Some(self.turn) || !self.are_compatible(left, right) {
                continue;
            }
            self.visited_by[right] = Some(self.turn);
            let is_free = match self.partner_of_right[right] {
                None => true,
                Some(other) => self.augment(other, None),
            };
            if is_free {
                self.partner_of_right[right] = Some(left);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn partners(order: &[usize], n_right: usize, edges: &[(usize, usize)]) -> Vec<Option<usize>> {
        maximum_matching(order, n_right, &|_| None, &mut |left, right| edges.contains(&(left, right)))
    }

    #[test]
    fn a_taken_partner_moves_on_where_it_can() {
        assert_eq!(partners(&[0, 1], 2, &[(0, 0), (0, 1), (1, 0)]), [Some(1), Some(0)]);
        assert_eq!(
            partners(&[0, 1, 2], 3, &[(0, 0), (0, 1), (1, 0), (1, 2), (2, 0)]),
            [Some(1), Some(2), Some(0)]
        );
    }

    #[test]
    fn who_shares_an_only_partner_stays_alone() {
        assert_eq!(partners(&[0, 1], 2, &[(0, 0), (1, 0)]).iter().flatten().count(), 1);
        assert_eq!(partners(&[0], 0, &[]), [None]);
    }

    #[test]
    fn who_comes_first_keeps_a_partner() {
        assert_eq!(partners(&[1, 0], 3, &[(0, 0), (1, 0)]), [None, Some(0)]);
        assert_eq!(partners(&[0, 1], 3, &[(1, 2)]), [None, Some(2)]);
    }
}
