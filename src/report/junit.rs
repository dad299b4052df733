//! For CI servers: JUnit XML.
//!
//! A suite for each type with one case, and one suite for the provider as a whole.
//! The names stay the same from run to run, so that a server can tell a new failure
//! from an old one; all failing findings of a type are in its one failure.

use std::collections::BTreeSet;
use std::path::Path;

use quick_junit::{NonSuccessKind, Report as Xml, TestCase, TestCaseStatus, TestSuite};

use super::human::{self, Style};
use super::{Confirmation, Exit, Group, Report, Snapshots, TypeLine};
use crate::rule::Level;
use crate::schema::Kind;

/// The whole report as one XML document.
pub fn print(report: &Report, exit: Exit) -> String {
    let report = &report.legible();
    let fail_on = report.run.fail_on;
    let mut xml = Xml::new(format!("tfconform {}", report.run.provider));
    xml.set_time(report.totals.wall);
    xml.add_test_suite(provider_suite(report, fail_on, exit));
    let why = report.most_common_refusals();
    for line in &report.per_type {
        let key = (line.kind, line.type_name.as_str());
        xml.add_test_suite(type_suite(report, line, why.get(&key).copied(), fail_on));
    }
    xml.add_test_suites(report.snapshots.as_ref().map(snapshots_suite));
    xml.to_string().expect("a document in memory can be written")
}

/// What is not about a type: the start, the schema, the provider's configuration, and the run itself.
fn provider_suite(report: &Report, fail_on: Level, exit: Exit) -> TestSuite {
    let mut suite = TestSuite::new("provider");
    let listed: BTreeSet<&str> = report.per_type.iter().map(|line| line.type_name.as_str()).collect();
    let of_a_type = |group: &Group| listed.contains(group.type_name.as_str());
    let own: Vec<&Group> = report.groups.iter().filter(|group| !of_a_type(group)).collect();
    suite.add_test_case(case(
        "provider",
        "schema and configuration",
        &own,
        fail_on,
        TestCaseStatus::success(),
    ));

    let run = match exit {
        Exit::Conforms | Exit::Violates | Exit::SnapshotChanged => TestCaseStatus::success(),
        _ => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type(format!("exit {}", exit.code())).set_message(exit.meaning());
            status.set_description(report.notes.lines().join("\n"));
            status
        }
    };
    let mut run = TestCase::new("run", run);
    run.set_classname("provider").set_system_out(human::summary(report, &Style::default()));
    suite.add_test_case(run);
    suite
}

/// A case for each file; one that changed fails unless the change was accepted.
fn snapshots_suite(snapshots: &Snapshots) -> TestSuite {
    let mut suite = TestSuite::new("snapshots");
    let mut add = |file: &Path, status: TestCaseStatus| {
        let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let mut case = TestCase::new(name, status);
        case.set_classname("snapshots");
        suite.add_test_case(case);
    };
    for file in &snapshots.unchanged {
        add(file, TestCaseStatus::success());
    }
    for change in &snapshots.changes {
        if snapshots.accepted {
            add(&change.file, TestCaseStatus::success());
            continue;
        }
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(change.kind.name()).set_message(format!("the snapshot is {}", change.kind.name()));
        status.set_description(human::snapshot(change, &Style::default()));
        add(&change.file, status);
    }
    suite
}

fn type_suite(report: &Report, line: &TypeLine, refusal: Option<&str>, fail_on: Level) -> TestSuite {
    let name = line.kind.qualified(&line.type_name);
    // A resource and a data source can share a name; then the call tells which is meant.
    let both = report.per_type.iter().filter(|other| other.type_name == line.type_name).count() > 1;
    let groups: Vec<&Group> = report
        .groups
        .iter()
        .filter(|group| group.type_name == line.type_name)
        .filter(|group| !both || group.kind == Some(line.kind))
        .collect();
    let mut suite = TestSuite::new(name.as_str());
    let mut case = case(&name, line.kind.name(), &groups, fail_on, untroubled(line, refusal));
    let may_apply = report.nothing_applied.is_none();
    if may_apply && line.kind == Kind::Resource && line.reached.planned && !line.reached.applied {
        let why = refusal.and_then(|refusal| refusal.lines().next()).unwrap_or("no scenario went this far");
        case.add_property(("not applied", why));
    }
    case.add_property(("scenarios", line.scenarios.to_string().as_str()));
    case.add_property(("refused", line.refused.to_string().as_str()));
    case.add_property(("reached", line.furthest()));
    suite.add_test_case(case);
    suite
}

/// The status of a type without a finding: one that was not judged is skipped, not passed.
fn untroubled(line: &TypeLine, refusal: Option<&str>) -> TestCaseStatus {
    let judged = line.reached.planned || line.reached.read;
    if judged && !line.is_refused() {
        return TestCaseStatus::success();
    }
    let mut status = TestCaseStatus::skipped();
    status.set_message(match refusal {
        Some(refusal) => refusal.lines().next().unwrap_or_default().to_owned(),
        None if line.scenarios == 0 => "no scenario was played".to_owned(),
        None => format!("no scenario went further than {}", line.furthest()),
    });
    status
}

fn case(suite: &str, name: &str, groups: &[&Group], fail_on: Level, otherwise: TestCaseStatus) -> TestCase {
    let text = |groups: &[&Group]| {
        groups.iter().map(|group| human::finding(group, &Style::default())).collect::<Vec<_>>().join("\n")
    };
    let shown = groups.iter().copied().filter(|group| !group.is_allowed());
    let (failing, others): (Vec<&Group>, Vec<&Group>) = shown.partition(|group| group.fails(fail_on));
    let n_allowed = groups.len() - failing.len() - others.len();
    let status = match failing.first() {
        None => otherwise,
        Some(first) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(first.rule.id).set_message(message(&failing)).set_description(text(&failing));
            status
        }
    };
    let mut case = TestCase::new(name, status);
    case.set_classname(suite);
    if !others.is_empty() {
        case.set_system_out(text(&others));
    }
    if n_allowed > 0 {
        case.add_property(("allowed", n_allowed.to_string().as_str()));
    }
    case
}

/// The rules in one line: what a server shows before the failure is opened.
fn message(failing: &[&Group]) -> String {
    let named = |group: &Group| match group.replays {
        Some(replays) if replays.confirmation() == Confirmation::Flaky => {
            format!("{}, {replays}", group.rule.id)
        }
        _ => group.rule.id.to_owned(),
    };
    let rules: BTreeSet<String> = failing.iter().map(|group| named(group)).collect();
    match failing {
        [only] if only.first.evidence.message.is_empty() => named(only),
        [only] => format!("{}: {}", named(only), only.first.evidence.message),
        _ => rules.into_iter().collect::<Vec<_>>().join(", "),
    }
}
