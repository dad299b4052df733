//! Which rule reports what each of the engines' own checks finds.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::CATALOGUE;
use crate::core::checks::{self, CheckList};
use crate::engine::Engine;
use crate::rule::{Check, Legacy, Rule};

/// Entries that no rule of their step covers, with the reason.
const WITHOUT_A_RULE: &[(&str, &str)] = &[("DEFER-001", "no rule is about deferral yet")];

/// Rules whose title or legacy excuse differs from that of a check they share an entry with, with the reason.
const OTHERWISE: &[(&str, &str)] = &[
    ("plan/write-only-is-null", "PLAN-012 is reported by the check before, which no flag excuses"),
    ("move/conforms", "Terraform takes what decodes, and the read that follows replaces it"),
    ("plan/no-null-elements-around-write-only", "engines crash there, and show no title"),
    ("plan/pairs-set-elements", "it covers the part of PLAN-020 that no engine enforces"),
    ("data/conforms", "what its check finds passes in the engine: the implied type is dynamic there"),
    ("upgrade/conforms", "what its check finds passes in the engine, which crashes when it plans with it"),
    (
        "read/conforms",
        "what its check finds passes in the engine, as drift, or it crashes when it plans with it",
    ),
    ("apply/blocks-are-not-null", "engines look at computed blocks only"),
    ("apply/returns-an-object", "without the legacy flag the comparison with the plan runs first"),
];

/// Rules that cover an entry that several checks of their step share, and the check of each; none if no engine checks
/// it.
const OF_A_SHARED_ENTRY: [(&str, &str); 3] =
    [("move/conforms", "Conforms"), ("move/is-wholly-known", "WhollyKnown"), ("move/is-not-null", "")];

/// A check without its function.
#[derive(Clone)]
struct Row {
    step: &'static str,
    name: String,
    covers: &'static [&'static str],
    titles: BTreeSet<&'static str>,
    is_excused: bool,
    engines: Vec<Engine>,
}

fn rows() -> Vec<Row> {
    fn of<F>(list: &CheckList<F>) -> Vec<Row> {
        let row = |check: &checks::EngineCheck<F>| Row {
            step: list.step,
            name: format!("{:?}", check.kind),
            covers: check.covers,
            titles: Engine::ALL
                .into_iter()
                .filter(|engine| check.is_made_by(*engine))
                .map(|engine| check.title(engine))
                .collect(),
            is_excused: check.is_excused,
            engines: Engine::ALL.into_iter().filter(|engine| check.is_made_by(*engine)).collect(),
        };
        list.checks.iter().map(row).collect()
    }
    [
        of(&checks::PLAN),
        of(&checks::DESTROY_PLAN),
        of(&checks::FINAL_PLAN),
        of(&checks::APPLY),
        of(&checks::READ),
        of(&checks::UPGRADE),
        of(&checks::MOVE),
        of(&checks::DATA_READ),
    ]
    .concat()
}

/// The rules about the same step that cover one of the check's entries.
fn rules_of(row: &Row) -> Vec<&'static Rule> {
    let is_of_step = |rule: &&Rule| match rule.check {
        Check::Plan(_) => matches!(row.step, "plan" | "final-plan"),
        Check::DestroyPlan(_) => row.step == "destroy-plan",
        Check::Apply(_) => row.step == "apply",
        Check::Read(_) => row.step == "read",
        Check::Upgrade(_) => row.step == "upgrade",
        Check::Move(_) => row.step == "move",
        Check::DataRead(_) => row.step == "data-read",
        Check::Schema(_) | Check::EverySchema(_) | Check::Asked(_) => false,
    };
    let covers = |rule: &&Rule| rule.covers.iter().any(|entry| row.covers.contains(entry));
    let is_meant = |rule: &&Rule| {
        let only = OF_A_SHARED_ENTRY.iter().find(|(id, _)| *id == rule.id);
        only.is_none_or(|(_, check)| *check == row.name)
    };
    CATALOGUE.iter().copied().filter(is_of_step).filter(covers).filter(is_meant).collect()
}

#[test]
fn every_check_is_mapped_by_rules() {
    let mut table = String::new();
    for row in rows() {
        let rules: Vec<&str> = rules_of(&row).iter().map(|rule| rule.id).collect();
        let titles = Vec::from_iter(row.titles.iter().copied()).join(" | ");
        let excused = if row.is_excused { ", legacy flag excuses" } else { "" };
        writeln!(table, "{} {} ({titles}{excused}): {}", row.step, row.name, rules.join(" ")).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn every_entry_of_a_check_has_a_rule_of_its_step() {
    let is_listed = |entry: &str| WITHOUT_A_RULE.iter().any(|(listed, _)| *listed == entry);
    let mut without = BTreeSet::new();
    for row in rows() {
        let covered: BTreeSet<&str> = rules_of(&row).iter().flat_map(|rule| rule.covers).copied().collect();
        let missing = row.covers.iter().filter(|entry| !covered.contains(*entry) && !is_listed(entry));
        without.extend(missing.map(|entry| format!("{} {}: {entry}", row.step, row.name)));
    }
    assert_eq!(without, BTreeSet::new());
}

#[test]
fn a_rule_is_enforced_by_the_engines_that_make_its_check() {
    for row in rows() {
        for rule in rules_of(&row) {
            let is_made = |engine: &Engine| row.engines.contains(engine);
            assert!(rule.enforced.engines().iter().all(is_made), "{} {}", row.name, rule.id);
            let others = rows().into_iter().filter(|other| rules_of(other).iter().any(|of| of.id == rule.id));
            let making: Vec<Engine> = others.flat_map(|other| other.engines).collect();
            assert!(making.iter().all(|engine| rule.enforced.is_by(*engine)), "{} {}", row.name, rule.id);
        }
    }
}

#[test]
fn a_rule_has_the_title_and_the_legacy_excuse_of_its_check() {
    let is_listed = |rule: &Rule| OTHERWISE.iter().any(|(listed, _)| *listed == rule.id);
    for row in rows() {
        for rule in rules_of(&row).into_iter().filter(|rule| !is_listed(rule)) {
            assert!(
                rule.shows.title().is_some_and(|title| row.titles.contains(title)),
                "{} {}",
                row.name,
                rule.id
            );
            assert_eq!(rule.legacy == Legacy::Excused, row.is_excused, "{} {}", row.name, rule.id);
        }
    }
}
