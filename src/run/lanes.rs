//! Plays some cases at the same time, each in processes of its own.

use std::cell::RefCell;
use std::future::Future;

use futures_util::future::join_all;

use super::stage::Stage;

/// How many cases are played at the same time at most: their processes take memory.
const LANES: usize = 2;

/// What is still to be done, for all lanes.
pub(super) struct Queue<I>(RefCell<I>);

impl<I: Iterator> Queue<I> {
    pub fn new(items: I) -> Queue<I> {
        Queue(RefCell::new(items))
    }

    /// Nothing is borrowed while the item is worked on.
    pub fn next(&self) -> Option<I::Item> {
        self.0.borrow_mut().next()
    }
}

impl Stage {
    /// Works in several lanes, or in one where objects are created: plays could meet, or reset each other's remote
    /// system.
    pub async fn in_lanes<F: Future<Output = ()>>(&self, lane: impl Fn() -> F) {
        let n_lanes = match self.remote.is_none() && !self.options.apply {
            true => LANES.min(self.options.jobs),
            false => 1,
        };
        join_all((0..n_lanes).map(|_| lane())).await;
    }
}
