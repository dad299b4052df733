//! Pairing: which configured element is which prior one.

/// As many pairs as there can be: for each on the left its partner on the right. Those early in
/// `order` keep a partner once they have one, though not always the same.
pub fn pair(candidates: &[Vec<usize>], order: &[usize], n_right: usize) -> Vec<Option<usize>> {
    fn place(left: usize, candidates: &[Vec<usize>], seen: &mut [bool], taken: &mut [Option<usize>]) -> bool {
        for &right in &candidates[left] {
            if std::mem::replace(&mut seen[right], true) {
                continue;
            }
            if taken[right].is_none_or(|other| place(other, candidates, seen, taken)) {
                taken[right] = Some(left);
                return true;
            }
        }
        false
    }
    let mut taken = vec![None; n_right];
    for &left in order {
        place(left, candidates, &mut vec![false; n_right], &mut taken);
    }
    let mut partners = vec![None; candidates.len()];
    for (right, left) in taken.into_iter().enumerate() {
        if let Some(left) = left {
            partners[left] = Some(right);
        }
    }
    partners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_pairs(candidates: &[&[usize]], order: &[usize], want: &[Option<usize>]) {
        let candidates: Vec<Vec<usize>> = candidates.iter().map(|of| of.to_vec()).collect();
        assert_eq!(pair(&candidates, order, 3), want);
    }

    #[test]
    fn everybody_who_can_be_paired_is() {
        assert_pairs(&[&[0, 1], &[0]], &[0, 1], &[Some(1), Some(0)]);
        assert_pairs(&[&[0, 1], &[0, 2], &[0]], &[0, 1, 2], &[Some(1), Some(2), Some(0)]);
    }

    #[test]
    fn who_comes_first_keeps_a_partner() {
        assert_pairs(&[&[0], &[0]], &[1, 0], &[None, Some(0)]);
        assert_pairs(&[&[], &[2]], &[0, 1], &[None, Some(2)]);
    }
}
