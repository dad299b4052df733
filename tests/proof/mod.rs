//! What tfconform finds, played under a real engine.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use tempfile::TempDir;
use tfconform::record::KeptFor;
use tfconform::report::progress::Quiet;
use tfconform::report::{Report, issue};
use tfconform::reproduction::{Shown, Sought, Verdict, verdict};
use tfconform::rule::{Level, Rule};
use tfconform::scenario::Scenario;
use tfconform::session::{self, Case, Part, Reproduction};
use tfconform::suite::{Provider, Suite};
use tfconform::transcript::Subject;

/// The longest that an engine may take for all commands of a case.
const LIMIT: Duration = Duration::from_secs(120);

/// A case of a finding.
pub struct Found {
    pub rule: &'static Rule,
    pub subject: Arc<Subject>,
    pub scenario: Scenario,
    /// `None` if no scenario is needed to find it.
    pub kept_for: Option<KeptFor>,
    /// Whether objects were created.
    pub applied: bool,
}

impl Found {
    fn of(case: Case) -> Option<Found> {
        Some(Found {
            rule: tfconform::rules::find(&case.kept_for.rule)?,
            subject: Arc::clone(&case.recorded.transcript.subject),
            scenario: case.scenario,
            kept_for: Some(case.kept_for),
            applied: case.origin.applied,
        })
    }

    fn sought(&self) -> Sought<'_> {
        let kept_for = self.kept_for.as_ref().and_then(|kept_for| kept_for.sought(&self.scenario));
        kept_for.unwrap_or_else(|| Sought::anywhere(self.rule))
    }

    /// What an engine says about it, and what it showed, with the provider of a suite.
    pub fn judged(&self, suite: &Suite, engine: &Path) -> Result<(Verdict, Shown), String> {
        let shown = self.shown(suite, engine)?;
        Ok((verdict(&self.sought(), &shown), shown))
    }

    /// What an engine shows of its scenario with the provider of a suite.
    pub fn shown(&self, suite: &Suite, engine: &Path) -> Result<Shown, String> {
        let folder = TempDir::with_prefix("proof-").map_err(|error| error.to_string())?;
        let asked = Reproduction {
            subject: &self.subject,
            scenario: &self.scenario,
            applied: self.applied,
            about: "",
            folder: folder.path(),
            engine: Some(engine),
            limit: LIMIT,
            output: session::PRINTED,
        };
        let shown = session::reproduce(suite, &asked).map_err(|error| error.to_string())?;
        shown.ok_or_else(|| "no engine".to_owned())
    }
}

/// The suite of the reference provider with one fault or control.
pub fn reference(fault: &str, protocol: u8) -> Suite {
    let provider = Provider {
        reference: true,
        faults: vec![fault.to_owned()],
        protocol: Some(protocol),
        ..Provider::default()
    };
    Suite { provider, ..Suite::default() }
}

/// Plays a suite, and returns its report with the cases of its findings at this level or above; `None` if the
/// provider cannot be used. What was not found again alone is below the level of its rule.
pub fn found(suite: &Suite, least: Level) -> Result<Option<(Report, Vec<Found>)>, String> {
    let folder = TempDir::with_prefix("proof-").map_err(|error| error.to_string())?;
    let mut suite = suite.clone();
    suite.run.fail_on = least;
    let part = Part { cases_dir: Some(folder.path().to_owned()), ..Part::default() };
    let Ok(outcome) = session::play_suite(&suite, &part, &Quiet) else { return Ok(None) };
    let mut cases = cases(folder.path()).map_err(|error| error.to_string())?;
    let level = |case: &Found| {
        let at = issue::of_case(&outcome.report, case.kept_for.as_ref()?)?;
        Some(outcome.report.groups[at].level)
    };
    cases.retain(|case| level(case).is_none_or(|level| level >= least));
    Ok(Some((outcome.report, cases)))
}

fn cases(folder: &Path) -> io::Result<Vec<Found>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files: Vec<_> = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.sort();
    Ok(files.iter().filter_map(|file| Found::of(Case::read(file).ok()?)).collect())
}
