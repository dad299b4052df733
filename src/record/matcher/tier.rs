//! Some secrets as one automaton.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use aho_corasick::Anchored;
use aho_corasick::automaton::Automaton as _;
use aho_corasick::nfa::contiguous::NFA;

use super::numbers::{each_number, longest};
use super::secret::Secret;

/// Some secrets, and what finds all of them in one pass.
pub struct Tier {
    secrets: Vec<Secret>,
    /// `None` if nothing is looked for inside texts.
    automaton: Option<NFA>,
    /// By pattern, whether it counts only as a whole word.
    is_word: Vec<bool>,
    numbers: HashSet<String>,
    /// The digits of the longest number.
    longest_number: usize,
    /// Texts that are too short to be looked for.
    short: HashSet<String>,
}

impl Tier {
    pub fn new(secrets: Vec<Secret>) -> Tier {
        let mut patterns = BTreeMap::new();
        let (mut numbers, mut short) = (HashSet::new(), HashSet::new());
        for secret in &secrets {
            secret.patterns(&mut patterns);
            match secret {
                Secret::Number(digits) if secret.is_telling() => drop(numbers.insert(digits.clone())),
                Secret::Text(text) | Secret::Named(text) if !secret.is_telling() => {
                    short.insert(text.clone());
                }
                Secret::Number(_) | Secret::Text(_) | Secret::Named(_) => {}
            }
        }
        // It can only fail for gigabytes of secrets; then nothing would be found, and that must not go unseen.
        let built = |patterns: Vec<String>| {
            let mut builder = NFA::builder();
            builder.ascii_case_insensitive(true).prefilter(false);
            builder.build(patterns).expect("the secrets of a run fit in an automaton")
        };
        let (patterns, is_word): (Vec<String>, Vec<bool>) = patterns.into_iter().unzip();
        let automaton = (!patterns.is_empty()).then(|| built(patterns));
        let longest_number = longest(&numbers);
        Tier { secrets, automaton, is_word, numbers, longest_number, short }
    }

    /// The number of its secrets.
    pub fn len(&self) -> usize {
        self.secrets.len()
    }

    pub fn merged(&self, other: &Tier) -> Tier {
        Tier::new([self.secrets.as_slice(), &other.secrets].concat())
    }

    pub fn is_secret(&self, text: &str) -> bool {
        !self.short.is_empty() && self.short.contains(text)
    }

    /// Visits the places of texts; at each end, that of the longest. `has_words` if what is short counts only as a
    /// whole word.
    pub fn find(&self, bytes: &[u8], has_words: bool, found: &mut dyn FnMut(Range<usize>)) {
        let Some(automaton) = &self.automaton else { return };
        let mut state = automaton.start_state(Anchored::No).expect("it searches from anywhere");
        for (at, byte) in bytes.iter().enumerate() {
            state = automaton.next_state(Anchored::No, state, *byte);
            if automaton.is_special(state) && automaton.is_match(state) {
                // Patterns that end here are in the order of their length.
                let patterns = (0..automaton.match_len(state)).map(|nth| automaton.match_pattern(state, nth));
                let mut places = patterns.filter_map(|pattern| {
                    let place = at + 1 - automaton.pattern_len(pattern)..at + 1;
                    let counts = !has_words || !self.is_word[pattern] || is_whole(bytes, &place);
                    counts.then_some(place)
                });
                places.next().into_iter().for_each(&mut *found);
            }
        }
    }

    /// Visits the places of numbers.
    pub fn find_numbers(&self, text: &[u8], found: &mut dyn FnMut(Range<usize>)) {
        if !self.numbers.is_empty() {
            each_number(text, self.longest_number, &mut |range, digits| {
                if self.numbers.contains(digits) {
                    found(range);
                }
            });
        }
    }
}

/// Whether what stands there is no part of a longer word, or of a longer address or number if it could be one.
fn is_whole(bytes: &[u8], place: &Range<usize>) -> bool {
    let is_of_address = bytes[place.clone()].iter().all(u8::is_ascii_hexdigit);
    let joins = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || !byte.is_ascii()
            || matches!(byte, b'_' | b'-')
            || (is_of_address && matches!(byte, b':' | b'.'))
    };
    let before = place.start.checked_sub(1).and_then(|at| bytes.get(at));
    !before.is_some_and(joins) && !bytes.get(place.end).is_some_and(joins)
}
