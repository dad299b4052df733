//! Scenarios that resemble another one, for coverage-guided fuzzers.

use std::collections::BTreeMap;

use super::Options;
use super::choices::{Answer, Drawn, Question, bytes_of, scenario_seed};
use super::draft::drawn;
use super::spec::TypeGenerator;
use crate::schema::{Kind, Schema};

/// Most answers that one mutation changes.
const MOST_CHANGES: u64 = 3;

/// Changes what bytes stand for, which are those of [`super::from_bytes`].
///
/// A changed byte moves the meaning of all bytes after it when it changes which decisions are asked for. Here the
/// answers are changed, each of which keeps the decision that it belongs to.
pub struct Mutator<'s> {
    generator: TypeGenerator<'s>,
}

impl<'s> Mutator<'s> {
    pub fn new(schema: &'s Schema, kind: Kind, type_name: &str, options: &Options) -> Mutator<'s> {
        Mutator { generator: TypeGenerator::new(schema, kind, type_name, options) }
    }

    /// The bytes with one to three decisions made another way, a third of them the simplest way.
    pub fn mutated(&self, bytes: &[u8], seed: u64) -> Vec<u8> {
        let roll = |n: u64| scenario_seed(seed, "mutation", n);
        let mut asked = self.asked(bytes);
        for change in 0..=roll(0) % MOST_CHANGES {
            let [which, how] = [1, 2].map(|n| roll(2 * change + n));
            let is_to_be_simplest = how % 3 == 0;
            let may_change = |answer: &&mut Answer| match is_to_be_simplest {
                true => answer.choice > 0,
                false => answer.domain > 1,
            };
            let mut may_change: Vec<&mut Answer> = asked.iter_mut().filter(may_change).collect();
            let n = may_change.len().max(1) as u64;
            let Some(answer) = may_change.get_mut((which % n) as usize) else { continue };
            answer.choice = match is_to_be_simplest {
                true => 0,
                false => (answer.choice + 1 + how / 3 % (answer.domain - 1)) % answer.domain,
            };
        }
        self.bytes(&answers(asked))
    }

    /// The bytes with all that others decide at or below one place in one of their steps, taken over into the same
    /// step, or into the last one if there are fewer. What they decide about the blocks around the place comes along, so
    /// that it is there.
    pub fn spliced(&self, bytes: &[u8], other: &[u8], seed: u64) -> Vec<u8> {
        let mut answers = answers(self.asked(bytes));
        let others = self.asked(other);
        let roll = |n: u64| scenario_seed(seed, "splice", n) as usize;
        let Some(Answer { question: Question { step: from, place, .. }, .. }) =
            others.get(roll(0) % others.len().max(1))
        else {
            return bytes.to_vec();
        };
        let n_ends = 1 + place.matches(['.', '[']).count();
        let end = place.match_indices(['.', '[']).nth(roll(1) % n_ends).map_or(place.len(), |(at, _)| at);
        let is_taken = |question: &Question, step: usize| {
            let place = &place[..end];
            question.step == step
                && (is_at_or_below(&question.place, place) || is_at_or_below(place, &question.place))
        };
        let last = answers.last_key_value().map_or(0, |(question, _)| question.step);
        let to = last.min(*from);
        answers.retain(|question, _| !is_taken(question, to));
        let taken = others.iter().filter(|answer| is_taken(&answer.question, *from));
        answers.extend(taken.map(|answer| (Question { step: to, ..answer.question.clone() }, answer.choice)));
        self.bytes(&answers)
    }

    fn asked(&self, bytes: &[u8]) -> Vec<Answer> {
        let mut choices = Drawn::from_bytes(bytes);
        drawn(&mut choices, &self.generator);
        choices.asked
    }

    /// What is asked where no answer is known is answered in the simplest way.
    fn bytes(&self, answers: &BTreeMap<Question, u64>) -> Vec<u8> {
        let mut choices = Drawn::from_answers(answers);
        drawn(&mut choices, &self.generator);
        bytes_of(&choices.asked)
    }
}

fn answers(asked: Vec<Answer>) -> BTreeMap<Question, u64> {
    asked.into_iter().map(|answer| (answer.question, answer.choice)).collect()
}

/// Both are paths with indexes.
fn is_at_or_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
