//! The `cargo test` front: every suite file becomes trials of a libtest-mimic target.
//!
//! ```no_run
//! // tests/conformance.rs, with `harness = false` for the target in Cargo.toml
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     tfconform::harness::main()
//! }
//! ```
//!
//! Suites are the files of `suites/*.toml` in the package's folder. A trial is
//! named `suite/type/lifecycle`, or `suite/provider` if there are too many types
//! or the suite has a `[require]`. Listing does not start the provider once its
//! schema was seen.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

mod cases;
mod names;
mod others;

use crate::report::foreign::shown;
use crate::report::{self, Exit};
use crate::schema::Kind;
use crate::session;
use crate::suite::{Located, Suite, Trials, locate};

pub use cases::{case_trials, main_of_cases};

/// With more types than this, a suite is one trial.
const MANY_TYPES: usize = 100;

/// Runs every suite of the package, as `cargo test` expects of a test target.
pub fn main() -> ExitCode {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
    main_of(&folder.join("suites"))
}

/// Like [`main`], for the suites of any folder.
pub fn main_of(suites: &Path) -> ExitCode {
    if let Some(code) = crate::role::play_if_asked() {
        return code;
    }
    session::signals::end_at_once();
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials(suites)).exit_code()
}

/// The trials of every suite file, by name.
pub fn trials(suites: &Path) -> Vec<Trial> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(suites)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    if files.is_empty() {
        let message = format!("there is no suite: no .toml file in {}", suites.display());
        return vec![Trial::test("suites", move || Err(Failed::from(message)))];
    }
    files.iter().flat_map(|file| suite_trials(file)).collect()
}

fn suite_trials(file: &Path) -> Vec<Trial> {
    let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let suite = match Suite::read(file) {
        Ok(suite) => Arc::new(suite),
        Err(error) => {
            return vec![Trial::test(format!("{name}/suite"), move || Err(Failed::from(error.to_string())))];
        }
    };
    if let Located::Missing { why } = locate(&suite.provider, &suite.base()) {
        return vec![ignored(format!("{name}/lifecycle"), why)];
    }
    let all = match names::type_names(&suite) {
        Ok(types) => types,
        Err(why) => {
            let why = shown(&why);
            return vec![Trial::test(format!("{name}/start"), move || Err(Failed::from(why)))];
        }
    };
    let wrong = |why: String| vec![Trial::test(format!("{name}/suite"), move || Err(Failed::from(why)))];
    let types = all.0.iter().map(|(kind, name)| (*kind, name.as_str()));
    if let Err(error) = suite.unknown_type(types) {
        return wrong(error);
    }
    let types = match all.selected(&suite) {
        Ok(types) => types,
        Err(why) => return wrong(why),
    };
    if types.len() == 0 {
        return wrong(format!("{}: the provider has no type to play", file.display()));
    }
    let whole = match suite.run.trials {
        Trials::Auto => types.len() > MANY_TYPES || !suite.require.is_empty(),
        Trials::Provider => true,
        Trials::Type => false,
    };
    if whole {
        return vec![trial(format!("{name}/provider"), &suite, None)];
    }
    let named = |ty: &(Kind, String)| format!("{name}/{}/lifecycle", ty.0.qualified(&ty.1));
    types.0.into_iter().map(|ty| trial(named(&ty), &suite, Some(ty))).collect()
}

/// An ignored trial, with the reason as its kind. If it is run anyway, it fails with the reason.
fn ignored(name: String, why: String) -> Trial {
    let told = why.clone();
    Trial::test(name, move || Err(Failed::from(told))).with_kind(why).with_ignored_flag(true)
}

fn trial(name: String, suite: &Arc<Suite>, ty: Option<(Kind, String)>) -> Trial {
    let is_it = |kind: Kind, name: &str| ty.as_ref().is_some_and(|ty| (ty.0, ty.1.as_str()) == (kind, name));
    let hints = suite.hints().find(|(kind, name, _)| is_it(*kind, name));
    let skip = hints.and_then(|(_, _, hints)| hints.skip.clone());
    let suite = Arc::clone(suite);
    let trial = Trial::test(name, move || play(&suite, ty.as_ref()));
    match skip {
        Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
        None => trial,
    }
}

/// Plays one trial; its failure message is the report.
fn play(suite: &Suite, ty: Option<&(Kind, String)>) -> Result<(), Failed> {
    let ty = ty.map(|(kind, name)| (*kind, name.as_str()));
    let outcome = session::play_trial(suite, ty).map_err(|error| Failed::from(shown(&error.to_string())))?;
    if outcome.exit == Exit::Conforms {
        return Ok(());
    }
    // A type that cannot be applied says little about a provider of which others can.
    if let (Some((kind, name)), Exit::TooLittle, true) = (ty, outcome.exit, outcome.is_only_unapplied)
        && others::are_applied(suite)
    {
        let why = outcome.report.why_unapplied().unwrap_or_default();
        println!("{}: ok, not applied: {}", kind.qualified(name), why);
        return Ok(());
    }
    let style = report::human::Style::default();
    Err(Failed::from(report::human::print(&outcome.report, outcome.exit, &style)))
}
