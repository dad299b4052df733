//! The source of every decision of the generator.
//!
//! Decisions are keyed, not positional: a key names the place and what is decided there, so
//! dropping one attribute does not change the decisions about others, and a recorded map of
//! decisions stays valid when the schema changes.

use std::collections::BTreeMap;
use std::hash::Hasher;

use arbitrary::Unstructured;
use siphasher::sip::SipHasher13;

/// Which side of a place a decision is about. Add new ones at the end: their order affects every
/// seed's decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Facet {
    Presence,
    Value,
    Count,
    Unknown,
    /// Of the whole scenario; the path says for which of its steps.
    Scenario,
}

/// What is decided. Add new ones at the end, as for [`Facet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChoicePurpose {
    /// Which value class, in the order of the place's classes.
    Class,
    /// Which of the typical values.
    Witness,
    /// What distinguishes the default strings of different scenarios.
    Letters,
    /// How many elements beyond the fewest.
    Extra,
    /// Whether the elements are reversed.
    Order,
    /// Whether an optional path is set.
    On,
    /// Whether a place is unknown.
    Mask,
    /// How an unknown is refined.
    Refine,
    /// Which of the scenario's variants.
    Variant,
    /// Which place is changed.
    Target,
}

/// What a decision is about. Paths have indexes, even in maps and sets: `disk[0].size`.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceKey<'k> {
    pub facet: Facet,
    pub path: &'k str,
    pub purpose: ChoicePurpose,
}

/// Makes decisions.
pub trait Choices {
    /// A number below `domain`, which is at least 1; 0 is always the simplest.
    fn pick(&mut self, key: &ChoiceKey<'_>, domain: u64) -> u64;

    /// Whether nothing is decided about the values at a path and below it.
    fn is_undecided(&self, path: &str) -> bool;
}

/// Predetermined decisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChoiceMap(BTreeMap<String, BTreeMap<(Facet, ChoicePurpose), u64>>);

impl ChoiceMap {
    pub fn get(&self, key: &ChoiceKey<'_>) -> Option<u64> {
        self.0.get(key.path)?.get(&(key.facet, key.purpose)).copied()
    }

    pub fn set(&mut self, key: &ChoiceKey<'_>, choice: u64) {
        self.0.entry(key.path.to_owned()).or_default().insert((key.facet, key.purpose), choice);
    }

    /// Whether something is decided about a place, or about one below it.
    fn decides_below(&self, path: &str) -> bool {
        let from = self.0.range(path.to_owned()..).map(|(at, _)| at);
        from.take_while(|at| at.starts_with(path)).any(|at| is_within(at, path))
    }

    pub fn n_decisions(&self) -> usize {
        self.0.values().map(BTreeMap::len).sum()
    }

    /// Takes out the n-th decision, counted from 0 in the order of the paths.
    pub fn forget(&mut self, mut n: usize) {
        for decisions in self.0.values_mut() {
            if n < decisions.len() {
                let key = decisions.keys().nth(n).copied();
                key.and_then(|key| decisions.remove(&key));
                return;
            }
            n -= decisions.len();
        }
    }
}

/// Whether a place is another one or below it.
pub fn is_within(place: &str, around: &str) -> bool {
    let below = place.strip_prefix(around);
    below.is_some_and(|below| below.is_empty() || below.starts_with(['.', '[']))
}

/// How far decisions about values stray from the simplest unless predetermined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variation {
    /// Classes, counts and orders are the simplest.
    Typical,
    /// Any count, order and typical value; now and then an unusual class.
    Mixed,
}

/// The map's decision, otherwise one that depends only on seed and key.
#[derive(Clone, Debug)]
pub struct Seeded {
    pub seed: u64,
    pub map: ChoiceMap,
    pub variation: Variation,
}

/// One in this many places has an unusual class in the mixed variation.
const UNUSUAL: u64 = 12;

impl Choices for Seeded {
    fn is_undecided(&self, path: &str) -> bool {
        self.variation == Variation::Typical && !self.map.decides_below(path)
    }

    fn pick(&mut self, key: &ChoiceKey<'_>, domain: u64) -> u64 {
        if let Some(choice) = self.map.get(key) {
            return choice % domain;
        }
        let roll = prf(self.seed, key);
        match (key.purpose, self.variation) {
            (
                ChoicePurpose::Class | ChoicePurpose::Witness | ChoicePurpose::Extra | ChoicePurpose::Order,
                Variation::Typical,
            ) => 0,
            (ChoicePurpose::Class, Variation::Mixed) if !roll.is_multiple_of(UNUSUAL) => 0,
            (ChoicePurpose::Class, Variation::Mixed) => (roll / UNUSUAL) % domain,
            _ => roll % domain,
        }
    }
}

/// What is decided at one point of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    /// Counted from 0.
    pub step: usize,
    /// The path of a place in the configuration, or what is decided about the step as a whole.
    pub place: String,
    /// Nothing for what concerns the step as a whole.
    pub about: Option<(Facet, ChoicePurpose)>,
}

/// A question that was asked, how many answers it has, and the one it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub question: Question,
    pub domain: u64,
    pub choice: u64,
}

#[derive(Debug)]
enum Source<'b> {
    Bytes(Unstructured<'b>),
    Answers(&'b BTreeMap<Question, u64>),
}

/// The map's decision, otherwise one from a source: bytes that are read in the order in which decisions are asked for,
/// or answers to the same questions. What the source does not decide is the simplest.
///
/// What the source decided is added to the map, from which the same can be built without the source.
#[derive(Debug)]
pub struct Drawn<'b> {
    source: Source<'b>,
    step: usize,
    pub map: ChoiceMap,
    /// What the source was asked, in this order.
    pub asked: Vec<Answer>,
}

impl<'b> Drawn<'b> {
    pub fn from_bytes(bytes: &'b [u8]) -> Drawn<'b> {
        Drawn::new(Source::Bytes(Unstructured::new(bytes)))
    }

    pub fn from_answers(answers: &'b BTreeMap<Question, u64>) -> Drawn<'b> {
        Drawn::new(Source::Answers(answers))
    }

    fn new(source: Source<'b>) -> Drawn<'b> {
        Drawn { source, step: 0, map: ChoiceMap::default(), asked: Vec::new() }
    }

    /// What is decided from now on belongs to this step.
    pub fn begin_step(&mut self, step: usize) {
        self.step = step;
    }

    /// A decision about the step as a whole, which is not added to the map. Each of a step has a name of its own.
    pub fn once(&mut self, name: &str, domain: usize) -> usize {
        self.ask(name, None, domain.max(1) as u64) as usize
    }

    fn ask(&mut self, place: &str, about: Option<(Facet, ChoicePurpose)>, domain: u64) -> u64 {
        let question = Question { step: self.step, place: place.to_owned(), about };
        let choice = match &mut self.source {
            Source::Bytes(bytes) => bytes.int_in_range(0..=domain - 1).unwrap_or(0),
            Source::Answers(answers) => answers.get(&question).map_or(0, |choice| choice % domain),
        };
        self.asked.push(Answer { question, domain, choice });
        choice
    }
}

impl Choices for Drawn<'_> {
    /// The source is asked about every place.
    fn is_undecided(&self, _path: &str) -> bool {
        false
    }

    fn pick(&mut self, key: &ChoiceKey<'_>, domain: u64) -> u64 {
        if let Some(choice) = self.map.get(key) {
            return choice % domain;
        }
        let choice = match key.purpose {
            // Any word is as good as another.
            ChoicePurpose::Letters => 0,
            _ => self.ask(key.path, Some((key.facet, key.purpose)), domain),
        };
        self.map.set(key, choice);
        choice
    }
}

/// The bytes from which [`Drawn::from_bytes`] reads these answers.
pub fn bytes_of(answers: &[Answer]) -> Vec<u8> {
    // What is not decided once the bytes have run out is 0.
    let n_told = answers.iter().rposition(|answer| answer.choice > 0).map_or(0, |last| last + 1);
    let mut bytes = Vec::new();
    for Answer { domain, choice, .. } in &answers[..n_told] {
        // `Unstructured` reads as many bytes as the largest answer has, the most significant first.
        let n_bits = u64::BITS - (domain - 1).leading_zeros();
        let n_bytes = n_bits.div_ceil(u8::BITS) as usize;
        bytes.extend(&choice.to_be_bytes()[size_of::<u64>() - n_bytes..]);
    }
    bytes
}

/// A number that depends on the seed and the key, the same on every machine.
fn prf(seed: u64, key: &ChoiceKey<'_>) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(seed, 0);
    hasher.write(&[key.facet as u8, key.purpose as u8]);
    hasher.write(key.path.as_bytes());
    hasher.finish()
}

/// A number that depends only on a text.
pub fn hash_text(text: &str) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The seed of one scenario: different for every type and number.
pub fn scenario_seed(seed: u64, type_name: &str, number: u64) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(seed, 1);
    hasher.write(&number.to_le_bytes());
    hasher.write(type_name.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: ChoiceKey<'_> =
        ChoiceKey { facet: Facet::Value, path: "a[0].b", purpose: ChoicePurpose::Class };
    const MASK: ChoiceKey<'_> =
        ChoiceKey { facet: Facet::Unknown, path: "a[0].b", purpose: ChoicePurpose::Mask };

    #[test]
    fn what_was_decided_beforehand_wins_and_stays_in_the_domain() {
        let mut map = ChoiceMap::default();
        map.set(&CLASS, 5);
        let mut seeded = Seeded { seed: 1, map, variation: Variation::Typical };
        assert_eq!(seeded.pick(&CLASS, 10), 5);
        assert_eq!(seeded.pick(&CLASS, 3), 2);
    }

    #[test]
    fn the_function_of_seed_and_key_does_not_move() {
        // If these numbers change, every seed ever printed means different scenarios.
        assert_eq!(prf(7, &CLASS), 4_000_334_744_738_563_788);
        assert_eq!(scenario_seed(7, "acme_thing", 1), 15_760_933_343_137_217_862);
    }

    #[test]
    fn bytes_decide_until_they_run_out_and_what_they_decided_is_kept() {
        let mut drawn = Drawn::from_bytes(&[7]);
        assert_eq!(drawn.pick(&CLASS, 5), 2);
        assert_eq!(drawn.pick(&MASK, 2), 0);
        assert_eq!((drawn.pick(&CLASS, 5), drawn.map.n_decisions()), (2, 2));
        let mut seeded = Seeded { seed: 1, map: drawn.map.clone(), variation: Variation::Typical };
        assert_eq!((seeded.pick(&CLASS, 5), seeded.pick(&MASK, 2)), (2, 0));
        drawn.map.forget(0);
        assert_eq!((drawn.map.get(&CLASS), drawn.map.get(&MASK)), (None, Some(0)));
        drawn.map.forget(7);
        assert_eq!(drawn.map.n_decisions(), 1);
    }

    #[test]
    fn answers_are_read_again_from_their_bytes() {
        let domains = [1, 2, 255, 256, 257, 70_000, 1, u64::MAX, 3];
        for choices in [[0, 1, 254, 255, 256, 69_888, 0, 1 << 60, 0], [0; 9], [0, 0, 0, 0, 256, 0, 0, 0, 0]] {
            let question = |n: usize| Question { step: 0, place: n.to_string(), about: None };
            let answers: Vec<Answer> = (0..domains.len())
                .map(|n| Answer { question: question(n), domain: domains[n], choice: choices[n] })
                .collect();
            let bytes = bytes_of(&answers);
            let mut drawn = Drawn::from_bytes(&bytes);
            for (n, domain) in domains.into_iter().enumerate() {
                drawn.ask(&n.to_string(), None, domain);
            }
            assert_eq!(drawn.asked, answers);
        }
    }

    #[test]
    fn an_unusual_class_is_rare_and_every_one_occurs() {
        let mut seen = [0u32; 5];
        for seed in 0..2_000 {
            let mut seeded = Seeded { seed, map: ChoiceMap::default(), variation: Variation::Mixed };
            seen[seeded.pick(&CLASS, 5) as usize] += 1;
            assert!(seeded.pick(&MASK, 2) < 2);
        }
        assert!(seen[0] > 1_700 && seen.iter().all(|count| *count > 10), "{seen:?}");
    }
}
