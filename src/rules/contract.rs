//! What covers each entry of the contract.
//!
//! An entry that obliges a provider belongs to a rule. An entry that only describes an engine is
//! performed by the lifecycle, computed in [`core`](crate::core), or matters before there is anything to
//! judge.

use std::collections::BTreeMap;
use std::fmt;

use super::CATALOGUE;

/// What covers an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoveredBy {
    /// The rule with this ID.
    Rule(&'static str),
    /// A program that breaks it is never judged: exit code 3.
    Start(&'static str),
    /// What an engine does, and the lifecycle with it.
    Lifecycle(&'static str),
    /// What an engine computes or allows, in [`core`](crate::core).
    Core(&'static str),
    /// Not covered yet, with the reason.
    Nobody(&'static str),
}

impl fmt::Display for CoveredBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoveredBy::Rule(id) => f.write_str(id),
            CoveredBy::Start(how) => write!(f, "(start) {how}"),
            CoveredBy::Lifecycle(how) => write!(f, "(lifecycle) {how}"),
            CoveredBy::Core(how) => write!(f, "(core) {how}"),
            CoveredBy::Nobody(why) => write!(f, "(nobody yet) {why}"),
        }
    }
}

/// The entries of one area of the contract, by their numbers.
struct Area {
    name: &'static str,
    /// What engines enforce or crash on.
    enforced: &'static [u16],
    /// What follows from what engines do, or is only documented.
    others: &'static [u16],
}

/// The areas that runs exercise: values, calls, processes, schemas, validation, configuration, upgrade,
/// read, plan, apply, identities, write-only attributes, private data, imports, moves and data sources.
const AREAS: &[Area] = &[
    Area {
        name: "WIRE",
        enforced: &[1, 4, 5, 6, 7, 8, 12, 13, 18],
        others: &[2, 3, 9, 10, 11, 14, 15, 16, 17],
    },
    Area { name: "RPC", enforced: &[1, 2, 4], others: &[3, 5] },
    Area { name: "DIAG", enforced: &[2], others: &[1, 3, 4] },
    Area { name: "PROC", enforced: &[1, 6], others: &[2, 3, 4, 5] },
    Area {
        name: "SCHEMA",
        enforced: &[
            1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 20, 21, 22, 23, 24, 25, 30, 31, 40, 41, 42, 50, 52, 61,
        ],
        others: &[6, 7, 17, 32, 43, 44, 51, 60, 62, 63, 64, 65, 66, 67],
    },
    Area { name: "VALIDATE", enforced: &[], others: &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
    Area { name: "CONFIGURE", enforced: &[2, 4], others: &[1, 3, 5, 6, 7, 8] },
    Area { name: "UPGRADE", enforced: &[1, 2, 3, 4], others: &[5, 6, 7, 8, 9, 10, 11, 12, 13] },
    Area { name: "READ", enforced: &[1, 2, 3], others: &[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] },
    Area {
        name: "PLAN",
        enforced: &[
            1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 25, 26, 27, 28, 29, 30, 31, 32, 40,
            50, 55, 60, 61, 63, 71, 74,
        ],
        others: &[6, 21, 33, 34, 41, 42, 45, 46, 47, 48, 49, 51, 52, 53, 56, 57, 62, 64, 70, 72, 73],
    },
    Area {
        name: "APPLY",
        enforced: &[2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 15, 17, 18, 19, 20, 21, 23, 24],
        others: &[1, 14, 16, 22, 30, 31, 32, 33, 34, 35, 36, 37, 38],
    },
    Area { name: "IDENTITY", enforced: &[10], others: &[] },
    Area { name: "WO", enforced: &[1, 2, 4], others: &[3, 5] },
    Area { name: "PRIVATE", enforced: &[1], others: &[2, 3, 4, 5] },
    Area { name: "IMPORT", enforced: &[1, 2, 4, 5, 6, 7, 10, 16], others: &[3, 8, 11, 12, 13, 14, 15, 17] },
    Area { name: "MOVE", enforced: &[1, 2, 3, 4], others: &[5, 6, 7, 8] },
    Area { name: "DATA", enforced: &[1, 2, 3, 7], others: &[4, 5, 6, 8, 9] },
];

fn ids(area: &Area, numbers: &'static [u16]) -> impl Iterator<Item = String> {
    let name = area.name;
    numbers.iter().map(move |number| format!("{name}-{number:03}"))
}

/// Whether the contract has this entry, in an area that runs exercise.
pub fn exists(id: &str) -> bool {
    AREAS.iter().any(|area| ids(area, area.enforced).chain(ids(area, area.others)).any(|of| of == id))
}

/// The enforced entries that no rule covers.
const ELSEWHERE: &[(&str, CoveredBy)] = &[
    (
        "PROC-001",
        CoveredBy::Start("cookie, handshake line, protocol and certificate are checked at the start"),
    ),
    ("CONFIGURE-002", CoveredBy::Start("imports are played with a provider that is configured")),
    ("CONFIGURE-004", CoveredBy::Start("nothing is played with a provider that cannot be configured")),
    ("UPGRADE-001", CoveredBy::Lifecycle("state of a newer version is never sent")),
    ("PLAN-001", CoveredBy::Lifecycle("a plan with an error ends the run as refused")),
    ("PLAN-011", CoveredBy::Core("a computed attribute that is not configured may be planned as anything")),
    ("PLAN-027", CoveredBy::Core("a computed block that is not configured may be planned as anything")),
    ("PLAN-074", CoveredBy::Nobody("resources of unknown number are not played")),
    ("APPLY-004", CoveredBy::Lifecycle("an apply without an answer or a state ends the scenario")),
    ("APPLY-013", CoveredBy::Lifecycle("after a failed apply without a state the object stays as it was")),
    ("APPLY-015", CoveredBy::Lifecycle("an object whose creation failed is tainted")),
    ("PRIVATE-001", CoveredBy::Lifecycle("private bytes go back as they came")),
    ("IMPORT-002", CoveredBy::Nobody("the type in an import's answer is not judged")),
    ("IMPORT-004", CoveredBy::Lifecycle("an import whose state does not decode ends the scenario")),
    ("IMPORT-006", CoveredBy::Nobody("write-only attributes in an import's answer are not judged")),
    ("IMPORT-007", CoveredBy::Nobody("the identity in an import's answer is not judged")),
    ("IMPORT-016", CoveredBy::Nobody("a provider is not asked to write a configuration for an import")),
    ("MOVE-001", CoveredBy::Lifecycle("without the capability a run that moves across types ends")),
    ("MOVE-005", CoveredBy::Lifecycle("the private data of a move takes the place of the source's")),
    ("MOVE-006", CoveredBy::Lifecycle("a refused move ends the run as refused, and the object stays")),
    ("DATA-007", CoveredBy::Nobody("check blocks are not played")),
];

/// Every entry that is enforced or covered, with everything that covers it, in order.
pub fn entries() -> BTreeMap<String, Vec<CoveredBy>> {
    let mut entries: BTreeMap<String, Vec<CoveredBy>> = BTreeMap::new();
    for area in AREAS {
        entries.extend(ids(area, area.enforced).map(|id| (id, Vec::new())));
    }
    let rules =
        CATALOGUE.iter().flat_map(|rule| rule.covers.iter().map(|id| (*id, CoveredBy::Rule(rule.id))));
    for (id, covered_by) in rules.chain(ELSEWHERE.iter().copied()) {
        entries.entry(id.to_owned()).or_default().push(covered_by);
    }
    entries.values_mut().for_each(|keepers| keepers.sort_unstable());
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_enforced_entry_is_covered() {
        let without: Vec<String> =
            entries().into_iter().filter(|(_, keepers)| keepers.is_empty()).map(|(id, _)| id).collect();
        assert_eq!(without, Vec::<String>::new());
    }

    #[test]
    fn rules_cover_entries_that_exist() {
        for rule in CATALOGUE {
            for entry in rule.covers {
                assert!(exists(entry), "{} covers {entry}, which is no entry of the contract", rule.id);
            }
        }
    }

    #[test]
    fn what_a_rule_covers_is_covered_by_nothing_else() {
        let entries = entries();
        for (id, covered_by) in ELSEWHERE {
            assert_eq!(entries[*id], [*covered_by], "{id}");
        }
    }
}
