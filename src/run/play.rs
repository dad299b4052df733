//! Plays scenarios concurrently, judges each, and sends what happens as events.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Semaphore, mpsc};

use super::RunOptions;
use super::patience::Patience;
use super::start::Started;
use crate::generate;
use crate::judge::{Judgement, Settings, judge_until};
use crate::lifecycle::{self, End, Played, Remote};
use crate::record::{MaskedJudgement, Masker, RunSettings};
use crate::report::events::{Consumer, Event, send_judged};
use crate::rules::CATALOGUE;
use crate::scenario::Scenario;
use crate::schema::Kind;

const ABANDONED: &str = "the run ended while scenarios were being played: they were not judged, and may have \
                         left objects behind";

/// A scenario that was played and judged.
struct Finished {
    kind: Kind,
    scenario: Scenario,
    played: Played,
    judgement: Judgement,
}

/// What playing needs.
pub(super) struct Stage<'s> {
    pub options: &'s Arc<RunOptions>,
    pub started: &'s Started,
    pub settings: &'s RunSettings,
    pub masker: &'s Arc<Masker>,
}

impl Stage<'_> {
    /// Plays and judges all scenarios of some types; sends the events of each when it has ended.
    pub async fn play_all(
        &self,
        work: Vec<(Kind, String)>,
        remote: Option<Arc<dyn Remote>>,
        consumer: &dyn Consumer,
    ) {
        let Stage { options, started, settings, masker } = *self;
        let slots = Arc::new(Semaphore::new(options.jobs));
        let (sender, mut receiver) = mpsc::channel::<Result<Finished, String>>(options.jobs * 4);
        let (subject, pool) = (Arc::clone(&started.subject), Arc::clone(&started.pool));
        let judge_settings = Settings { engine: options.engine, volatile: options.volatile.clone() };
        let lost = Arc::new(AtomicBool::new(false));
        let listener: lifecycle::Listener = {
            let (subject, masker) = (Arc::clone(&subject), Arc::clone(masker));
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
                        if options.interruption.is_set() || lost.load(Ordering::Relaxed) {
                            return;
                        }
                        turn += 1;
                        let (options, subject, pool) =
                            (Arc::clone(&options), Arc::clone(&subject), Arc::clone(&pool));
                        let (remote, settings, sender) =
                            (remote.clone(), judge_settings.clone(), sender.clone());
                        let (lost, listener) = (Arc::clone(&lost), Some(Arc::clone(&listener)));
                        let played = tokio::spawn(async move {
                            let may =
                                lifecycle::Options { listener, ..lifecycle::Options::new(options.apply) };
                            let remote = remote.as_deref();
                            let played =
                                lifecycle::play(&scenario, &subject, &pool, remote, &may, turn).await;
                            if matches!(played.end, End::Lost { .. }) && !options.program.is_started_again() {
                                lost.store(true, Ordering::Relaxed);
                            }
                            let patience = Patience::new(&options.interruption);
                            let is_over = || patience.is_over();
                            let judgement = judge_until(CATALOGUE, &played.transcript, &settings, &is_over);
                            Finished { kind, scenario, played, judgement }
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
        let overdue = options.interruption.is_overdue();
        tokio::pin!(overdue);
        loop {
            let finished = tokio::select! {
                biased;
                finished = receiver.recv() => finished,
                () = &mut overdue => {
                    feeder.abort();
                    consumer.consume(Event::Note(&masker.shown(ABANDONED)));
                    break;
                }
            };
            let Some(finished) = finished else { break };
            match finished {
                Ok(Finished { kind, scenario, played, judgement }) => {
                    let played = (kind, &scenario, &played);
                    send_judged(&MaskedJudgement::of_played(masker, played, &judgement, settings), consumer);
                }
                Err(defect) => consumer.consume(Event::Defect { message: &masker.shown(&defect) }),
            }
        }
        let _ = feeder.await;
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
