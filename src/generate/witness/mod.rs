//! Typical values, most conservative first.
//!
//! All are from documentation ranges or name nothing that exists: they may reach a real remote
//! system.

mod format;
mod keys;
mod non_canonical;
mod styles;

pub use format::Format;
pub use non_canonical::non_canonical;
pub use styles::{holds_word, n_styles};

use super::choices::hash_text;
use crate::scenario::words;

/// Which typical value of a place is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nth {
    /// Position in the nearest collection; values of different elements differ if possible.
    pub element: u64,
    /// 0 is the first typical value of the place, 1 another.
    pub variant: u64,
    /// Whether the place is sensitive or write-only. Its texts are not those of other places, which would be
    /// masked with them.
    pub is_secret: bool,
}

impl Nth {
    /// Of a place that is not secret.
    pub const fn new(element: u64, variant: u64) -> Nth {
        Nth { element, variant, is_secret: false }
    }
}

/// How far the numbers of the texts of secret places are from those of others. Not a multiple of the length of
/// a short list.
const SECRET: u64 = 1_000;

/// How many words there are: 26⁶.
pub const WORDS: u64 = 308_915_776;

/// How long a word is, in letters.
pub const WORD_LENGTH: usize = words::START.len() + words::LETTERS;

/// `tfc` and six letters derived from the schema path, so that an echoed value shows where it came from.
pub fn word(path: &str, salt: u64, nth: Nth) -> String {
    // Both steps are coprime to the number of words: small multiples of either never collide.
    let steps = nth.element * 7_654_321 + nth.variant * 98_765_431;
    let path = if nth.is_secret { hash_text(&format!("secret {path}")) } else { hash_text(path) };
    let mut rest = (path % WORDS + salt % WORDS + steps % WORDS) % WORDS;
    let mut text = String::from(words::START);
    for _ in 0..words::LETTERS {
        text.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    text
}

/// A small, unremarkable number.
pub fn number(is_port: bool, in_collection: bool, nth: Nth) -> i64 {
    if is_port {
        return [8080, 443, 8443][(nth.variant % 3) as usize] + nth.element as i64 * 7;
    }
    if !in_collection {
        return [7, 1, 10, 2, 60, 30, 100][(nth.variant % 7) as usize];
    }
    // Steps of three leave room for three variants of each element.
    let first = [7, 1, 10, 4].get(nth.element as usize).copied().unwrap_or(1 + 3 * nth.element as i64);
    first + (nth.variant % 3) as i64
}

/// The first string of a format, or another.
///
/// `at_apply` shortens durations: a provider may wait that long. A text that may hold any word holds this one.
pub fn formatted(format: Format, at_apply: bool, nth: Nth, word: &str) -> String {
    formatted_as(format, 0, at_apply, nth, word)
}

/// As [`formatted`], in another of the format's [styles](n_styles), counted from 0.
pub fn formatted_as(format: Format, style: usize, at_apply: bool, nth: Nth, word: &str) -> String {
    // Lists have an odd number of entries, so a step of 16 selects a different one.
    let number = nth.element + 16 * nth.variant;
    // Few numbers are in every range.
    let secret = if nth.is_secret && format != Format::Int { SECRET } else { 0 };
    styles::styled(format, style, at_apply, number + secret, word)
}

/// Keys of typical map entries.
pub fn key(idx: u64) -> String {
    match idx {
        0 => "one".to_owned(),
        1 => "two".to_owned(),
        2 => "three".to_owned(),
        _ => format!("key{idx}"),
    }
}

/// The keys and certificates that are written here for everybody to read: no secrets, wherever they are.
pub fn published_keys() -> impl Iterator<Item = String> {
    let styles = 0..n_styles(Format::Pem, true);
    styles.map(|style| formatted_as(Format::Pem, style, true, Nth::new(0, 0), ""))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn addresses_and_networks_are_written_as_go_writes_them() {
        for format in [Format::Ipv4, Format::Ipv6, Format::Cidr, Format::Cidr4, Format::Cidr6] {
            for style in 0..n_styles(format, false) {
                for variant in 0..300 {
                    let text = formatted_as(format, style, false, Nth::new(0, variant), "");
                    let (address, length) = text.split_once('/').unwrap_or((&text, "0"));
                    let parsed: std::net::IpAddr = address.parse().expect(&text);
                    assert_eq!(parsed.to_string(), address);
                    let (bits, most) = match parsed {
                        std::net::IpAddr::V4(address) => (u128::from(address.to_bits()), 32),
                        std::net::IpAddr::V6(address) => (address.to_bits(), 128),
                    };
                    let host_bits = most - length.parse::<u32>().expect(&text);
                    let is_network = bits.trailing_zeros() >= host_bits;
                    assert_eq!(is_network, text.contains('/'), "{text}");
                }
            }
        }
    }

    #[test]
    fn another_variant_or_element_is_another_value() {
        // There is one key of each kind.
        for format in Format::ALL.into_iter().filter(|format| *format != Format::Pem) {
            for at_apply in [false, true] {
                for style in 0..n_styles(format, at_apply) {
                    let value = |element, variant| {
                        let nth = Nth::new(element, variant);
                        formatted_as(format, style, at_apply, nth, &word("a", 0, nth))
                    };
                    assert_ne!(value(0, 0), value(0, 1), "{format:?} {style}");
                    assert_ne!(value(0, 0), value(1, 0), "{format:?} {style}");
                }
            }
        }
        for element in 0..8 {
            for variant in 0..3 {
                for (other, is_port) in [(element + 1, false), (element + 2, true)] {
                    let number = |element| number(is_port, true, Nth::new(element, variant));
                    assert_ne!(number(element), number(other));
                }
            }
        }
        assert_ne!(word("a", 0, Nth::new(0, 0)), word("a", 0, Nth::new(0, 1)));
    }

    #[test]
    fn a_style_is_another_text() {
        for format in Format::ALL {
            for at_apply in [false, true] {
                let nth = Nth::new(0, 0);
                let styles = 0..n_styles(format, at_apply);
                let texts: BTreeSet<String> = styles
                    .clone()
                    .map(|style| formatted_as(format, style, at_apply, nth, "tfcabcdef"))
                    .collect();
                assert_eq!(texts.len(), styles.len(), "{format:?}");
            }
        }
    }

    #[test]
    fn default_words_are_nine_lower_case_letters() {
        for path in ["name", "disk.size", ""] {
            let word = word(path, 3, Nth::new(2, 1));
            assert!(word.len() == 9 && word.starts_with("tfc"), "{word}");
            assert!(word.bytes().all(|b| b.is_ascii_lowercase()), "{word}");
        }
    }
}
