//! Each fault is one finding of a report, with its companions beside it.

use super::armed;
use super::shown::report_of;
use crate::report::{Family, Group};
use crate::rule::{Fault, RuleId};
use crate::rules::CATALOGUE;

/// Faults that are several findings, and why.
const SEVERAL: &[(&str, usize, &str)] = &[];

/// The findings of a fault in the example: the rule of each, and those beside it.
fn findings(fault: &Fault) -> Option<Vec<(RuleId, Vec<RuleId>)>> {
    let report = report_of(CATALOGUE, &armed(fault)?);
    let groups: Vec<&Group> = report.groups.iter().collect();
    let families = Family::all(&groups);
    let named = |family: &Family<'_>| {
        (family.first().rule.id, family.also.iter().map(|group| group.rule.id).collect())
    };
    Some(families.iter().map(named).collect())
}

#[test]
fn each_fault_is_one_finding() {
    let mut unlike = Vec::new();
    for rule in CATALOGUE {
        let Some(findings) = findings(&rule.fault) else { continue };
        let several = SEVERAL.iter().find(|(fault, ..)| *fault == rule.fault.name);
        let expected = several.map_or(1, |(_, n, _)| *n);
        if findings.len() != expected {
            unlike.push(format!("{}: {findings:?}", rule.fault.name));
        }
    }
    let hint = "give the findings of a fault the same place and cause, or list it in SEVERAL with the reason";
    assert!(unlike.is_empty(), "{hint}: {unlike:#?}");
}
