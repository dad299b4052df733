//! Exceptions from one fault, one rule; each with its reason.

use libtest_mimic::Failed;
use tfconform::rule::{Fault, Legacy};
use tfconform::rules::CATALOGUE;

/// Rules that report another rule's fault, and why that cannot be avoided.
pub const COMPANIONS: &[(&str, &[&str], &str)] = &[
    (
        "apply/mixes-up-objects",
        &["apply/follows-updates"],
        "the value is decided when an object is created, and kept in updates",
    ),
    (
        "apply/loses-updates",
        &["plan/changes-nothing-needlessly", "read/keeps-the-form"],
        "what is stored differs from the configuration, also where drift was to be undone",
    ),
    ("plan/counts-calls", &["plan/final-plan-agrees"], "the final plan is another call"),
    (
        "apply/refuses-updates",
        &["apply/succeeds-as-planned"],
        "where nothing is left to change back, a single update was refused, and its value may be to blame",
    ),
    (
        "apply/claims-what-it-refuses",
        &["apply/updates-in-place", "apply/succeeds-as-planned"],
        "every update is refused, and where nothing is left to change back, its value may be to blame",
    ),
    (
        "apply/renames-a-block",
        &["plan/changes-nothing-needlessly"],
        "engines accept it, and the configuration still has the other name",
    ),
    (
        "apply/nullifies-empty-blocks",
        &["upgrade/same-version-is-identity"],
        "the state is stored, and the upgrade turns null into no blocks",
    ),
    (
        "read/nullifies-empty-blocks",
        &["plan/changes-nothing-needlessly"],
        "the state is stored, and differs from the configuration",
    ),
    (
        "read/capitalises",
        &["plan/changes-nothing-needlessly"],
        "the state is stored, and differs from the configuration",
    ),
];

/// Faults that look different in the two protocols, and are played in both: without nested attributes, the type that
/// sets the legacy flag has nothing left that an engine would check.
pub const DIFFER: &[&str] = &["apply/breaks-a-promise"];

/// Faults that depend on what else the process is asked at the same time, and with it which of their findings are
/// printed.
pub const UNSTEADY: &[&str] = &["plan/counts-calls", "apply/mixes-up-objects"];

/// Rules that still report a fault when the legacy flag excuses it, because engines continue from there.
pub const AFTER_FORGIVENESS: &[(&str, &[&str], &str)] = &[
    (
        "plan/nullifies-empty-blocks",
        &["plan/keeps-blocks", "plan/has-every-configured-block", "upgrade/same-version-is-identity"],
        "the state is stored, the upgrade turns null into no blocks, and a plan that restores them is excused too",
    ),
    (
        "plan/empties-unknown-blocks",
        &["plan/final-plan-agrees"],
        "the blocks that are known in the final plan contradict the empty initial one, which no flag excuses",
    ),
    (
        "plan/drops-a-nested-element",
        &["plan/final-plan-agrees"],
        "what a plan with unknowns promises not to be null is dropped once it is known",
    ),
    (
        "apply/breaks-a-promise",
        &["plan/final-plan-agrees"],
        "a plan with unknowns promises again what the object breaks",
    ),
    (
        "apply/drops-a-listed-block",
        &["plan/keeps-blocks"],
        "the next plan starts from the object as it is, and is excused too",
    ),
    (
        "apply/renames-a-block",
        &["plan/keeps-blocks"],
        "the next plan starts from the object as it is, and is excused too",
    ),
    (
        "apply/nullifies-empty-blocks",
        &["upgrade/same-version-is-identity"],
        "the state is stored, and the upgrade turns null into no blocks",
    ),
];

/// Faults that a protocol has no place for; a trial verifies each line.
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
        "only protocol 5 returns the configuration from validating the provider",
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

/// Every table entry exists, and has a reason.
pub fn are_true() -> Result<(), Failed> {
    let is_fault =
        |name: &str| CATALOGUE.iter().any(|rule| [rule.fault.name, rule.control.name].contains(&name));
    let is_rule = |id: &str| CATALOGUE.iter().any(|rule| rule.id == id);
    for (fault, rules, reason) in COMPANIONS.iter().chain(AFTER_FORGIVENESS) {
        if !is_fault(fault) || !rules.iter().all(|id| is_rule(id)) || reason.is_empty() {
            return Err(format!("{fault} in the companions").into());
        }
    }
    if let Some(fault) = UNSTEADY.iter().find(|fault| !is_fault(fault)) {
        return Err(format!("{fault}, listed as unsteady").into());
    }
    for (fault, ..) in AFTER_FORGIVENESS {
        let excused = CATALOGUE.iter().filter(|rule| rule.legacy == Legacy::Excused);
        if !excused.into_iter().any(|rule| rule.fault.name == *fault) {
            return Err(format!("{fault} is not excused").into());
        }
    }
    for (fault, protocol, reason) in ABSENT {
        if !is_fault(fault) || ![5, 6].contains(protocol) || reason.is_empty() {
            return Err(format!("{fault}, listed as absent from protocol {protocol}").into());
        }
    }
    Ok(())
}
