//! How long our own work on a transcript may take.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::Interruption;
use super::clock::Deadline;

/// Judging takes milliseconds, and seconds for the schema of a large provider.
const LIMIT: Duration = Duration::from_secs(120);
/// The same once the run was interrupted, or its time is over: what can be judged quickly still is.
const LIMIT_AT_THE_END: Duration = Duration::from_secs(1);

/// The clock is read for one question in so many: each rule asks about each call, and most rules take less time than
/// reading the clock.
const READ_EVERY: u32 = 4;

/// The time that is left for work on a transcript.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    began: Instant,
    interruption: Interruption,
    deadline: Deadline,
    n_asked: Cell<u32>,
}

impl Patience {
    /// Starts the clock.
    pub fn new(interruption: &Interruption, deadline: Deadline) -> Patience {
        let interruption = interruption.clone();
        Patience { began: Instant::now(), interruption, deadline, n_asked: Cell::new(0) }
    }

    pub fn is_over(&self) -> bool {
        let (n_asked, limit) = (self.n_asked.get(), self.limit());
        self.n_asked.set(n_asked.wrapping_add(1));
        let is_read = n_asked.is_multiple_of(READ_EVERY) || limit < LIMIT;
        is_read && self.began.elapsed() > limit
    }

    fn limit(&self) -> Duration {
        if self.interruption.is_set() || self.deadline.is_past() { LIMIT_AT_THE_END } else { LIMIT }
    }
}
