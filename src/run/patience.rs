//! How long our own work on a transcript may take.

use std::time::{Duration, Instant};

use super::Interruption;

/// Judging takes milliseconds, and seconds for the schema of a large provider.
const LIMIT: Duration = Duration::from_secs(120);
/// The same once the run was interrupted: what can be judged quickly still is.
const LIMIT_WHEN_INTERRUPTED: Duration = Duration::from_secs(1);

/// The time that is left for work on a transcript.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    began: Instant,
    interruption: Interruption,
}

impl Patience {
    /// Starts the clock.
    pub fn new(interruption: &Interruption) -> Patience {
        Patience { began: Instant::now(), interruption: interruption.clone() }
    }

    pub fn is_over(&self) -> bool {
        let worked = self.began.elapsed();
        worked > LIMIT || (worked > LIMIT_WHEN_INTERRUPTED && self.interruption.is_set())
    }
}
