//! Learns from the provider's answers before scenarios are made.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;

use super::audience::{Audience, Leftovers};
use super::holds::Holds;
use super::lessons::{Lessons, TypeKey};
use super::play::ABANDONED;
use super::questions::Question;
use super::stage::{Finished, Outcome, Stage, Unplayed, broken};
use super::start::Started;
use crate::calls::Rpc;
use crate::generate::{self, Facts};
use crate::learn::transfer::Transfer;
use crate::learn::{self, Answer, Budgets, Learned, Oracle, Subject};
use crate::lifecycle::End;
use crate::report::events::Event;
use crate::rule::failed::applied;
use crate::scenario::{Operation, Scenario, Words};
use crate::schema::Kind;
use crate::transcript::{Exchange, Phase, RpcFailure};

/// The first scenario that sets more than is required.
const NEEDS_MORE: usize = 3;

/// Which part of learning a task does.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Solve,
    /// The same, without creating anything.
    SolvePlan,
    /// The same where it took too long before.
    SolveSlow,
    Grow(Operation),
    /// To find a configuration at which an engine does not stop.
    AvoidStop,
    /// To find the arguments that others require.
    RequiredWith,
}

impl Stage {
    /// Learns about every type: first a configuration that is accepted; then, with what other types taught, one for
    /// those that lack it; then one that refers to other resources for those that need it; then the largest one.
    ///
    /// What an example has refer to other types is not created before they are: a value of another object may be one
    /// that the remote system needs.
    ///
    /// Each type learns only from its own answers, except between these parts, so nothing depends on the order in
    /// which types are done.
    pub async fn learn(
        &self,
        work: &[TypeKey],
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
    ) -> Lessons {
        let mut lessons = Lessons::default();
        let part = |key: &TypeKey| if self.waits(key) { Part::SolvePlan } else { Part::Solve };
        let start = |key: &TypeKey| (key.clone(), self.facts_at_start(key), part(key));
        self.learn_part(work.iter().map(start).collect(), started, audience, leftovers, &mut lessons).await;
        let transfer = Transfer::of(lessons.types.values().map(|learned| &learned.facts));
        let unsolved = lessons.types.iter().filter(|(_, learned)| learned.reached.is_none());
        let again = unsolved.filter_map(|((kind, name), learned)| {
            let mut facts = learned.facts.clone();
            transfer.propose(self.subject.schema.get(*kind, name)?, &mut facts);
            let key = (*kind, name.clone());
            let part = part(&key);
            Some((key, facts, part))
        });
        let again = again.collect();
        self.learn_part(again, started, audience, leftovers, &mut lessons).await;
        self.learn_references(started, audience, leftovers, &mut lessons).await;
        // The first scenarios need only the smallest configuration.
        if self.cases.most() < NEEDS_MORE {
            return lessons;
        }
        let grown = lessons.types.iter().filter_map(|(key, learned)| {
            Some((key.clone(), learned.facts.clone(), Part::Grow(learned.reached?)))
        });
        let mut grown: Vec<(TypeKey, Facts, Part)> = grown.collect();
        // Questions about huge schemas take longest, and each type asks one after the other.
        grown.sort_by_key(|(key, ..)| !self.is_huge(key));
        let stage = self.with_suppliers(lessons.suppliers.clone());
        stage.learn_part(grown, started, audience, leftovers, &mut lessons).await;
        lessons
    }

    /// What is known about a type before the first question.
    pub(super) fn facts_at_start(&self, (kind, name): &TypeKey) -> Facts {
        let remembered = self.options.remembered.as_ref().and_then(|all| all.facts(*kind, name)).cloned();
        remembered.unwrap_or_default().and_written(self.examples.about(*kind, name, &self.subject.schema))
    }

    fn selects(&self, finished: &Finished) -> bool {
        super::is_selected(&self.options, finished.kind, &finished.scenario.label.type_name)
    }

    pub(super) async fn learn_part(
        &self,
        types: Vec<(TypeKey, Facts, Part)>,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
        lessons: &mut Lessons,
    ) {
        let (sender, mut receiver) = mpsc::channel(self.options.jobs * 4);
        let (mut n_done, n_types) = (0, types.len());
        let (slots, holds) = (Arc::new(Semaphore::new(self.options.jobs)), Holds::default());
        for (key, facts, part) in types {
            let (stage, started, sender) = (self.clone(), Arc::clone(started), sender.clone());
            let (slots, holds) = (Arc::clone(&slots), holds.clone());
            tokio::spawn(async move {
                let Ok(_slot) = slots.acquire_owned().await else { return };
                let mut oracle =
                    Provider { kind: key.0, stage, started, holds, sender: sender.clone(), part };
                let learning = tokio::spawn(async move { (oracle.learn(&key, facts).await, key) });
                let told = match learning.await {
                    Ok((learned, key)) => Told::Learned(key, learned.map(Box::new)),
                    Err(panic) => Told::Defect(broken(panic)),
                };
                let _ = sender.send(told).await;
            });
        }
        drop(sender);
        let overdue = self.options.interruption.is_overdue();
        tokio::pin!(overdue);
        loop {
            let told = tokio::select! {
                biased;
                told = receiver.recv() => told,
                () = &mut overdue => {
                    audience.note(ABANDONED);
                    return;
                }
            };
            if matches!(told, Some(Told::Learned(..) | Told::Defect(_))) {
                n_done += 1;
                audience.consumer.consume(Event::Learning { n_done, n_types });
            }
            match told {
                None => return,
                Some(Told::Learned(key, Some(learned))) => lessons.merge(key, *learned),
                Some(Told::Learned(_, None)) => {}
                Some(Told::Defect(defect)) => audience.send(&Err(Unplayed::Defect(defect)), leftovers),
                Some(Told::GivenUp) => lessons.n_given_up += 1,
                // Nobody asked for what a type shows that selected ones may refer to.
                Some(Told::Showed(finished)) if !self.selects(&finished) => {}
                Some(Told::Showed(finished)) => {
                    let question = (finished.kind, finished.scenario.clone());
                    lessons.questions.insert(finished.scenario.label.clone(), question);
                    audience.send(&Ok(*finished), leftovers);
                }
            }
        }
    }
}

/// What tasks report.
enum Told {
    /// Nothing if the run was interrupted.
    Learned(TypeKey, Option<Box<Learned>>),
    /// The message of a panic of ours.
    Defect(String),
    /// A question that took too long.
    GivenUp,
    /// A question that ended a process.
    Showed(Box<Finished>),
}

/// The share of the time of one call that applying a question may take where objects are not only in the provider's
/// processes, as a divisor: a provider that waits for something waits for minutes.
const SLOW: u32 = 3;

/// The provider under test, asked one question after the other.
struct Provider {
    kind: Kind,
    stage: Stage,
    started: Arc<Started>,
    holds: Holds,
    sender: mpsc::Sender<Told>,
    part: Part,
}

impl Provider {
    async fn learn(&mut self, (kind, name): &TypeKey, facts: Facts) -> Option<Learned> {
        let stage = &self.stage;
        if stage.is_over() {
            return None;
        }
        let mut options = generate::Options { facts, ..stage.generation(*kind, name) };
        options.apply &= !matches!(self.part, Part::SolvePlan);
        let subject = Arc::clone(&stage.subject);
        let schema = subject.schema.get(*kind, name)?;
        let of = Subject { schema, kind: *kind, type_name: name, options: &options };
        Some(match self.part {
            Part::Solve | Part::SolvePlan => learn::solve(of, Budgets::DEFAULT, self).await,
            Part::SolveSlow => learn::solve_slow(of, Budgets::DEFAULT, self).await,
            Part::Grow(reached) => learn::grow(of, reached, Budgets::DEFAULT, self).await,
            Part::AvoidStop => learn::avoid_stop(of, self).await,
            Part::RequiredWith => learn::find_required_with(of, self).await,
        })
    }

    /// How long a question may take.
    fn limit(&self, scenario: &Scenario) -> Option<Duration> {
        let is_applied = scenario.runs.iter().any(|run| run.options.operation == Operation::Apply);
        (is_applied && self.stage.options.has_outside).then(|| self.stage.options.timeout / SLOW)
    }

    /// Plays a question; one during which a process ended is played again, alone. `None` if it takes too long.
    async fn play(&self, scenario: Scenario) -> Option<Outcome> {
        let stage = &self.stage;
        let _held = self.holds.take(stage.holds_of(&scenario)).await;
        let limit = self.limit(&scenario);
        let pools = self.started.pools();
        let playing = stage.play(self.kind, scenario, &pools);
        let outcome = match limit {
            Some(limit) => timeout(limit, playing).await.ok()?,
            None => playing.await,
        };
        let finished = match outcome {
            Ok(finished) if finished.played.is_disturbed() && stage.options.program.is_started_again() => {
                finished
            }
            outcome => return Some(outcome),
        };
        let (scenario, words) = (&finished.scenario, Words::of_play(0));
        let alone = stage.play_in_new_processes(self.kind, scenario, &self.started, words).await;
        Some(Ok(alone.unwrap_or(finished)))
    }
}

impl Oracle for Provider {
    async fn ask(&mut self, scenario: Scenario) -> Answer {
        if self.stage.is_over() {
            return Answer::Broken("the run was interrupted, or its time is over".to_owned());
        }
        let asked = self.stage.questions.clone().map(|questions| (questions, scenario.clone()));
        let answer = self.answer(scenario).await;
        if let Some((questions, scenario)) = asked {
            let (kind, type_name) = (self.kind, scenario.label.type_name.clone());
            questions.add(Question { kind, type_name, scenario, answer: answer.clone() });
        }
        answer
    }
}

impl Provider {
    async fn answer(&self, scenario: Scenario) -> Answer {
        let finished = match self.play(scenario).await {
            Some(Ok(finished)) => finished,
            None => {
                let _ = self.sender.send(Told::GivenUp).await;
                return Answer::TooSlow;
            }
            Some(Err(_)) => return Answer::Broken("it was not played".to_owned()),
        };
        let answer = match &finished.played.end {
            End::Stopped { why, .. } if matches!(self.part, Part::AvoidStop) => Answer::Broken(why.clone()),
            _ => answer(&finished),
        };
        // Whatever else a question shows, a scenario with the same configuration shows too. AvoidStop asks only
        // about stops that scenarios have shown.
        if finished.crashed() && !matches!(self.part, Part::AvoidStop) {
            let _ = self.sender.send(Told::Showed(Box::new(finished))).await;
        }
        answer
    }
}

/// Whether the provider refused an object that a question refers to, and not the one that it is about.
fn is_about_another(finished: &Finished, rpc: Rpc) -> bool {
    let Some(own) = finished.scenario.blocks().next() else { return false };
    let own = own.address.to_string();
    let mut exchanges = finished.played.transcript.exchanges.iter();
    let refused = exchanges.find(|exchange| {
        exchange.call.rpc() == rpc
            && exchange.call.diagnostics().into_iter().any(|diagnostic| diagnostic.is_error())
    });
    refused.is_some_and(|exchange| exchange.instance != own)
}

/// Whether the provider carried out an operation on the object `own` without an error.
fn carried_out(operation: Operation, own: &str, exchanges: &[Exchange]) -> bool {
    exchanges.iter().filter(|exchange| exchange.instance == own && exchange.call.succeeded()).any(
        |exchange| match (operation, exchange.call.rpc()) {
            (Operation::Plan, Rpc::PlanResourceChange) | (_, Rpc::ReadDataSource) => true,
            (Operation::Apply, Rpc::ApplyResourceChange) => applied(exchange),
            _ => false,
        },
    )
}

/// Whether the provider did what a question asks, although an engine stops at its answer.
fn is_carried_out(finished: &Finished) -> bool {
    let (own, run) = (finished.scenario.blocks().next(), finished.scenario.runs.first());
    own.zip(run).is_some_and(|(own, run)| {
        carried_out(run.options.operation, &own.address.to_string(), &finished.played.transcript.exchanges)
    })
}

/// What a played question says.
fn answer(finished: &Finished) -> Answer {
    let mut exchanges = finished.played.transcript.exchanges.iter();
    let failed = exchanges.find_map(|exchange| Some((exchange.call.rpc(), exchange.call.failure()?)));
    match failed {
        Some((Rpc::ApplyResourceChange, RpcFailure::TimedOut { .. })) => return Answer::TooSlow,
        Some((_, failure @ (RpcFailure::Crashed(_) | RpcFailure::TimedOut { .. }))) => {
            return Answer::Broken(failure.to_string());
        }
        _ => {}
    }
    match &finished.played.end {
        End::Done => Answer::Accepted,
        End::Refused { rpc, .. } if is_about_another(finished, *rpc) => Answer::OtherRefused,
        End::Refused { phase, rpc, diagnostics, .. } => {
            let at = match (phase, *rpc) {
                (Phase::Validate, _) | (_, Rpc::ValidateDataResourceConfig | Rpc::ValidateResourceConfig) => {
                    Operation::Validate
                }
                (_, Rpc::PlanResourceChange) => Operation::Plan,
                _ => Operation::Apply,
            };
            Answer::Refused { at, diagnostics: diagnostics.clone() }
        }
        // The configuration is accepted; what the provider makes of it is for scenarios to show.
        End::Stopped { .. } if is_carried_out(finished) => Answer::Accepted,
        End::Stopped { why, .. } | End::Lost { why } => Answer::Broken(why.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::example;

    #[test]
    fn an_operation_is_carried_out_whatever_the_engine_says_of_the_answer() {
        let exchanges = example::lifecycle().exchanges;
        let is_apply = |exchange: &&Exchange| exchange.call.rpc() == Rpc::ApplyResourceChange;
        let at = exchanges.iter().position(|exchange| is_apply(&exchange)).expect("it applies");
        let own = &exchanges[at].instance;
        let (planned, created) = (&exchanges[..at], &exchanges[..=at]);
        assert!(carried_out(Operation::Plan, own, planned) && carried_out(Operation::Apply, own, created));
        assert!(
            !carried_out(Operation::Apply, own, planned)
                && !carried_out(Operation::Apply, "another.a", created)
        );
    }
}
