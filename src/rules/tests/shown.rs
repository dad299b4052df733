//! What users read about each rule: the finding that its fault causes in the example, and its explain
//! page. One snapshot each.

use std::collections::BTreeSet;
use std::path::Path;

use super::armed;
use crate::cli::explain;
use crate::judge::{Settings, judge};
use crate::record::{MaskedJudgement, Masker, RunSettings};
use crate::report::collect::Collector;
use crate::report::events::send_judged;
use crate::report::human::{self, Style};
use crate::report::{Group, Report, RunLine};
use crate::rule::Rule;
use crate::rules::CATALOGUE;
use crate::transcript::Transcript;

/// The snapshots' folder, relative to this file.
const SNAPSHOTS: &str = "../snapshots";

fn snapshot_name(rule: &Rule) -> String {
    rule.id.replace('/', "__")
}

/// What rules find in a transcript, as a report.
pub(super) fn report_of(rules: &[&'static Rule], transcript: &Transcript) -> Report {
    let masker = Masker::new(Vec::new());
    for exchange in &transcript.exchanges {
        masker.learn(&exchange.call, &transcript.subject);
    }
    let judgement = judge(rules, transcript, &Settings::default());
    let settings = RunSettings::default();
    let collector = Collector::new(RunLine::default(), None);
    send_judged(&MaskedJudgement::new(&masker, transcript, &judgement, &settings), &collector);
    collector.into_report(|_| ())
}

/// The first group of the fault's findings; `None` if the fault needs a process.
fn found(rule: &'static Rule) -> Option<Group> {
    let report = report_of(&[rule], &armed(&rule.fault)?);
    // By place: a report would show the earliest, whose attribute may be sensitive.
    let mut group = report.groups.into_iter().min_by_key(Group::keys)?;
    group.first.rerun = format!("tfconform check --fault {}", rule.fault.name);
    Some(group)
}

#[test]
fn every_rule_is_shown_and_explained() {
    for rule in CATALOGUE.iter().copied() {
        let finding = match found(rule) {
            Some(group) => human::finding(&group, &Style::default()),
            None => "(the fault acts on messages or processes, and the example has neither)\n".to_owned(),
        };
        let settings = || {
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(SNAPSHOTS);
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings
        };
        let text = format!("{finding}\n{}", explain::page(rule));
        settings().bind(|| insta::assert_snapshot!(snapshot_name(rule), text));
    }
}

/// Snapshots that are being accepted have another ending.
#[test]
fn every_snapshot_belongs_to_a_rule() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules/snapshots");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let snapshots = files.filter(|file| file.extension().is_some_and(|extension| extension == "snap"));
    let names = snapshots.filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()));
    let of_rules: BTreeSet<String> = CATALOGUE.iter().map(|rule| snapshot_name(rule)).collect();
    let of_none: Vec<String> =
        names.filter(|name| !name.starts_with("tfconform__") && !of_rules.contains(name)).collect();
    assert_eq!(of_none, Vec::<String>::new(), "delete these: there is no such rule");
}
