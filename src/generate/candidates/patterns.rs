//! Texts that match the patterns that are known.

use std::ops::RangeInclusive;

use regex_syntax::hir::{Hir, Look};

use super::go_regex::GoRegex;
use super::slots::{Slot, filled, free};
use super::walk::walks;
use super::words::TextShape;
use crate::generate::witness::WORD_LENGTH;

/// Texts for each of some patterns, those for the first one first, and for all of them together.
pub(super) fn texts(patterns: &[&str], shape: &TextShape<'_>) -> Vec<Vec<Slot>> {
    let parsed: Vec<GoRegex> = patterns.iter().filter_map(|pattern| GoRegex::parse(pattern)).collect();
    let mut texts: Vec<Vec<Slot>> = Vec::new();
    for regex in &parsed {
        for length in &shape.lengths {
            texts.extend(of_one(regex, length, &shape.avoid));
        }
    }
    texts.extend(shape.lengths.iter().filter_map(|length| of_all(&parsed, length, &shape.avoid)));
    texts
}

fn of_one(regex: &GoRegex, length: &RangeInclusive<usize>, avoid: &str) -> Vec<Vec<Slot>> {
    let (at_start, at_end) = anchors(regex.hir());
    let mut texts = walks(regex.hir(), length, avoid);
    if !at_start || !at_end {
        // The word has room beside what must match.
        let short = walks(regex.hir(), &(0..=*length.end()), avoid);
        let around = short.iter().map(|walk| {
            let n_letters = length.end().saturating_sub(walk.len());
            let n_letters = length.start().saturating_sub(walk.len()).max(WORD_LENGTH).min(n_letters);
            let letters = free(n_letters, avoid);
            if at_end { [letters, walk.clone()].concat() } else { [walk.clone(), letters].concat() }
        });
        texts.extend(around.collect::<Vec<_>>());
    }
    texts.retain(|slots| regex.matches(&filled(slots, SAMPLE)));
    texts
}

/// What several patterns ask for, one after the other, such as a capital, a digit and a sign.
fn of_all(patterns: &[GoRegex], length: &RangeInclusive<usize>, avoid: &str) -> Option<Vec<Slot>> {
    if patterns.len() < 2 {
        return None;
    }
    let mut walked: Vec<((bool, bool), Vec<Slot>)> = Vec::new();
    for regex in patterns {
        let walk = walks(regex.hir(), &(0..=*length.end()), avoid).pop()?;
        walked.push((anchors(regex.hir()), walk));
    }
    // What is tied to the start comes first, what is tied to the end comes last. What is tied to both says
    // how the whole looks, and is left to the check.
    walked.retain(|((at_start, at_end), _)| !(*at_start && *at_end));
    walked.sort_by_key(|((at_start, at_end), _)| (!at_start, *at_end));
    let n_start = walked.iter().take_while(|((at_start, _), _)| *at_start).count();
    let given: usize = walked.iter().map(|(_, walk)| walk.len()).sum();
    let room = length.end().saturating_sub(given);
    let n_letters = WORD_LENGTH.max(length.start().saturating_sub(given)).min(room);
    let mut parts: Vec<Vec<Slot>> = walked.into_iter().map(|(_, walk)| walk).collect();
    parts.insert(n_start, free(n_letters, avoid));
    Some(parts.concat())
}

/// Whether a pattern is tied to the start and to the end of a text.
fn anchors(hir: &Hir) -> (bool, bool) {
    let properties = hir.properties();
    (properties.look_set_prefix().contains(Look::Start), properties.look_set_suffix().contains(Look::End))
}

/// A word by which expressions are tried.
pub(super) const SAMPLE: &str = "tfcabcdef";
