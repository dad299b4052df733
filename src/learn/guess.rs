//! Guesses which resource an argument refers to.

use std::collections::BTreeSet;

use crate::generate::lesson::Lesson;
use crate::generate::ranking::words_of;

/// Which guesses a complaint is reason enough for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guess {
    /// Only if it says that something does not exist.
    Absent,
    /// Also if the names match, whatever it says: other values did not help.
    Refused,
}

/// A guess that no answer has confirmed.
#[derive(Debug)]
pub(super) struct OnTrial {
    pub path: String,
    /// What is to go away.
    pub because: Lesson,
}

impl OnTrial {
    /// Whether the complaint is still made. It holds another value now, so its words are compared.
    pub fn failed(&self, lessons: &[Lesson]) -> bool {
        let words = |lesson: &Lesson| -> BTreeSet<String> {
            let words = words_of(&lesson.template).into_iter();
            words.filter(|word| word.chars().all(char::is_alphabetic)).collect()
        };
        let complained = words(&self.because);
        let is_same = |lesson: &Lesson| {
            lesson.path.as_ref() == Some(&self.path) || complained.is_subset(&words(lesson))
        };
        lessons.is_empty() || lessons.iter().any(is_same)
    }
}
