//! Lifecycles and plans per second, by us and by today's tools.
//!
//! Against terraform-plugin-testing: the same create, update and destroy of the
//! same type, both sides with as many at once as keep two cores busy. Ours makes
//! about forty calls for it and judges every one. Against `terraform plan`: one
//! plan of an AWS type by a `terraform` that starts its providers again each time.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use support::stage::Stage;
use support::table::Goal;
use support::{IN_FLIGHT, ROUNDS, Spread, Table, block_on, program, repository};
use tfconform::generate;
use tfconform::judge::{Settings, judge};
use tfconform::rules::CATALOGUE;
use tfconform::scenario::{Arguments, Block, EngineRun, Operation, ResourceAddress, Scenario};
use tfconform::schema::Kind;
use tfconform::transcript::{AnyCall, ScenarioLabel};
use tfconform::value::Value;

/// The number of their tests at once that is fastest on two cores.
const THEIR_PARALLEL: usize = 6;
/// Lifecycles of one round, by the incumbent and by us.
const THEIRS: usize = 18;
const OURS: usize = 400;
/// AWS types that are planned, in their order from here on, and scenarios of each.
const TYPES: usize = 60;
const CASES: usize = 3;

fn main() {
    let mut table = Table::new(format!("incumbent: the middle of {ROUNDS} rounds"));
    match acceptance_tests() {
        Ok((fwfix, tests)) => lifecycles(&fwfix, &tests, &mut table),
        Err(why) => table.skipped("lifecycles", &why),
    }
    match aws() {
        Ok(aws) => plans(&aws, &mut table),
        Err(why) => table.skipped("plans of AWS types", &why),
    }
    table.print();
}

/// The fixture, and its acceptance tests compiled.
fn acceptance_tests() -> Result<(PathBuf, tempfile::TempDir), String> {
    let fwfix = support::provider("fwfix")?;
    works(Command::new("terraform").arg("version"))?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut compile = Command::new("go");
    compile.args(["test", "-c", "-o"]).arg(folder.path().join("acceptance")).arg(".");
    works(compile.current_dir(repository().join("tests/providers/framework")))?;
    Ok((fwfix, folder))
}

fn aws() -> Result<PathBuf, String> {
    let path = support::provider("aws")?;
    works(Command::new("terraform").arg("version"))?;
    Ok(path)
}

/// The output of a command, or why it is not available or failed.
fn works(command: &mut Command) -> Result<Output, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(format!("{program} failed: {last}"))
}

fn lifecycles(fwfix: &Path, tests: &tempfile::TempDir, table: &mut Table) {
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let theirs = match their_lifecycles(tests.path()) {
            Ok(theirs) => theirs,
            Err(why) => return table.skipped("lifecycles", &why),
        };
        rounds.push((theirs, block_on(our_lifecycles(fwfix))));
    }
    let mut row = |what: &str, unit: &str, goal: Goal, of: &dyn Fn(f64, Played) -> f64| {
        table.row(what, Spread::of(rounds.iter().map(|(theirs, ours)| of(*theirs, *ours))), unit, goal);
    };
    row("lifecycles by terraform-plugin-testing", "per s", Goal::None, &|theirs, _| theirs);
    row("lifecycles by us", "per s", Goal::None, &|_, ours| ours.per_second(ours.scenarios));
    row("calls of one of ours", "", Goal::None, &|_, ours| ours.calls as f64 / ours.scenarios as f64);
    row("lifecycles, we / they", "", Goal::AtLeast(60.0), &|theirs, ours| {
        ours.per_second(ours.scenarios) / theirs
    });
}

/// Lifecycles per second.
fn their_lifecycles(tests: &Path) -> Result<f64, String> {
    let mut run = Command::new(tests.join("acceptance"));
    run.args(["-test.run", "^TestAccLifecycle$", "-test.parallel", &THEIR_PARALLEL.to_string()]);
    run.env("TF_ACC", "1").env("TFCONFORM_BENCH_CASES", THEIRS.to_string());
    let output = works(run.current_dir(repository().join("tests/providers/framework")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let rate = text.split_whitespace().find_map(|word| word.strip_prefix("per_second="));
    rate.and_then(|rate| rate.parse().ok()).ok_or_else(|| format!("no rate in {text:?}"))
}

/// What was played in a round of ours.
#[derive(Clone, Copy)]
struct Played {
    scenarios: u64,
    calls: u64,
    plans: u64,
    wall: Duration,
}

impl Played {
    fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.wall.as_secs_f64()
    }
}

async fn our_lifecycles(fwfix: &Path) -> Played {
    let home = tempfile::tempdir().expect("a folder can be made");
    let stage = Arc::new(Stage::set(&program(fwfix, home.path()), None, None).await);
    let schema = Arc::clone(stage.subject.resource("fwfix_note").expect("the fixture has notes"));
    let titled = |title: &str| {
        let config = schema.empty_value().with_attribute("title", Value::string(title));
        let address = ResourceAddress::new(Kind::Resource, "fwfix_note", "it");
        EngineRun::new(Operation::Apply, vec![Block::new(address, Arguments::known(config))])
    };
    let label = ScenarioLabel { type_name: "fwfix_note".to_owned(), ..ScenarioLabel::default() };
    let scenario = Scenario::new(label, vec![titled("first"), titled("second"), EngineRun::destroy()]);
    let played = play_all(Arc::clone(&stage), vec![scenario; OURS], true).await;
    stage.pool.close().await;
    played
}

/// Plays and judges scenarios, several at once.
///
/// # Panics
/// If one of those that apply does not reach its end: then it was not a lifecycle.
async fn play_all(stage: Arc<Stage>, scenarios: Vec<Scenario>, apply: bool) -> Played {
    let scenarios = Arc::new(scenarios);
    let next = Arc::new(AtomicUsize::new(0));
    let (calls, plans) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let began = Instant::now();
    let workers: Vec<_> = (0..IN_FLIGHT)
        .map(|_| {
            let (stage, scenarios, next) = (Arc::clone(&stage), Arc::clone(&scenarios), Arc::clone(&next));
            let (calls, plans) = (Arc::clone(&calls), Arc::clone(&plans));
            tokio::spawn(async move {
                let settings = Settings::default();
                loop {
                    let turn = next.fetch_add(1, Ordering::Relaxed);
                    let Some(scenario) = scenarios.get(turn) else { return };
                    let played = stage.play(scenario, apply, turn).await;
                    assert!(!apply || played.end == tfconform::lifecycle::End::Done, "{:?}", played.end);
                    judge(CATALOGUE, &played.transcript, &settings);
                    let exchanges = &played.transcript.exchanges;
                    let planned = exchanges.iter().filter(|exchange| {
                        matches!(exchange.call, AnyCall::PlanResourceChange(_)) && exchange.call.succeeded()
                    });
                    calls.fetch_add(exchanges.len() as u64, Ordering::Relaxed);
                    plans.fetch_add(planned.count() as u64, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.expect("playing does not panic");
    }
    Played {
        scenarios: scenarios.len() as u64,
        calls: calls.load(Ordering::Relaxed),
        plans: plans.load(Ordering::Relaxed),
        wall: began.elapsed(),
    }
}

fn plans(aws: &Path, table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let theirs = match their_plan(aws, folder.path()) {
            Ok(theirs) => theirs,
            Err(why) => return table.skipped("plans of AWS types", &why),
        };
        rounds.push((theirs, block_on(our_plans(aws))));
    }
    let mut row = |what: &str, unit: &str, goal: Goal, of: &dyn Fn(f64, Played) -> f64| {
        let measured = rounds.iter().map(|(theirs, ours)| of(theirs.as_secs_f64(), *ours));
        table.row(what, Spread::of(measured), unit, goal);
    };
    row("plan of an AWS type by terraform", "s", Goal::None, &|theirs, _| theirs);
    row("plans of AWS types by us", "per s", Goal::None, &|_, ours| ours.per_second(ours.plans));
    row("calls of AWS types by us", "per s", Goal::None, &|_, ours| ours.per_second(ours.calls));
    row("plans, we / they", "", Goal::AtLeast(1000.0), &|theirs, ours| ours.per_second(ours.plans) * theirs);
}

/// How long `terraform plan` takes for one resource.
fn their_plan(aws: &Path, folder: &Path) -> Result<Duration, String> {
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text);
    let plugins = aws.parent().expect("a file is in a folder").display();
    let cli = format!(
        "provider_installation {{\n  dev_overrides {{\n    \"hashicorp/aws\" = \"{plugins}\"\n  }}\n  direct {{}}\n}}\n"
    );
    let config = format!(
        "provider \"aws\" {{\n{}}}\nresource \"aws_sqs_queue\" \"it\" {{\n  name = \"it\"\n}}\n",
        support::aws_arguments()
    );
    write("cli.tfrc", cli).and_then(|()| write("main.tf", config)).map_err(|error| error.to_string())?;
    let mut plan = Command::new("terraform");
    plan.args(["plan", "-input=false", "-no-color"]).current_dir(folder);
    plan.env("TF_CLI_CONFIG_FILE", folder.join("cli.tfrc")).env("CHECKPOINT_DISABLE", "1");
    let began = Instant::now();
    works(&mut plan)?;
    Ok(began.elapsed())
}

async fn our_plans(aws: &Path) -> Played {
    let home = tempfile::tempdir().expect("a folder can be made");
    let stage = Stage::set(&program(aws, home.path()), None, Some(support::aws_config())).await;
    let options = generate::Options { cases: generate::Cases::Number(CASES), ..generate::Options::default() };
    let scenarios = stage
        .subject
        .schema
        .resources
        .iter()
        .skip(100)
        .take(TYPES)
        .flat_map(|(name, schema)| generate::scenarios(schema, Kind::Resource, name, &options))
        .collect();
    let stage = Arc::new(stage);
    let played = play_all(Arc::clone(&stage), scenarios, false).await;
    stage.pool.close().await;
    played
}
