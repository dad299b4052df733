//! Arguments that exclude each other.

use std::collections::BTreeMap;

use super::*;
use crate::generate::facts::PresenceRule;
use crate::generate::obligation::ObligationKind;
use crate::generate::universe::obligations;
use crate::scenario::Part;

#[test]
fn each_value_is_in_the_configuration_that_is_to_show_it() {
    let names = ["content", "encoded", "source"];
    let mut attributes: Vec<Attribute> =
        names.iter().map(|name| Attribute::typed(name, Type::String).optional()).collect();
    attributes.push(Attribute::typed("free", Type::String).optional());
    let schema = Schema { version: 0, block: Block::new(attributes, vec![]) };
    let all = || names.map(str::to_owned).into();
    let rules = [PresenceRule::AtLeastOne(all()), PresenceRule::AtMostOne(all())].into();
    let minimal = Some(["source".to_owned()].into());
    let facts = Facts { rules, minimal, ..Facts::default() };
    let options = Options { cases: Cases::Auto, apply: true, facts, ..Options::default() };
    let obligations = obligations(&schema, Kind::Resource, "acme_file", &options);
    let is_nulled =
        |part: &Part| part.aims.iter().any(|id| obligations[id.0 as usize].kind == ObligationKind::Nulled);
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    for scenario in scenarios(&schema, Kind::Resource, "acme_file", &options) {
        for run in scenario.runs.iter().filter(|run| !run.parts.is_empty()) {
            let config = run.blocks[0].arguments.resolved();
            let n_set = names.iter().filter(|name| config.member(name).is_set()).count();
            assert_eq!(n_set, 1, "{config}");
            for part in run.parts.iter().filter(|part| !is_nulled(part)) {
                assert!(config.at(&part.at).is_some_and(|value| value.is_set()), "{} of {config}", part.at);
                *tried.entry(part.at.to_string()).or_default() += 1;
            }
        }
    }
    for name in names.iter().chain(&["free"]) {
        assert!(tried.get(*name).is_some_and(|n| *n > 20), "{tried:?}");
    }
}
