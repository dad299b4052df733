//! Who is told what happened, and what is remembered of it.

use std::collections::BTreeSet;

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

    /// Sends the events of a scenario that has ended.
    pub fn send(&self, outcome: &Outcome, leftovers: &mut Leftovers) {
        match outcome {
            Ok(finished) => {
                let Finished { kind, scenario, played, judgement } = finished;
                leftovers.learn(finished);
                let played = (*kind, scenario, played);
                let judged = MaskedJudgement::of_played(self.masker, played, judgement, self.settings);
                send_judged(&judged, self.consumer);
            }
            Err(Unplayed::Defect(defect)) => {
                self.consumer.consume(Event::Defect { message: &self.masker.shown(defect) });
            }
            Err(Unplayed::Remote(why)) => {
                self.consumer.consume(Event::NotJudged { why: &self.masker.shown(why) });
            }
        }
    }
}

/// The scenarios whose objects may still exist.
#[derive(Default)]
pub(super) struct Leftovers(BTreeSet<ScenarioLabel>);

impl Leftovers {
    pub fn learn(&mut self, finished: &Finished) {
        if finished.played.leaves_something {
            self.0.insert(finished.scenario.label.clone());
        }
    }

    /// The words of the n-th play of a scenario: its names are not used again if its objects may be left.
    pub fn words(&self, label: &ScenarioLabel, nth: u32) -> Words {
        // The first other words are those of scenarios that are played alone.
        if self.0.contains(label) { Words::of_play(1 + nth) } else { Words::OWN }
    }
}
