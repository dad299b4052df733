//! The words in names that we make up: `tfc` and six letters.

use std::ops::Range;

/// How every word begins.
pub const START: &str = "tfc";
/// The letters after that.
pub const LETTERS: usize = 6;

/// Where words with this start are, whatever their case.
pub fn places(bytes: &[u8], start: [u8; 3]) -> impl Iterator<Item = Range<usize>> + '_ {
    let length = START.len() + LETTERS;
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(window) = bytes.get(at..at + length) {
            let is_word =
                window[..3].eq_ignore_ascii_case(&start) && window.iter().all(u8::is_ascii_alphabetic);
            at += if is_word { length } else { 1 };
            if is_word {
                return Some(at - length..at);
            }
        }
        None
    })
}

/// Whether a text has such a word.
pub fn is_in(text: &str) -> bool {
    let start = START.as_bytes().try_into().expect("it has three letters");
    places(text.as_bytes(), start).next().is_some()
}
