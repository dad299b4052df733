//! Makes the cases of findings smaller, before they are printed.

use std::collections::BTreeSet;

use super::RunError;
use super::audience::{Audience, Leftovers};
use super::clock::NO_TIME;
use super::lanes::Queue;
use super::stage::{Finished, Stage, Unplayed};
use super::start::Started;
use crate::generate::Usual;
use crate::lifecycle::{End, Played};
use crate::provider::pool::Pool;
use crate::record::MaskedJudgement;
use crate::report::events::Event;
use crate::report::{Confirmation, Effort, Group, GroupKey, Replays};
use crate::rule::{Level, RuleId};
use crate::rules::rpc::answers_in_time;
use crate::rules::validate::accepts_examples;
use crate::scenario::{Scenario, Words};
use crate::schema::Kind;
use crate::shrink::{About, Clue, candidates, guesses};
use crate::transcript::ScenarioLabel;

/// Rules whose findings stay with their scenarios: each try costs a whole time limit, and an example is what it is.
const KEPT: [RuleId; 2] = [answers_in_time::RULE.id, accepts_examples::RULE.id];

/// How many processes may end while a case is made smaller.
const MAX_CRASHES: usize = 5;

/// The share of the tries that is left where objects live outside of the provider, as a divisor.
const OUTSIDE: usize = 4;

/// The most tries for a case that is kept, and not shown.
const UNSHOWN: usize = 6;

/// A finding, wherever it appears: one of its attributes, at its level or above.
struct Wanted {
    keys: Vec<GroupKey>,
    level: Level,
}

/// One search for a smaller case.
struct Search<'s> {
    stage: &'s Stage,
    kind: Kind,
    wanted: &'s Wanted,
    pool: &'s Pool<RunError>,
    /// The scenarios that were played, as JSON.
    seen: BTreeSet<String>,
    /// How many scenarios may be tried.
    most: usize,
    effort: Effort,
    n_crashes: usize,
    is_over: bool,
}

impl Stage {
    /// Makes the cases of groups smaller, confirms the smallest ones, and sends them.
    ///
    /// What follows from other findings is left alone: its case is not shown. So is what did not appear again. `shown`
    /// are the keys of the groups that are shown in full.
    pub async fn shrink(
        &self,
        replayed: Vec<Group>,
        shown: &BTreeSet<String>,
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) {
        if self.options.shrink == 0 || self.is_over() {
            return;
        }
        let n_findings = replayed.len();
        let queue = Queue::new(replayed.into_iter().enumerate());
        let lane = || async {
            // Started for all cases together: a large provider takes seconds to start.
            let pools = started.pools();
            let pool = pools.own();
            while let Some((n_done, group)) = queue.next() {
                audience.consumer.consume(Event::Confirming { n_done, n_findings });
                let is_shown = shown.contains(&group.key());
                let smaller = self.smaller_case(&group, is_shown, &pool, audience, leftovers).await;
                if let Some(smaller) = smaller {
                    self.send_if_confirmed(&group, is_shown, smaller, started, audience, leftovers).await;
                }
            }
            pools.end(&pool).await;
        };
        self.in_lanes(lane).await;
        if self.deadline.is_over() {
            audience.note(&format!("cases may not be as small as they can be: {NO_TIME}"));
        }
    }

    /// The smallest case that was found, and the effort that it took; `None` if none is smaller.
    async fn smaller_case(
        &self,
        group: &Group,
        is_shown: bool,
        pool: &Pool<RunError>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Option<(Kind, Scenario, Effort)> {
        let label = &group.first.scenario;
        // Every try would leave another object behind.
        let is_littering = self.options.has_outside && leftovers.has(label);
        let is_refuted = confirmation(group) == Some(Confirmation::Unconfirmed)
            || group.replays.is_some_and(|replays| replays.beside > 0);
        if KEPT.contains(&group.rule.id) || group.follows.is_some() || is_littering || is_refuted {
            return None;
        }
        let (kind, scenario) = self.scenario_of(label)?;
        let schema = &self.subject.schema;
        let of_type = schema.get(kind, &label.type_name)?;
        let how = self.informed_generation(kind, &label.type_name);
        let about = About {
            schema,
            kind,
            type_name: label.type_name.clone(),
            usual: Usual::of(of_type, kind, &label.type_name, &how, label.number),
            clue: clue(group),
        };
        let wanted = Wanted::of(group);
        let start = Scenario { label: shrunk(label), ..scenario };
        let mut search = Search {
            stage: self,
            kind,
            wanted: &wanted,
            pool,
            seen: BTreeSet::new(),
            most: self.tries(is_shown),
            effort: Effort::default(),
            n_crashes: 0,
            is_over: false,
        };
        let start = search.by_parts(start, leftovers).await;
        let smallest = search.smallest(&start, &about, audience, leftovers).await?;
        Some((kind, smallest, search.effort))
    }

    /// How many scenarios may be tried for a finding.
    fn tries(&self, is_shown: bool) -> usize {
        // Where objects live outside of the provider, each try takes time there, and may cost money.
        let most = if self.options.apply && self.options.has_outside {
            self.options.shrink.div_ceil(OUTSIDE)
        } else {
            self.options.shrink
        };
        if is_shown { most } else { most.min(UNSHOWN) }
    }

    /// Plays the smallest case in new processes, and sends it if the finding is there without exception: once for a finding
    /// that is confirmed, or if a call gets no answer in time, or each play would cost a time limit.
    async fn send_if_confirmed(
        &self,
        group: &Group,
        is_shown: bool,
        (kind, smallest, effort): (Kind, Scenario, Effort),
        started: &Started,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) {
        let (wanted, smallest) = (Wanted::of(group), &smallest);
        let is_confirmed = confirmation(group) == Some(Confirmation::Confirmed);
        let confirming = match is_confirmed {
            true => 1,
            false => self.confirming(is_shown, &group.first.scenario, leftovers),
        };
        let mut of = 0;
        let mut first = None;
        while of < confirming && !(of > 0 && self.is_over()) {
            let words = leftovers.words(&smallest.label);
            let Ok(finished) = self.play_in_new_processes(kind, smallest, started, words).await else {
                break;
            };
            leftovers.learn(&finished);
            if !wanted.is_in(&audience.judged(&finished)) {
                return;
            }
            of += 1;
            let hung = finished.hung().is_some();
            first.get_or_insert(finished);
            if hung {
                break;
            }
        }
        let Some(first) = first else { return };
        let judged = audience.judged(&first);
        let group = &wanted.keys[..];
        audience.consumer.consume(Event::Shrunk { group, judged: &judged, effort });
        if !is_confirmed {
            let replays = Replays { seen: of, of, beside: 0 };
            audience.consumer.consume(Event::Replayed { group: &group[0], replays });
        }
    }
}

impl Search<'_> {
    /// The scenario with the parts in which its runs were played, if it has any: what a finding of a part needs is
    /// not in the run that was refused.
    async fn by_parts(&mut self, start: Scenario, leftovers: &Leftovers) -> Scenario {
        if start.runs.iter().all(|run| run.parts.is_empty()) {
            return start;
        }
        match self.tried(&start, leftovers).await {
            Some(Finished { played: Played { by_parts: Some(by_parts), .. }, .. }) => by_parts,
            _ => start,
        }
    }

    /// The smallest scenario that shows the finding, as far as the tries suffice; `None` if it is the first one.
    async fn smallest(
        &mut self,
        start: &Scenario,
        about: &About<'_>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Option<Scenario> {
        let mut smallest = self.first(guesses(start, about), audience, leftovers).await;
        loop {
            let best = smallest.as_ref().unwrap_or(start);
            match self.first(candidates(best, about), audience, leftovers).await {
                Some(smaller) => smallest = Some(smaller),
                None => return smallest,
            }
        }
    }

    /// The first scenario that shows the finding.
    async fn first(
        &mut self,
        scenarios: impl Iterator<Item = Scenario>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Option<Scenario> {
        for scenario in scenarios {
            if self.effort.tries >= self.most || self.is_over || self.stage.is_over() {
                return None;
            }
            let written = serde_json::to_string(&scenario.runs).unwrap_or_default();
            if self.seen.insert(written) && self.shows(&scenario, audience, leftovers).await {
                return Some(scenario);
            }
        }
        None
    }

    async fn shows(&mut self, scenario: &Scenario, audience: &Audience<'_>, leftovers: &Leftovers) -> bool {
        let tried = self.tried(scenario, leftovers).await;
        tried.is_some_and(|finished| self.wanted.is_in(&audience.judged(&finished)))
    }

    /// Plays a scenario; `None` if it has no result.
    async fn tried(&mut self, scenario: &Scenario, leftovers: &Leftovers) -> Option<Finished> {
        let words = leftovers.words(&scenario.label);
        let Ok(finished) = self.play(scenario, words).await else {
            self.is_over = true;
            return None;
        };
        leftovers.learn(&finished);
        self.effort.tries += 1;
        self.effort.calls += finished.played.transcript.exchanges.len();
        self.n_crashes += usize::from(finished.crashed());
        let litters = self.stage.options.has_outside && finished.played.leaves_something;
        self.is_over |= litters
            || leftovers.is_spent(&scenario.label)
            || self.n_crashes >= MAX_CRASHES
            || matches!(finished.played.end, End::Lost { .. })
            || finished.hung().is_some();
        Some(finished)
    }

    async fn play(&self, scenario: &Scenario, words: Words) -> Result<Finished, Unplayed> {
        let stage = self.stage;
        stage.reset_remote().await.map_err(Unplayed::Remote)?;
        stage.play_alone(self.kind, scenario.clone(), self.pool, words).await
    }
}

fn confirmation(group: &Group) -> Option<Confirmation> {
    group.replays.map(Replays::confirmation)
}

impl Wanted {
    fn of(group: &Group) -> Wanted {
        Wanted { keys: group.keys(), level: group.first.level }
    }

    fn is_in(&self, judged: &MaskedJudgement<'_>) -> bool {
        let is_it = |key: GroupKey, level: Level| level >= self.level && self.keys.contains(&key);
        judged.findings().any(|finding| is_it(GroupKey::of(&finding), finding.level()))
    }
}

fn clue(group: &Group) -> Clue {
    let first = &group.first;
    let in_first = group.attributes.iter().filter(|(_, broken)| broken.is_in(first));
    Clue {
        phase: first.phase,
        rpc: first.rpc.clone(),
        paths: in_first.map(|(path, _)| path.clone()).collect(),
        run: first.found_in.run,
        has_unknowns: first.found_in.has_unknowns,
        altered: first.altered.clone(),
    }
}

/// The label of a scenario that was made smaller.
fn shrunk(label: &ScenarioLabel) -> ScenarioLabel {
    let about = match label.about.as_str() {
        "" => "made smaller".to_owned(),
        about => format!("{about}, made smaller"),
    };
    // Less than an example is none.
    ScenarioLabel { about, example: None, ..label.clone() }
}
