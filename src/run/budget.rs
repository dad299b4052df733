//! A limit of time, shared fairly among types.

use std::time::{Duration, Instant};

/// What is left of the time of a run.
pub(super) struct Budget {
    end: Option<Instant>,
    /// Types that have not begun.
    waiting: usize,
}

impl Budget {
    /// `end` is when the time is over; `None` without a limit.
    pub fn new(end: Option<Instant>, n_types: usize) -> Budget {
        Budget { end, waiting: n_types }
    }

    /// The end of the next type's time, if it has one: what earlier types did not use is shared by all that
    /// are left.
    pub fn next_type(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let share = share(self.end?.saturating_duration_since(now), self.waiting);
        self.waiting = self.waiting.saturating_sub(1);
        Some(now + share)
    }

    /// What is left for types whose share did not suffice; half of it, if things are tried again afterwards. `None` if the
    /// time is over.
    pub fn rest(self, n_types: usize, are_tried_again: bool) -> Option<Budget> {
        let now = Instant::now();
        let end = self.end.filter(|end| *end > now)?;
        let end = if are_tried_again { now + (end - now) / 2 } else { end };
        Some(Budget::new(Some(end), n_types))
    }
}

fn share(left: Duration, n_types: usize) -> Duration {
    left / u32::try_from(n_types.max(1)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_type_does_not_use_goes_to_the_others() {
        let second = Duration::from_secs(1);
        assert_eq!(share(12 * second, 4), 3 * second);
        // The first used one of its three seconds.
        assert!(share(11 * second, 3) > 3 * second);
        assert_eq!(share(Duration::ZERO, 0), Duration::ZERO);
    }

    #[test]
    fn without_a_limit_no_type_has_an_end() {
        assert_eq!(Budget::new(None, 3).next_type(), None);
        let mut budget = Budget::new(Some(Instant::now() + Duration::from_secs(60)), 2);
        let (first, second) = (budget.next_type().unwrap(), budget.next_type().unwrap());
        assert!(second > first && second <= budget.end.unwrap());
    }

    #[test]
    fn what_types_left_is_for_those_whose_share_did_not_suffice() {
        let end = Instant::now() + Duration::from_secs(60);
        let budget = || Budget::new(Some(end), 2);
        let all = budget().rest(1, false).unwrap();
        assert_eq!((all.end, all.waiting), (Some(end), 1));
        let half = budget().rest(1, true).unwrap().end.unwrap();
        assert!(half < end - Duration::from_secs(20) && half > end - Duration::from_secs(40));
        assert!(Budget::new(Some(Instant::now()), 2).rest(1, false).is_none());
    }
}
