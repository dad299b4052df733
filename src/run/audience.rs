//! Who is told what happened, and what is remembered of it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// The scenarios whose objects may still exist: by type, kind and number, how often they were played since.
#[derive(Default)]
pub(super) struct Leftovers(Mutex<BTreeMap<(String, String, u32), u32>>);

impl Leftovers {
    fn known(&self) -> MutexGuard<'_, BTreeMap<(String, String, u32), u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn learn(&self, finished: &Finished) {
        if finished.played.leaves_something {
            self.known().entry(key(&finished.scenario.label)).or_default();
        }
    }

    pub fn has(&self, label: &ScenarioLabel) -> bool {
        self.known().contains_key(&key(label))
    }

    /// Whether there are no more words than the last plays of a scenario need.
    pub fn is_spent(&self, label: &ScenarioLabel) -> bool {
        self.known().get(&key(label)).is_some_and(|n_plays| *n_plays >= MOST_PLAYS)
    }

    /// The words of the next play of a scenario: its names are not used again if its objects may be left.
    pub fn words(&self, label: &ScenarioLabel) -> Words {
        let mut known = self.known();
        let Some(n_plays) = known.get_mut(&key(label)) else { return Words::OWN };
        *n_plays += 1;
        // The first other words are those of scenarios that are played alone.
        Words::of_play(*n_plays)
    }
}

/// How often a scenario that leaves objects may be played before its last plays, which confirm its findings.
const MOST_PLAYS: u32 = 12;

fn key(label: &ScenarioLabel) -> (String, String, u32) {
    (label.type_name.clone(), label.kind.clone(), label.number)
}
