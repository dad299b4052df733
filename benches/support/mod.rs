//! Shared by the benches: finding providers, starting them, playing, printing.

#![allow(dead_code, reason = "no bench uses all of it")]

pub mod bare;
pub mod recorder;
pub mod stage;
pub mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tfconform::engine::Engine;
use tfconform::examples::Sources;
use tfconform::generate;
use tfconform::record::{Masker, Origin};
use tfconform::rule::{Level, Volatile};
use tfconform::run::{Interruption, Program, ProviderConfig, RunOptions};
use tfconform::suite::{self, Located, Policy, Selection, locate};

pub use table::Table;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Processes on either side of a comparison.
pub const PROCESSES: usize = 2;
/// Scenarios, or calls, in flight on either side: what a run has on two cores.
pub const IN_FLIGHT: usize = 16;
/// How often a comparison is repeated; the median is printed.
pub const ROUNDS: usize = 3;

/// The program of a provider; `Err` says where it was looked for.
pub fn provider(name: &str) -> Result<PathBuf, String> {
    let wanted = suite::Provider { name: Some(name.to_owned()), ..suite::Provider::default() };
    match locate(&wanted, repository().as_path()) {
        Located::Program { path } => path.canonicalize().map_err(|error| error.to_string()),
        Located::Missing { why } => Err(why),
        Located::Reference
        | Located::Running { .. }
        | Located::Command { .. }
        | Located::NoProgram { .. } => {
            unreachable!("a name was asked for")
        }
    }
}

/// The program as a run starts it, with only a home.
pub fn program(path: &std::path::Path, home: &std::path::Path) -> Program {
    let mut program = Program::new(path);
    program.env = [("HOME", home.as_os_str()), ("PATH", "/usr/bin:/bin".as_ref())]
        .map(|(name, value)| (name.into(), value.into()))
        .into();
    program
}

pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// CPU time of this process.
pub fn own_cpu() -> Duration {
    own_times().iter().sum()
}

/// CPU time of this process: its own, and the kernel's for it.
pub fn own_times() -> [Duration; 2] {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("a process may ask for its own usage");
    let time = |time: nix::sys::time::TimeVal| {
        Duration::new(time.tv_sec() as u64, 0) + Duration::from_micros(time.tv_usec() as u64)
    };
    [time(usage.user_time()), time(usage.system_time())]
}

/// CPU time of a running process.
pub fn cpu_of(pid: u32) -> Duration {
    tfconform::process::Usage::of(pid).cpu.unwrap_or_default()
}

/// A run as `check` makes it: every type, nothing kept, objects created if `generate` says so.
pub fn options(program: Program, generate: generate::Options) -> RunOptions {
    RunOptions {
        program,
        engine: Engine::default(),
        seed: generate.seed,
        cases: generate.cases,
        max_time: None,
        jobs: IN_FLIGHT,
        processes: PROCESSES,
        timeout: Duration::from_secs(60),
        parallelism: suite::Run::default().parallelism,
        start_timeout: suite::Run::default().start_timeout,
        select: Selection::default(),
        skip: BTreeSet::new(),
        shard: None,
        shrink: 0,
        kind: None,
        config: None,
        examples: Sources::default(),
        masker: Arc::new(Masker::new(Vec::new())),
        apply: generate.apply,
        has_outside: false,
        apply_reason: String::new(),
        sandbox_failed: false,
        volatile: Volatile::default(),
        learns: false,
        remembered: None,
        generate,
        pins: BTreeMap::new(),
        known: Vec::new(),
        modules: Default::default(),
        policy: Policy::default(),
        shows_calls: false,
        check: None,
        fail_on: Level::Must,
        cases_dir: None,
        transcripts: None,
        origin: Origin::default(),
        said: Vec::new(),
        interruption: Interruption::default(),
    }
}

/// The median, minimum and maximum of some measurements.
#[derive(Clone, Copy)]
pub struct Spread {
    pub middle: f64,
    pub least: f64,
    pub most: f64,
}

impl Spread {
    pub fn of(measured: impl IntoIterator<Item = f64>) -> Spread {
        let mut measured: Vec<f64> = measured.into_iter().collect();
        measured.sort_by(f64::total_cmp);
        let last = measured.len() - 1;
        Spread { middle: measured[measured.len() / 2], least: measured[0], most: measured[last] }
    }
}

/// Runs a bench's future on a runtime like that of a run.
pub fn block_on<T>(bench: impl Future<Output = T>) -> T {
    let runtime = tfconform::session::runtime().expect("threads can be started");
    let outcome = runtime.block_on(bench);
    runtime.shutdown_background();
    outcome
}

/// What lets the AWS provider plan without keys and without a network.
const AWS_ARGUMENTS: [(&str, &str); 7] = [
    ("region", "\"us-east-1\""),
    ("access_key", "\"dummy\""),
    ("secret_key", "\"dummy\""),
    ("skip_credentials_validation", "true"),
    ("skip_metadata_api_check", "\"true\""),
    ("skip_region_validation", "true"),
    ("skip_requesting_account_id", "true"),
];

/// The arguments of the AWS provider, one per line.
pub fn aws_arguments() -> String {
    AWS_ARGUMENTS.map(|(name, value)| format!("{name} = {value}\n")).concat()
}

/// The same for a run.
pub fn aws_config() -> ProviderConfig {
    ProviderConfig::new(|schema| {
        let table = aws_arguments().parse().expect("the arguments are TOML as well as HCL");
        suite::config_from_toml(&table, &schema.block).map_err(|misfit| misfit.to_string())
    })
}
