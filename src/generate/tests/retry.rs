//! What is tried again because a stop or a refusal kept it from being reached.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::*;
use crate::generate::facts::PresenceRule;
use crate::generate::obligation::{Obligation, ObligationKind};
use crate::generate::value_class::ValueClass;
use crate::scenario::{EngineRun, ObligationId};

fn all_of(schema: &Schema, options: &Options) -> HashMap<Obligation, ObligationId> {
    obligations(schema, Kind::Resource, "acme_thing", options)
        .into_iter()
        .zip((0..).map(ObligationId))
        .collect()
}

fn retried_with(
    schema: &Schema,
    options: &Options,
    wanted: HashMap<Obligation, ObligationId>,
    manner: Manner,
) -> Vec<Scenario> {
    let retry = Arc::new(Retry { wanted, n_before: 100, manner });
    retried(schema, Kind::Resource, "acme_thing", options, retry).collect()
}

fn aimed_at(scenarios: &[Scenario]) -> BTreeSet<ObligationId> {
    scenarios.iter().flat_map(|scenario| &scenario.runs).flat_map(EngineRun::obligations).collect()
}

fn auto() -> Options {
    Options { cases: Cases::Auto, ..applied(1) }
}

#[test]
fn only_what_is_wanted_is_tried_and_numbers_go_on() {
    let schema = example_thing();
    let mut wanted = all_of(&schema, &auto());
    wanted.retain(|obligation, _| matches!(obligation.kind, ObligationKind::Changed | ObligationKind::Unset));
    let ids: BTreeSet<ObligationId> = wanted.values().copied().collect();
    assert!(ids.len() > 3);
    for manner in [Manner::Together, Manner::OneByOne] {
        let scenarios = retried_with(&schema, &auto(), wanted.clone(), manner);
        assert_eq!(aimed_at(&scenarios), ids);
        let numbers: Vec<u32> = scenarios.iter().map(|scenario| scenario.label.number).collect();
        assert_eq!(numbers, (101..101 + numbers.len() as u32).collect::<Vec<_>>());
        scenarios.iter().for_each(|scenario| assert_legal(&schema, scenario));
    }
}

#[test]
fn one_by_one_a_change_follows_what_it_changes_and_nothing_else() {
    let schema = example_thing();
    let mut wanted = all_of(&schema, &auto());
    wanted.retain(|obligation, _| {
        matches!(obligation.kind, ObligationKind::Changed | ObligationKind::Class(_))
    });
    let changes: BTreeSet<ObligationId> = wanted
        .iter()
        .filter(|(obligation, _)| obligation.kind == ObligationKind::Changed)
        .map(|(_, id)| *id)
        .collect();
    for scenario in retried_with(&schema, &auto(), wanted, Manner::OneByOne) {
        let aimed = aimed_at(std::slice::from_ref(&scenario));
        let is_change = !aimed.is_disjoint(&changes);
        assert_eq!(scenario.runs.len(), if is_change { 2 } else { 1 }, "{}", scenario.label.about);
        // Values of several places are joint otherwise.
        let parts: usize = scenario.runs.iter().map(|run| run.parts.len()).sum();
        assert!(parts <= 1, "{}: {parts} parts", scenario.label.about);
    }
}

#[test]
fn what_avoids_a_stop_is_always_set() {
    let note = Attribute::typed("note", Type::String).optional();
    let block = Block::new(
        vec![
            Attribute::typed("name", Type::String).required(),
            note,
            Attribute::typed("size", Type::Number).optional(),
        ],
        vec![],
    );
    let schema = Schema { version: 0, block };
    let wanted = all_of(&schema, &auto());
    let mut avoiding = auto();
    avoiding.facts.rules.insert(PresenceRule::Required("note".to_owned()));
    avoiding.facts.minimal = Some(BTreeSet::from(["note".to_owned()]));
    let scenarios = retried_with(&schema, &avoiding, wanted.clone(), Manner::Together);
    for scenario in &scenarios {
        for config in configs(scenario) {
            assert!(!config.member("note").is_null(), "{}: {config}", scenario.label.about);
        }
    }
    // The IDs are those of the obligations as they were before.
    let aimed = aimed_at(&scenarios);
    let id = |path: &str, kind| wanted[&Obligation { path: path.into(), kind }];
    assert!(aimed.contains(&id("size", ObligationKind::Unset)));
    assert!(!aimed.contains(&id("note", ObligationKind::Unset)));
}

#[test]
fn there_are_no_more_scenarios_than_allowed() {
    let schema = example_thing();
    let most = Options { cases: Cases::Share(103), ..auto() };
    assert_eq!(retried_with(&schema, &most, all_of(&schema, &auto()), Manner::OneByOne).len(), 3);
}

#[test]
fn one_by_one_a_class_is_in_all_places_without_the_classes_of_other_types() {
    let attribute = |name: &str, ty| Attribute::typed(name, ty).optional();
    let attributes = vec![
        Attribute::typed("name", Type::String).required(),
        attribute("note", Type::String),
        attribute("size", Type::Number),
    ];
    let schema = Schema { version: 0, block: Block::new(attributes, vec![]) };
    let mut wanted = all_of(&schema, &auto());
    let emoji = ObligationKind::Everywhere(ValueClass::Emoji);
    let large = ObligationKind::Everywhere(ValueClass::TwoTo31);
    wanted.retain(|obligation, _| obligation.kind == emoji || obligation.kind == large);
    assert_eq!(wanted.len(), 2);
    let scenarios = retried_with(&schema, &auto(), wanted.clone(), Manner::OneByOne);
    let of = |kind: &ObligationKind| {
        let id = wanted[&Obligation::whole(kind.clone())];
        let has =
            |scenario: &&Scenario| scenario.runs.iter().any(|run| run.obligations().any(|met| met == id));
        let config = configs(scenarios.iter().find(has).expect("the class is tried")).last().cloned();
        config.expect("a scenario has a configuration")
    };
    let is_emoji = |value: Value| value.to_string().contains('\u{1f469}');
    let large_number = Value::number(2_147_483_648_i64);
    let (emoji, large) = (of(&emoji), of(&large));
    assert!(is_emoji(emoji.member("name")) && is_emoji(emoji.member("note")), "{emoji}");
    assert_ne!(emoji.member("size"), large_number);
    assert_eq!(large.member("size"), large_number);
    assert!(!is_emoji(large.member("name")), "{large}");
    assert_eq!(scenarios.len(), 2);
}
