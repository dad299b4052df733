//! The lifecycle on the reference provider in memory.

use std::sync::Arc;

use tfconform::engine::Engine;
use tfconform::lifecycle::{self, End, Options, Played, Task};
use tfconform::process::Usage;
use tfconform::provider::client::Client;
use tfconform::provider::pool::{InstanceHandle, Member, Pool};
use tfconform::provider::transport::BoxFuture;
use tfconform::reference::serve::{Behaviour, in_memory};
use tfconform::scenario::{Arguments, Block, EngineRun, PlanningMode, Scenario};
use tfconform::schema::ProviderSchema;
use tfconform::transcript::{Exchange, Purpose, Subject};

use super::asked::Asked;
use super::walks::{WalkKind, Walks};

/// A run as an engine can play it: the lifecycle may take several for one of a scenario.
pub struct Attempt {
    pub run: EngineRun,
    /// Whether it is only planned.
    pub only_plans: bool,
    pub asked: Walks,
}

/// Plays a scenario, and returns what was asked in each attempt, without our own probes.
pub fn play(
    scenario: &Scenario,
    behaviour: &Behaviour,
    engine: Engine,
    schema: &Arc<ProviderSchema>,
) -> Result<Vec<Attempt>, String> {
    let subject = Subject {
        name: "reference".to_owned(),
        protocol: behaviour.protocol,
        engine,
        schema: Arc::clone(schema),
        config: None,
    };
    let behaviour = behaviour.clone();
    let pool: Pool<String> = Pool::new(
        2,
        Box::new(move |number| {
            let behaviour = behaviour.clone();
            Box::pin(async move {
                let client = Client::new(in_memory(&behaviour)?);
                Ok(Member { number, client, handle: Box::new(Nothing) })
            })
        }),
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let options = Options::new(true);
    let played = runtime.block_on(lifecycle::play(scenario, &Arc::new(subject), &pool, None, &options, 0));
    match &played.end {
        End::Done => Ok(attempts(scenario, &played, schema)),
        end => Err(format!("our lifecycle ended early: {end:?}")),
    }
}

fn attempts(scenario: &Scenario, played: &Played, schema: &ProviderSchema) -> Vec<Attempt> {
    let mut attempts: Vec<(usize, Attempt)> = Vec::new();
    for walk in &played.walks {
        // What is left at the end is destroyed by the last run.
        let Some(run) = scenario.runs.get(walk.run) else { continue };
        let is_new = attempts.last().is_none_or(|(number, _)| *number != walk.attempt);
        if is_new {
            let run = if walk.is_resolved { resolved(run) } else { run.clone() };
            let only_plans = run.options.mode == PlanningMode::Normal;
            attempts.push((walk.attempt, Attempt { run, only_plans, asked: Walks::default() }));
        }
        let (_, attempt) = attempts.last_mut().expect("one was added");
        attempt.only_plans &= walk.task != Task::Apply;
        for exchange in &played.transcript.exchanges[walk.exchanges.clone()] {
            let is_asked = matches!(
                exchange.purpose,
                Purpose::Ordinary
                    | Purpose::FinalPlan { .. }
                    | Purpose::ReplaceCreate { .. }
                    | Purpose::AfterDrift(_)
            );
            if let (true, Some(kind)) = (is_asked, kind(walk.task))
                && let Some(asked) =
                    Asked::of(&exchange.call, schema, (position(exchange), position(exchange)))
            {
                attempt.asked.add(kind, asked);
            }
        }
    }
    attempts.into_iter().map(|(_, attempt)| attempt).collect()
}

/// Its place in a transcript, in which calls come one after the other.
fn position(exchange: &Exchange) -> usize {
    exchange.id.0 as usize
}

/// The walk of an engine that does the same; `None` for what no engine does.
fn kind(task: Task) -> Option<WalkKind> {
    match task {
        Task::Validate => Some(WalkKind::Validate),
        Task::Plan | Task::PlanToDestroy | Task::Refresh => Some(WalkKind::Plan),
        Task::Apply => Some(WalkKind::Apply),
        Task::Look
        | Task::UpgradeOldStates
        | Task::Synthesise
        | Task::Settle
        | Task::ReadGone
        | Task::DeleteGone
        | Task::Delete => None,
    }
}

/// The run with every result from outside the scenario in its place.
fn resolved(run: &EngineRun) -> EngineRun {
    let known = |block: &Block| Block { arguments: block.arguments.without_upstream(), ..block.clone() };
    EngineRun { blocks: run.blocks.iter().map(known).collect(), ..run.clone() }
}

/// The arguments with another value of one attribute, and without promises about unknown values, for which
/// the configuration language has no words.
pub fn marked(arguments: &Arguments, name: &str, mark: &tfconform::value::Value) -> Arguments {
    arguments.map(|value| value.unrefined().with_attribute(name, mark.clone()))
}

/// A handle without a process.
struct Nothing;

impl InstanceHandle for Nothing {
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn is_gone(&self) -> bool {
        false
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}
