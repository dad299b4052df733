//! A finding of each rule's fault, found by tfconform itself.

use std::sync::Arc;

use tfconform::generate::Cases;
use tfconform::rule::{Level, Rule};
use tfconform::scenario::{EngineRun, Operation, Scenario};
use tfconform::transcript::{ScenarioLabel, Subject};

use crate::proof::{Found, found, reference};

/// Types in the order in which they are tried: the simplest first.
const TYPES: [&[&str]; 5] = [
    &["reference_plain"],
    &["reference_locker"],
    &["reference_everything"],
    &["reference_lookup", "reference_echo", "reference_census"],
    &["reference_*"],
];

/// Scenarios per type: enough that each topic of scenarios occurs.
const SCENARIOS: usize = 24;

/// The cases of a rule's fault at this level and above, the shortest first, and their protocol.
///
/// They are of all rules that the fault breaks, in the simplest type in which it breaks its own.
pub fn find(rule: &'static Rule, least: Level) -> Result<(u8, Vec<Found>), String> {
    for protocol in [6, 5] {
        for types in TYPES.into_iter().filter(|types| may_break(rule, types)) {
            let found = find_in(rule, protocol, types, least)?;
            if !found.is_empty() {
                return Ok((protocol, found));
            }
        }
    }
    Err("tfconform does not find it".to_owned())
}

/// Only objects of some types can be moved to another type.
fn may_break(rule: &Rule, types: &[&str]) -> bool {
    rule.group() != "move" || types.contains(&"reference_locker")
}

fn find_in(rule: &'static Rule, protocol: u8, types: &[&str], least: Level) -> Result<Vec<Found>, String> {
    let mut suite = reference(rule.fault.name, protocol);
    suite.run.resources = types.iter().map(|name| (*name).to_owned()).collect();
    // Planning behaviours come after what other rules need.
    suite.run.cases = if rule.behaviours.is_empty() { Cases::Number(SCENARIOS) } else { Cases::Auto };
    suite.run.timeout = std::time::Duration::from_secs(5);
    // A provider that does not even start shows that without a scenario, too.
    let Some((report, mut cases)) = found(&suite, least)? else {
        return Ok(vec![without_scenario(rule, protocol)]);
    };
    if !report.groups.iter().any(|group| group.rule.id == rule.id) {
        return Ok(Vec::new());
    }
    cases.sort_by_key(|case| case.scenario.runs.len());
    if !cases.iter().any(|case| case.rule.id == rule.id) {
        cases.insert(0, without_scenario(rule, protocol));
    }
    Ok(cases)
}

/// What is wrong before any scenario shows in a configuration without resources.
fn without_scenario(rule: &'static Rule, protocol: u8) -> Found {
    let definitions = tfconform::reference::schema::definitions(protocol);
    let subject = Subject {
        name: "reference".to_owned(),
        protocol,
        engine: Default::default(),
        schema: Arc::new(tfconform::reference::schema::provider(protocol, &definitions)),
        config: None,
    };
    let runs = vec![EngineRun::new(Operation::Plan, Vec::new())];
    Found {
        rule,
        subject: Arc::new(subject),
        scenario: Scenario::new(ScenarioLabel::default(), runs),
        kept_for: None,
        applied: true,
    }
}
