//! What users read about each rule: the finding that its fault causes in the example, and its explain
//! page. One snapshot each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::armed;
use crate::calls::Side;
use crate::cli::explain;
use crate::cli::explain::examples::Example;
use crate::judge::{Settings, judge};
use crate::record::{Masked, MaskedJudgement, Masker, RunSettings};
use crate::report::collect::Collector;
use crate::report::events::send_judged;
use crate::report::human::{self, Style};
use crate::report::{Broken, Group, Report, RunLine};
use crate::rule::{Rule, example};
use crate::rules::CATALOGUE;
use crate::transcript::Transcript;
use crate::value::tree::{Nothing, SENSITIVE, Tree, TreePath, TreeStep};

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

/// The values of a group, each line with its role and its place.
fn values(group: &Group) -> Vec<String> {
    let text = human::values(group, &Style { width: 200, ..Style::default() });
    text.lines().map(|line| line.trim().to_owned()).collect()
}

/// The same group with what is right in place of what broke: what the conforming provider returned there, or else what
/// the rule allows. `None` if neither is known.
fn conforming(group: &Group) -> Option<Group> {
    let mut group = group.clone();
    for broken in group.attributes.values_mut() {
        let mut evidence = (*broken.evidence).clone();
        // What is allowed in place of an element is another set.
        if evidence.path.steps().iter().any(|step| matches!(step, TreeStep::Element(_))) {
            return None;
        }
        let (role, tree) = evidence.actual.as_mut()?;
        let allowed = evidence.allowed.iter().map(|(_, tree)| tree.clone()).find(|tree| !has_unknown(tree));
        let right = returned(role, &evidence.path, broken.exchange)
            .filter(|returned| returned != tree)
            .or(allowed)?;
        *tree = right;
        broken.evidence = Masked::sample(evidence);
    }
    Some(group)
}

fn has_unknown(tree: &Tree) -> bool {
    tree.to_string().contains("(known after apply")
}

/// What the conforming provider returned in a role of an exchange, counted from 1.
fn returned(role: &str, path: &TreePath, exchange: u32) -> Option<Tree> {
    let clean = example::lifecycle();
    let call = &clean.exchanges.get(exchange as usize - 1)?.call;
    let mut values = call.values(Side::Response).into_iter();
    let (_, whole) = values.find(|(name, _)| name.replace('_', " ") == role)?;
    at(&Tree::of(whole.value()?, &Nothing), path)
}

/// The part of a tree at a path; `None` if it has no such part, or if the path goes through a set.
fn at(tree: &Tree, path: &TreePath) -> Option<Tree> {
    path.steps().iter().try_fold(tree.clone(), |tree, step| match (tree, step) {
        (Tree::Object(members), TreeStep::Attribute(name)) => {
            members.into_iter().find(|(member, _)| member == name).map(|(_, tree)| tree)
        }
        (Tree::List(elements), TreeStep::Index(idx)) => elements.into_iter().nth(usize::try_from(*idx).ok()?),
        (Tree::Map(entries), step) => {
            entries.into_iter().find(|(key, _)| step.names(key)).map(|(_, tree)| tree)
        }
        _ => None,
    })
}

/// The fault of a rule at one attribute, one that is not sensitive if there is one.
fn example_of(rule: &'static Rule) -> Option<Example> {
    let broken = armed(&rule.fault)?;
    let report = report_of(&[rule], &broken);
    let at_one = |group: &Group| {
        let in_first = group.attributes.iter().filter(|(_, broken)| broken.is_in(&group.first));
        let one = |(path, broken): (&String, &Broken)| Group {
            attributes: [(path.clone(), broken.clone())].into(),
            ..group.clone()
        };
        in_first.map(one).collect::<Vec<_>>()
    };
    let mut groups: Vec<Group> = report.groups.iter().flat_map(at_one).collect();
    let hides = |group: &Group| values(group).iter().any(|line| line.contains(SENSITIVE));
    groups.sort_by_cached_key(|group| (hides(group), group.keys()));
    let group = groups.first()?;
    let is_cut = |group: &Group| values(group).iter().any(|line| line.contains("… and "));
    match values(group) {
        none if none.is_empty() || is_cut(group) || hides(group) => {
            let (answered, conforms) = answers(group, &broken).unwrap_or_default();
            let message = format!("found         {}", group.first.evidence.message);
            Some(Example { breaks: [message].into_iter().chain(answered).collect(), conforms })
        }
        values => Some(Example { breaks: values, conforms: right_values(group) }),
    }
}

/// What was answered at the place of a finding that says it in words, and what the conforming provider answers
/// there. `None` if that is the same, or too much to read.
fn answers(group: &Group, broken: &Transcript) -> Option<(Vec<String>, Vec<String>)> {
    let (_, at_place) = group.attributes.first_key_value()?;
    let path = &at_place.evidence.path;
    let subject = &broken.subject;
    let exchange = broken.exchanges.get(at_place.exchange as usize - 1)?;
    let block = subject.schema_of(&exchange.call).map(|schema| &schema.block);
    let is_hidden =
        path.to_string().parse().is_ok_and(|path| block.is_some_and(|block| block.is_sensitive(&path)));
    let line = |role: &str, tree: &Tree| {
        let shown = match tree {
            Tree::Leaf(leaf) if is_hidden && leaf != "null" => SENSITIVE.to_owned(),
            Tree::Object(_) if path.steps().is_empty() => "{ … }".to_owned(),
            tree => tree.to_string(),
        };
        let place = if path.steps().is_empty() { String::new() } else { format!("{path} ") };
        let role = match role.strip_suffix(" state").unwrap_or(role) {
            "new" | "state" => "returned",
            role => role,
        };
        format!("{role:<14}{place}= {shown}")
    };
    let pair = |(name, whole): (&str, &crate::transcript::Encoded)| {
        let role = name.replace('_', " ");
        let answered = at(&Tree::of(whole.value()?, &Nothing), path)?;
        let right = returned(&role, path, at_place.exchange)?;
        let (answered, right) = (line(&role, &answered), line(&role, &right));
        let is_readable = answered != right && answered.len().max(right.len()) <= MOST_READ;
        is_readable.then_some((vec![answered], vec![right]))
    };
    exchange.call.values(Side::Response).into_iter().find_map(pair)
}

/// How long a line of an example may be.
const MOST_READ: usize = 160;

fn right_values(group: &Group) -> Vec<String> {
    conforming(group).map(|group| values(&group)).unwrap_or_default()
}

/// `explain` shows what faults do without having the tests' transcripts.
#[test]
fn every_example_is_what_the_fault_does() {
    let examples = CATALOGUE.iter().filter_map(|rule| Some((rule.id.to_owned(), example_of(rule)?)));
    let examples: BTreeMap<String, Example> = examples.collect();
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/explain/examples.json");
        let text = serde_json::to_string_pretty(&examples).unwrap();
        std::fs::write(file, text + "\n").unwrap();
    }
    let shown = Example::all();
    let ids: BTreeSet<&String> = shown.keys().chain(examples.keys()).collect();
    let differ: Vec<&String> = ids.into_iter().filter(|id| shown.get(*id) != examples.get(*id)).collect();
    assert!(
        differ.is_empty(),
        "{differ:?} differ: run `UPDATE_GENERATED=1 cargo test --lib every_example`, and the test again"
    );
}

#[test]
fn every_rule_is_shown_and_explained() {
    for rule in CATALOGUE.iter().copied() {
        let finding = match found(rule) {
            Some(group) => human::finding(&group, &Style::default()),
            None if armed(&rule.fault).is_some() => {
                panic!(
                    "{}: the example shows nothing of the fault {}: see every_rule_catches_its_fault_in_the_example",
                    rule.id, rule.fault.name
                )
            }
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
