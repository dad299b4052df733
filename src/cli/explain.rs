//! `explain` and `list`.

use std::fmt::Write as _;

use super::args::{Explain, List, What};
use super::{Failed, Outcome, print};
use crate::engine::Engine;
use crate::report::Exit;
use crate::rule::{Check, Enforced, Legacy, Rule, Says, Shows};
use crate::rules::contract::{self, CoveredBy};
use crate::rules::{self, CATALOGUE};
use crate::transcript::PriorOrigin;

pub(super) fn explain(explain: &Explain) -> Outcome {
    let asked = explain.rule.as_str();
    if let Some(rule) = rules::find(asked) {
        return print(&page(rule));
    }
    let entry = asked.to_uppercase();
    if contract::exists(&entry) {
        return print(&coverage(&entry));
    }
    let nearest = CATALOGUE
        .iter()
        .map(|rule| (strsim::jaro_winkler(rule.id, asked), rule.id))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(likeness, _)| *likeness > 0.7);
    let hint = nearest.map_or_else(
        || {
            "\nhint: `tfconform list rules` lists the rules, `tfconform list contract` the entries they cover"
                .to_owned()
        },
        |(_, id)| format!("\nhint: did you mean `{id}`?"),
    );
    Err(Failed::usage(format!("there is no rule or entry `{asked}`{hint}")))
}

/// What covers an entry of the contract, with the page of each rule.
fn coverage(entry: &str) -> String {
    let covered_by = contract::entries().remove(entry).unwrap_or_default();
    let pages: Vec<String> = covered_by
        .iter()
        .map(|covered_by| match covered_by {
            CoveredBy::Rule(id) => page(rules::find(id).expect("covering rules are in the catalogue")),
            other => format!("{entry} is covered by no rule: {other}\n"),
        })
        .collect();
    if pages.is_empty() {
        return format!("{entry} is not covered: engines do not enforce it\n");
    }
    pages.join("\n")
}

/// Everything about a rule.
pub(crate) fn page(rule: &Rule) -> String {
    let mut out = format!("{}  ({})\n\n", rule.id, rule.level);
    for line in rule.text.lines() {
        let _ = writeln!(out, "{}", line.strip_prefix(' ').unwrap_or(line));
    }
    let _ = writeln!(out);
    let _ = writeln!(
        out,
        "says        {}, {}: \"{}\"",
        rule.cites.document, rule.cites.section, rule.cites.words
    );
    let _ = writeln!(out, "fix         {}", rule.fix.in_general());
    let _ = match rule.shows {
        Shows { says: Says::Title(title), crashes: [] } => writeln!(out, "users see   {title}"),
        Shows::NOTHING => writeln!(out, "users see   nothing at once: no engine checks it"),
        shows => writeln!(out, "users see   {shows}"),
    };
    if rule.enforced != Enforced::ALWAYS {
        let engines: Vec<&str> = rule.enforced.engines().into_iter().map(Engine::name).collect();
        let _ = writeln!(out, "engines     {} (--engine {})", rule.enforced, engines.join(", "));
    }
    if rule.legacy == Legacy::Excused {
        let _ = writeln!(out, "legacy      with the legacy type system flag engines only write to their log");
    }
    let on_synthesised = rule.level.min(rule.most_on(PriorOrigin::Synthesised));
    if sees_synthesised(rule) && on_synthesised != rule.level {
        let _ = writeln!(out, "synthesised {on_synthesised}, where the prior state was made up from a plan");
    }
    let _ = writeln!(out, "covers      {}", rule.covers.join(", "));
    let _ = writeln!(out, "try it      tfconform check --fault {}", rule.fault.name);
    out
}

/// Whether the rule is about calls that are made with synthesised states: none of them applies or reads.
fn sees_synthesised(rule: &Rule) -> bool {
    match rule.check {
        Check::Plan(_) | Check::DestroyPlan(_) | Check::Upgrade(_) => true,
        Check::Asked(_) => rule.needs_applied_prior,
        Check::Schema(_) | Check::EverySchema(_) | Check::Apply(_) | Check::Read(_) | Check::DataRead(_) => {
            false
        }
    }
}

pub(super) fn list(list: &List) -> Outcome {
    let mut out = String::new();
    match list.what {
        What::Rules => {
            for rule in CATALOGUE {
                let _ = writeln!(out, "{:<10} {:<44} {}", rule.level.name(), rule.id, rule.headline());
            }
        }
        What::Faults => {
            for rule in CATALOGUE {
                let _ = writeln!(out, "{:<48} {}", rule.fault.name, rule.fault.about);
                let _ = writeln!(out, "{:<48}   breaks {}", "", rule.id);
                let _ = writeln!(out, "{:<48} control: {}", rule.control.name, rule.control.about);
            }
        }
        What::Contract => {
            for (entry, coverage) in contract::entries() {
                for covered_by in coverage {
                    let _ = writeln!(out, "{entry:<16} {covered_by}");
                }
            }
        }
        What::ExitCodes => {
            for exit in Exit::ALL {
                let _ = writeln!(out, "{:>4}  {}", exit.code(), exit.meaning());
            }
        }
    }
    print(&out)
}
