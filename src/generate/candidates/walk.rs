//! Texts that match a regular expression.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::RangeInclusive;

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use super::slots::{MAX_LENGTH, Slot};

/// How many texts are tried for one expression.
const MAX_VARIANTS: usize = 24;

/// How many characters more than it must have a text gets, so that a word has room after a first letter.
const EXTRA: usize = 8;

/// How many parts of an expression are visited for one text.
const MAX_STEPS: usize = 20_000;

/// Texts that match an expression, the simplest first, with lengths in a range if possible.
///
/// Anchors are taken as empty, so each text must still be checked.
pub(super) fn walks(hir: &Hir, length: &RangeInclusive<usize>, avoid: &str) -> Vec<Vec<Slot>> {
    let mut found: Vec<Vec<Slot>> = Vec::new();
    let classes = Classes::new(avoid);
    for choice in 0..MAX_VARIANTS {
        let walk = |extra, iterations| Walk::of(hir, choice, extra, iterations, &classes);
        let Some(least) = walk(0, 1) else { continue };
        if least.len() > *length.end() {
            continue;
        }
        let missing = length.start().saturating_sub(least.len());
        let room = length.end() - least.len();
        for extra in [EXTRA.clamp(missing, room.max(missing)), missing] {
            let texts = [1, 2, 4, 16, 64].into_iter().filter_map(|iterations| walk(extra, iterations));
            let fitting = texts.into_iter().find(|slots| length.contains(&slots.len()));
            found.extend(fitting.filter(|slots| !found.contains(slots)));
        }
        if found.len() >= MAX_VARIANTS {
            break;
        }
    }
    found.truncate(MAX_VARIANTS);
    found
}

/// The one text that an expression without choices has.
pub(super) fn only(hir: &Hir) -> Option<Vec<Slot>> {
    Walk::of(hir, 0, 0, 1, &Classes::new(""))
}

/// The characters of an expression's classes. Each class is looked through once, however often it is walked past.
struct Classes<'a> {
    avoid: &'a str,
    /// By the address of the class, which stays where it is while the expression is walked.
    known: RefCell<HashMap<*const Class, Option<Slot>>>,
}

impl<'a> Classes<'a> {
    fn new(avoid: &'a str) -> Classes<'a> {
        Classes { avoid, known: RefCell::default() }
    }

    /// One character of a class. Only where it has no printable ASCII is it another.
    fn slot(&self, class: &Class) -> Option<Slot> {
        let mut known = self.known.borrow_mut();
        known.entry(std::ptr::from_ref(class)).or_insert_with(|| slot(class, self.avoid)).clone()
    }
}

struct Walk<'a> {
    slots: Vec<Slot>,
    /// The decisions that are left, as digits of a number, the next one lowest.
    choice: usize,
    /// How many characters may still be added to repeated ones.
    extra: usize,
    /// How often parts of more than one character are repeated if they may be.
    iterations: u32,
    classes: &'a Classes<'a>,
    steps: usize,
}

impl Walk<'_> {
    fn of(
        hir: &Hir,
        choice: usize,
        extra: usize,
        iterations: u32,
        classes: &Classes<'_>,
    ) -> Option<Vec<Slot>> {
        let mut walk = Walk { slots: Vec::new(), choice, extra, iterations, classes, steps: 0 };
        walk.visit(hir)?;
        Some(walk.slots)
    }

    fn decide(&mut self, n_ways: usize) -> usize {
        let way = self.choice % n_ways;
        self.choice /= n_ways;
        way
    }

    /// Adds a text for a part; `None` if there is none.
    fn visit(&mut self, hir: &Hir) -> Option<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.slots.len() > MAX_LENGTH {
            return None;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Some(()),
            HirKind::Literal(literal) => {
                self.slots.extend(std::str::from_utf8(&literal.0).ok()?.chars().map(Slot::Fixed));
                Some(())
            }
            HirKind::Class(class) => {
                let slot = self.classes.slot(class)?;
                self.slots.push(slot);
                Some(())
            }
            HirKind::Repetition(repetition) => self.repeat(repetition),
            HirKind::Capture(capture) => self.visit(&capture.sub),
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.visit(part)),
            HirKind::Alternation(ways) => {
                let way = self.decide(ways.len());
                self.visit(&ways[way])
            }
        }
    }

    fn repeat(&mut self, repetition: &Repetition) -> Option<()> {
        let Repetition { min, max, sub, .. } = repetition;
        let max = max.unwrap_or(u32::MAX).max(*min);
        let is_character = matches!(sub.kind(), HirKind::Class(_));
        let count = if is_character && max > 1 {
            let more = self.extra.min((max - min) as usize);
            self.extra -= more;
            *min as usize + more
        } else if *min == 0 {
            self.decide(2) * self.iterations.min(max) as usize
        } else {
            (*min).max(self.iterations.min(max)) as usize
        };
        (0..count).try_for_each(|_| self.visit(sub))
    }
}

fn slot(class: &Class, avoid: &str) -> Option<Slot> {
    let Class::Unicode(class) = class else { return None };
    let holds = |c: char| class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&c));
    Slot::best(holds, avoid).or_else(|| {
        let mut others = class.ranges().iter().map(|range| range.start());
        others.find(|c| !avoid.contains(*c) && !(' '..='~').contains(c)).map(Slot::Fixed)
    })
}
