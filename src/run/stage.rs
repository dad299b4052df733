//! What scenarios of a run are played with, and playing one of them.

use std::sync::Arc;
use std::time::Duration;

use super::RunOptions;
use super::clock::Deadline;
use super::launch::RunError;
use super::lessons::Lessons;
use super::patience::Patience;
use super::questions::Questions;
use super::retries::Retries;
use super::start::{Pools, Started};
use crate::examples::Examples;
use crate::generate::{Cases, Suppliers};
use crate::judge::{Judgement, Settings, judge_until};
use crate::lifecycle::{self, End, Listener, Played, Remote};
use crate::provider::pool::Pool;
use crate::rules::CATALOGUE;
use crate::scenario::{Scenario, Words};
use crate::schema::Kind;
use crate::transcript::{RpcFailure, Subject};

/// What scenarios are played with.
#[derive(Clone)]
pub(super) struct Stage {
    pub options: Arc<RunOptions>,
    /// Scenarios of each type.
    pub cases: Cases,
    pub subject: Arc<Subject>,
    pub remote: Option<Arc<dyn Remote>>,
    /// The examples of the provider's documentation.
    pub examples: Arc<Examples>,
    /// What was learned about the types.
    pub lessons: Arc<Lessons>,
    /// What is tried again after the first scenarios, in the order in which it is.
    pub retries: Vec<Arc<Retries>>,
    /// Where the questions of the search are kept, if somebody wants to see them.
    pub questions: Option<Questions>,
    /// When the part of the run that goes on is over.
    pub deadline: Deadline,
    listener: Listener,
}

/// A scenario that was played and judged.
pub(super) struct Finished {
    pub kind: Kind,
    pub scenario: Scenario,
    pub played: Played,
    pub judgement: Judgement,
}

impl Finished {
    /// Whether it ended a process.
    pub fn crashed(&self) -> bool {
        let mut exchanges = self.played.transcript.exchanges.iter();
        exchanges.any(|exchange| matches!(exchange.call.failure(), Some(RpcFailure::Crashed(_))))
    }

    /// The call that it got no answer to in time.
    pub fn hung(&self) -> Option<&'static str> {
        let mut exchanges = self.played.transcript.exchanges.iter();
        let hung =
            exchanges.find(|exchange| matches!(exchange.call.failure(), Some(RpcFailure::TimedOut { .. })));
        hung.map(|exchange| exchange.call.rpc_name())
    }
}

/// Why a scenario has no result.
pub(super) enum Unplayed {
    /// The message of a panic of ours.
    Defect(String),
    /// The remote system is gone or could not be reset, which is not the provider's fault.
    Remote(String),
    /// It had not ended when the time of the run was over.
    Late,
}

/// A scenario that was played and judged, or why it was not.
pub(super) type Outcome = Result<Finished, Unplayed>;

/// How long the end of the remote system may take to be seen after a scenario got into trouble over it.
const PATIENCE: Duration = Duration::from_millis(200);

impl Stage {
    /// The run's masker learns the secrets of every call.
    pub fn new(
        options: &Arc<RunOptions>,
        cases: Cases,
        started: &Started,
        remote: Option<Arc<dyn Remote>>,
    ) -> Stage {
        let (subject, masker) = (Arc::clone(&started.subject), Arc::clone(&options.masker));
        let listener: Listener = {
            let subject = Arc::clone(&subject);
            Arc::new(move |call| masker.learn(call, &subject))
        };
        let examples = Arc::new(Examples::of(&options.examples, &subject.schema));
        Stage {
            options: Arc::clone(options),
            cases,
            subject,
            remote,
            examples,
            lessons: Arc::default(),
            retries: Vec::new(),
            questions: None,
            deadline: Deadline::default(),
            listener,
        }
    }

    /// Plays a scenario beside others; in processes of its own, if it would disturb them.
    pub async fn play(&self, kind: Kind, scenario: Scenario, pools: &Pools) -> Result<Finished, Unplayed> {
        if !scenario.has_mishap() || !self.options.program.is_started_again() {
            return self.play_as(kind, scenario, &pools.shared, &self.may()).await;
        }
        let pool = pools.own();
        let may = lifecycle::Options { may_disturb: true, ..self.may() };
        let finished = self.play_as(kind, scenario, &pool, &may).await;
        pools.end(&pool).await;
        finished
    }

    /// Plays a scenario from its start in a pool that no other uses.
    pub async fn play_alone(
        &self,
        kind: Kind,
        scenario: Scenario,
        pool: &Pool<RunError>,
        words: Words,
    ) -> Result<Finished, Unplayed> {
        let may = lifecycle::Options { may_disturb: self.options.program.is_started_again(), ..self.may() };
        let options = may.alone(&scenario, words);
        self.play_as(kind, scenario, pool, &options).await
    }

    /// The same where types can refer to others.
    pub fn with_suppliers(&self, suppliers: Suppliers) -> Stage {
        let lessons = Lessons { suppliers, ..Lessons::default() };
        Stage { lessons: Arc::new(lessons), ..self.clone() }
    }

    fn may(&self) -> lifecycle::Options {
        let listener = Some(Arc::clone(&self.listener));
        let parallelism = self.options.parallelism;
        lifecycle::Options { listener, parallelism, ..lifecycle::Options::new(self.options.apply) }
    }

    /// Gives up a scenario that has not ended when nothing is waited for any more.
    async fn play_as(
        &self,
        kind: Kind,
        scenario: Scenario,
        pool: &Pool<RunError>,
        may: &lifecycle::Options,
    ) -> Result<Finished, Unplayed> {
        // On the heap: it is too large for a thread's stack in a build without optimization.
        let playing = Box::pin(self.play_to_the_end(kind, scenario, pool, may));
        self.deadline.limit(playing).await.unwrap_or(Err(Unplayed::Late))
    }

    async fn play_to_the_end(
        &self,
        kind: Kind,
        scenario: Scenario,
        pool: &Pool<RunError>,
        may: &lifecycle::Options,
    ) -> Result<Finished, Unplayed> {
        let remote = self.remote.as_deref();
        if let Some(remote) = remote {
            self.find_remote(Duration::ZERO).await?;
            if remote.is_reset_each_time() {
                remote.reset().await.map_err(Unplayed::Remote)?;
            }
        }
        // Every scenario begins with the same instance, so that a replay asks the same ones.
        let played = lifecycle::play(&scenario, &self.subject, pool, remote, may, 0).await;
        let settings = Settings { engine: self.options.engine, volatile: self.options.volatile.clone() };
        let patience = Patience::new(&self.options.interruption, self.deadline);
        let judgement = judge_until(CATALOGUE, &played.transcript, &settings, &|| patience.is_over());
        let is_troubled = played.end != End::Done || !judgement.findings.is_empty();
        self.find_remote(if is_troubled { PATIENCE } else { Duration::ZERO }).await?;
        Ok(Finished { kind, scenario, played, judgement })
    }

    pub fn is_interrupted(&self) -> bool {
        self.options.interruption.is_set()
    }

    /// Whether nothing may be started any more.
    pub fn is_over(&self) -> bool {
        self.is_interrupted() || self.deadline.is_over()
    }

    /// Fails if the remote system has ended, or ends before the time is over.
    async fn find_remote(&self, within: Duration) -> Result<(), Unplayed> {
        let Some(remote) = &self.remote else { return Ok(()) };
        remote.ended(within).await.map_or(Ok(()), |why| Err(Unplayed::Remote(why)))
    }
}

/// The message of a panic of ours.
pub(super) fn broken(error: tokio::task::JoinError) -> String {
    match error.try_into_panic() {
        Ok(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message").to_owned()
        }
        Err(error) => error.to_string(),
    }
}
