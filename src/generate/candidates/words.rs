//! The default text, with the prefix, the ending and the length that are known.

use std::ops::RangeInclusive;

use super::slots::{MAX_LENGTH, Slot, fixed, free};
use crate::generate::facts::{Constraint, Fact, Span, Strength, ValueFacts};
use crate::generate::witness::WORD_LENGTH;

/// How many ways to begin and to end a text are combined.
const MAX_COMBINATIONS: usize = 16;

/// What is known about the shape of a text.
pub(super) struct TextShape<'f> {
    prefixes: Vec<&'f str>,
    suffixes: Vec<&'f str>,
    parts: Vec<&'f str>,
    /// The lengths to try, in characters: what holds for all first, then each alone.
    pub(super) lengths: Vec<RangeInclusive<usize>>,
    /// Characters that may not be in it.
    pub(super) avoid: String,
}

impl<'f> TextShape<'f> {
    pub(super) fn of(facts: &'f ValueFacts) -> TextShape<'f> {
        let mut known: Vec<&Fact> = facts.facts.iter().collect();
        known.sort_by_key(|fact| fact.strength != Strength::Hard);
        let mut shape = TextShape {
            prefixes: Vec::new(),
            suffixes: Vec::new(),
            parts: Vec::new(),
            lengths: Vec::new(),
            avoid: String::new(),
        };
        for fact in known {
            match &fact.constraint {
                Constraint::Prefix(text) => shape.prefixes.push(text),
                Constraint::Suffix(text) => shape.suffixes.push(text),
                Constraint::Contains(text) => shape.parts.push(text),
                Constraint::Bytes(span) | Constraint::Chars(span) => shape.lengths.push(range(*span)),
                Constraint::NoneOfChars(chars) => shape.avoid.push_str(chars),
                _ => {}
            }
        }
        let all = shape.lengths.iter().fold(0..=MAX_LENGTH, |all, length| {
            let both = *all.start().max(length.start())..=*all.end().min(length.end());
            // A length that contradicts surer ones is only tried alone.
            if both.is_empty() { all } else { both }
        });
        shape.lengths.insert(0, all);
        let mut seen = Vec::new();
        shape.lengths.retain(|length| {
            !seen.contains(length) && {
                seen.push(length.clone());
                true
            }
        });
        for texts in [&mut shape.prefixes, &mut shape.suffixes] {
            if texts.is_empty() {
                texts.push("");
            }
        }
        shape
    }

    /// Texts of every shape.
    pub(super) fn words(&self) -> Vec<Vec<Slot>> {
        let mut words = Vec::new();
        for length in &self.lengths {
            let pairs =
                self.prefixes.iter().flat_map(|prefix| self.suffixes.iter().map(move |s| (*prefix, *s)));
            for (prefix, suffix) in pairs.take(MAX_COMBINATIONS) {
                let missing =
                    self.parts.iter().filter(|part| !prefix.contains(**part) && !suffix.contains(**part));
                let end = missing.copied().collect::<String>() + suffix;
                let given = prefix.chars().count() + end.chars().count();
                let least = length.start().saturating_sub(given);
                let most = length.end().saturating_sub(given);
                let letters = free(WORD_LENGTH.max(least).min(most), &self.avoid);
                words.push([fixed(prefix), letters, fixed(&end)].concat());
            }
        }
        words
    }
}

fn range(span: Span) -> RangeInclusive<usize> {
    let end = |end: Option<u64>, open: usize| end.map_or(open, |end| end.min(MAX_LENGTH as u64) as usize);
    end(span.min, 0)..=end(span.max, MAX_LENGTH)
}
