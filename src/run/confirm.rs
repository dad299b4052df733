//! Confirms findings before they are printed: plays one case of each group again, alone in new processes.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::RunError;
use super::audience::{Audience, Leftovers};
use super::clock::NO_TIME;
use super::lanes::Queue;
use super::stage::{Finished, Stage, Unplayed};
use super::start::Started;
use crate::lifecycle::End;
use crate::report::events::Event;
use crate::report::{Group, GroupKey, Replays};
use crate::rule::Level;
use crate::scenario::{Scenario, Words};
use crate::schema::Kind;
use crate::transcript::ScenarioLabel;

/// How often a case is played whose finding appears every time.
const CONFIRMING: u32 = 3;

/// How often a case is played whose finding does not appear every time.
const PLAYS: u32 = 5;

impl Stage {
    /// How often a finding must appear, without exception, to be confirmed.
    ///
    /// Once is enough for what is not shown in full, and for a case that leaves objects behind: each play would leave
    /// more of them.
    pub fn confirming(&self, is_shown: bool, label: &ScenarioLabel, leftovers: &Leftovers) -> u32 {
        if is_shown && !leftovers.has(label) { CONFIRMING } else { 1 }
    }

    /// Plays the cases of groups again, in the order of the groups, and sends how often each finding appeared. `shown` are the keys of the groups
    /// that are shown in full.
    ///
    /// A play counts for all groups with the same case. A finding that appears in the first three plays is confirmed;
    /// of any other, two more plays tell whether it is flaky. A case in which a call gets no answer in time is not
    /// played again for what has appeared by then, or it would cost a time limit each time.
    pub async fn confirm(
        &self,
        suspected: &[Group],
        shown: &BTreeSet<String>,
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) {
        let mut cases: Vec<(&ScenarioLabel, Vec<&Group>)> = Vec::new();
        for group in suspected {
            let label = &group.first.scenario;
            match cases.iter_mut().find(|(known, _)| *known == label) {
                Some((_, groups)) => groups.push(group),
                None => cases.push((label, vec![group])),
            }
        }
        let n_cut = Cell::new(0);
        let n_findings = cases.len();
        let queue = Queue::new(cases.into_iter().enumerate());
        let lane = || async {
            while let Some((n_done, (label, groups))) = queue.next() {
                audience.consumer.consume(Event::Confirming { n_done, n_findings });
                if self.deadline.is_over() {
                    n_cut.set(n_cut.get() + groups.len());
                    continue;
                }
                let is_shown = groups.iter().any(|group| shown.contains(&group.key()));
                self.confirm_case(label, groups, is_shown, started, audience, leftovers).await;
            }
        };
        self.in_lanes(lane).await;
        if n_cut.get() > 0 {
            let findings =
                if n_cut.get() == 1 { "1 finding was" } else { &format!("{} findings were", n_cut.get()) };
            audience.note(&format!("{findings} not confirmed: {NO_TIME}"));
        }
    }

    /// Plays one case again, and sends how often the findings of its groups appeared.
    async fn confirm_case(
        &self,
        label: &ScenarioLabel,
        groups: Vec<&Group>,
        is_shown: bool,
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) {
        let Some((kind, scenario)) = self.scenario_of(label) else { return };
        let mut confirming = self.confirming(is_shown, label, leftovers);
        let musts = groups.iter().filter(|group| group.level == Level::Must);
        let musts: BTreeSet<Vec<GroupKey>> = musts.map(|group| group.keys()).collect();
        // Whichever of its attributes breaks again, the finding appeared.
        let mut seen: BTreeMap<Vec<GroupKey>, u32> =
            groups.into_iter().map(|group| (group.keys(), 0)).collect();
        let mut of = 0;
        let send = |group: &[GroupKey], seen: u32, of: u32| {
            let replays = Replays { seen, of, beside: 0 };
            audience.consumer.consume(Event::Replayed { group: &group[0], replays });
        };
        while of < PLAYS && !self.is_over() {
            let words = leftovers.words(label);
            let finished = self.play_in_new_processes(kind, &scenario, started, words).await;
            let Ok(finished) = finished else { break };
            if matches!(finished.played.end, End::Lost { .. }) {
                break;
            }
            leftovers.learn(&finished);
            of += 1;
            let judged = audience.judged(&finished);
            let found: BTreeSet<GroupKey> = judged.findings().map(|finding| GroupKey::of(&finding)).collect();
            let is_seen = |group: &[GroupKey]| group.iter().any(|key| found.contains(key));
            seen.iter_mut().for_each(|(group, n)| *n += u32::from(is_seen(group)));
            let hung = finished.hung().is_some();
            if hung {
                confirming = 1;
            }
            seen.retain(|group, n| {
                let is_decided = if *n == of { of >= confirming } else { hung && *n > 0 };
                if is_decided {
                    send(group, *n, of);
                }
                !is_decided
            });
            if seen.is_empty() {
                break;
            }
        }
        seen.iter().filter(|_| of > 0).for_each(|(group, n)| send(group, *n, of));
        let unseen = seen.into_iter().filter(|(_, n)| *n == 0 && of == PLAYS).map(|(group, _)| group);
        for group in unseen.filter(|group| musts.contains(group)) {
            self.confirm_together(label, &group, started, audience, leftovers).await;
        }
    }

    /// Plays a scenario from its start in new processes, or in the one that the user started.
    ///
    /// Fails if the remote system is gone or cannot be reset.
    pub async fn play_in_new_processes(
        &self,
        kind: Kind,
        scenario: &Scenario,
        started: &Started,
        words: Words,
    ) -> Result<Finished, RunError> {
        let lost = |unplayed| match unplayed {
            Unplayed::Remote(why) | Unplayed::Defect(why) => RunError::Lost(why),
            Unplayed::Late => RunError::Late,
        };
        self.reset_remote().await.map_err(RunError::Lost)?;
        if !self.options.program.is_started_again() {
            return self.play_alone(kind, scenario.clone(), &started.pool, words).await.map_err(lost);
        }
        let pools = started.pools();
        let pool = pools.own();
        let finished = self.play_alone(kind, scenario.clone(), &pool, words).await;
        pools.end(&pool).await;
        finished.map_err(lost)
    }

    /// Resets the remote system, unless every play does; fails with a message.
    pub async fn reset_remote(&self) -> Result<(), String> {
        match self.remote.as_ref().filter(|remote| !remote.is_reset_each_time()) {
            Some(remote) => remote.reset().await,
            None => Ok(()),
        }
    }

    /// The scenario with a label; `None` if the label is of calls that no scenario made.
    pub fn scenario_of(&self, label: &ScenarioLabel) -> Option<(Kind, Scenario)> {
        if let Some(question) = self.lessons.questions.get(label) {
            return Some(question.clone());
        }
        let kinds = super::PLAYED.into_iter();
        let found = |kind| {
            let nth = (label.number as usize).checked_sub(1)?;
            let scenario = self.all_scenarios(kind, &label.type_name).nth(nth)?;
            (scenario.label == *label).then_some((kind, scenario))
        };
        kinds.filter_map(found).next()
    }
}
