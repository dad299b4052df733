//! Suite × provider → report.

mod again;
mod case;
mod collect;
mod hook;
mod keep;
mod launch;
mod options;
pub mod replay;
mod show;
mod start;
mod unasked;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tokio::sync::{Semaphore, mpsc};

use crate::calls::Seen;
use crate::generate;
use crate::judge::{self, Settings};
use crate::lifecycle::{self, End, Remote};
use crate::process::Usage;
use crate::report::Report;
use crate::report::progress::Progress;
use crate::rules::CATALOGUE;
use crate::schema::Kind;
use crate::schema::ProviderSchema;
use crate::transcript::{Subject, Transcript};

pub use collect::{Collector, Finished};
pub use hook::{Hook, describe};
pub use keep::Keeper;
pub use launch::{Instances, MakeInstance, Program, RunError, Starter};
pub use options::{ProviderConfig, RunOptions, SchemaCheck};
pub use show::show;

/// Starts the provider, plays every scenario, judges every transcript.
///
/// Errs where the provider cannot be used at all, or the configuration does not fit it.
pub async fn run(
    options: RunOptions,
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
fn work(options: &RunOptions, subject: &Subject) -> Vec<(Kind, String)> {
    let selected = |name: &str| {
        !options.skip.contains(name) && options.select.as_ref().is_none_or(|select| select.is_match(name))
    };
    let kinds = PLAYED.into_iter().filter(|kind| options.kind.is_none_or(|wanted| wanted == *kind));
    let types = kinds.flat_map(|kind| subject.schema.names(kind).into_iter().map(move |name| (kind, name)));
    types.filter(|(_, name)| selected(name)).map(|(kind, name)| (kind, name.to_owned())).collect()
}

/// What a worker sends back: everything but the transcript, which is judged and dropped.
async fn play_all(
    options: &Arc<RunOptions>,
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
                        let may = lifecycle::Options { listener, ..lifecycle::Options::new(options.apply) };
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
