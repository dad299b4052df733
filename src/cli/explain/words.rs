//! Rules by the words of their texts.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::rule::Rule;
use crate::rules::CATALOGUE;

/// Words that say nothing about a rule.
const COMMON: [&str; 42] = [
    "about", "after", "all", "and", "are", "because", "been", "but", "can", "does", "for", "from", "has",
    "have", "how", "into", "its", "not", "one", "only", "other", "provider", "rule", "say", "than", "that",
    "the", "them", "then", "there", "they", "this", "was", "were", "what", "when", "where", "which", "while",
    "why", "will", "with",
];

/// The stems of the words of a text, without those that say nothing.
pub(super) fn stems(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.len() > 2 && !COMMON.contains(&word.as_str())).map(|word| stem(&word)).collect()
}

/// A word without its ending: `planned`, `planning` and `plans` are one. An ending stays if little is left of the word.
fn stem(word: &str) -> String {
    const ENDINGS: [&str; 12] =
        ["ations", "ation", "ings", "ing", "ness", "ies", "ed", "es", "ly", "s", "e", "y"];
    let ending = ENDINGS.iter().find_map(|ending| word.strip_suffix(ending)).filter(|stem| stem.len() > 2);
    let stem = ending.unwrap_or(word);
    // `planned` and `plan`.
    let mut letters = stem.chars().rev();
    let is_doubled = letters.next().is_some_and(|last| letters.next() == Some(last));
    if is_doubled && ending.is_some() && stem.len() > 4 {
        stem[..stem.len() - 1].to_owned()
    } else {
        stem.to_owned()
    }
}

/// The rules whose words are nearest to those that were asked for, the nearest first; rare words say more.
pub(super) fn by_meaning(asked: &str, most: usize) -> Vec<&'static Rule> {
    let words: Vec<Words> = CATALOGUE.iter().map(|rule| Words::of(rule)).collect();
    let asked = stems(asked);
    let rarity = |stem: &String| {
        let n_rules = words.iter().filter(|words| words.weight(stem) > 0).count();
        (1_000 * CATALOGUE.len()).checked_div(n_rules).unwrap_or_default()
    };
    let asked: Vec<(&String, usize)> = asked.iter().map(|stem| (stem, rarity(stem))).collect();
    let score = |words: &Words| asked.iter().map(|(stem, rarity)| words.weight(stem) * rarity).sum::<usize>();
    let mut scored: Vec<(usize, &'static Rule)> =
        words.iter().zip(CATALOGUE).map(|(words, rule)| (score(words), *rule)).collect();
    let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
    // What is far behind the best was found by a word that many rules have.
    scored.retain(|(score, _)| *score > 0 && 3 * score >= best);
    scored.sort_by_key(|(score, _)| Reverse(*score));
    scored.into_iter().take(most).map(|(_, rule)| rule).collect()
}

/// The words of a rule, by how much they say.
struct Words([(usize, BTreeSet<String>); 3]);

impl Words {
    fn of(rule: &Rule) -> Words {
        let rest = [rule.text, rule.fault.about, rule.control.about, &rule.fix.in_general()].join(" ");
        Words([(4, stems(rule.id)), (3, stems(rule.headline())), (1, stems(&rest))])
    }

    fn weight(&self, stem: &str) -> usize {
        let Words(places) = self;
        places.iter().filter(|(_, words)| words.contains(stem)).map(|(weight, _)| weight).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (one, other) in [
            ("planned", "plans"),
            ("planning", "plan"),
            ("values", "value"),
            ("empty", "empties"),
            ("refused", "refuses"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} and {other}");
        }
        assert_eq!(stem("set"), "set");
    }

    #[test]
    fn a_rule_is_found_by_what_it_is_about() {
        let first = |asked: &str| by_meaning(asked, 3).iter().map(|rule| rule.id).collect::<Vec<_>>();
        for (asked, id) in [
            ("empty-instead-of-null", "read/tells-null-from-empty"),
            ("inconsistent final plan", "plan/final-plan-agrees"),
            ("reading an object that is gone", "read/finds-nothing-when-gone"),
            ("no call ends the process", "rpc/survives"),
            ("drift", "read/reports-drift"),
        ] {
            assert!(first(asked).contains(&id), "{asked}: {:?}", first(asked));
        }
        assert_eq!(by_meaning("xyzzy", 3).len(), 0);
    }
}
