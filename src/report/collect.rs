//! Collects events into a report.

use std::cell::RefCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::coverage::{self, Ledger};
use super::events::{Consumer, Event};
use super::group::{Group, GroupKey, Occurrence, first_in};
use super::merge::in_reading_order;
use super::{Broken, Effort, Refusal, Report, RunLine, Totals, TypeLine};
use crate::generate::obligation::Obligation;
use crate::record::{Ended, Evidence, Masked, MaskedFinding, MaskedJudgement, Obstacle, Stop};
use crate::rule::{Level, Rule, RuleId};
use crate::rules::CATALOGUE;
use crate::scenario::ObligationId;
use crate::schema::Kind;
use crate::transcript::ScenarioLabel;

/// The report being built. It does not depend on the order in which scenarios end.
pub struct Collector(RefCell<State>);

#[derive(Default)]
struct State {
    report: Report,
    /// Whether findings come with the calls of their step.
    shows_calls: bool,
    groups: BTreeMap<GroupKey, Group>,
    /// IDs become strings only at the end: there are hundreds of verdicts for each call.
    rules: BTreeMap<RuleId, crate::judge::Tally>,
    inconclusive: BTreeMap<(RuleId, String), u64>,
    types: BTreeMap<(Kind, String), TypeLine>,
    ledgers: BTreeMap<(Kind, String), Ledger>,
    /// Each with the number of scenarios.
    refusals: BTreeMap<Refusal, u64>,
}

impl Collector {
    /// `nothing_applied` is why objects are neither created nor read.
    pub fn new(run: RunLine, nothing_applied: Option<String>) -> Collector {
        let mut report = Report { run, nothing_applied, ..Report::default() };
        if let Some(why) = &report.nothing_applied {
            report.notes.say(why.clone());
        }
        Collector(RefCell::new(State { report, ..State::default() }))
    }

    /// The same, of a run in which nothing is applied only because of the sandbox, if `sandbox_failed`.
    #[must_use]
    pub fn with_sandbox(self, sandbox_failed: bool) -> Collector {
        self.0.borrow_mut().report.sandbox_failed = sandbox_failed;
        self
    }

    /// The same, in which findings come with the calls of their step if `shows_calls`.
    #[must_use]
    pub fn with_calls(self, shows_calls: bool) -> Collector {
        self.0.borrow_mut().shows_calls = shows_calls;
        self
    }

    /// The groups that fail a run with this `fail_on`, and what follows from what.
    pub fn failing(&self, fail_on: Level) -> Vec<Group> {
        let mut groups = in_reading_order(self.0.borrow().groups.values().cloned().collect());
        groups.retain(|group| group.fails(fail_on));
        groups
    }

    /// The obligations of each type that were not reached because of an obstacle.
    pub fn unreached(
        &self,
        obstacle: Obstacle,
    ) -> BTreeMap<(Kind, String), HashMap<Obligation, ObligationId>> {
        let of = |(key, ledger): (&(Kind, String), &Ledger)| {
            let unreached = ledger.unreached(obstacle).into_iter();
            let unreached = unreached.map(|(obligation, id)| (obligation.clone(), id));
            (key.clone(), unreached.collect::<HashMap<_, _>>())
        };
        self.0.borrow().ledgers.iter().map(of).filter(|(_, unreached)| !unreached.is_empty()).collect()
    }

    /// The report of all events; `measure` adds what a run measures.
    pub fn into_report(self, measure: impl FnOnce(&mut Totals)) -> Report {
        let State { mut report, groups, rules, inconclusive, types, ledgers, refusals, .. } =
            self.0.into_inner();
        report.groups = groups.into_values().collect();
        report.per_type = types.into_values().collect();
        report.coverage = coverage::of(ledgers);
        let refusals = refusals.into_iter().map(|(refusal, scenarios)| Refusal { scenarios, ..refusal });
        report.refusals = refusals.collect();
        for ((rule, reason), count) in inconclusive {
            report.inconclusive.entry(rule.to_owned()).or_default().insert(reason, count);
        }
        let silent = CATALOGUE.iter().map(|rule| (rule.id.to_owned(), Default::default()));
        report.totals.rules = silent.collect();
        report.totals.rules.extend(rules.into_iter().map(|(id, tally)| (id.to_owned(), tally)));
        measure(&mut report.totals);
        report.settle();
        report
    }
}

impl Consumer for Collector {
    fn consume(&self, event: Event<'_>) {
        let mut state = self.0.borrow_mut();
        match event {
            Event::TypeStarted { kind, type_name, obligations, infeasible, learning } => {
                let infeasible =
                    infeasible.iter().map(|(obligation, why)| (obligation.clone(), (*why).to_owned()));
                let ledger = Ledger::new(obligations.to_vec(), infeasible.collect(), learning);
                state.ledgers.insert((kind, type_name.to_owned()), ledger);
            }
            Event::Judged(judged) => state.judged(judged),
            Event::Finding(finding) => state.found(finding),
            Event::ScenarioFinished(judged) => state.finished(judged),
            Event::Shrunk { group, judged, effort } => state.shrunk(group, judged, effort),
            Event::Replayed { group, replays } => {
                if let Some(group) = state.groups.get_mut(group) {
                    group.replays = Some(replays);
                }
            }
            Event::Crash { rule, cause, evidence } => state.crashed(rule, cause, evidence),
            Event::Defect { message } => {
                state.report.totals.defects += 1;
                let note = format!("a scenario was stopped by a bug in tfconform: {message}");
                state.report.notes.say(note);
            }
            Event::NotJudged { why, is_lost } => {
                state.report.totals.is_lost |= is_lost;
                state.report.notes.not_judged(why, 1);
            }
            Event::Note(note) => state.report.notes.say(note.to_string()),
            Event::Unusable => state.report.unusable = true,
            Event::RunStarted { .. }
            | Event::ShowingStarted { .. }
            | Event::NeedsBeside { .. }
            | Event::Learning { .. }
            | Event::Confirming { .. }
            | Event::Shown { .. }
            | Event::PlayEnded
            | Event::RunEnded(_)
            | Event::Concluded { .. } => {}
        }
    }
}

impl State {
    fn judged(&mut self, judged: &MaskedJudgement<'_>) {
        let judgement = judged.judgement();
        for (rule, tally) in &judgement.tallies {
            self.rules.entry(rule.id).or_default().merge(*tally);
        }
        for (rule, reason, count) in judged.inconclusive() {
            *self.inconclusive.entry((rule, reason.into_inner())).or_default() += count;
        }
    }

    fn found(&mut self, finding: &MaskedFinding<'_>) {
        let key = GroupKey::of(finding);
        let label = finding.judgement().label();
        let shows_calls = self.shows_calls;
        let first = || occurrence(finding, shows_calls);
        let group = self.add(finding.rule(), key, finding.level(), label, first);
        group.places.add(finding);
    }

    /// The smaller case of a group shows it from then on. Where it does not show an attribute, that stays as found.
    fn shrunk(&mut self, group: &[GroupKey], judged: &MaskedJudgement<'_>, effort: Effort) {
        let Some(first) = first_in(group, judged).map(|first| occurrence(&first, self.shows_calls)) else {
            return;
        };
        for key in group {
            let Some(own) = self.groups.get_mut(key) else { continue };
            own.first = first.clone();
            own.shrunk_in = Some(effort);
            let smaller = first_in(std::slice::from_ref(key), judged);
            if let (Some(broken), Some(smaller)) = (own.attributes.get_mut(&key.path), smaller) {
                let (level, count) = (broken.level, broken.count);
                *broken = Broken { level, count, ..Broken::once(&Occurrence::of(&smaller)) };
            }
        }
    }

    fn crashed(&mut self, rule: &'static Rule, cause: &Masked<String>, evidence: &Masked<Evidence>) {
        let first = || Occurrence { level: rule.level, evidence: evidence.clone(), ..Occurrence::default() };
        let key = GroupKey::of_crash(rule, cause);
        self.add(rule, key, rule.level, &ScenarioLabel::default(), first);
    }

    /// Adds a finding to its group; `found` is asked for it in full if it is the first of its scenario.
    fn add(
        &mut self,
        rule: &'static Rule,
        key: GroupKey,
        level: Level,
        label: &ScenarioLabel,
        found: impl Fn() -> Occurrence,
    ) -> &mut Group {
        let path = key.path.clone();
        let group = match self.groups.entry(key) {
            Entry::Vacant(entry) => {
                let empty = Group::empty(rule, entry.key(), found(), &self.report.run.policy);
                entry.insert(empty)
            }
            Entry::Occupied(entry) => entry.into_mut(),
        };
        if !group.first.precedes(level, label) {
            group.first = found();
        }
        // A group that is collected has one attribute.
        let known = group.attributes.get(&path).map_or(0, |broken| broken.count);
        let broken = Broken { count: known + 1, ..Broken::once(&group.first) };
        group.attributes.insert(path, broken);
        group.settle();
        group
    }

    fn finished(&mut self, judged: &MaskedJudgement<'_>) {
        let Some(ended) = judged.ended() else { return };
        let type_name = &judged.label().type_name;
        let Report { totals, notes, .. } = &mut self.report;
        totals.scenarios += 1;
        if let Some(waited) = ended.hung {
            totals.hung += 1;
            totals.waited = totals.waited.max(waited);
        }
        for (kind, why) in &ended.impossible {
            notes.impossible(*kind, 1, why);
        }
        if ended.leaves_something {
            notes.left(type_name, 1, ended.left.iter().cloned());
        }
        for rpc in &ended.cut {
            notes.cut(rpc, 1);
        }
        if let Stop::Lost { why } = &ended.stop {
            totals.is_lost = true;
            notes.say(format!("the provider is gone and could not be started again: {why}"));
        }
        self.reached(judged.label(), ended);
    }

    fn reached(&mut self, label: &ScenarioLabel, ended: &Ended) {
        let type_name = label.type_name.as_str();
        let key = (ended.kind, type_name.to_owned());
        let line =
            self.types.entry(key).or_insert_with_key(|(kind, name)| TypeLine::new(*kind, name.clone()));
        line.scenarios += 1;
        line.refused += u64::from(matches!(ended.stop, Stop::Refused { .. }));
        line.reach(ended.reached);
        if let Some(ledger) = self.ledgers.get_mut(&(ended.kind, type_name.to_owned())) {
            ledger.enter(&ended.credits, type_name);
        }
        // What is expected to be refused does not say what keeps a type from being played.
        let is_expected = label.is_at_limit() && matches!(ended.stop, Stop::Refused { .. });
        let stopped = match &ended.stop {
            Stop::Refused { rpc, message } => Some((Some(*rpc), message)),
            Stop::Stopped { rpc, message } => Some((*rpc, message)),
            Stop::Done | Stop::Lost { .. } => None,
        };
        if let Some((rpc, message)) = stopped
            && !is_expected
        {
            let refusal = Refusal {
                kind: ended.kind,
                type_name: type_name.to_owned(),
                rpc,
                message: message.clone(),
                by_engine: matches!(ended.stop, Stop::Stopped { .. }),
                scenarios: 0,
            };
            *self.refusals.entry(refusal).or_default() += 1;
        }
    }
}

fn occurrence(finding: &MaskedFinding<'_>, shows_calls: bool) -> Occurrence {
    let occurrence = Occurrence::of(finding);
    if shows_calls { Occurrence { calls: finding.calls(), ..occurrence } } else { occurrence }
}

#[cfg(test)]
mod tests;
