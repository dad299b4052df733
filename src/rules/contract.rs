//! What covers each entry of the contract.
//!
//! An entry that obliges a provider belongs to a rule. An entry that only describes an engine is
//! performed by the lifecycle, computed in [`core`](crate::core), or matters before there is anything to
//! judge.

mod areas;

use std::collections::BTreeMap;
use std::fmt;

use super::CATALOGUE;
use areas::AREAS;

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

/// The entries of one area of the contract.
struct Area {
    name: &'static str,
    entries: &'static [Entry],
}

/// One thing that the contract says.
struct Entry {
    number: u16,
    /// Whether engines report a breach or crash on it; what is not follows from what they do, or is only documented.
    is_enforced: bool,
    /// What a provider must do, or what an engine does.
    says: &'static str,
}

impl Entry {
    const fn enforced(number: u16, says: &'static str) -> Entry {
        Entry { number, is_enforced: true, says }
    }

    const fn implied(number: u16, says: &'static str) -> Entry {
        Entry { number, is_enforced: false, says }
    }
}

/// Every entry with its ID, in order.
fn all() -> impl Iterator<Item = (String, &'static Entry)> {
    let of = |area: &'static Area| {
        area.entries.iter().map(|entry| (format!("{}-{:03}", area.name, entry.number), entry))
    };
    AREAS.iter().flat_map(of)
}

/// What an entry says, in one sentence; `None` if the contract has none of this ID in an area that runs exercise.
pub fn says(id: &str) -> Option<String> {
    let (_, entry) = all().find(|(of, _)| of == id)?;
    let how = if entry.is_enforced { "enforced" } else { "not enforced" };
    Some(format!("{} ({how})", entry.says))
}

/// Entries that no rule covers: what covers them instead, or why nothing does yet; of those that are not enforced, only
/// some.
const ELSEWHERE: &[(&str, CoveredBy)] = &[
    (
        "PROC-001",
        CoveredBy::Start("cookie, handshake line, protocol and certificate are checked at the start"),
    ),
    ("CONFIGURE-002", CoveredBy::Start("imports are played with a provider whose configuration is known")),
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
    ("IMPORT-004", CoveredBy::Lifecycle("an import whose state does not decode ends the scenario")),
    ("IMPORT-016", CoveredBy::Nobody("a provider is not asked to write a configuration for an import")),
    ("MOVE-001", CoveredBy::Lifecycle("without the capability a run that moves across types ends")),
    ("MOVE-005", CoveredBy::Lifecycle("the private data of a move takes the place of the source's")),
    ("MOVE-006", CoveredBy::Nobody("moves that a provider should refuse are not played")),
    ("DATA-007", CoveredBy::Nobody("check blocks are not played")),
];

/// Every entry that is enforced or covered, with everything that covers it, in order.
pub fn entries() -> BTreeMap<String, Vec<CoveredBy>> {
    let mut entries: BTreeMap<String, Vec<CoveredBy>> = BTreeMap::new();
    entries.extend(all().filter(|(_, entry)| entry.is_enforced).map(|(id, _)| (id, Vec::new())));
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
                assert!(
                    says(entry).is_some(),
                    "{} covers {entry}, which is no entry of the contract",
                    rule.id
                );
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
