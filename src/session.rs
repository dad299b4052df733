//! A whole run for somebody: scratch folder, program, options, and what it came to.
//!
//! What `check` takes from its arguments and the test harness from a suite file
//! meets here.

mod beside;
mod installation;
mod program;
mod snapshots;
mod suite;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::lifecycle::Remote;
use crate::provider::reattach;
use crate::provider::sandbox::{Sandbox, Service};
use crate::record::Origin;
use crate::reference::serve::{Behaviour, Outsider, environment, in_memory, store_below};
use crate::report::events::Consumer;
use crate::report::{Exit, Report};
use crate::rule::Level;
use crate::run::{self, Hook, Instances, Options, Program, Unusable};
use crate::suite::{Require, SuiteError};

use program::placed;
pub use program::{Beside, command, program};
pub use snapshots::{Keeping, Open, snapshots};
pub use suite::{as_in_suite, of_suite, on_program, schema_of_suite, whole_suite};

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
    /// Where the files are to be that configurations name; `None` where it works in a folder for them.
    pub files: Option<PathBuf>,
    /// The suite's own command that changes remote objects; `remote` then is the same.
    change: Option<ChangeHook>,
    /// What it runs in; `None` for the reference provider, and for one that was already running.
    sandbox: Option<Arc<Sandbox>>,
    /// A mock of the remote system, which lives as long as the run.
    _service: Option<Service>,
}

/// A suite's command that changes remote objects.
struct ChangeHook {
    hook: Arc<Hook>,
    /// The suite.
    file: PathBuf,
}

impl Provider {
    /// A program by itself: nothing beside it, nothing around it.
    fn of(program: Program, origin: Origin) -> Provider {
        Provider {
            program,
            remote: None,
            is_ours: false,
            origin,
            files: None,
            change: None,
            sandbox: None,
            _service: None,
        }
    }

    /// What is wrong with the suite's command that changes remote objects, once it was asked and failed.
    pub fn broken_change(&self) -> Option<String> {
        let ChangeHook { hook, file } = self.change.as_ref()?;
        let problem = format!("`remote.change`: {}", hook.failure()?);
        Some(SuiteError::in_file(file, &["remote", "change"], problem).to_string())
    }

    /// Whether objects may be made, and why not where they may not.
    ///
    /// `word` is what the user said about it, if anything.
    pub fn may_apply(&self, word: Option<bool>) -> Result<(), String> {
        match (word, &self.sandbox) {
            (Some(true), _) => Ok(()),
            (Some(false), _) => Err("you said so".to_owned()),
            (None, _) if self.is_closed() => Ok(()),
            (None, None) => Err("the provider was already running, and what it can reach is not known; \
                                 --apply allows it all the same"
                .to_owned()),
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
        self.is_ours || self.sandbox.as_ref().is_some_and(|sandbox| sandbox.is_closed())
    }

    /// Scenarios in flight where nobody says: enough to keep the provider busy, and one where
    /// somebody may be watching it in a debugger.
    pub fn jobs(&self) -> usize {
        if self.program.is_started_again() { jobs() } else { 1 }
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
    Ok(Provider { remote: Some(remote), is_ours: true, ..Provider::of(program, origin) })
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
    provider.program.instances = Instances::InMemory(Arc::new(move || in_memory(&behaviour)));
    Ok(provider)
}

/// A provider that already runs; `json` is a reattach configuration of this one alone.
///
/// Errs in words that name what is wrong with the configuration. Nothing is called yet.
pub fn reattached(json: &str) -> Result<Provider, String> {
    let providers = reattach::parse(json).map_err(|error| error.to_string())?;
    let names: Vec<&str> = providers.iter().map(|provider| provider.source.as_str()).collect();
    let [provider] = &providers[..] else {
        return Err(match names.len() {
            0 => "it names no provider".to_owned(),
            n => format!("it names {n} providers, {}; leave the one to test", names.join(", ")),
        });
    };
    let origin = Origin { reattached: Some(provider.to_json()), open: true, ..Origin::default() };
    let program = Program::reattached(provider.clone());
    Ok(Provider::of(program, origin))
}

/// A folder that goes with the run; below `$TFCONFORM_SCRATCH` where that is set, and then it stays.
///
/// Errs with the variable and the path of a folder that cannot be used.
pub fn scratch() -> Result<tempfile::TempDir, SessionError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("tfconform-");
    let named = |variable: &str| std::env::var_os(variable).filter(|folder| !folder.is_empty());
    let unusable = |variable: &str, folder: &OsStr, error: std::io::Error| {
        let problem = std::io::Error::from(error.kind());
        SessionError::Usage(format!("{variable}: {}: {problem}", Path::new(folder).display()))
    };
    if let Some(folder) = named("TFCONFORM_SCRATCH") {
        let made = std::fs::create_dir_all(&folder);
        let made = made.and_then(|()| builder.disable_cleanup(true).tempdir_in(&folder));
        return made.map_err(|error| unusable("TFCONFORM_SCRATCH", &folder, error));
    }
    builder.tempdir().map_err(|error| match named("TMPDIR") {
        Some(folder) => unusable("TMPDIR", &folder, error),
        None => SessionError::Prepare(error),
    })
}

/// Plays and judges; `require` is what must have been judged.
pub fn play(
    options: Options,
    remote: Option<Arc<dyn Remote>>,
    require: &Require,
    consumer: &dyn Consumer,
) -> Result<Outcome, SessionError> {
    let (fail_on, interrupted) = (options.fail_on, Arc::clone(&options.interrupted));
    let runtime = tokio::runtime::Runtime::new()?;
    let mut report = runtime.block_on(run::run(options, remote, consumer))?;
    // A process that hangs must not hold up the end.
    runtime.shutdown_background();
    let missing = missing(&report, require);
    report.notes.extend(missing.iter().cloned());
    let interrupted = interrupted.load(std::sync::atomic::Ordering::Relaxed);
    let exit = exit(&report, fail_on, interrupted, !missing.is_empty());
    if exit == Exit::TooLittle && report.totals.types.total == 0 {
        let note = "no type was judged: there is none, or none of which a scenario could be played";
        report.notes.push(note.to_owned());
    }
    Ok(Outcome { report, exit })
}

/// What a report comes to where findings at `fail_on` and above fail it.
pub fn exit(report: &Report, fail_on: Level, interrupted: bool, too_little: bool) -> Exit {
    let (totals, types) = (&report.totals, report.totals.types);
    let nothing_judged = types.total == 0 || (types.managed > 0 && types.planned == 0);
    if totals.defects > 0 {
        Exit::OurBug
    } else if interrupted {
        // Even with findings: who reads them must know that there may be more.
        Exit::Interrupted
    } else if report.at_least(fail_on) > 0 {
        Exit::Violates
    } else if report.unusable {
        Exit::Unusable
    } else if too_little || totals.is_lost || totals.is_stuck || nothing_judged {
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

/// Scenarios in flight where nobody says.
///
/// Core walks ten nodes of a graph at a time, whatever the machine has. More
/// for every core pays: a provider with calls waiting does not go to sleep
/// between them, which costs a Go server about a third of its time.
pub fn jobs() -> usize {
    (std::thread::available_parallelism().map_or(2, usize::from) * 8).clamp(10, 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_one_type() -> Report {
        let mut report = Report::default();
        report.totals.types.total = 1;
        report
    }

    #[test]
    fn a_run_that_judged_no_type_does_not_conform() {
        assert_eq!(exit(&of_one_type(), Level::Must, false, false), Exit::Conforms);
        assert_eq!(exit(&Report::default(), Level::Must, false, false), Exit::TooLittle);
    }

    #[test]
    fn a_run_that_lost_its_provider_does_not_conform() {
        let mut report = of_one_type();
        assert_eq!(exit(&report, Level::Must, false, false), Exit::Conforms);
        report.totals.is_lost = true;
        assert_eq!(exit(&report, Level::Must, false, false), Exit::TooLittle);
    }

    #[test]
    fn a_run_whose_every_apply_hangs_does_not_conform() {
        let mut report = of_one_type();
        report.totals.is_stuck = true;
        assert_eq!(exit(&report, Level::Must, false, false), Exit::TooLittle);
    }
}
