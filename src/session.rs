//! A whole run for somebody: scratch folder, program, options, and what it came to.
//!
//! What `check` takes from its arguments and the test harness from a suite file
//! meets here.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::generate;
use crate::lifecycle::Remote;
use crate::provider::rpc::Protocol;
use crate::provider::sandbox::{self, Enclosure, Sandbox, Service};
use crate::record::Origin;
use crate::reference::serve::{Behaviour, Outsider, environment, in_memory, store_below};
use crate::report::progress::{Progress, Quiet};
use crate::report::{Exit, Group, Report};
use crate::rule::Level;
use crate::run::{self, Options, Program, Unusable};
use crate::schema::ProviderSchema;
use crate::suite::{Known, Located, Ready, Require, Suite, SuiteError, config_from_toml, locate};

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
            Unusable::Config(_) | Unusable::Suite(_) => SessionError::Usage(error.to_string()),
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
    /// What it runs in; `None` for the reference provider.
    sandbox: Option<Arc<Sandbox>>,
    /// A mock of the remote system, which lives as long as the run.
    _service: Option<Service>,
}

impl Provider {
    /// Whether objects may be made, and why not where they may not.
    ///
    /// `word` is what the user said about it, if anything.
    pub fn may_apply(&self, word: Option<bool>) -> Result<(), String> {
        match (word, &self.sandbox) {
            (Some(true), _) | (None, None) => Ok(()),
            (Some(false), _) => Err("you said so".to_owned()),
            (None, Some(sandbox)) if sandbox.is_closed() => Ok(()),
            (None, Some(sandbox)) => {
                let why = sandbox.closure().why_not.join("; ");
                Err(format!(
                    "the provider is not closed off from the world ({why}); --apply or `apply = true` allows it all the same"
                ))
            }
        }
    }

    /// Whether nothing that an argument names can do harm.
    pub fn is_closed(&self) -> bool {
        self.sandbox.as_ref().is_none_or(|sandbox| sandbox.is_closed())
    }
}

/// This very program, or the one that stands for it where the caller is a library's user.
fn own_program() -> std::io::Result<PathBuf> {
    std::env::var_os("TFCONFORM_PROGRAM").map_or_else(std::env::current_exe, |path| Ok(path.into()))
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
    let mut program = Program::new(own_program()?);
    program.name = "reference".to_owned();
    program.env = environment(&behaviour);
    let origin = Origin { faults: faults.to_vec(), applied: true, ..Origin::default() };
    let remote: Arc<dyn Remote> = Arc::new(Outsider::of(&behaviour));
    Ok(Provider { program, remote: Some(remote), is_ours: true, origin, sandbox: None, _service: None })
}

/// The reference provider within this process: faster, and unable to be killed by a fault without us.
pub fn reference_in_memory(
    protocol: u8,
    seed: u64,
    faults: &[String],
    scratch: &Path,
) -> Result<Provider, SessionError> {
    let mut provider = reference(protocol, seed, faults, scratch)?;
    let behaviour = Behaviour { protocol, seed, store: store_below(scratch), faults: faults.to_vec() };
    provider.program.in_memory = Some(Arc::new(move || in_memory(&behaviour)));
    Ok(provider)
}

/// Somebody's program, closed off as far as the system allows.
///
/// `extra` is added to its environment.
pub fn program(
    path: &Path,
    args: Vec<OsString>,
    scratch: &Path,
    extra: &BTreeMap<OsString, OsString>,
) -> Result<Provider, SessionError> {
    let enclosure = Enclosure {
        program_dirs: readable(path, &args),
        supervisor: Some(own_program()?),
        ..Enclosure::new(scratch)
    };
    let sandbox = Arc::new(enclosure.start().map_err(|error| SessionError::Unusable(error.to_string()))?);
    let origin = Origin {
        program: Some(path.to_owned()),
        args: args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
        ..Origin::default()
    };
    let mut program = Program::new(path);
    program.args = args;
    program.env = sandbox.environment(extra);
    program.spawner = Arc::clone(&sandbox) as _;
    Ok(Provider { program, remote: None, is_ours: false, origin, sandbox: Some(sandbox), _service: None })
}

/// What of a command must stay in sight: the program, and every argument that is a file or folder.
fn readable(path: &Path, args: &[OsString]) -> Vec<PathBuf> {
    let words = std::iter::once(path.as_os_str()).chain(args.iter().map(OsString::as_os_str));
    words
        .map(PathBuf::from)
        .filter(|word| word.exists())
        .filter_map(|word| word.canonicalize().ok())
        .collect()
}

/// A folder that goes with the run; below `$TFCONFORM_SCRATCH` where that is set, and then it stays.
pub fn scratch() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("tfconform-");
    match std::env::var_os("TFCONFORM_SCRATCH").filter(|folder| !folder.is_empty()) {
        Some(folder) => {
            std::fs::create_dir_all(&folder)?;
            builder.disable_cleanup(true).tempdir_in(folder)
        }
        None => builder.tempdir(),
    }
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

/// What a report comes to where findings at `fail_on` and above fail it.
pub fn exit(report: &Report, fail_on: Level, interrupted: bool, too_little: bool) -> Exit {
    let types = report.totals.types;
    if report.totals.defects > 0 {
        Exit::OurBug
    } else if interrupted {
        // Even with findings: who reads them must know that there may be more.
        Exit::Interrupted
    } else if report.at_least(fail_on) > 0 {
        Exit::Violates
    } else if report.is_unusable {
        Exit::Unusable
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
    let may_apply = provider.may_apply(suite.run.apply);
    let apply = may_apply.is_ok();
    let select = match ty {
        Some(ty) => globs(&[ty.to_owned()]),
        None => globs(&suite.run.resources),
    };
    let table = suite.provider.config.clone();
    let options = Options {
        program: provider.program.clone(),
        engine: suite.run.engine,
        seed: suite.run.seed,
        cases: suite.run.cases,
        jobs: jobs(),
        processes: 2,
        timeout: Duration::try_from_secs_f64(suite.run.timeout).map_err(|_| {
            SessionError::Usage(format!("{}: timeout must be a number of seconds", file.display()))
        })?,
        start_timeout: run::START_TIMEOUT,
        select: select.map_err(SessionError::Usage)?,
        skip: match ty {
            // A trial of its own says by itself that it is skipped.
            Some(_) => BTreeSet::new(),
            None => skipped(suite),
        },
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
        apply_reason: may_apply.err().unwrap_or_default(),
        volatile: suite.volatile(),
        pins: suite.pins(),
        known: suite.known.clone(),
        check: Some(Arc::new({
            let (suite, file, ty) = (suite.clone(), file.to_owned(), ty.map(str::to_owned));
            move |schema: &ProviderSchema| {
                suite.check_hints(&file, schema, ty.as_deref()).map_err(|error| error.to_string())
            }
        })),
        generate: generate::Options {
            seed: suite.run.seed,
            cases: suite.run.cases,
            apply,
            safe_to_run: provider.is_closed(),
            // Bare names lie below the working folder, which is the scratch folder: the same seed sends
            // the same bytes.
            scratch: None,
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
    let mut outcome = play(options, provider.remote, require, &Quiet)?;
    let stale = stale(suite, file, &outcome.report, ty, only_data);
    if !stale.is_empty() && matches!(outcome.exit, Exit::Conforms | Exit::TooLittle) {
        outcome.exit = Exit::Usage;
    }
    outcome.report.notes.extend(stale);
    Ok(outcome)
}

/// The known findings that a run did not find, where it should have.
///
/// A run of one type misses nothing of other types, and nothing was to be found where nothing was applied.
fn stale(suite: &Suite, file: &Path, report: &Report, ty: Option<&str>, only_data: bool) -> Vec<String> {
    let is_due = |known: &&Known| {
        let group = known.rule.split('/').next().unwrap_or_default();
        let ours = match (ty, group) {
            (None, _) => true,
            (Some(ty), "data") => only_data && known.type_name.as_deref() == Some(ty),
            (Some(ty), "plan" | "apply" | "read" | "upgrade") => {
                !only_data && known.type_name.as_deref() == Some(ty)
            }
            _ => false,
        };
        ours && (report.run.applied || suite.run.apply == Some(false))
    };
    let is_found = |known: &Known| {
        let names = |group: &Group| match group.types.is_empty() {
            true => vec![String::new()],
            false => group.types.iter().cloned().collect(),
        };
        report
            .groups
            .iter()
            .any(|group| names(group).iter().any(|name| known.excuses(group.rule.id, name, &group.path)))
    };
    let stale = suite.known.iter().filter(is_due).filter(|known| !is_found(known));
    stale
        .map(|known| {
            let (file, rule, reason) = (file.to_owned(), known.rule.clone(), known.reason.clone());
            SuiteError::Stale { file, rule, reason }.to_string()
        })
        .collect()
}

fn skipped(suite: &Suite) -> BTreeSet<String> {
    suite.resource.iter().filter(|(_, hints)| hints.skip.is_some()).map(|(name, _)| name.clone()).collect()
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
    let extra: BTreeMap<OsString, OsString> = suite
        .provider
        .env
        .iter()
        .chain(&suite.remote.env)
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    let mut provider = match locate(&suite.provider, base) {
        Located::Reference => {
            let protocol = suite.provider.protocol.unwrap_or(6);
            reference(protocol, suite.run.seed, &suite.provider.faults, scratch)?
        }
        Located::Program { path, args } => {
            let path = if path.is_file() { path.canonicalize()? } else { path };
            program(&path, args.into_iter().map(OsString::from).collect(), scratch, &extra)?
        }
        Located::Missing { why } => return Err(SessionError::Unusable(why)),
    };
    if let Some(major) = suite.provider.protocol.filter(|_| !provider.is_ours) {
        provider.program.protocol = Protocol::from_major(i64::from(major));
    }
    // `{provider}` stands for the provider's own program, wherever it was found.
    let own = provider.program.path.display().to_string();
    let command =
        |words: &[String]| words.iter().map(|word| word.replace("{provider}", &own)).collect::<Vec<_>>();
    if let (false, Some(sandbox)) = (suite.remote.start.is_empty(), &provider.sandbox) {
        let words: Vec<OsString> = command(&suite.remote.start).into_iter().map(OsString::from).collect();
        let ready = match &suite.remote.ready {
            Some(Ready::Port(port)) => sandbox::Ready::Port(*port),
            Some(Ready::Line(line)) => sandbox::Ready::Line(line.clone()),
            Some(Ready::Seconds(seconds)) => {
                sandbox::Ready::After(Duration::from_secs_f64(seconds.clamp(0.0, 600.0)))
            }
            None => sandbox::Ready::After(Duration::from_millis(500)),
        };
        let service = sandbox.start_service(&words, &provider.program.env, &ready, SERVICE_LIMIT);
        provider._service =
            Some(service.map_err(|error| SessionError::Unusable(format!("remote.start: {error}")))?);
    }
    if !suite.remote.change.is_empty() {
        let hook = run::Hook {
            command: command(&suite.remote.change),
            env: provider.program.env.clone(),
            base: base.to_owned(),
            inside: provider.sandbox.clone().filter(|_| provider._service.is_some()),
        };
        provider.remote = Some(Arc::new(hook));
    }
    Ok(provider)
}

/// How long a mock of the remote system may take to be ready.
const SERVICE_LIMIT: Duration = Duration::from_secs(60);

/// Scenarios in flight where nobody says: enough to keep the provider busy.
pub fn jobs() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from) * 2
}
