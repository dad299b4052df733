//! Rules that are near another one.

use std::cmp::Reverse;

use super::words::stems;
use crate::rule::Rule;
use crate::rules::CATALOGUE;

/// Related rules that are named.
const MOST: usize = 4;

/// The rules that are nearest to one: those that cover the same entries of the contract, then those that require the
/// same of another step, then those of its group whose sentences have words in common.
pub(super) fn related(rule: &'static Rule) -> Vec<&'static Rule> {
    let name = |rule: &Rule| rule.id.split('/').nth(1).unwrap_or_default();
    let own = stems(rule.headline());
    let score = |other: &Rule| {
        let shared = other.covers.iter().filter(|entry| rule.covers.contains(entry)).count();
        let same_duty = name(rule) == name(other);
        let is_of_group = rule.group() == other.group();
        let words = stems(other.headline()).intersection(&own).count();
        (shared, same_duty, if is_of_group { words } else { 0 })
    };
    let others = CATALOGUE.iter().copied().filter(|other| other.id != rule.id);
    let mut scored: Vec<_> = others.map(|other| (score(other), other)).collect();
    // Sentences of a group begin with the same words.
    scored.retain(|((shared, same_duty, words), _)| *shared > 0 || *same_duty || *words > 2);
    scored.sort_by_key(|(score, _)| Reverse(*score));
    scored.into_iter().take(MOST).map(|(_, rule)| rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::find;

    #[test]
    fn rules_with_the_same_duty_are_related() {
        let related = |id: &str| related(find(id).unwrap()).iter().map(|rule| rule.id).collect::<Vec<_>>();
        let ids = related("read/write-only-is-null");
        assert!(
            ids.contains(&"apply/write-only-is-null") && ids.contains(&"plan/write-only-is-null"),
            "{ids:?}"
        );
        assert!(ids.len() <= MOST && !ids.contains(&"read/write-only-is-null"), "{ids:?}");
    }
}
