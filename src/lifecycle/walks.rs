//! Which walk of a scenario each exchange was made in.

use std::ops::Range;

use super::task::Task;
use crate::engine::defects::EngineDefect;

/// One walk over a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The run of the scenario, counted from 0; the number of its runs where what is left is destroyed.
    pub run: usize,
    /// Counted from 1 over the scenario: a run is attempted more than once if some of its values are unknown.
    pub attempt: usize,
    pub task: Task,
    /// Whether upstream results were known from the start.
    pub is_resolved: bool,
    /// What keeps the engine from doing it as it was planned.
    pub defect: Option<&'static EngineDefect>,
    /// The positions of its exchanges in the transcript.
    pub exchanges: Range<usize>,
}

/// A vertex of one of a scenario's walks, by rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    pub walk: u32,
    pub vertex: u32,
}

/// Fills in the exchanges of each walk; `spots` are those of all exchanges, sorted.
pub(super) fn number(walks: &mut [Walk], spots: &[Spot]) {
    for (number, walk) in (1..).zip(walks) {
        let before = |than: u32| spots.partition_point(|spot| spot.walk < than);
        walk.exchanges = before(number)..before(number + 1);
    }
}
