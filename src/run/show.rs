//! Plays a provider for snapshots: a separate session from the one that is judged.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::task::JoinSet;

use super::launch::RunError;
use super::stage::broken;
use super::{RunOptions, work};
use crate::generate;
use crate::lifecycle;
use crate::provider::pool::Pool;
use crate::report::events::{Consumer, Event};
use crate::scenario::Scenario;
use crate::schema::Kind;
use crate::snapshot::Showing;
use crate::transcript::Subject;

/// Plays the snapshot scenarios of every selected type; by name, the provider's first.
///
/// Each type is played `rounds` times, and what the rounds have in common is shown. Fails if the provider
/// cannot be used, a bug of ours stopped a scenario, or the user interrupted the run.
pub async fn show(
    options: RunOptions,
    scratch: &Path,
    rounds: usize,
    consumer: &dyn Consumer,
) -> Result<Vec<Showing>, RunError> {
    let options = Arc::new(options);
    let started = options.started().await?;
    let stage = Arc::new(Stage {
        subject: Arc::clone(&started.subject),
        pool: Arc::clone(&started.pool),
        // As the provider sees it.
        scratch: scratch.canonicalize().unwrap_or_else(|_| scratch.to_owned()).display().to_string(),
        rounds,
        plays: started.refused.is_none(),
        n_played: AtomicUsize::new(0),
        options: Arc::clone(&options),
    });
    let mut showings =
        vec![Showing::of_provider(&started.subject, started.refused.as_deref(), &options.masker)];
    consumer.consume(Event::ShowingStarted { provider: &started.subject.name });
    let shown = tokio::select! {
        shown = stage.types(work(&options, &started.subject), consumer) => shown,
        () = options.interruption.is_overdue() => Err(options.interrupted()),
    };
    consumer.consume(Event::PlayEnded);
    showings.extend(shown?);
    started.pool.close().await;
    started.stock.close().await;
    Ok(showings)
}

/// What showing a type needs.
struct Stage {
    subject: Arc<Subject>,
    pool: Arc<Pool<RunError>>,
    scratch: String,
    rounds: usize,
    /// Otherwise engines refuse the provider, and only its schemas are shown.
    plays: bool,
    n_played: AtomicUsize,
    options: Arc<RunOptions>,
}

impl Stage {
    async fn types(
        self: Arc<Stage>,
        types: Vec<(Kind, String)>,
        consumer: &dyn Consumer,
    ) -> Result<Vec<Showing>, RunError> {
        // One after the other if objects are created: a provider's counters must not depend on chance.
        let jobs = if self.options.apply { 1 } else { self.options.jobs };
        let mut showings = Vec::new();
        let mut playing = JoinSet::new();
        let mut types = types.into_iter();
        loop {
            while playing.len() < jobs
                && let Some((kind, type_name)) = types.next()
            {
                let stage = Arc::clone(&self);
                playing.spawn(async move { stage.one_type(kind, &type_name).await });
            }
            let Some(shown) = playing.join_next().await else { break };
            let defect = |error| RunError::Make(format!("a bug in tfconform: {}", broken(error)));
            showings.push(shown.map_err(defect)??);
            consumer.consume(Event::Shown { n_scenarios: self.n_played.load(Ordering::Relaxed) });
        }
        showings.sort_by(|one: &Showing, other| one.name().cmp(other.name()));
        Ok(showings)
    }

    async fn one_type(&self, kind: Kind, type_name: &str) -> Result<Showing, RunError> {
        let schema = self.subject.schema.get(kind, type_name);
        let schema = schema.cloned().expect("only types of the schema are worked at");
        let pins = self.options.pins.get(&kind.qualified(type_name)).cloned().unwrap_or_default();
        let how = generate::Options { pins, ..self.options.generate.clone() };
        let scenarios = if self.plays { generate::shown(&schema, kind, type_name, &how) } else { Vec::new() };
        let mut shown = self.round(kind, type_name, &scenarios, 0).await?;
        for round in 1..self.rounds {
            shown = shown.common(&self.round(kind, type_name, &scenarios, round).await?);
        }
        Ok(shown)
    }

    async fn round(
        &self,
        kind: Kind,
        type_name: &str,
        scenarios: &[Scenario],
        round: usize,
    ) -> Result<Showing, RunError> {
        // What follows an error is of no interest to users.
        let may = lifecycle::Options { goes_on: false, ..lifecycle::Options::new(self.options.apply) };
        let mut all = Vec::new();
        for (turn, scenario) in scenarios.iter().enumerate() {
            if self.options.interruption.is_set() {
                return Err(self.options.interrupted());
            }
            let turn = turn + round;
            all.push(lifecycle::play(scenario, &self.subject, &self.pool, None, &may, turn).await);
            self.n_played.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Showing::of_type(&self.subject, kind, type_name, &all, &self.options.masker, &self.scratch))
    }
}
