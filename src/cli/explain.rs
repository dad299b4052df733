//! `explain`: a rule, a group of rules, or an entry of the contract.

#[cfg(test)]
mod document;
pub(crate) mod examples;
mod facts;
mod played;
mod related;
mod words;

use std::fmt::Write as _;

use super::args::Explain;
use super::{Failed, Outcome, print};
use crate::rule::Rule;
use crate::rules::contract::{self, CoveredBy};
use crate::rules::{self, CATALOGUE};

/// Rules that are suggested by their words.
const SUGGESTED: usize = 3;

pub(super) fn explain(explain: &Explain) -> Outcome {
    let asked = explain.rule.join(" ");
    let group = asked.trim_end_matches(['*', '/']);
    if let Some(rule) = rules::find(&asked) {
        return print(&page(rule));
    }
    let entry = asked.to_uppercase();
    if let Some(says) = contract::says(&entry) {
        return print(&format!("{entry}  {says}\n\n{}", coverage(&entry)));
    }
    match listed(CATALOGUE.iter().copied().filter(|rule| rule.group() == group)) {
        list if list.is_empty() => {
            Err(Failed::usage(format!("there is no rule, group or entry `{asked}`{}", hints(&asked))))
        }
        list => print(&format!("{list}\nmore: tfconform explain RULE, {}\n", facts::document_of(group))),
    }
}

/// What was probably meant, by letters and by meaning.
fn hints(asked: &str) -> String {
    let groups = CATALOGUE.iter().map(|rule| rule.group());
    let names = CATALOGUE.iter().map(|rule| rule.id).chain(groups);
    let nearest =
        names.map(|name| (strsim::jaro_winkler(name, asked), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    let nearest = nearest.filter(|(likeness, _)| *likeness > 0.7).map(|(_, name)| name);
    let mut hints = nearest.map(|name| format!("\nhint: did you mean `{name}`?")).unwrap_or_default();
    let others = words::by_meaning(asked, SUGGESTED).into_iter().filter(|rule| Some(rule.id) != nearest);
    for rule in others {
        let _ = write!(hints, "\nhint: `{}`: {}", rule.id, rule.headline());
    }
    if hints.is_empty() {
        let lists =
            "`tfconform list rules` lists the rules, `tfconform list contract` the entries they cover";
        return format!("\nhint: {lists}");
    }
    hints
}

/// What covers an entry of the contract, with the page of each rule.
fn coverage(entry: &str) -> String {
    let covered_by = contract::entries().remove(entry).unwrap_or_default();
    let pages: Vec<String> = covered_by
        .iter()
        .map(|covered_by| match covered_by {
            CoveredBy::Rule(id) => page(rules::find(id).expect("covering rules are in the catalogue")),
            other => format!("covered by no rule: {other}\n"),
        })
        .collect();
    if pages.is_empty() {
        return "covered by no rule\n".to_owned();
    }
    pages.join("\n")
}

/// A line for each rule: its level, its name and its sentence.
pub(super) fn listed(rules: impl Iterator<Item = &'static Rule>) -> String {
    rules.map(|rule| format!("{:<10} {:<44} {}\n", rule.level.name(), rule.id, rule.headline())).collect()
}

/// Everything about a rule.
pub(crate) fn page(rule: &'static Rule) -> String {
    let mut out = format!("{}  ({})\n\n", rule.id, rule.level);
    for line in rule.text.lines() {
        let _ = writeln!(out, "{}", line.strip_prefix(' ').unwrap_or(line));
    }
    out.push('\n');
    for (label, said) in facts::facts(rule) {
        let _ = writeln!(out, "{label:<12}{said}");
    }
    for (label, lines) in facts::example(rule) {
        for (idx, line) in lines.iter().enumerate() {
            let _ = writeln!(out, "{:<12}{line}", if idx == 0 { label } else { "" });
        }
    }
    for (label, said) in facts::pointers(rule).into_iter().filter(|(_, said)| !said.is_empty()) {
        let _ = writeln!(out, "{label:<12}{said}");
    }
    out
}
