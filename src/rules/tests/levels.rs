//! Levels that depend on the engine, or on the shape of what was returned.

use std::collections::BTreeSet;

use super::armed;
use crate::engine::Engine;
use crate::judge::{Settings, WeighedFinding, judge};
use crate::rule::{Check, Level, Presumes, edit, example};
use crate::rules::{CATALOGUE, find};
use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::transcript::{AnyCall, Call, Encoded, PriorOrigin, Purpose};
use crate::value::{Type, Value};

#[test]
fn a_schema_rule_is_enforced_by_the_engines_that_refuse_its_fault() {
    for rule in
        CATALOGUE.iter().filter(|rule| matches!(rule.check, Check::Schema(_)) && rule.level == Level::Must)
    {
        let Some(transcript) = armed(&rule.fault) else { continue };
        for engine in Engine::ALL {
            let judgement = judge(&[rule], &transcript, &Settings { engine, ..Settings::default() });
            let is_refused = judgement.findings.iter().any(|judged| judged.level == Level::Must);
            assert_eq!(is_refused, rule.enforced.is_by(engine), "{} in {engine}", rule.id);
        }
    }
}

#[test]
fn what_the_imitated_release_does_not_check_is_documented_all_the_same() {
    let rule = find("read/is-wholly-known").expect("the rule exists");
    let transcript = armed(&rule.fault).expect("the example has something to corrupt");
    for (engine, expected) in [(Engine::Terraform, Level::Must), (Engine::OpenTofu, Level::Should)] {
        let judgement = judge(&[rule], &transcript, &Settings { engine, ..Settings::default() });
        assert!(judgement.findings.iter().all(|judged| judged.level == expected), "{engine}");
        assert!(!judgement.findings.is_empty(), "{engine}");
    }
}

/// What a rule says about its fault where every state that was applied has another origin.
fn levels_on(rule: &'static crate::rule::Rule, origin: PriorOrigin) -> Vec<(PriorOrigin, Level)> {
    let Some(mut transcript) = armed(&rule.fault) else { return Vec::new() };
    for exchange in &mut transcript.exchanges {
        if exchange.prior == PriorOrigin::Applied {
            exchange.prior = origin;
        }
    }
    let judgement = judge(&[rule], &transcript, &Settings::default());
    judgement.findings.iter().map(|judged| (judged.prior, judged.level)).collect()
}

#[test]
fn on_a_state_that_nobody_applied_only_what_stops_an_engine_is_a_must() {
    for rule in CATALOGUE {
        for (prior, level) in levels_on(rule, PriorOrigin::Synthesised) {
            let most = match prior {
                PriorOrigin::Synthesised if rule.presumes == Presumes::Applied => Level::Advice,
                PriorOrigin::Synthesised if !rule.shows.is_from_the_engine() => Level::Should,
                _ => Level::Must,
            };
            assert!(level <= most, "{}: {level}", rule.id);
        }
    }
    for (id, expected) in [
        ("plan/keeps-configured-values", Level::Must),
        ("plan/replace-paths-exist", Level::Must),
        ("plan/destroys-to-nothing", Level::Must),
        ("upgrade/is-wholly-known", Level::Must),
        ("upgrade/is-not-null", Level::Should),
        ("plan/changes-nothing-needlessly", Level::Advice),
        ("upgrade/same-version-is-identity", Level::Advice),
        ("apply/destroys-what-it-created", Level::Advice),
    ] {
        let rule = find(id).expect("the rule exists");
        let levels = levels_on(rule, PriorOrigin::Synthesised);
        let on_made_up = levels.iter().find(|(prior, _)| prior.is_made_up());
        assert_eq!(on_made_up.map(|(_, level)| *level), Some(expected), "{id}");
    }
}

#[test]
fn on_a_state_that_was_altered_nothing_is_a_must() {
    for rule in CATALOGUE.iter().filter(|rule| rule.presumes != Presumes::Nothing) {
        for (prior, level) in levels_on(rule, PriorOrigin::Injected) {
            assert!(prior != PriorOrigin::Injected || level <= Level::Should, "{}: {level}", rule.id);
        }
    }
}

#[test]
fn another_value_that_is_read_is_a_must_only_where_a_plan_shows_it() {
    let rule = find("read/keeps-the-form").expect("the rule exists");
    let ty = example::schema().resources[example::THING].implied_type().clone();
    let other = |value: &Value, names: &[&str]| {
        names.iter().fold(value.clone(), |value, name| value.with_attribute(name, Value::string("other")))
    };
    let change = |encoded: &Encoded, names: &[&str]| match encoded.value() {
        Some(value) if value.is_set() => Encoded::of(other(value, names), &ty),
        _ => encoded.clone(),
    };
    let names = ["id", "name", "choice"];
    // What the next plan keeps of what was read; `None` if it is not made from it.
    for (kept, shown) in
        [(Some(&["id"][..]), "choice name"), (Some(&["id", "name"]), "choice"), (None, "choice name")]
    {
        let mut transcript = example::lifecycle();
        for exchange in &mut transcript.exchanges {
            if !matches!(exchange.purpose, Purpose::NothingChanged { .. }) {
                continue;
            }
            match (&mut exchange.call, kept) {
                (AnyCall::ReadResource(Call { outcome: Ok(response), .. }), _) => {
                    response.new_state = change(&response.new_state, &names);
                }
                (AnyCall::PlanResourceChange(Call { request, outcome: Ok(response) }), Some(kept)) => {
                    request.prior_state = change(&request.prior_state, &names);
                    response.planned_state = change(&response.planned_state, kept);
                }
                _ => {}
            }
        }
        let judgement = judge(&[rule], &transcript, &Settings::default());
        let at = |level: Level| {
            let of_level = judgement.findings.iter().filter(|judged| judged.level == level);
            let paths: BTreeSet<String> = of_level.map(|judged| judged.finding.path.to_string()).collect();
            Vec::from_iter(paths).join(" ")
        };
        assert_eq!(at(Level::Must), shown, "{kept:?}");
        let silent: Vec<&str> = ["id", "name"].into_iter().filter(|name| !shown.contains(name)).collect();
        assert_eq!(at(Level::Should), silent.join(" "), "{kept:?}");
    }
}

#[test]
fn an_apply_that_nullifies_a_map_of_dynamic_blocks_crashes_the_engine_whatever_the_flag() {
    let rule = find("apply/blocks-are-not-null").expect("the rule exists");
    let mut provider = example::schema();
    for (name, nesting) in [("by_name", Nesting::Map), ("in_order", Nesting::List)] {
        let dynamic = Block::new(vec![Attribute::typed("any", Type::Dynamic).optional()], vec![]);
        assert!(edit::declare_block(&mut provider, NestedBlock::new(name, nesting, dynamic)));
    }
    let ty = provider.resources[example::THING].implied_type().clone();
    let mut transcript = example::lifecycle_of(provider, 6, Engine::Terraform);
    for exchange in &mut transcript.exchanges {
        let AnyCall::ApplyResourceChange(Call { request, outcome: Ok(response) }) = &mut exchange.call else {
            continue;
        };
        let Some(planned) = request.planned_state.value().filter(|planned| planned.is_set()) else {
            continue;
        };
        // The new state of the example has nulls there.
        let none =
            [("by_name", Value::object(Vec::<(&str, Value)>::new())), ("in_order", Value::tuple(vec![]))];
        let planned = none
            .into_iter()
            .fold(planned.clone(), |planned, (name, none)| planned.with_attribute(name, none));
        request.planned_state = Encoded::of(planned, &ty);
        response.legacy_type_system = true;
    }
    let judgement = judge(&[rule], &transcript, &Settings::default());
    for (place, level, is_crash) in [("by_name", Level::Must, true), ("in_order", Level::Should, false)] {
        let is_there = |judged: &&WeighedFinding| judged.finding.path.to_string() == place;
        let found = judgement.findings.iter().find(is_there).expect(place);
        // Only a crash is what the rule says that engines show.
        assert_eq!((found.level, found.finding.shows.is_none()), (level, is_crash), "{place}");
    }
}
