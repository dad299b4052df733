//! Suite × provider → report.

mod artifacts;
mod hook;
pub mod judge;
mod launch;
mod play;
pub mod replay;
mod rerun_command;
mod show;
mod start;
mod unasked;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use globset::GlobSet;

use crate::engine::Engine;
use crate::generate;
use crate::judge::Settings;
use crate::lifecycle::Remote;
use crate::provider::convert::schema::Seen;
use crate::provider::usage::Usage;
use crate::record::{Evidence, MaskedJudgement, Masker, Origin, RunSettings};
use crate::report::Report;
use crate::report::collect::Collector;
use crate::report::events::{Consumer, Event, Fanout, send_judged};
use crate::rule::{Level, Volatile};
use crate::rules::CATALOGUE;
use crate::rules::rpc::survives;
use crate::schema::Kind;
use crate::schema::{ProviderSchema, Schema};
use crate::suite::Known;
use crate::transcript::{CrashReport, RpcFailure, Subject, Transcript};
use crate::value::Value;

use artifacts::Artifacts;
pub use hook::{Hook, in_words};
pub use launch::{Instances, MakeInstance, Program, Starter, Unusable};
use play::Stage;
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

    /// What bears on what is found, for everything that is kept.
    fn settings(&self) -> RunSettings {
        RunSettings {
            program: self.program.path.display().to_string(),
            seed: self.seed,
            cases: self.cases,
            applied: self.apply,
            fail_on: self.fail_on,
            volatile: self.volatile.clone(),
            known: self.known.clone(),
        }
    }
}

/// Starts the provider, plays every scenario, judges every transcript; `consumer` receives all events.
///
/// Errs where the provider cannot be used at all, or the configuration does not fit it.
pub async fn run(
    options: Options,
    remote: Option<Arc<dyn Remote>>,
    consumer: &dyn Consumer,
) -> Result<Report, Unusable> {
    let (began, before) = (Instant::now(), Usage::own());
    let options = Arc::new(options);
    let mut started = start::start(&options).await?;
    let subject = Arc::clone(&started.subject);
    let (settings, masker) = (options.settings(), Arc::new(Masker::new(started.secrets.clone())));
    let line = judge::run_line(&subject, options.engine, &settings);
    let nothing_applied =
        (!options.apply).then(|| format!("nothing was applied or read: {}", options.apply_reason));
    let collector = Collector::new(line.clone(), nothing_applied);
    let artifacts = Artifacts::new(&options, &subject.name);
    let everyone = Fanout(vec![&artifacts, &collector, consumer]);
    let note = |text: &str| everyone.consume(Event::Note(&masker.shown(text)));
    // A large provider's schema takes a while: the first scenarios need not wait for it.
    let judging = tokio::task::spawn_blocking({
        let exchanges = std::mem::take(&mut started.transcript.exchanges);
        let transcript = Transcript { exchanges, ..started.transcript.clone() };
        let settings = Settings { engine: options.engine, volatile: options.volatile.clone() };
        move || (crate::judge::judge(CATALOGUE, &transcript, &settings), transcript)
    });
    let is_played = started.refused.is_none() && started.unusable.is_none();
    if is_played {
        let work = work(&options, &subject);
        if work.is_empty() && options.select.is_some() {
            started.stock.close().await;
            return Err(Unusable::Suite(format!(
                "none of the {} types of the provider is selected",
                subject.schema.resources.len() + subject.schema.data_sources.len()
            )));
        }
        let n_scenarios = Some(work.len() * options.cases);
        everyone.consume(Event::RunStarted { run: &line, n_scenarios });
        let stage = Stage { options: &options, started: &started, settings: &settings, masker: &masker };
        stage.play_all(work, remote, &everyone).await;
    }
    let (judgement, transcript) = judging.await.expect("the judge catches what rules panic about");
    let judged = MaskedJudgement::new(&masker, &transcript, &judgement, &settings);
    let unusable = started.unusable.take();
    if !is_played && (unusable.is_none() || !judgement.findings.is_empty()) {
        everyone.consume(Event::RunStarted { run: &line, n_scenarios: None });
    }
    send_judged(&judged, &everyone);
    everyone.consume(Event::PlayEnded);
    started.pool.close().await;
    started.stock.close().await;
    match unusable {
        Some(unusable) if judgement.findings.is_empty() => {
            return Err(unusable.beside(artifacts.problems().into_iter().next()));
        }
        // What was found before is not lost.
        Some(unusable) => {
            note(&unusable.to_string());
            everyone.consume(Event::Unusable);
        }
        None => {}
    }
    if let Some(why) = &started.refused {
        note(why);
    }
    if options.origin.reattached.is_some() {
        note("the provider was already running, so it was neither measured nor ended");
    }
    for crash in started.pool.unexplained_crashes() {
        send_crash(&crash, &masker, &everyone);
    }
    artifacts.problems().iter().for_each(|problem| note(problem));
    drop(everyone);
    let (own, provider) = (Usage::own().since(before), started.pool.usage().await);
    let mut report = collector.into_report(|totals| {
        totals.exchanges = started.calls.total();
        totals.used(began.elapsed(), own, provider);
    });
    for group in &mut report.groups {
        let replay = artifacts.replay_command(&group.grouping());
        let type_name = &group.first.scenario.type_name;
        let rerun = replay.unwrap_or_else(|| rerun_command::check(&options, subject.protocol, type_name));
        group.first.rerun = rerun;
    }
    consumer.consume(Event::RunEnded(&report));
    Ok(report)
}

/// A crash that no single call could be made to repeat: still a process that is gone.
fn send_crash(report: &CrashReport, masker: &Masker, consumer: &dyn Consumer) {
    let message = format!(
        "{}, and none of the calls in flight could be made to repeat it alone",
        RpcFailure::Crashed(report.clone())
    );
    let (cause, evidence) =
        (masker.shown(&survives::cause(report)), Evidence::of_crash(&message, report, masker));
    consumer.consume(Event::Crash { rule: &survives::RULE, cause: &cause, evidence: &evidence });
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

/// What a provider declares; starts it, asks, and ends it.
pub async fn schema(starter: Starter) -> Result<ProviderSchema, Unusable> {
    let (client, keeper) = starter.start().await?;
    let fetched = client.schema(&Seen::default()).await;
    keeper.close().await;
    match fetched.call.outcome {
        Ok(response) => Ok(Arc::unwrap_or_clone(response.schema)),
        Err(failure) => Err(Unusable::Call { rpc: fetched.last.name(), why: failure.to_string() }),
    }
}
