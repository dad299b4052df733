//! Kept cases as trials.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::report::foreign::shown;
use crate::run::replay::ReplayOutcome;
use crate::session::{self, Case, CaseOptions, Part, SessionError, signals};

/// How often a case is played.
const TIMES: u32 = 3;

/// Replays kept cases, as `cargo test` expects of a test target. `tfconform reproduce CASE --as rust` writes one.
///
/// ```no_run
/// // tests/plan_keeps_configured_values_1b717882.rs, with `harness = false` for the target in Cargo.toml
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     // Relative to the folder of Cargo.toml.
///     tfconform::harness::main_of_cases(&["cases/plan-keeps-configured-values-1b717882.jsonl"])
/// }
/// ```
pub fn main_of_cases(files: &[impl AsRef<Path>]) -> ExitCode {
    if let Some(code) = crate::role::play_if_asked() {
        return code;
    }
    signals::end_at_once();
    libtest_mimic::run(&Arguments::from_args(), case_trials(files)).exit_code()
}

/// A trial for each case, named after its file. It fails while the finding of the case is there, and where
/// the case cannot be played.
pub fn case_trials(files: &[impl AsRef<Path>]) -> Vec<Trial> {
    let trial = |file: &Path| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let file = file.to_owned();
        Trial::test(name, move || replay(&file))
    };
    files.iter().map(|file| trial(file.as_ref())).collect()
}

fn replay(file: &Path) -> Result<(), Failed> {
    let failed = |error: SessionError| Failed::from(shown(&error.to_string()));
    let case = Case::read(file).map_err(failed)?;
    let suite = case.suite(&CaseOptions::default()).map_err(failed)?;
    match session::replay(&case, &suite, TIMES, &Part::default()).map_err(failed)?.outcome {
        ReplayOutcome::Fixed => Ok(()),
        outcome => Err(Failed::from(shown(&format!("{}: {outcome}", case.kept_for.rule)))),
    }
}
