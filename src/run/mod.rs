//! Suite × provider → report.

mod alone;
mod artifacts;
mod audience;
mod budget;
mod clock;
mod confirm;
mod holds;
mod hook;
mod instance;
mod interruption;
pub mod judge;
mod lanes;
mod launch;
mod learn;
mod lessons;
mod options;
mod patience;
mod play;
mod provider_block;
mod questions;
mod references;
mod remembered;
pub mod replay;
pub(crate) mod rerun_command;
mod retries;
mod retry;
mod shard;
mod show;
mod shrink;
mod source;
mod stage;
mod start;
mod together;
mod type_start;
mod why;
mod without_schema;

use std::sync::Arc;
use std::time::Instant;

use crate::calls::Seen;
use crate::generate::Cases;
use crate::judge::{Settings, judge_until};
use crate::lifecycle::Remote;
use crate::process::Usage;
use crate::record::{Evidence, MaskedJudgement, Masker};
use crate::report::collect::Collector;
use crate::report::events::{Consumer, Event, Expected, Fanout, send_judged};
use crate::report::{Family, Parts, Report, RunLine};
use crate::rules::CATALOGUE;
use crate::schema::Kind;
use crate::schema::ProviderSchema;
use crate::transcript::{CrashReport, Subject, Transcript};

use artifacts::Artifacts;
use audience::{Audience, Leftovers};
use clock::{Clock, NO_TIME, Part};
pub use hook::{Hook, Outside, Place, describe};
pub use interruption::{Interruption, Signal};
pub use launch::{Instances, MakeInstance, Program, RunError, Starter};
use lessons::TypeKey;
pub use options::{ProviderConfig, RunOptions, SchemaCheck};
use patience::Patience;
pub use questions::Question;
pub use remembered::Remembered;
pub use shard::Shard;
pub use show::show;
use stage::Stage;
pub use why::{Asked, why};

/// Starts the provider, plays every scenario, judges every transcript; `consumer` receives all events.
///
/// Fails if the provider cannot be used at all, or the configuration does not fit it.
pub async fn run(
    options: RunOptions,
    remote: Option<Arc<dyn Remote>>,
    consumer: &dyn Consumer,
) -> Result<Report, RunError> {
    let (began, before) = (Instant::now(), Usage::own());
    let clock = Clock::new(began, options.max_time);
    let options = Arc::new(options);
    let starting = clock.start().limit(Box::pin(options.started()));
    let mut started = starting.await.unwrap_or(Err(RunError::Late))?;
    let subject = Arc::clone(&started.subject);
    let (settings, masker) = (options.settings(), Arc::clone(&options.masker));
    let shard = options.shard.map(|shard| shard.to_string());
    let line = RunLine { shard, ..judge::run_line(&subject, options.engine, &settings) };
    let nothing_applied =
        (!options.apply).then(|| format!("nothing was applied or read: {}", options.apply_reason));
    let collector = Collector::new(line.clone(), nothing_applied)
        .with_sandbox(options.sandbox_failed)
        .with_calls(options.shows_calls);
    let artifacts = Artifacts::new(&options, &subject, started.made_up.take());
    let everyone = Fanout(vec![&artifacts, &collector, consumer]);
    let note = |text: &str| everyone.consume(Event::Note(&masker.shown(text)));
    // A large provider's schema takes a while: the first scenarios need not wait for it.
    let judging = tokio::task::spawn_blocking({
        let exchanges = std::mem::take(&mut started.transcript.exchanges);
        let transcript = Transcript { exchanges, ..started.transcript.clone() };
        let settings = Settings { engine: options.engine, volatile: options.volatile.clone() };
        let patience = Patience::new(&options.interruption, clock.deadline(Part::Shrink));
        move || (judge_until(CATALOGUE, &transcript, &settings, &|| patience.is_over()), transcript)
    });
    let unusable = started.unusable.take();
    let is_played = started.refused.is_none() && unusable.is_none();
    let started = Arc::new(started);
    let n_types = selected(&options, &subject).len();
    let cases = options.cases.among(n_types);
    let mut parts = Parts::default();
    if is_played {
        let mut began = Instant::now();
        let mut lap = || std::mem::replace(&mut began, Instant::now()).elapsed();
        let work = work(&options, &subject);
        if let Some(why) = why_no_work(&options, &subject) {
            started.stock.close().await;
            return Err(RunError::Suite(why));
        }
        if let Some(shard) = options.shard.filter(|_| work.is_empty()) {
            note(&format!("part {shard} of the run has no type: there are more parts than types"));
        }
        let n_scenarios = match cases {
            Cases::Number(cases) => Some(work.len().saturating_mul(cases)),
            Cases::Share(_) | Cases::Auto => None,
        };
        let expected = Expected { n_scenarios, most: options.max_time };
        everyone.consume(Event::RunStarted { run: &line, expected });
        let mut stage = Stage::new(&options, cases, &started, remote);
        let audience = Audience { settings: &settings, masker: &masker, consumer: &everyone };
        let leftovers = Leftovers::default();
        started.note.iter().for_each(|text| note(text));
        if let Some(share) = cases.scarce() {
            note(&format!(
                "with {n_types} types, `--cases auto` plays at most {share} scenarios of each: select fewer types with \
                 `--resource`, or set `--cases`"
            ));
        }
        stage.examples.shown_notes().iter().for_each(|text| note(text));
        stage.examples.note_on_repository().iter().for_each(|text| note(text));
        if options.learns {
            stage.deadline = clock.deadline(Part::Search);
            stage.lessons = Arc::new(stage.learn(&work, &started, &audience, &leftovers).await);
            if stage.deadline.is_over() {
                note(&format!("the search for configurations was cut short: {NO_TIME}"));
            }
            stage.lessons.notes().iter().for_each(|text| note(text));
            if let Some(remembered) = options.remembered.as_ref().filter(|_| !stage.is_interrupted())
                && let Err(problem) = remembered.write(&stage.lessons, &masker)
            {
                note(&format!("what was learned could not be kept: {problem}"));
            }
        }
        parts.search = lap();
        stage.unused_hints(&work).iter().for_each(|text| note(text));
        stage.deadline = clock.deadline(Part::Play);
        let mut unexplained = stage.play_all(work.clone(), &started, &audience, &leftovers).await;
        let unreached = |obstacle| collector.unreached(obstacle);
        unexplained.extend(stage.retry(&work, unreached, &started, &audience, &leftovers).await);
        // What passed a limit is told by the sandbox itself.
        for (crash, calls) in unexplained.iter().filter(|(crash, _)| crash.limit().is_none()) {
            send_crash(crash, calls, &masker, &everyone);
        }
        parts.play = lap();
        if options.program.is_started_again() {
            stage.deadline = clock.deadline(Part::Confirm);
            let failing = collector.failing(options.fail_on);
            let shown = Family::shown(&failing);
            stage.confirm(&failing, &shown, &started, &audience, &leftovers).await;
            parts.confirm = lap();
            stage.deadline = clock.deadline(Part::Shrink);
            let confirmed = collector.failing(options.fail_on);
            stage.shrink(confirmed, &shown, &started, &audience, &leftovers).await;
            parts.shrink = lap();
        }
    }
    let (judgement, transcript) = judging.await.expect("the judge catches what rules panic about");
    let judged = MaskedJudgement::new(&masker, &transcript, &judgement, &settings);
    if !is_played && (unusable.is_none() || !judgement.findings.is_empty()) {
        everyone.consume(Event::RunStarted { run: &line, expected: Expected::default() });
    }
    send_judged(&judged, &everyone);
    everyone.consume(Event::PlayEnded);
    let closed = async {
        started.pool.close().await;
        started.stock.close().await;
    };
    tokio::select! {
        () = closed => {}
        // The processes end with us.
        () = options.interruption.is_overdue() => {}
    }
    match unusable {
        Some(unusable) if judgement.findings.is_empty() => {
            return Err(unusable.beside(artifacts.problems().into_iter().next()));
        }
        // Earlier findings are not lost.
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
        note("the provider was already running, so it was neither measured nor stopped");
    }
    artifacts.problems().iter().for_each(|problem| note(problem));
    drop(everyone);
    let provider = tokio::select! {
        used = started.pool.usage() => used,
        () = options.interruption.is_overdue() => Usage::default(),
    };
    let own = Usage::own().since(before);
    let mut report = collector.into_report(|totals| {
        totals.exchanges = started.calls.total();
        totals.parts = parts;
        totals.used(began.elapsed(), own, provider);
    });
    artifacts.keep(&report.groups);
    for group in &mut report.groups {
        let type_name = &group.first.scenario.type_name;
        let check = || rerun_command::check(&options, cases, subject.protocol, type_name);
        let replay = artifacts.replay_command(group);
        (group.first.rerun, group.first.is_for_engines) = replay.unwrap_or_else(|| (check(), false));
    }
    consumer.consume(Event::RunEnded(&report));
    Ok(report)
}

/// Calls that are named if many were in flight.
const CALLS: usize = 5;

/// A crash that no scenario repeats alone: still a process that is gone.
fn send_crash(report: &CrashReport, calls: &[String], masker: &Masker, consumer: &dyn Consumer) {
    let named = calls.iter().take(CALLS).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = match calls.len().saturating_sub(CALLS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message =
        format!("{report}; no scenario repeats it when it is played alone; in flight: {named}{more}");
    let (cause, evidence) = (masker.cause(&report.cause()), Evidence::of_crash(&message, report, masker));
    consumer.consume(Event::Crash {
        rule: &crate::rules::rpc::survives::RULE,
        cause: &cause,
        evidence: &evidence,
    });
}

/// The kinds that scenarios cover, in the order in which they are played.
pub(crate) const PLAYED: [Kind; 2] = [Kind::Resource, Kind::DataSource];

/// The types of a provider that can be tested.
fn playable(subject: &Subject) -> impl Iterator<Item = (Kind, &str)> + Clone {
    PLAYED.into_iter().flat_map(|kind| subject.schema.names(kind).into_iter().map(move |name| (kind, name)))
}

/// The types to test.
fn work(options: &RunOptions, subject: &Subject) -> Vec<TypeKey> {
    let types = selected(options, subject);
    let cases = options.cases.among(types.len());
    match options.shard {
        Some(shard) => shard.of(types, &subject.schema, cases),
        None => types,
    }
}

/// The types to test, in all parts of the run.
fn selected(options: &RunOptions, subject: &Subject) -> Vec<TypeKey> {
    let types = playable(subject).filter(|(kind, name)| is_selected(options, *kind, name));
    types.map(|(kind, name)| (kind, name.to_owned())).collect()
}

fn is_selected(options: &RunOptions, kind: Kind, name: &str) -> bool {
    options.kind.is_none_or(|wanted| wanted == kind)
        && !options.skip.contains(&kind.qualified(name))
        && options.select.has(kind, name)
}

/// Why the user's selection cannot be played, if it selects nothing or has a glob that matches nothing.
fn why_no_work(options: &RunOptions, subject: &Subject) -> Option<String> {
    if let Some((_, problem)) = options.select.unmatched(playable(subject)) {
        return Some(problem);
    }
    if options.select.is_everything() || !selected(options, subject).is_empty() {
        return None;
    }
    let n_types = playable(subject).count();
    Some(format!("none of the {n_types} types of the provider is selected"))
}

/// A provider's schema; starts the provider, asks it, and stops it.
pub async fn schema(starter: Starter) -> Result<ProviderSchema, RunError> {
    let (client, handle) = starter.start().await?;
    let fetched = client.schema(&Seen::default()).await;
    handle.close().await;
    match fetched.call.outcome {
        Ok(response) => Ok(Arc::unwrap_or_clone(response.schema)),
        Err(failure) => Err(RunError::Call { rpc: fetched.last.name(), why: failure.to_string() }),
    }
}
