//! The whole pipeline against a bare loop that makes the same calls.
//!
//! The calls of a run are recorded in encoded form, and made again by tonic's
//! client half alone: as many processes, as many scenarios in flight. The difference
//! is the cost of generating, encoding, decoding and judging.

mod support;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use support::bare::{Bare, Loop, replay};
use support::recorder::{Sent, keep};
use support::stage::Stage;
use support::table::Goal;
use support::{IN_FLIGHT, PROCESSES, ROUNDS, Spread, Table, block_on, own_cpu, program};
use tfconform::generate;
use tfconform::report::events::{Consumer, Event};
use tfconform::run::{self, RunOptions};
use tfconform::schema::Kind;
use tfconform::suite::{Handling, Policy, Selection, Selector};
use tfconform::transcript::Subject;

/// What to play, and how much of it: enough for some thousand calls.
struct Subjects {
    provider: &'static str,
    select: &'static [&'static str],
    cases: usize,
    /// Where below its home the provider keeps its objects.
    objects: Option<&'static str>,
}

const SUBJECTS: [Subjects; 2] = [
    // `time_sleep` is left out: it sleeps.
    Subjects {
        provider: "time",
        select: &["time_offset", "time_rotating", "time_static"],
        cases: 150,
        objects: None,
    },
    Subjects { provider: "fwfix", select: &["fwfix_*"], cases: 40, objects: Some(".fwfix") },
];

fn main() {
    for subjects in &SUBJECTS {
        let mut table = Table::new(format!(
            "pipeline: {}, {PROCESSES} processes, {IN_FLIGHT} scenarios in flight, the middle of {ROUNDS} rounds",
            subjects.provider
        ));
        match support::provider(subjects.provider) {
            Ok(path) => block_on(measure(subjects, &path, &mut table)),
            Err(why) => table.skipped(subjects.provider, &why),
        }
        table.print();
    }
}

async fn measure(subjects: &Subjects, path: &Path, table: &mut Table) {
    let scratch = tempfile::tempdir().expect("a folder can be made");
    let kept = scratch.path().join("kept");
    let (setup, scenarios) = record(subjects, path, scratch.path(), &kept).await;
    let scenarios = Arc::new(scenarios);
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        let home = scratch.path().join(format!("bare{round}"));
        keep(&kept, &home.join(subjects.objects.unwrap_or_default())).expect("objects can be copied");
        let processes = bare(path, &home, &setup).await;
        let bare = replay(processes, Arc::clone(&scenarios)).await;
        let home = scratch.path().join(format!("run{round}"));
        std::fs::create_dir_all(&home).expect("a folder can be made");
        rounds.push((bare, whole(subjects, path, &home, scratch.path()).await));
    }
    show(&rounds, table);
}

fn show(rounds: &[(Loop, Loop)], table: &mut Table) {
    let mut row = |what: &str, unit: &str, goal: Goal, of: &dyn Fn(&Loop, &Loop) -> f64| {
        table.row(what, Spread::of(rounds.iter().map(|(bare, run)| of(bare, run))), unit, goal);
    };
    let rate = |measured: &Loop| measured.calls as f64 / measured.wall.as_secs_f64();
    let each = |cpu: Duration, calls: u64| cpu.as_secs_f64() * 1e6 / calls as f64;
    row("calls of a run", "", Goal::None, &|_, run| run.calls as f64);
    row("answered alike when replayed", "%", Goal::None, &|bare, _| {
        bare.alike as f64 / bare.calls as f64 * 100.0
    });
    row("bare loop", "calls/s", Goal::None, &|bare, _| rate(bare));
    row("whole pipeline", "calls/s", Goal::None, &|_, run| rate(run));
    row("whole pipeline / bare loop", "", Goal::AtLeast(0.8), &|bare, run| rate(run) / rate(bare));
    row("bare loop's CPU", "us/call", Goal::None, &|bare, _| each(bare.client_cpu, bare.calls));
    row("harness's CPU", "us/call", Goal::None, &|_, run| each(run.client_cpu, run.calls));
    row("harness's CPU / bare loop's", "", Goal::AtMost(3.0), &|bare, run| {
        each(run.client_cpu, run.calls) / each(bare.client_cpu, bare.calls)
    });
    row("provider's CPU, bare loop", "us/call", Goal::None, &|bare, _| each(bare.provider_cpu, bare.calls));
    row("provider's CPU, whole pipeline", "us/call", Goal::None, &|_, run| each(run.provider_cpu, run.calls));
    row("provider's share of all CPU", "%", Goal::AtLeast(85.0), &|_, run| {
        let (provider, harness) = (run.provider_cpu.as_secs_f64(), run.client_cpu.as_secs_f64());
        provider / (provider + harness) * 100.0
    });
}

/// Plays the run's scenarios one by one; returns the calls that set a process up, and those of each scenario.
async fn record(
    subjects: &Subjects,
    path: &Path,
    scratch: &Path,
    kept: &Path,
) -> (Vec<Sent>, Vec<Vec<Sent>>) {
    let home = scratch.join("recorded");
    std::fs::create_dir_all(&home).expect("a folder can be made");
    let objects = subjects.objects.map(|folder| (home.join(folder), kept.to_owned()));
    let stage = Stage::set(&program(path, &home), objects, None).await;
    let setup = stage.log.drain();
    let mut scenarios = Vec::new();
    for (kind, type_name) in types(&stage.subject, subjects) {
        let schema = stage.subject.schema.get(kind, &type_name);
        let schema = schema.expect("the type is one of the schema's");
        for scenario in generate::scenarios(schema, kind, &type_name, &generation(subjects, scratch)) {
            stage.play(&scenario, true, scenarios.len() + 1).await;
            scenarios.push(stage.log.drain());
        }
    }
    stage.pool.close().await;
    (setup, scenarios)
}

fn types(subject: &Subject, subjects: &Subjects) -> Vec<(Kind, String)> {
    let select = select(subjects);
    let managed = subject.schema.resources.keys().map(|name| (Kind::Resource, name.clone()));
    let data = subject.schema.data_sources.keys().map(|name| (Kind::DataSource, name.clone()));
    managed.chain(data).filter(|(kind, name)| select.has(*kind, name)).collect()
}

fn select(subjects: &Subjects) -> Selection {
    let patterns: Vec<String> = subjects.select.iter().map(|pattern| (*pattern).to_owned()).collect();
    Selection::parse(&patterns).expect("the patterns are constants")
}

fn generation(subjects: &Subjects, scratch: &Path) -> generate::Options {
    generate::Options {
        cases: generate::Cases::Number(subjects.cases),
        apply: true,
        safe_to_run: true,
        scratch: Some(scratch.to_owned()),
        ..generate::Options::default()
    }
}

async fn bare(path: &Path, home: &Path, setup: &[Sent]) -> Vec<Bare> {
    let mut processes = Vec::new();
    for number in 0..PROCESSES {
        let process = Bare::start(path, home).await;
        for sent in setup.iter().filter(|sent| sent.process == number) {
            process.call(sent).await;
        }
        processes.push(process);
    }
    processes
}

/// A run as `check` makes it, from the moment at which the first scenario may begin.
async fn whole(subjects: &Subjects, path: &Path, home: &Path, scratch: &Path) -> Loop {
    // What is found is not played again: the bare loop does not do so either.
    let everything: Selector = "*".parse().expect("the selector is a constant");
    let mut policy = Policy::default();
    policy.add([(Handling::Allow, std::slice::from_ref(&everything))]);
    let options = RunOptions {
        select: select(subjects),
        policy,
        ..support::options(program(path, home), generation(subjects, scratch))
    };
    let clock = Clock::default();
    let report = run::run(options, None, &clock).await.expect("the provider can be used");
    let (wall, client_cpu) = clock.read();
    Loop {
        calls: report.totals.exchanges,
        wall,
        client_cpu,
        provider_cpu: report.totals.provider_cpu.unwrap_or_default(),
        alike: 0,
    }
}

/// Times the part of a run in which scenarios are played.
#[derive(Default)]
struct Clock(Mutex<Vec<(Instant, Duration)>>);

impl Clock {
    fn mark(&self) {
        self.0.lock().expect("nothing panics under the lock").push((Instant::now(), own_cpu()));
    }

    fn read(&self) -> (Duration, Duration) {
        let marks = self.0.lock().expect("nothing panics under the lock");
        let [(began, cpu_before), (ended, cpu_after)] = marks[..] else { panic!("a run begins and ends") };
        (ended - began, cpu_after - cpu_before)
    }
}

impl Consumer for Clock {
    fn consume(&self, event: Event<'_>) {
        if matches!(event, Event::RunStarted { .. } | Event::PlayEnded) {
            self.mark();
        }
    }
}
