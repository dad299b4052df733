//! A provider with about 1,500 types: the time to the first plan and to an accepted configuration of every type, and the
//! time and memory of a sweep.

mod support;

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::Value as Json;
use support::table::Goal;
use support::{IN_FLIGHT, PROCESSES, ROUNDS, Spread, Table, aws_config, block_on, program};
use tfconform::calls::{Protocol, Rpc, Seen};
use tfconform::engine::Engine;
use tfconform::generate;
use tfconform::provider::client::Client;
use tfconform::provider::launch::Launch;
use tfconform::provider::transport::Transport as _;
use tfconform::report::events::{Consumer, Event};
use tfconform::run::{self, Interruption, RunOptions, Signal};
use tfconform::suite::Selection;
use tfconform::transcript::{AnyCall, Call, ConfigureProviderRequest, Encoded};

/// Scenarios for each type in the sweep, as many as by default.
const CASES: usize = 4;

fn main() {
    let mut table = Table::new(format!("aws: {PROCESSES} processes, {IN_FLIGHT} scenarios in flight"));
    match support::provider("aws") {
        Ok(path) => {
            first_plan(&path, &mut table);
            bootstrap(&path, &mut table);
            sweep(&mut table);
        }
        Err(why) => table.skipped("aws", &why),
    }
    table.print();
}

fn first_plan(path: &Path, table: &mut Table) {
    let configure = block_on(configuration(path));
    let rounds: Vec<(f64, f64)> = (0..ROUNDS)
        .map(|_| (block_on(own_start(path, configure.clone())), block_on(until_first_scenario(path))))
        .collect();
    let spread = |of: &dyn Fn(&(f64, f64)) -> f64| Spread::of(rounds.iter().map(of));
    table.row(
        "the provider's own start, schema and configuration",
        spread(&|(own, _)| *own),
        "s",
        Goal::None,
    );
    table.row("start of a run to the end of its first scenario", spread(&|(_, run)| *run), "s", Goal::None);
    table.row("what we add", spread(&|(own, run)| run - own), "s", Goal::AtMost(1.0));
}

/// An encoded request that configures the provider.
async fn configuration(path: &Path) -> Bytes {
    let home = tempfile::tempdir().expect("a folder can be made");
    let process = launch(path, home.path()).start().await.expect("the provider starts");
    let client = Client::new(Arc::new(process));
    let schema = client.schema(&Seen::default()).await.call;
    let schema = schema.outcome.expect("the provider shows its schema").schema;
    let schema = schema.provider.as_ref().expect("the provider declares itself");
    let config = aws_config().value(schema).expect("the configuration fits");
    let engine = Engine::default();
    let call = AnyCall::ConfigureProvider(Call::unanswered(ConfigureProviderRequest {
        terraform_version: engine.terraform_version().to_owned(),
        config: Encoded::of(config, schema.implied_type()),
        capabilities: Some(engine.client_capabilities(5)),
    }));
    call.encode_request(Protocol::V5).pop().expect("a unary call has one request")
}

/// The unavoidable cost: one process up to its configuration, without reading the answers.
async fn own_start(path: &Path, configure: Bytes) -> f64 {
    let home = tempfile::tempdir().expect("a folder can be made");
    let began = Instant::now();
    let process = launch(path, home.path()).start().await.expect("the provider starts");
    for (rpc, request) in [(Rpc::GetProviderSchema, Bytes::new()), (Rpc::ConfigureProvider, configure)] {
        process.call(rpc, request).await.expect("the provider answers");
    }
    let took = began.elapsed().as_secs_f64();
    process.close().await;
    took
}

fn launch(path: &Path, home: &Path) -> Launch {
    Launch { env: program(path, home).env, ..Launch::new(path) }
}

/// From the start to the first judged scenario, which plans right away.
async fn until_first_scenario(path: &Path) -> f64 {
    let home = tempfile::tempdir().expect("a folder can be made");
    let generate = generate::Options { cases: generate::Cases::Number(1), ..generate::Options::default() };
    let options = RunOptions {
        select: Selection::parse(&["aws_sqs_queue".to_owned()]).expect("a name is a pattern"),
        kind: Some(tfconform::schema::Kind::Resource),
        config: Some(aws_config()),
        ..support::options(program(path, home.path()), generate)
    };
    let first = First::default();
    let began = Instant::now();
    let report = run::run(options, None, &first).await.expect("the provider can be used");
    assert_eq!(report.totals.types.planned, 1, "the type was planned");
    let finished = first.0.lock().expect("nothing panics under the lock").expect("a scenario was played");
    (finished - began).as_secs_f64()
}

/// When the first scenario was finished.
#[derive(Default)]
struct First(Mutex<Option<Instant>>);

impl Consumer for First {
    fn consume(&self, event: Event<'_>) {
        if matches!(event, Event::ScenarioFinished(_)) {
            self.0.lock().expect("nothing panics under the lock").get_or_insert_with(Instant::now);
        }
    }
}

/// The search for a configuration of every type that the provider accepts, and plans.
fn bootstrap(path: &Path, table: &mut Table) {
    let rounds: Vec<f64> = (0..ROUNDS).map(|_| block_on(until_all_are_learned(path))).collect();
    table.row(
        "an accepted configuration for every type, once started",
        Spread::of(rounds),
        "s",
        Goal::AtMost(10.0),
    );
}

async fn until_all_are_learned(path: &Path) -> f64 {
    let home = tempfile::tempdir().expect("a folder can be made");
    // One scenario needs only the smallest configuration.
    let generate = generate::Options { cases: generate::Cases::Number(1), ..generate::Options::default() };
    let options = RunOptions {
        config: Some(aws_config()),
        learns: true,
        ..support::options(program(path, home.path()), generate)
    };
    let learning = Learning { interruption: options.interruption.clone(), ..Learning::default() };
    run::run(options, None, &learning).await.expect("the provider can be used");
    let took = learning.took.lock().expect("nothing panics under the lock");
    took.expect("scenarios were about to be played").as_secs_f64()
}

/// How long it took until scenarios could be played, where the run ends.
#[derive(Default)]
struct Learning {
    interruption: Interruption,
    began: Mutex<Option<Instant>>,
    took: Mutex<Option<Duration>>,
}

impl Consumer for Learning {
    fn consume(&self, event: Event<'_>) {
        let mut began = self.began.lock().expect("nothing panics under the lock");
        match event {
            Event::RunStarted { .. } => *began = Some(Instant::now()),
            Event::TypeStarted { .. } => {
                let mut took = self.took.lock().expect("nothing panics under the lock");
                took.get_or_insert_with(|| began.expect("the run has started").elapsed());
                self.interruption.send(Signal::Interrupt);
            }
            _ => {}
        }
    }
}

/// Every type that the suite of the provider does not skip, with the program as users run it; its own summary gives
/// the cost.
fn sweep(table: &mut Table) {
    let output = Command::new(env!("CARGO_BIN_EXE_tfconform"))
        .args(["check", "--suite", "suites/aws.toml", "--resource", "*", "--cases", &CASES.to_string()])
        .args(["--no-cases", "--quiet", "--format", "json"])
        .current_dir(support::repository())
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let summary = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Json>(line).ok())
        .find(|event| event["event"] == "summary");
    let Some(summary) = summary else {
        return table.skipped("sweep", String::from_utf8_lossy(&output.stderr).trim());
    };
    let number = |name: &str| summary[name].as_f64().unwrap_or_else(|| panic!("the summary has {name}"));
    let once = |value: f64| Spread::of([value]);
    let (harness, provider) = (number("harness_cpu_seconds"), number("provider_cpu_seconds"));
    let (exchanges, wall) = (number("exchanges"), number("wall_seconds"));
    table.row("sweep: time", once(wall), "s", Goal::AtMost(300.0));
    table.row("sweep: calls", once(exchanges), "", Goal::None);
    table.row("sweep: calls per second", once(exchanges / wall), "per s", Goal::None);
    table.row("sweep: harness's CPU", once(harness * 1e6 / exchanges), "us/call", Goal::None);
    table.row(
        "sweep: provider's share of all CPU",
        once(100.0 * provider / (provider + harness)),
        "%",
        Goal::None,
    );
    let memory = number("harness_peak_memory_bytes") / f64::from(1 << 20);
    table.row("sweep: harness's peak memory", once(memory), "MiB", Goal::AtMost(500.0));
}
