//! What is secret, and where it is worth looking for.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization as _;

use crate::value::Number;

/// Shorter texts are secret only as a whole, and shorter numbers only at their place: elsewhere they are
/// found by chance.
const SHORTEST: usize = 4;
/// Longer texts are looked for inside of words, too: a shorter one, such as `plan`, is part of a word by chance.
const LONGEST_WORD: usize = 8;
/// The same for texts and numbers from elsewhere in the run.
const SHORTEST_ELSEWHERE: usize = 6;
/// Lines of a secret of several lines that are shorter are not secret on their own.
const SHORTEST_LINE: usize = 8;
/// A longer text is found piece by piece, so that a cut one is found too.
const PIECE: usize = 1 << 10;
/// A number with as many digits is looked for in every form of a text.
const LONG_NUMBER: usize = 8;

/// The content of a sensitive or write-only attribute. A bool is none: it is masked only at its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Secret {
    /// Never empty.
    Text(String),
    /// A text that the user wrote: however short, it is looked for inside of words.
    Named(String),
    /// Its decimal digits without a sign.
    Number(String),
}

impl Secret {
    pub fn text(text: &str) -> Option<Secret> {
        (!text.is_empty()).then(|| Secret::Text(text.to_owned()))
    }

    /// The same, as the user wrote it.
    #[must_use]
    pub fn named(self) -> Secret {
        match self {
            Secret::Text(text) => Secret::Named(text),
            secret => secret,
        }
    }

    pub fn number(number: &Number) -> Secret {
        Secret::Number(unsigned(number))
    }

    /// The key of a sensitive map, unless it may be an ordinary word: those are not secret elsewhere.
    pub fn key(key: &str) -> Option<Secret> {
        let is_word = |c: char| c.is_alphabetic() || matches!(c, '_' | '-' | '.' | '/' | ' ');
        Secret::text(key).filter(|_| key.len() >= SHORTEST_LINE && !key.chars().all(is_word))
    }

    /// Whether it is looked for in texts about other objects.
    pub fn is_telling_elsewhere(&self) -> bool {
        self.weight() >= SHORTEST_ELSEWHERE
    }

    /// Whether it is looked for inside texts.
    pub fn is_telling(&self) -> bool {
        self.weight() >= SHORTEST
    }

    fn weight(&self) -> usize {
        match self {
            Secret::Text(text) | Secret::Named(text) => text.len(),
            Secret::Number(digits) => {
                digits.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count()
            }
        }
    }

    /// The texts to look for, in any case, each with whether it counts only as a whole word.
    pub fn patterns(&self, patterns: &mut BTreeMap<String, bool>) {
        let mut spelt = BTreeSet::new();
        self.spelt(&mut spelt);
        for pattern in spelt {
            let is_word = matches!(self, Secret::Text(_)) && pattern.len() <= LONGEST_WORD;
            *patterns.entry(pattern).or_insert(true) &= is_word;
        }
    }

    fn spelt(&self, patterns: &mut BTreeSet<String>) {
        let text = match self {
            _ if !self.is_telling() => return,
            Secret::Text(text) | Secret::Named(text) => text,
            Secret::Number(digits) if self.weight() >= LONG_NUMBER => digits,
            Secret::Number(_) => return,
        };
        let lines = text.split(['\n', '\r']).map(str::trim).filter(|line| line.len() >= SHORTEST_LINE);
        for text in std::iter::once(text.as_str()).chain(lines) {
            for piece in pieces(text) {
                spellings(piece, patterns);
            }
        }
    }
}

/// A number as it is compared: its decimal digits without a sign.
pub(super) fn unsigned(number: &Number) -> String {
    number.to_string().trim_start_matches('-').to_owned()
}

/// A long text in pieces, the last of which overlaps with the one before.
fn pieces(text: &str) -> Vec<&str> {
    if text.len() <= 2 * PIECE {
        return vec![text];
    }
    let before = |at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let starts = (0..text.len() - PIECE).step_by(PIECE).chain([text.len() - PIECE]).map(before);
    starts.map(|start| &text[start..before((start + PIECE + 3).min(text.len()))]).collect()
}

/// What becomes of a text whatever its case, its Unicode normal form, and with blanks as in web forms.
fn spellings(text: &str, patterns: &mut BTreeSet<String>) {
    let mut add = |text: String| {
        if text.contains(' ') {
            patterns.insert(text.replace(' ', "+").to_ascii_lowercase());
        }
        patterns.insert(text.to_ascii_lowercase());
    };
    if !text.is_ascii() {
        let cases = [text.to_lowercase(), text.to_uppercase(), text.to_owned()];
        for text in &cases {
            add(text.nfc().collect());
            add(text.nfd().collect());
        }
    }
    add(text.to_owned());
}
