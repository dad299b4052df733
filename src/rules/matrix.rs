//! Each fault against each rule: what fires, and why where it is not the fault's own rule.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::CATALOGUE;
use super::tests::armed;
use crate::judge::{Settings, judge};
use crate::rule::{Fault, RuleId};

/// Rules that speak of another rule's fault, and the reason.
const COMPANIONS: &[(&str, &[RuleId], &str)] = &[
    (
        "plan/empties-unknown-blocks",
        &["plan/final-plan-agrees"],
        "blocks that are known in the final plan contradict the empty initial one",
    ),
    ("plan/counts-calls", &["plan/final-plan-agrees"], "the final plan is one more call"),
];

/// The rules that find something where a fault is armed in the example; `None` where it cannot be.
fn fired(fault: &Fault) -> Option<BTreeSet<RuleId>> {
    let judgement = judge(CATALOGUE, &armed(fault)?, &Settings::default());
    Some(judgement.findings.iter().map(|judged| judged.rule.id).collect())
}

#[test]
fn a_fault_breaks_its_own_rule_and_known_companions() {
    for rule in CATALOGUE {
        let Some(fired) = fired(&rule.fault) else { continue };
        let companions = COMPANIONS.iter().find(|(fault, ..)| *fault == rule.fault.name);
        let companions = companions.map_or(&[][..], |(_, rules, _)| rules);
        let expected: BTreeSet<RuleId> = companions.iter().copied().chain([rule.id]).collect();
        assert_eq!(fired, expected, "{}", rule.fault.name);
    }
}

#[test]
fn companions_are_of_faults_that_exist() {
    for (fault, rules, reason) in COMPANIONS {
        assert!(CATALOGUE.iter().any(|rule| rule.fault.name == *fault), "{fault}");
        assert!(rules.iter().all(|id| super::find(id).is_some()) && !reason.is_empty(), "{fault}");
    }
}

#[test]
fn a_twin_breaks_no_rule_at_all() {
    for rule in CATALOGUE {
        assert_eq!(fired(&rule.twin).unwrap_or_default(), BTreeSet::new(), "{}", rule.twin.name);
    }
}

#[test]
fn fault_matrix() {
    let mut matrix = String::new();
    for rule in CATALOGUE {
        let fired = fired(&rule.fault).map_or_else(
            || "(not in the example)".to_owned(),
            |fired| fired.into_iter().collect::<Vec<_>>().join(", "),
        );
        writeln!(matrix, "{}: {fired}", rule.fault.name).expect("a string takes all text");
    }
    insta::assert_snapshot!(matrix);
}
