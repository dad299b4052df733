//! A case as text: configurations, and tests in the languages of authors. Nothing is played.

use std::fs;

use super::reproduce::{EngineVerdict, kept_verdicts, no_secret_in};
use super::{Case, SessionError};
use crate::record::{self, Found};
use crate::reproduction::{self, File, Launch, Setup, Unsupported};
use crate::transcript::Phase;
use crate::value::Value;

/// What engines said when a case was played last; nothing if it was not, or if it was another case then.
pub fn stored_verdicts(case: &Case) -> Vec<EngineVerdict> {
    let folder = case.folder();
    let is_same =
        |file: &File| fs::read_to_string(folder.join(&file.name)).is_ok_and(|kept| kept == file.text);
    let is_current = configurations(case).is_ok_and(|files| files.iter().all(is_same));
    if is_current { kept_verdicts(&folder).unwrap_or_default() } else { Vec::new() }
}

/// The configurations of a case, one file for each of its runs, with the provider block that it was found with.
///
/// No secret is in them: in its place is the word by which the case knows it.
pub fn configurations(case: &Case) -> Result<Vec<File>, Unsupported> {
    reproduction::configurations(&case.scenario, &setup(case))
}

/// A case in the author's test framework for Go.
///
/// Fails if that could not play it, if no engine shows its finding, if the case does not tell in which run it
/// was found, and if a secret would be written.
pub fn go_test(case: &Case) -> Result<String, SessionError> {
    let sought = case.sought()?;
    let is_placed = |found: &Found| found.run.is_some() || found.phase == Phase::Start;
    if !case.kept_for.found.as_ref().is_some_and(is_placed) {
        let why = "it was found in a part of a run that the provider refuses as a whole";
        return Err(SessionError::Usage(format!("the case cannot be written as a Go test: {why}")));
    }
    if let (Some(schema), Some(config)) = (&case.subject().schema.provider, &case.subject().config) {
        no_secret_in(schema, config)?;
    }
    let id = case.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let failed = record::failed_runs(&case.recorded.transcript, &case.scenario);
    reproduction::go_test(&case.scenario, &setup(case), &sought, &failed, (case.subject().protocol, &id))
        .map_err(|error| SessionError::Usage(format!("the case cannot be written as a Go test: {error}")))
}

/// A case as a test target of Cargo.
pub fn rust_test(case: &Case) -> String {
    reproduction::rust_test(&case.kept_for.rule, &case.file)
}

/// The provider of a case, without a way to start it. A provider block without arguments is left out.
fn setup(case: &Case) -> Setup<'_> {
    let subject = case.subject();
    let is_empty = |config: &Value| {
        subject.schema.provider.as_ref().is_some_and(|schema| *config == schema.empty_value())
    };
    Setup {
        name: &subject.name,
        launch: Launch::default(),
        schema: &subject.schema,
        config: subject.config.clone().filter(|config| !is_empty(config)),
        applied: case.origin.applied,
    }
}
