//! Who is told what happened, and what is remembered of it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::stage::{Finished, Outcome, Unplayed};
use super::type_start::TypeStart;
use crate::record::{MaskedJudgement, Masker, RunSettings};
use crate::report::events::{Consumer, Event, send_judged};
use crate::scenario::Words;
use crate::transcript::ScenarioLabel;

/// Where what happened is sent.
pub(super) struct Audience<'a> {
    pub settings: &'a RunSettings,
    pub masker: &'a Masker,
    pub consumer: &'a dyn Consumer,
}

const LATE: &str =
    "not ended when the time of the run (--max-time) was over; they may have left objects behind";

impl Audience<'_> {
    /// Tells something about the run as a whole.
    pub fn note(&self, note: &str) {
        self.consumer.consume(Event::Note(&self.masker.shown(note)));
    }

    /// Tells what the scenarios of a type are to meet.
    pub fn start_type(&self, start: &TypeStart) {
        let TypeStart { key: (kind, type_name), obligations, infeasible, learning } = start;
        let (kind, learning) = (*kind, *learning);
        self.consumer.consume(Event::TypeStarted { kind, type_name, obligations, infeasible, learning });
    }

    /// What may be told of a scenario.
    pub fn judged<'f>(&'f self, finished: &'f Finished) -> MaskedJudgement<'f> {
        let Finished { kind, scenario, played, judgement } = finished;
        MaskedJudgement::of_played(self.masker, (*kind, scenario, played), judgement, self.settings)
    }

    /// Sends the events of a scenario that has ended.
    pub fn send(&self, outcome: &Outcome, leftovers: &Leftovers) {
        match outcome {
            Ok(finished) => {
                leftovers.learn(finished);
                send_judged(&self.judged(finished), self.consumer);
            }
            Err(Unplayed::Defect(defect)) => {
                self.consumer.consume(Event::Defect { message: &self.masker.shown(defect) });
            }
            Err(Unplayed::Remote(why)) => {
                self.consumer.consume(Event::NotJudged { why: &self.masker.shown(why), is_lost: true });
            }
            Err(Unplayed::Late) => {
                self.consumer.consume(Event::NotJudged { why: &self.masker.shown(LATE), is_lost: false });
            }
        }
    }
}

/// Which scenarios were played, and whether their objects may still exist.
#[derive(Default)]
pub(super) struct Leftovers {
    known: Mutex<BTreeMap<Place, Plays>>,
    /// The number of the first words.
    first: u32,
}

/// A scenario by type, kind and number.
type Place = (String, String, u32);

#[derive(Clone, Copy, Default)]
struct Plays {
    /// How often it was played again.
    again: u32,
    /// Whether it may have left objects.
    leaves_something: bool,
}

impl Leftovers {
    /// Of scenarios that an earlier run has played, nobody knows how often.
    pub fn of_earlier_runs() -> Leftovers {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Leftovers { first: now.subsec_micros().wrapping_add(std::process::id()), ..Leftovers::default() }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Place, Plays>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn learn(&self, finished: &Finished) {
        if finished.played.leaves_something {
            self.known().entry(key(&finished.scenario.label)).or_default().leaves_something = true;
        }
    }

    pub fn has(&self, label: &ScenarioLabel) -> bool {
        self.known().get(&key(label)).is_some_and(|plays| plays.leaves_something)
    }

    /// Whether a scenario that leaves objects was played so often that only its last plays, which confirm its
    /// findings, are worth more of them.
    pub fn is_spent(&self, label: &ScenarioLabel) -> bool {
        let is_spent = |plays: &Plays| plays.leaves_something && plays.again >= MOST_PLAYS;
        self.known().get(&key(label)).is_some_and(is_spent)
    }

    /// The words of the next play of a scenario that was played before: names are used once, because objects of any
    /// play may be left.
    pub fn words(&self, label: &ScenarioLabel) -> Words {
        let mut known = self.known();
        let plays = known.entry(key(label)).or_default();
        plays.again += 1;
        // The first other words are those of scenarios that are played alone.
        Words::of_play(self.first.wrapping_add(plays.again))
    }
}

/// How often a scenario that leaves objects may be played again.
const MOST_PLAYS: u32 = 12;

fn key(label: &ScenarioLabel) -> Place {
    (label.type_name.clone(), label.kind.clone(), label.number)
}
