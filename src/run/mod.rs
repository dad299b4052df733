//! Suite × provider → report.

mod again;
mod case;
mod collect;
mod hook;
mod keep;
mod launch;
pub mod replay;
mod show;
mod start;
mod unasked;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use globset::GlobSet;
use tokio::sync::{Semaphore, mpsc};

use crate::engine::Engine;
use crate::generate;
use crate::judge::{self, Settings};
use crate::lifecycle::{self, End, Remote};
use crate::provider::convert::schema::Seen;
use crate::provider::usage::Usage;
use crate::record::Origin;
use crate::report::Report;
use crate::report::progress::Progress;
use crate::rule::{Level, Volatile};
use crate::rules::CATALOGUE;
use crate::schema::Kind;
use crate::schema::{ProviderSchema, Schema};
use crate::suite::Known;
use crate::transcript::{Subject, Transcript};
use crate::value::Value;

pub use collect::{Collector, Finished};
pub use hook::{Hook, describe};
pub use keep::Keeper;
pub use launch::{Instances, MakeInstance, Program, RunError, Starter};
pub use show::show;

/// Everything that decides a run.
pub struct Options {
    pub program: Program,
    pub engine: Engine,
    pub seed: u64,
    /// Scenarios per type.
    pub cases: usize,
    /// Scenarios in flight.
    pub jobs: usize,
    /// Provider processes.
    pub processes: usize,
    /// Per call.
    pub timeout: Duration,
    /// From the start of a process to its handshake.
    pub start_timeout: Duration,
    /// Types to try; `None` is all.
    pub select: Option<GlobSet>,
    /// Types left out, whatever is selected.
    pub skip: BTreeSet<String>,
    /// The kind of types to try; `None` is every kind that can be played.
    pub kind: Option<Kind>,
    /// The provider's configuration; `None` leaves every argument unset.
    pub config: Option<ProviderConfig>,
    /// Whether objects may be made and read.
    pub apply: bool,
    /// Why not, where they may not.
    pub apply_reason: String,
    pub volatile: Volatile,
    /// What generation must leave alone.
    pub generate: generate::Options,
    /// Pinned arguments, by type.
    pub pins: BTreeMap<String, generate::Pins>,
    /// Findings that are known and fail nothing.
    pub known: Vec<Known>,
    /// Whether what the user says about types fits the schema; errs in words.
    pub check: Option<SchemaCheck>,
    /// The findings that fail a run start here.
    pub fail_on: Level,
    /// Where findings are kept as cases; nowhere if absent.
    pub cases_dir: Option<PathBuf>,
    /// Where every transcript is written; nowhere if absent.
    pub transcripts: Option<PathBuf>,
    /// How the provider was chosen, for cases.
    pub origin: Origin,
    /// Set from outside to end the run early.
    pub interrupted: Arc<AtomicBool>,
}

/// How long a process may take to its handshake where nobody says: as long as Core waits.
pub const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a call may take where nobody says.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// The provider's configuration.
#[derive(Clone)]
pub struct ProviderConfig {
    make: MakeConfig,
    secrets: Vec<String>,
    /// Where the user wrote it.
    file: Option<PathBuf>,
}

/// Makes the configuration once the schema is known; errs in words.
type MakeConfig = Arc<dyn Fn(&Schema) -> Result<Value, String> + Send + Sync>;

impl ProviderConfig {
    /// Nothing in it is secret but what the schema calls sensitive.
    pub fn new(make: impl Fn(&Schema) -> Result<Value, String> + Send + Sync + 'static) -> ProviderConfig {
        ProviderConfig { make: Arc::new(make), secrets: Vec::new(), file: None }
    }

    /// The same, with what the user calls secret in it, wherever it stands.
    #[must_use]
    pub fn with_secrets(self, secrets: Vec<String>) -> ProviderConfig {
        ProviderConfig { secrets, ..self }
    }

    /// The same, with the file that is named where an argument is missing.
    #[must_use]
    pub fn in_file(self, file: PathBuf) -> ProviderConfig {
        ProviderConfig { file: Some(file), ..self }
    }

    /// The configuration under the provider's schema; errs in words.
    pub fn value(&self, schema: &Schema) -> Result<Value, String> {
        (self.make)(schema)
    }
}

/// Looks at a provider's schema before anything is played; errs in words.
pub type SchemaCheck = Arc<dyn Fn(&ProviderSchema) -> Result<(), String> + Send + Sync>;

impl Options {
    /// How the provider is to be chosen again, and how long it may take.
    pub(crate) fn kept_origin(&self) -> Origin {
        let said = |time: Duration, default: Duration| Some(time).filter(|time| *time != default);
        let protocol = self.program.protocol.map(|protocol| protocol.major() as u8);
        Origin {
            timeout: said(self.timeout, TIMEOUT),
            start_timeout: said(self.start_timeout, START_TIMEOUT),
            wanted_protocol: protocol,
            ..self.origin.clone()
        }
    }
}

/// Starts the provider, plays every scenario, judges every transcript.
///
/// Errs where the provider cannot be used at all, or the configuration does not fit it.
pub async fn run(
    options: Options,
    remote: Option<Arc<dyn Remote>>,
    progress: &dyn Progress,
) -> Result<Report, RunError> {
    let (began, before) = (Instant::now(), Usage::own());
    let options = Arc::new(options);
    let mut started = start::start(&options).await?;
    let subject = Arc::clone(&started.subject);
    let settings = Settings { engine: options.engine, volatile: options.volatile.clone() };
    let keeper = Keeper::new(&options, started.secrets.clone());
    let mut collector = Collector::new(&options, Arc::clone(&subject), keeper);
    // A large provider's schema takes a while: the first scenarios need not wait for it.
    let judging = tokio::task::spawn_blocking({
        let exchanges = std::mem::take(&mut started.transcript.exchanges);
        let (transcript, settings) =
            (Transcript { exchanges, ..started.transcript.clone() }, settings.clone());
        move || (judge::judge(CATALOGUE, &transcript, &settings), transcript)
    });
    if let Some(why) = &started.refused {
        collector.note(why.clone());
    } else if started.unusable.is_none() {
        let work = work(&options, &subject);
        if work.is_empty() && options.select.is_some() {
            started.stock.close().await;
            return Err(RunError::Suite(format!(
                "none of the {} types of the provider is selected",
                subject.schema.resources.len() + subject.schema.data_sources.len()
            )));
        }
        progress.started(&subject.name, Some(work.len() * options.cases));
        play_all(&options, work, &started, remote, &settings, &mut collector, progress).await;
    }
    let (judgement, transcript) = judging.await.expect("the judge catches what rules panic about");
    collector.add_start(&judgement, &transcript);
    progress.ended();
    started.pool.close().await;
    started.stock.close().await;
    if let Some(unusable) = started.unusable.take() {
        if collector.n_findings() == 0 {
            return Err(unusable.beside(collector.problem()));
        }
        // What was found before is not lost.
        collector.unusable(&unusable.to_string());
    }
    for crash in started.pool.unexplained_crashes() {
        collector.unexplained_crash(&crash);
    }
    let own = Usage::own().since(before);
    collector.finish(began.elapsed(), own, started.pool.usage().await, started.calls.total());
    Ok(collector.into_report())
}

/// The kinds that scenarios are made of, in the order in which they are played.
pub(crate) const PLAYED: [Kind; 2] = [Kind::Resource, Kind::DataSource];

/// The types that are tried.
fn work(options: &Options, subject: &Subject) -> Vec<(Kind, String)> {
    let selected = |name: &str| {
        !options.skip.contains(name) && options.select.as_ref().is_none_or(|select| select.is_match(name))
    };
    let kinds = PLAYED.into_iter().filter(|kind| options.kind.is_none_or(|wanted| wanted == *kind));
    let types = kinds.flat_map(|kind| subject.schema.names(kind).into_iter().map(move |name| (kind, name)));
    types.filter(|(_, name)| selected(name)).map(|(kind, name)| (kind, name.to_owned())).collect()
}

/// What a worker sends back: everything but the transcript, which is judged and dropped.
async fn play_all(
    options: &Arc<Options>,
    work: Vec<(Kind, String)>,
    started: &start::Started,
    remote: Option<Arc<dyn Remote>>,
    settings: &Settings,
    collector: &mut Collector,
    progress: &dyn Progress,
) {
    let slots = Arc::new(Semaphore::new(options.jobs));
    let (sender, mut receiver) = mpsc::channel::<Result<Finished, String>>(options.jobs * 4);
    let subject = Arc::clone(&started.subject);
    let pool = Arc::clone(&started.pool);
    let settings = settings.clone();
    let lost = Arc::new(AtomicBool::new(false));
    let masker = collector.masker();
    let listener: lifecycle::Listener = {
        let subject = Arc::clone(&subject);
        Arc::new(move |call| masker.learn(call, &subject))
    };
    let feeder = {
        let options = Arc::clone(options);
        tokio::spawn(async move {
            let mut turn = 0;
            for (kind, type_name) in work {
                let Some(schema) = subject.schema.get(kind, &type_name).cloned() else { continue };
                let pins = options.pins.get(&type_name).cloned().unwrap_or_default();
                let how = generate::Options { pins, ..options.generate.clone() };
                for scenario in generate::scenarios(&schema, kind, &type_name, &how) {
                    let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
                    if options.interrupted.load(Ordering::Relaxed) || lost.load(Ordering::Relaxed) {
                        return;
                    }
                    turn += 1;
                    let (options, subject, pool) =
                        (Arc::clone(&options), Arc::clone(&subject), Arc::clone(&pool));
                    let (remote, settings, sender) = (remote.clone(), settings.clone(), sender.clone());
                    let (lost, listener) = (Arc::clone(&lost), Some(Arc::clone(&listener)));
                    let played = tokio::spawn(async move {
                        let may = lifecycle::Options { apply: options.apply, provider_meta: None, listener };
                        let played =
                            lifecycle::play(&scenario, &subject, &pool, remote.as_deref(), &may, turn).await;
                        if matches!(played.end, End::Lost { .. }) && !options.program.is_started_again() {
                            lost.store(true, Ordering::Relaxed);
                        }
                        let judgement = judge::judge(CATALOGUE, &played.transcript, &settings);
                        Finished::new(kind, scenario, played, judgement)
                    });
                    tokio::spawn(async move {
                        let finished = played.await.map_err(broken);
                        drop(slot);
                        // The receiver is gone only when the run itself is.
                        let _ = sender.send(finished).await;
                    });
                }
            }
        })
    };
    let mut n_done = 0;
    while let Some(finished) = receiver.recv().await {
        match finished {
            Ok(finished) => collector.add(finished),
            Err(defect) => collector.broke(defect),
        }
        n_done += 1;
        progress.finished(n_done, collector.n_findings());
    }
    let _ = feeder.await;
}

/// A panic of ours, in words.
fn broken(error: tokio::task::JoinError) -> String {
    match error.try_into_panic() {
        Ok(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message").to_owned()
        }
        Err(error) => error.to_string(),
    }
}

/// What a provider declares; starts it, asks, and ends it.
pub async fn schema(starter: Starter) -> Result<ProviderSchema, RunError> {
    let (client, keeper) = starter.start().await?;
    let fetched = client.schema(&Seen::default()).await;
    keeper.close().await;
    match fetched.call.outcome {
        Ok(response) => Ok(Arc::unwrap_or_clone(response.schema)),
        Err(failure) => Err(RunError::Call { rpc: fetched.last.name(), why: failure.to_string() }),
    }
}
