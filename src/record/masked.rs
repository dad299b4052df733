//! What may be kept: the type that tells the compiler that secrets were replaced.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// Something in which every secret was replaced. Only masking creates one; one that is read was masked when
/// it was written.
///
/// Everything that outlives the judgement of a transcript (reports, cases, transcripts, snapshots, notes)
/// is built from these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Masked<T>(T);

impl<T> Masked<T> {
    pub(super) fn new(masked: T) -> Masked<T> {
        Masked(masked)
    }

    /// For samples, which hold no secrets.
    #[cfg(test)]
    pub(crate) fn sample(harmless: T) -> Masked<T> {
        Masked(harmless)
    }

    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Masked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Display> fmt::Display for Masked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
