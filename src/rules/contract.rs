//! Who looks after each entry of the contract.
//!
//! An entry that binds a provider belongs to a rule. What only says how an engine behaves is played by
//! the lifecycle, computed in [`core`](crate::core), or met before there is anything to judge.

use std::collections::BTreeMap;
use std::fmt;

use super::CATALOGUE;

/// Who looks after an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keeper {
    /// The rule of this identity.
    Rule(&'static str),
    /// A program that breaks it never gets as far as being judged: exit code 3.
    Start(&'static str),
    /// What an engine does, which the lifecycle does too.
    Lifecycle(&'static str),
    /// What an engine computes or allows, in [`core`](crate::core).
    Core(&'static str),
    /// Nobody yet; why.
    Nobody(&'static str),
}

impl fmt::Display for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keeper::Rule(id) => f.write_str(id),
            Keeper::Start(how) => write!(f, "(start) {how}"),
            Keeper::Lifecycle(how) => write!(f, "(lifecycle) {how}"),
            Keeper::Core(how) => write!(f, "(core) {how}"),
            Keeper::Nobody(why) => write!(f, "(nobody yet) {why}"),
        }
    }
}

/// What engines enforce or crash at, in the areas that runs play: values, calls, schemas, validation,
/// configuration, upgrade, read, plan, apply, write-only attributes and private data.
const ENFORCED: &[(&str, &[u16])] = &[
    ("WIRE", &[1, 4, 5, 6, 7, 8, 12, 13, 18]),
    ("RPC", &[1, 2, 4]),
    ("DIAG", &[2]),
    ("PROC", &[1, 6]),
    (
        "SCHEMA",
        &[1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 20, 21, 22, 23, 24, 25, 30, 31, 40, 41, 42, 50, 52, 61],
    ),
    ("CONFIGURE", &[2, 4]),
    ("UPGRADE", &[1, 2, 3, 4]),
    ("READ", &[1, 2, 3]),
    (
        "PLAN",
        &[
            1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 25, 26, 27, 28, 29, 30, 31, 32, 40,
            50, 55, 60, 61, 63, 71, 74,
        ],
    ),
    ("APPLY", &[2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 15, 17, 18, 19, 20, 21, 23, 24]),
    ("WO", &[1, 2, 4]),
    ("PRIVATE", &[1]),
];

/// The entries of [`ENFORCED`] that no rule covers.
const ELSEWHERE: &[(&str, Keeper)] = &[
    ("PROC-001", Keeper::Start("cookie, handshake line, protocol and certificate are checked at the start")),
    ("PROC-006", Keeper::Nobody("only a process that is started after a crash has to do without")),
    ("CONFIGURE-002", Keeper::Nobody("imports are not played")),
    ("CONFIGURE-004", Keeper::Start("nothing is played with a provider that cannot be configured")),
    ("UPGRADE-001", Keeper::Lifecycle("state of a newer version is never sent")),
    ("PLAN-001", Keeper::Lifecycle("a plan with an error ends the scenario as refused")),
    ("PLAN-011", Keeper::Core("a computed attribute that is not configured may be planned as anything")),
    ("PLAN-027", Keeper::Core("a computed block that is not configured may be planned as anything")),
    ("PLAN-074", Keeper::Nobody("resources of unknown number are not played")),
    ("APPLY-004", Keeper::Lifecycle("an apply without an answer or a state ends the scenario")),
    ("APPLY-013", Keeper::Lifecycle("after a failed apply without a state the object stays as it was")),
    ("APPLY-015", Keeper::Lifecycle("an object whose creation failed is tainted")),
    ("PRIVATE-001", Keeper::Lifecycle("private bytes go back as they came")),
];

/// Every entry that is enforced or covered, with all who look after it, in order.
pub fn entries() -> BTreeMap<String, Vec<Keeper>> {
    let mut entries: BTreeMap<String, Vec<Keeper>> = BTreeMap::new();
    for (area, numbers) in ENFORCED {
        entries.extend(numbers.iter().map(|number| (format!("{area}-{number:03}"), Vec::new())));
    }
    let rules = CATALOGUE.iter().flat_map(|rule| rule.covers.iter().map(|id| (*id, Keeper::Rule(rule.id))));
    for (id, keeper) in rules.chain(ELSEWHERE.iter().copied()) {
        entries.entry(id.to_owned()).or_default().push(keeper);
    }
    entries.values_mut().for_each(|keepers| keepers.sort_unstable());
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_enforced_entry_is_looked_after() {
        let without: Vec<String> =
            entries().into_iter().filter(|(_, keepers)| keepers.is_empty()).map(|(id, _)| id).collect();
        assert_eq!(without, Vec::<String>::new());
    }

    #[test]
    fn what_a_rule_covers_is_nobody_else_s() {
        let entries = entries();
        for (id, keeper) in ELSEWHERE {
            assert_eq!(entries[*id], [*keeper], "{id}");
        }
    }
}
