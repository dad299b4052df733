//! A whole run for somebody: scratch folder, program, options, and what it came to.
//!
//! What `check` takes from its arguments and the test harness from a suite file
//! meets here.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::generate;
use crate::lifecycle::Remote;
use crate::provider::rpc::Protocol;
use crate::record::Origin;
use crate::reference::serve::{Behaviour, Outsider, environment, store_below};
use crate::report::progress::{Progress, Quiet};
use crate::report::{Exit, Report};
use crate::rule::Level;
use crate::run::{self, Options, Program, Unusable};
use crate::schema::ProviderSchema;
use crate::suite::{Located, Require, Suite, config_from_toml, locate};

/// What a run came to.
pub struct Outcome {
    pub report: Report,
    pub exit: Exit,
}

/// Why there was no run.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Unusable(String),
    #[error("failed to prepare the run: {0}")]
    Prepare(#[from] std::io::Error),
}

impl SessionError {
    pub fn exit(&self) -> Exit {
        match self {
            SessionError::Usage(_) => Exit::Usage,
            SessionError::Unusable(_) => Exit::Unusable,
            SessionError::Prepare(_) => Exit::OurBug,
        }
    }
}

impl From<Unusable> for SessionError {
    fn from(error: Unusable) -> SessionError {
        match error {
            Unusable::Config(_) => SessionError::Usage(error.to_string()),
            other => SessionError::Unusable(other.to_string()),
        }
    }
}

/// The provider under test, whoever named it.
pub struct Provider {
    pub program: Program,
    pub remote: Option<Arc<dyn Remote>>,
    /// Whether it is the reference provider, whose remote system is its own.
    pub is_ours: bool,
    /// How to choose it again.
    pub origin: Origin,
}

/// The reference provider, played by this very program.
pub fn reference(
    protocol: u8,
    seed: u64,
    faults: &[String],
    scratch: &Path,
) -> Result<Provider, SessionError> {
    let behaviour = Behaviour { protocol, seed, store: store_below(scratch), faults: faults.to_vec() };
    behaviour.armed().map_err(SessionError::Usage)?;
    let own =
        std::env::var_os("TFCONFORM_PROGRAM").map_or_else(std::env::current_exe, |path| Ok(path.into()))?;
    let mut program = Program::new(own);
    program.name = "reference".to_owned();
    program.env = environment(&behaviour);
    let origin = Origin { faults: faults.to_vec(), applied: true, ..Origin::default() };
    Ok(Provider { program, remote: Some(Arc::new(Outsider::of(&behaviour))), is_ours: true, origin })
}

/// Somebody's program, with a home and a working folder of its own.
pub fn program(path: &Path, args: Vec<OsString>, scratch: &Path) -> Result<Provider, SessionError> {
    let origin = Origin {
        program: Some(path.to_owned()),
        args: args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        ..Origin::default()
    };
    let mut program = Program::new(path);
    program.args = args;
    for folder in ["home", "work", "tmp"] {
        std::fs::create_dir_all(scratch.join(folder))?;
    }
    program.cwd = Some(scratch.join("work"));
    program.env.insert("HOME".into(), scratch.join("home").into());
    program.env.insert("TMPDIR".into(), scratch.join("tmp").into());
    for name in ["PATH", "LANG", "TZ"] {
        if let Some(value) = std::env::var_os(name) {
            program.env.insert(name.into(), value);
        }
    }
    Ok(Provider { program, remote: None, is_ours: false, origin })
}

/// A folder that goes with the run.
pub fn scratch() -> std::io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("tfconform-").tempdir()
}

/// Plays and judges; `require` is what must have been judged.
pub fn play(
    options: Options,
    remote: Option<Arc<dyn Remote>>,
    require: &Require,
    progress: &dyn Progress,
) -> Result<Outcome, SessionError> {
    let (fail_on, interrupted) = (options.fail_on, Arc::clone(&options.interrupted));
    let runtime = tokio::runtime::Runtime::new()?;
    let mut report = runtime.block_on(run::run(options, remote, progress))?;
    // A process that hangs must not hold up the end.
    runtime.shutdown_background();
    let missing = missing(&report, require);
    report.notes.extend(missing.iter().cloned());
    let interrupted = interrupted.load(std::sync::atomic::Ordering::Relaxed);
    let exit = exit(&report, fail_on, interrupted, !missing.is_empty());
    Ok(Outcome { report, exit })
}

fn exit(report: &Report, fail_on: Level, interrupted: bool, too_little: bool) -> Exit {
    let types = report.totals.types;
    if report.totals.defects > 0 {
        Exit::OurBug
    } else if report.at_least(fail_on) > 0 {
        Exit::Violates
    } else if interrupted {
        Exit::Interrupted
    } else if too_little || (types.managed > 0 && types.planned == 0) {
        Exit::TooLittle
    } else {
        Exit::Conforms
    }
}

/// What a suite demands and the run did not bring.
fn missing(report: &Report, require: &Require) -> Vec<String> {
    let types = report.totals.types;
    let mut missing = Vec::new();
    for (stage, amount, count) in
        [("planned", require.planned, types.planned), ("applied", require.applied, types.applied)]
    {
        if amount.is_some_and(|amount| !amount.is_met(count, types.managed)) {
            missing.push(format!("the suite demands more types {stage} than {count} of {}", types.managed));
        }
    }
    if let Some(least) = require.scenarios.filter(|least| report.totals.scenarios < *least) {
        missing.push(format!("the suite demands {least} scenarios, {} were played", report.totals.scenarios));
    }
    missing
}

/// Patterns for type names; `None` where there are none.
pub fn globs(patterns: &[String]) -> Result<Option<GlobSet>, String> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        builder
            .add(Glob::new(pattern).map_err(|error| format!("{pattern:?} is no pattern: {}", error.kind()))?);
    }
    builder.build().map(Some).map_err(|error| error.to_string())
}

/// Plays a suite, or one type of it.
pub fn of_suite(
    suite: &Suite,
    file: &Path,
    base: &Path,
    ty: Option<&str>,
    only_data: bool,
) -> Result<Outcome, SessionError> {
    let scratch = scratch()?;
    let provider = of_provider(suite, base, scratch.path())?;
    let apply = provider.is_ours || suite.run.apply;
    let select = match ty {
        Some(ty) => globs(&[ty.to_owned()]),
        None => globs(&suite.run.resources),
    };
    let table = suite.provider.config.clone();
    let options = Options {
        program: provider.program,
        engine: suite.run.engine,
        seed: suite.run.seed,
        cases: suite.run.cases,
        jobs: jobs(),
        processes: 2,
        timeout: Duration::try_from_secs_f64(suite.run.timeout).map_err(|_| {
            SessionError::Usage(format!("{}: timeout must be a number of seconds", file.display()))
        })?,
        select: select.map_err(SessionError::Usage)?,
        modes: match (ty, only_data) {
            (None, _) => run::Modes::Both,
            (Some(_), true) => run::Modes::Data,
            (Some(_), false) => run::Modes::Managed,
        },
        config: (!table.is_empty()).then(|| {
            Arc::new(move |schema: &crate::schema::Schema| config_from_toml(&table, &schema.block))
                as run::ProviderConfig
        }),
        apply,
        apply_reason: "the provider is not closed off; `apply = true` in the suite allows it".to_owned(),
        volatile: suite.volatile(),
        generate: generate::Options {
            seed: suite.run.seed,
            cases: suite.run.cases,
            apply,
            safe_to_run: provider.is_ours,
            scratch: Some(scratch.path().to_owned()),
            ..generate::Options::default()
        },
        fail_on: suite.run.fail_on,
        cases_dir: Some(base.join("target/tfconform/cases")),
        transcripts: None,
        origin: Origin { applied: apply, ..provider.origin },
        interrupted: Arc::new(AtomicBool::new(false)),
    };
    // What a suite demands of the whole cannot be demanded of one type.
    let nothing = Require::default();
    let require = if ty.is_none() { &suite.require } else { &nothing };
    play(options, provider.remote, require, &Quiet)
}

/// What a suite's provider declares.
pub fn schema_of_suite(suite: &Suite, base: &Path) -> Result<ProviderSchema, SessionError> {
    let scratch = scratch()?;
    let provider = of_provider(suite, base, scratch.path())?;
    let runtime = tokio::runtime::Runtime::new()?;
    let schema = runtime
        .block_on(run::schema(&provider.program, Duration::from_secs_f64(suite.run.timeout.clamp(0.1, 1e6))));
    runtime.shutdown_background();
    Ok(schema?)
}

fn of_provider(suite: &Suite, base: &Path, scratch: &Path) -> Result<Provider, SessionError> {
    let mut provider = match locate(&suite.provider, base) {
        Located::Reference => reference(suite.provider.protocol.unwrap_or(6), suite.run.seed, &[], scratch)?,
        Located::Program { path, args } => {
            program(&path, args.into_iter().map(OsString::from).collect(), scratch)?
        }
        Located::Missing { why } => return Err(SessionError::Unusable(why)),
    };
    if let Some(major) = suite.provider.protocol.filter(|_| !provider.is_ours) {
        provider.program.protocol = Protocol::from_major(i64::from(major));
    }
    for (name, value) in suite.provider.env.iter().chain(&suite.remote.env) {
        provider.program.env.insert(name.into(), value.into());
    }
    if let [_, ..] = suite.remote.change.as_slice() {
        // `{provider}` stands for the provider's own program, wherever it was found.
        let own = provider.program.path.display().to_string();
        let command = suite.remote.change.iter().map(|word| word.replace("{provider}", &own)).collect();
        let hook = run::Hook { command, env: provider.program.env.clone(), base: base.to_owned() };
        provider.remote = Some(Arc::new(hook));
    }
    Ok(provider)
}

/// Scenarios in flight where nobody says: enough to keep the provider busy.
pub fn jobs() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from) * 2
}
