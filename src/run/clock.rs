//! The time of a run, shared among its parts.

use std::time::{Duration, Instant};

/// Why something was not done.
pub(super) const NO_TIME: &str = "the time of the run (--max-time) did not suffice";

/// A part of a run. Each takes what the ones before it left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Search,
    Play,
    Confirm,
    Shrink,
}

/// The time of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    began: Instant,
    /// `None` is as long as it takes.
    most: Option<Duration>,
}

/// The search ends after this share of the time, as a divisor.
const SEARCH: u32 = 3;
/// The last share of the time is for confirming and shrinking, as a divisor, but not more than [`LONGEST_END`].
const END: u32 = 4;
const LONGEST_END: Duration = Duration::from_secs(10 * 60);
/// The share of that which shrinking has to itself, as a divisor.
const SHRINK: u32 = 3;

/// How long a part waits for what is in flight when its time is over: a share of the run's time, as a divisor.
const GRACE: u32 = 20;
const LONGEST_GRACE: Duration = Duration::from_secs(10);

/// How much longer than the whole run a provider may take to start: with a limit of a second, too, it is worth waiting for.
const LONGEST_START: Duration = Duration::from_secs(5);

impl Clock {
    pub fn new(began: Instant, most: Option<Duration>) -> Clock {
        Clock { began, most }
    }

    /// When the provider must be ready.
    pub fn start(self) -> Deadline {
        let last = self.most.and_then(|most| self.began.checked_add(most.saturating_add(LONGEST_START)));
        Deadline { end: last, last }
    }

    /// When a part is over.
    pub fn deadline(self, part: Part) -> Deadline {
        let Some(most) = self.most else { return Deadline::default() };
        let end = (most / END).min(LONGEST_END);
        let after = match part {
            Part::Search => most / SEARCH,
            Part::Play => most - end,
            Part::Confirm => most - end / SHRINK,
            Part::Shrink => most,
        };
        // A limit that no clock can express is none.
        let at = self.began.checked_add(after);
        let grace = (most / GRACE).min(LONGEST_GRACE);
        Deadline { end: at, last: at.and_then(|at| at.checked_add(grace)) }
    }
}

/// When a part of a run is over; the default is never.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deadline {
    /// Nothing is started any more.
    end: Option<Instant>,
    /// Nothing is waited for any more.
    last: Option<Instant>,
}

impl Deadline {
    pub fn end(self) -> Option<Instant> {
        self.end
    }

    pub fn is_over(self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The result of some work, or nothing if that is still not done when nothing is waited for any more.
    pub async fn limit<T>(self, work: impl Future<Output = T>) -> Option<T> {
        match self.last {
            Some(last) => tokio::time::timeout_at(last.into(), work).await.ok(),
            None => Some(work.await),
        }
    }

    /// Whether nothing is waited for any more.
    pub fn is_past(self) -> bool {
        self.last.is_some_and(|last| Instant::now() >= last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: [Part; 4] = [Part::Search, Part::Play, Part::Confirm, Part::Shrink];

    #[test]
    fn every_part_has_a_share_and_the_last_ends_in_time() {
        let began = Instant::now();
        for seconds in [1, 60, 480, 8 * 3600] {
            let most = Duration::from_secs(seconds);
            let clock = Clock::new(began, Some(most));
            let ends = PARTS.map(|part| clock.deadline(part).end.unwrap() - began);
            assert!(ends.is_sorted() && ends[3] == most, "{ends:?}");
            let last = clock.deadline(Part::Shrink).last.unwrap() - began;
            assert!(last > most && last < most + most / 10 + Duration::from_secs(10), "{last:?}");
            assert!(ends[3] - ends[1] <= LONGEST_END, "{ends:?}");
        }
    }

    #[test]
    fn without_a_limit_no_part_is_ever_over() {
        for most in [None, Some(Duration::MAX)] {
            let clock = Clock::new(Instant::now(), most);
            assert!(PARTS.iter().all(|part| !clock.deadline(*part).is_over()));
        }
    }
}
