//! Finds secrets in texts, in every form in which a program may write them.
//!
//! A text is searched as it is and as it reads once its escapes are undone ([`escapes`]), and so are the
//! bytes behind what may be base64 or hexadecimal ([`encoded`]): that takes time proportional to the text,
//! whatever the number of secrets. Case does not matter.

mod encoded;
mod escapes;
mod numbers;
mod secret;
mod tier;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use encoded::each_decoded;
use escapes::{KINDS, Kind, Undone, View};

pub(super) use secret::Secret;
pub(super) use tier::Tier;

/// How many kinds of escapes are undone one after the other: in a text that is quoted in a URL in HTML.
const DEPTH: usize = 3;
/// How often escapes of one kind are undone: a text is quoted by the provider, its SDK, and our own messages.
const TIMES: usize = 8;

/// The views of a text that were searched, and what was left to be undone there: the depth, and the kind of escapes
/// of which there are none. Escapes that are undone in another order often leave the same view.
type Seen = HashMap<(Vec<u8>, Vec<Undone>), Vec<(usize, Option<u8>)>>;

/// Secrets, ready to be found.
#[derive(Clone, Default)]
pub(super) struct Matcher {
    tiers: Vec<Arc<Tier>>,
}

impl Matcher {
    /// The same secrets and more.
    #[must_use]
    pub fn and(mut self, tier: Arc<Tier>) -> Matcher {
        self.tiers.push(tier);
        self
    }

    /// Adds secrets to those that are searched for. Costs, over many times, little more than doing it at once.
    pub fn add(&mut self, secrets: Vec<Secret>) {
        if secrets.is_empty() {
            return;
        }
        self.tiers.push(Arc::new(Tier::new(secrets)));
        while let [.., before, last] = &self.tiers[..]
            && before.len() <= 2 * last.len()
        {
            let merged = before.merged(last);
            self.tiers.truncate(self.tiers.len() - 2);
            self.tiers.push(Arc::new(merged));
        }
    }

    /// Whether the text is a secret from its first letter to its last.
    ///
    /// Of a short secret, that is all that counts: inside other texts it is found by chance.
    pub fn is_secret(&self, text: &str) -> bool {
        self.tiers.iter().any(|tier| tier.is_secret(text))
    }

    /// Where secrets are in a text, in order; they do not overlap.
    pub fn find(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if self.tiers.is_empty() {
            return found;
        }
        self.find_in(&View::of(text), DEPTH, None, &mut Seen::new(), &mut found);
        for tier in &self.tiers {
            tier.find_numbers(text, &mut |range| found.push(range));
        }
        united(found)
    }

    /// `undone` is the kind of escapes of which the view has none left to undo.
    fn find_in(
        &self,
        view: &View<'_>,
        depth: usize,
        undone: Option<&Kind>,
        seen: &mut Seen,
        found: &mut Vec<Range<usize>>,
    ) {
        let ways = seen.entry(view.key()).or_default();
        let (is_new, way) = (ways.is_empty(), (depth, undone.map(|kind| kind.marker)));
        if ways.contains(&way) {
            return;
        }
        ways.push(way);
        if is_new {
            self.find_plain(view.bytes(), true, &mut |range| found.push(view.range(range)));
            each_decoded(view.bytes(), &mut |decoded| {
                self.find_plain(decoded.bytes, false, &mut |range| {
                    found.push(view.range(decoded.range(range)))
                });
            });
        }
        let others = KINDS.iter().filter(|kind| undone.is_none_or(|undone| undone.marker != kind.marker));
        for kind in others.filter(|_| depth > 0) {
            let mut inner = view.without(kind);
            for _ in 0..TIMES {
                let Some(view) = inner else { break };
                self.find_in(&view, depth - 1, Some(kind), seen, found);
                inner = view.without(kind);
            }
        }
    }

    fn find_plain(&self, bytes: &[u8], has_words: bool, found: &mut dyn FnMut(Range<usize>)) {
        self.tiers.iter().for_each(|tier| tier.find(bytes, has_words, found));
    }
}

/// The same places in order, those that overlap as one.
fn united(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut united: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match united.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}

#[cfg(test)]
mod tests;
