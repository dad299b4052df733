//! The questions that a provider was asked in the search for configurations.

use std::sync::{Arc, Mutex, PoisonError};

use crate::learn::Answer;
use crate::scenario::Scenario;
use crate::schema::Kind;

/// A configuration that the provider was asked about, without secrets, and what it answered, which may have some.
#[derive(Clone, Debug)]
pub struct Question {
    pub kind: Kind,
    pub type_name: String,
    pub scenario: Scenario,
    pub answer: Answer,
}

/// The questions of a run, in the order in which they were answered.
#[derive(Clone, Default)]
pub(super) struct Questions(Arc<Mutex<Vec<Question>>>);

impl Questions {
    pub fn add(&self, question: Question) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(question);
    }

    pub fn take(&self) -> Vec<Question> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
