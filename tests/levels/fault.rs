//! A finding of each rule's fault, found by tfconform itself.

use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use tempfile::TempDir;
use tfconform::generate::Cases;
use tfconform::record::{self, Recorded};
use tfconform::report::progress::Quiet;
use tfconform::rule::{Level, Rule};
use tfconform::scenario::{EngineRun, Operation, Scenario};
use tfconform::session::{self, Part};
use tfconform::suite::{Provider, Suite};
use tfconform::transcript::{ScenarioLabel, Subject};

/// Types in the order in which they are tried: the simplest first.
const TYPES: [&[&str]; 4] = [
    &["reference_plain"],
    &["reference_everything"],
    &["reference_lookup", "reference_echo", "reference_census"],
    &["reference_*"],
];

/// A case of a rule's fault.
pub struct Found {
    pub subject: Arc<Subject>,
    pub scenario: Scenario,
}

/// The suite of the reference provider with one fault or control.
pub fn suite(fault: &str, protocol: u8) -> Suite {
    let provider = Provider {
        reference: true,
        faults: vec![fault.to_owned()],
        protocol: Some(protocol),
        ..Provider::default()
    };
    Suite { provider, ..Suite::default() }
}

/// Scenarios per type: enough that each topic of scenarios occurs.
const SCENARIOS: usize = 24;

/// The cases of a rule's fault, at most `most`, and their protocol.
pub fn find(rule: &Rule, most: usize) -> Result<(u8, Vec<Found>), String> {
    for protocol in [6, 5] {
        for types in TYPES {
            let found = find_in(rule, protocol, types, most)?;
            if !found.is_empty() {
                return Ok((protocol, found));
            }
        }
    }
    Err("tfconform does not find it".to_owned())
}

fn find_in(rule: &Rule, protocol: u8, types: &[&str], most: usize) -> Result<Vec<Found>, String> {
    let folder = TempDir::with_prefix("levels-").map_err(|error| error.to_string())?;
    let mut suite = suite(rule.fault.name, protocol);
    suite.run.resources = types.iter().map(|name| (*name).to_owned()).collect();
    suite.run.fail_on = Level::Advice;
    suite.run.cases = Cases::Number(SCENARIOS);
    suite.run.timeout = std::time::Duration::from_secs(5);
    let part = Part { cases_dir: Some(folder.path().to_owned()), ..Part::default() };
    // A provider that does not even start shows that without a scenario, too.
    let Ok(outcome) = session::play_suite(&suite, &part, &Quiet) else {
        return Ok(vec![without_scenario(protocol)]);
    };
    if !outcome.report.groups.iter().any(|group| group.rule.id == rule.id) {
        return Ok(Vec::new());
    }
    let mut cases = cases(rule, folder.path()).map_err(|error| error.to_string())?;
    cases.sort_by_key(|case| case.scenario.as_ref().map_or(0, |scenario| scenario.runs.len()));
    let found = cases
        .into_iter()
        .take(most)
        .filter_map(|case| Some(Found { subject: case.transcript.subject, scenario: case.scenario? }));
    let found: Vec<Found> = found.collect();
    if found.is_empty() { Ok(vec![without_scenario(protocol)]) } else { Ok(found) }
}

fn cases(rule: &Rule, folder: &Path) -> io::Result<Vec<Recorded>> {
    let mut files: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.sort();
    let cases = files.iter().filter_map(|file| record::read(file).ok());
    Ok(cases.filter(|case| case.kept_for.as_ref().is_some_and(|kept| kept.rule == rule.id)).collect())
}

/// What is wrong before any scenario shows in a configuration without resources.
fn without_scenario(protocol: u8) -> Found {
    let definitions = tfconform::reference::schema::definitions(protocol);
    let subject = Subject {
        name: "reference".to_owned(),
        protocol,
        engine: Default::default(),
        schema: Arc::new(tfconform::reference::schema::provider(protocol, &definitions)),
        config: None,
    };
    let runs = vec![EngineRun::new(Operation::Plan, Vec::new())];
    Found { subject: Arc::new(subject), scenario: Scenario::new(ScenarioLabel::default(), runs) }
}
