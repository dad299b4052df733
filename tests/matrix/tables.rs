//! Exceptions to one fault, one rule; each line with its reason.

use libtest_mimic::Failed;
use tfconform::rule::{Fault, Legacy};
use tfconform::rules::CATALOGUE;

/// Rules that report another rule's fault, and why that is unavoidable.
pub const COMPANIONS: &[(&str, &[&str], &str)] = &[
    ("plan/counts-calls", &["plan/final-plan-agrees"], "the final plan is one more call"),
    (
        "apply/renames-a-block",
        &["plan/changes-nothing-needlessly"],
        "engines let it pass, and then the configuration still asks for the other name",
    ),
    (
        "apply/nullifies-empty-blocks",
        &["upgrade/same-version-is-identity"],
        "the state is kept, and the upgrade knows that no blocks are none",
    ),
    (
        "read/nullifies-empty-blocks",
        &["plan/changes-nothing-needlessly"],
        "the state is kept, and differs from the configuration",
    ),
    (
        "read/capitalises",
        &["plan/changes-nothing-needlessly"],
        "the state is kept, and differs from the configuration",
    ),
    ("upgrade/capitalises", &["read/keeps-the-form"], "the read that follows knows better"),
];

/// Rules that still report a fault when the legacy flag excuses it, because engines go on from there.
pub const AFTER_FORGIVENESS: &[(&str, &[&str], &str)] = &[
    (
        "plan/nullifies-empty-blocks",
        &["plan/keeps-blocks", "upgrade/same-version-is-identity"],
        "the state is kept, the upgrade knows that no blocks are none, and a plan that has them back is forgiven too",
    ),
    (
        "plan/drops-nested-attributes",
        &["plan/final-plan-agrees"],
        "what a plan with unknowns promises not to be null is dropped once it is known",
    ),
    (
        "apply/breaks-a-promise",
        &["plan/final-plan-agrees"],
        "a plan with unknowns promises again what the object does not keep",
    ),
    (
        "apply/drops-a-listed-block",
        &["plan/keeps-blocks"],
        "the next plan is what there is, and forgiven too",
    ),
    ("apply/renames-a-block", &["plan/keeps-blocks"], "the next plan is what there is, and forgiven too"),
    (
        "apply/nullifies-empty-blocks",
        &["upgrade/same-version-is-identity"],
        "the state is kept, and the upgrade knows that no blocks are none",
    ),
];

/// Faults that a protocol has no place for; each line is checked by its own trial.
pub const ABSENT: &[(&str, u8, &str)] = &[
    ("plan/nullifies-elements-around-write-only", 5, NESTED),
    ("plan/drops-nested-attributes", 5, NESTED),
    ("schema/gives-an-attribute-nested-attributes", 5, NESTED),
    ("schema/nests-attributes-in-no-mode", 5, NESTED),
    ("schema/nests-attributes-in-a-list", 5, NESTED),
    ("schema/puts-any-type-in-a-set", 5, NESTED),
    ("schema/puts-any-type-in-a-list", 5, NESTED),
    ("schema/puts-a-secret-in-a-set", 5, NESTED),
    ("schema/puts-a-secret-in-a-list", 5, NESTED),
    ("plan/drops-a-nested-element", 5, NESTED),
    ("schema/demands-computed-blocks", 5, COMPUTED_BLOCKS),
    ("schema/computes-half-a-block", 5, COMPUTED_BLOCKS),
    (
        "validate/prepares-the-configuration",
        6,
        "only protocol 5 returns the provider's configuration from its validation",
    ),
];

const COMPUTED_BLOCKS: &str = "protocol 5 cannot declare computed blocks";
const NESTED: &str = "protocol 5 has no nested attributes";

/// The rules that may report a fault besides its own.
pub fn companions(table: &[(&str, &'static [&'static str], &str)], fault: &Fault) -> &'static [&'static str] {
    let line = table.iter().find(|(name, ..)| *name == fault.name);
    line.map_or(&[][..], |(_, rules, _)| rules)
}

pub fn is_absent(fault: &Fault, protocol: u8) -> bool {
    ABSENT.iter().any(|(name, from, _)| *name == fault.name && *from == protocol)
}

/// The tables name existing rules and faults, and give reasons.
pub fn are_true() -> Result<(), Failed> {
    let is_fault =
        |name: &str| CATALOGUE.iter().any(|rule| [rule.fault.name, rule.control.name].contains(&name));
    let is_rule = |id: &str| CATALOGUE.iter().any(|rule| rule.id == id);
    for (fault, rules, reason) in COMPANIONS.iter().chain(AFTER_FORGIVENESS) {
        if !is_fault(fault) || !rules.iter().all(|id| is_rule(id)) || reason.is_empty() {
            return Err(format!("{fault} of the companions").into());
        }
    }
    for (fault, ..) in AFTER_FORGIVENESS {
        let excused = CATALOGUE.iter().filter(|rule| rule.legacy == Legacy::Excused);
        if !excused.into_iter().any(|rule| rule.fault.name == *fault) {
            return Err(format!("{fault} is not excused").into());
        }
    }
    for (fault, protocol, reason) in ABSENT {
        if !is_fault(fault) || ![5, 6].contains(protocol) || reason.is_empty() {
            return Err(format!("{fault} that is not in protocol {protocol}").into());
        }
    }
    Ok(())
}
