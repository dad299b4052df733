//! Texts that are made up: some characters are given, the rest come from the scenario's word.

use std::sync::Arc;

use crate::generate::witness::WORDS;

/// The longest text that is made up, in characters.
pub(super) const MAX_LENGTH: usize = 5_000;

/// One character of a text that is made up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Fixed(char),
    Free(Alphabet),
}

/// The characters from which one is chosen: at least two, all of a kind, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alphabet(Arc<str>);

impl Slot {
    /// A slot for the best of the characters that fit, without those to avoid: lower-case letters, else
    /// digits, else capitals, else others. `None` if none is left.
    pub(super) fn best(fitting: impl Fn(char) -> bool, avoid: &str) -> Option<Slot> {
        let of = |kind: fn(&char) -> bool| {
            let letters = (' '..='~').filter(kind).filter(|c| fitting(*c) && !avoid.contains(*c));
            Some(letters.collect::<String>()).filter(|letters| !letters.is_empty())
        };
        of(char::is_ascii_lowercase)
            .or_else(|| of(char::is_ascii_digit))
            .or_else(|| of(char::is_ascii_uppercase))
            .or_else(|| of(char::is_ascii_punctuation))
            .or_else(|| of(|c| *c == ' '))
            .map(|letters| match letters.as_bytes() {
                [only] => Slot::Fixed(char::from(*only)),
                _ => Slot::Free(Alphabet(letters.into())),
            })
    }
}

impl Alphabet {
    /// Whether every letter of a word fits.
    fn holds_words(&self) -> bool {
        ('a'..='z').all(|letter| self.0.contains(letter))
    }

    /// As a class of a regular expression, with ranges where more than two characters follow each other.
    fn class(&self) -> String {
        let letters: Vec<char> = self.0.chars().collect();
        let mut class = String::from("[");
        for run in letters.chunk_by(|a, b| *b as u32 == *a as u32 + 1) {
            let escaped = |c: char| regex_syntax::escape(c.encode_utf8(&mut [0; 4]));
            match run {
                [first, _, .., last] => class.extend([escaped(*first), "-".to_owned(), escaped(*last)]),
                few => class.extend(few.iter().map(|c| escaped(*c))),
            }
        }
        class + "]"
    }
}

/// Slots for a given text.
pub(super) fn fixed(text: &str) -> Vec<Slot> {
    text.chars().map(Slot::Fixed).collect()
}

/// Slots for letters of the word; none if all are to be avoided.
pub(super) fn free(n_letters: usize, avoid: &str) -> Vec<Slot> {
    let letter = Slot::best(|c| c.is_ascii_alphanumeric(), avoid);
    letter.map(|letter| vec![letter; n_letters]).unwrap_or_default()
}

/// The text that a word makes of some slots. The word consists of lower-case letters.
///
/// Where it fits it stands there as a whole, because whoever plays a scenario again must find it to rename
/// it. Elsewhere its last letters decide, so that different words make different texts if there is room.
pub(super) fn filled(slots: &[Slot], word: &str) -> String {
    let mut letters = Letters::of(word);
    let mut text = String::new();
    let mut rest = slots;
    while let [slot, others @ ..] = rest {
        let holds_words = |slot: &&Slot| matches!(slot, Slot::Free(alphabet) if alphabet.holds_words());
        let room = rest.iter().take_while(holds_words).count();
        if room >= word.len() && !word.is_empty() {
            text.push_str(word);
            rest = &rest[word.len()..];
            continue;
        }
        match slot {
            Slot::Fixed(c) => text.push(*c),
            Slot::Free(alphabet) => {
                // A number does not begin with a zero.
                let after_digit = text.ends_with(|c: char| c.is_ascii_digit());
                let skipped = usize::from(alphabet.0.starts_with('0') && !after_digit);
                text.push(letters.next(&alphabet.0[skipped..]));
            }
        }
        rest = others;
    }
    text
}

/// Slots as a regular expression with exactly one length.
pub(super) fn expression(slots: &[Slot]) -> String {
    let mut expression = String::new();
    for run in slots.chunk_by(|a, b| a == b && matches!(a, Slot::Free(_))) {
        match &run[0] {
            Slot::Fixed(c) => expression.push_str(&regex_syntax::escape(c.encode_utf8(&mut [0; 4]))),
            Slot::Free(alphabet) if run.len() == 1 => expression.push_str(&alphabet.class()),
            Slot::Free(alphabet) => expression.push_str(&format!("{}{{{}}}", alphabet.class(), run.len())),
        }
    }
    expression
}

/// A word as a number, whose digits to any base become letters.
struct Letters {
    whole: u64,
    rest: u64,
    /// How many values the rest may have.
    room: u64,
}

impl Letters {
    fn of(word: &str) -> Letters {
        let mut whole = 0;
        // The letters that differ come last, the lowest digit first.
        for letter in word.bytes().rev().take(crate::scenario::words::LETTERS) {
            whole = whole * 26 + u64::from(letter.saturating_sub(b'a') % 26);
        }
        Letters { whole, rest: whole, room: WORDS }
    }

    fn next(&mut self, alphabet: &str) -> char {
        let base = alphabet.chars().count() as u64;
        if self.room <= 1 {
            (self.rest, self.room) = (self.whole, WORDS);
        }
        let digit = self.rest % base;
        self.rest /= base;
        self.room = self.room.div_ceil(base);
        alphabet.chars().nth(digit as usize).expect("smaller than the base")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::generate::witness::{Nth, word};

    const WORD: &str = "tfcabcdef";

    #[test]
    fn a_word_stands_as_a_whole_where_it_fits() {
        assert_eq!(filled(&free(9, ""), WORD), WORD);
        assert_eq!(filled(&[fixed("a-"), free(20, "")].concat(), WORD), "a-tfcabcdeftfcabcdefab");
        assert_eq!(filled(&free(4, ""), WORD), "abcd");
    }

    #[test]
    fn digits_stand_for_a_word_too() {
        let digits = |n, word: &str| filled(&free(n, "abcdefghijklmnopqrstuvwxyz"), word);
        assert!(digits(12, WORD).bytes().all(|b| b.is_ascii_digit()));
        assert_ne!(digits(9, WORD), digits(9, "tfcabcdeg"));
        assert!(!digits(3, "tfcaaaaaa").starts_with('0'));
    }

    proptest! {
        #[test]
        fn different_words_make_different_texts_where_there_is_room(
            salts in (any::<u32>(), any::<u32>()), digits in 0usize..10, letters in 0usize..12, gap in 0usize..12,
        ) {
            let nth = Nth::new(0, 0);
            let [one, other] = [salts.0, salts.1].map(|salt| word("place", u64::from(salt), nth));
            prop_assume!(one != other);
            let hex = free(digits, "ghijklmnopqrstuvwxyz");
            let mut slots = [hex, fixed("-"), free(letters, "")].concat();
            slots.insert(gap.min(slots.len()), Slot::Fixed('.'));
            let n_texts = 6u64.pow(digits as u32).saturating_mul(26u64.saturating_pow(letters as u32));
            prop_assert!(filled(&slots, &one) != filled(&slots, &other) || n_texts < WORDS);
        }
    }

    #[test]
    fn slots_are_shown_as_an_expression() {
        assert_eq!(
            expression(&[fixed("a.b-"), free(9, "xyz"), free(1, "")].concat()),
            "a\\.b\\-[a-w]{9}[a-z]"
        );
        assert_eq!(expression(&free(2, "cdefghijklmnopqrstuvwxyz")), "[ab]{2}");
    }
}
