//! Values at and beyond the bounds that were learned.

use std::collections::BTreeSet;

use super::*;
use crate::generate::facts::{Constraint, Evidence, Fact, PresenceRule, Span, Strength, ValueFacts};
use crate::generate::obligation::Theme;
use crate::generate::universe::obligations;
use crate::scenario::ObligationId;
use crate::value::Number;

fn schema() -> Schema {
    let rule = Block::new(vec![Attribute::typed("port", Type::Number).required()], vec![]);
    let attributes = vec![
        Attribute::typed("mode", Type::String).required(),
        Attribute::typed("size", Type::Number).optional(),
        Attribute::typed("code", Type::String).optional(),
        Attribute::typed("zones", Type::list(Type::String)).optional(),
        Attribute::typed("free", Type::String).optional(),
    ];
    let blocks = vec![NestedBlock::new("rule", Nesting::List, rule).items(0, 3)];
    Schema { version: 0, block: Block::new(attributes, blocks) }
}

fn known(constraint: Constraint, strength: Strength) -> ValueFacts {
    let mut known = ValueFacts::default();
    known.add(Fact { constraint, strength, evidence: Evidence { answer: 1, ..Evidence::default() } });
    known
}

fn options(strength: Strength) -> Options {
    let number = |number| Some(Number::from_i64(number));
    let facts = [
        ("mode", Constraint::OneOf(vec!["fast".to_owned(), "slow".to_owned()])),
        ("size", Constraint::Range { min: number(2), max: number(64) }),
        ("code", Constraint::Chars(Span::new(Some(3), Some(70)))),
        ("zones", Constraint::Count(Span::new(Some(1), Some(2)))),
        ("rule", Constraint::Count(Span::new(Some(2), Some(3)))),
    ];
    let values = facts.map(|(path, constraint)| (path.to_owned(), known(constraint, strength)));
    let facts = Facts { values: values.into(), minimal: Some(Default::default()), ..Facts::default() };
    Options { cases: Cases::Auto, apply: true, facts, ..Options::default() }
}

fn at_limits(options: &Options) -> Vec<String> {
    let all = obligations(&schema(), Kind::Resource, "acme_thing", options);
    all.iter().filter(|of| of.kind.theme() == Theme::Limit).map(ToString::to_string).collect()
}

#[test]
fn what_was_learned_rules_nothing_out_for_good() {
    let limits = at_limits(&options(Strength::Hard));
    let of = |path: &str| -> Vec<&str> {
        let own = limits.iter().filter_map(|limit| limit.strip_prefix(path));
        own.map(|limit| limit.trim_start_matches(": ").trim_end_matches(", at or beyond a limit")).collect()
    };
    assert_eq!(of("size")[..6], ["1", "2", "64", "65", "1", "0"]);
    assert_eq!(of("zones"), ["1 element", "2 elements", "3 elements", "empty", "many elements"]);
    // The schema says itself that there are no more than three.
    assert_eq!(of("rule"), ["1 element", "2 elements", "3 elements"]);
    assert!(of("mode").contains(&"in the other case") && of("mode").contains(&"emoji"));
    assert_eq!(of("free"), [""; 0]);
}

#[test]
fn nothing_is_at_a_limit_that_is_not_sure_or_without_an_accepted_configuration() {
    assert_eq!(at_limits(&options(Strength::Soft)), [""; 0]);
    let options = options(Strength::Hard);
    let facts = Facts { minimal: None, ..options.facts.clone() };
    assert_eq!(at_limits(&Options { facts, ..options }), [""; 0]);
}

#[test]
fn each_limit_has_a_scenario_of_one_run_after_all_others() {
    let (schema, options) = (schema(), options(Strength::Hard));
    let all = obligations(&schema, Kind::Resource, "acme_thing", &options);
    let scenarios = managed(&schema, &options);
    let first = scenarios.iter().position(|scenario| scenario.label.is_at_limit()).unwrap();
    let mut met = Vec::new();
    for scenario in &scenarios[first..] {
        assert_legal(&schema, scenario);
        assert!(scenario.label.is_at_limit());
        let [run] = &scenario.runs[..] else {
            panic!("{}: {} runs", scenario.label.about, scenario.runs.len())
        };
        let [ObligationId(id)] = run.aims.config[..] else { panic!("{:?}", run.aims) };
        met.push(all[id as usize].to_string());
    }
    met.sort();
    let mut limits = at_limits(&options);
    limits.sort();
    assert_eq!(met, limits);
}

#[test]
fn the_value_is_the_one_that_the_limit_names() {
    let scenarios = managed(&schema(), &options(Strength::Hard));
    let config = |about: &str| {
        let about = format!("{about}, at or beyond a limit");
        let scenario = scenarios.iter().find(|scenario| scenario.label.about == about);
        configs(scenario.unwrap_or_else(|| panic!("{about}: {:#?}", abouts(&scenarios))))[0].clone()
    };
    assert_eq!(config("size: 1").member("size"), Value::number(1));
    assert_eq!(config("size: -2^63").member("size"), Value::number(i64::MIN));
    assert_eq!(config("mode: in the other case").member("mode"), Value::string("FAST"));
    assert_eq!(config("mode: empty string").member("mode"), Value::string(""));
    assert_eq!(config("code: 71 letters").member("code").as_str().map(str::len), Some(71));
    let n_of = |about: &str, name: &str| config(about).member(name).elements().map(<[_]>::len);
    assert_eq!(n_of("zones: 3 elements", "zones"), Some(3));
    assert_eq!(n_of("zones: empty", "zones"), Some(0));
    assert_eq!(n_of("zones: many elements", "zones"), Some(20));
    assert_eq!(n_of("rule: 1 element", "rule"), Some(1));
}

/// Scenarios for optional arguments under rules that were learned: for each the path, whether it is set, and what is
/// configured.
fn contested(rules: &[PresenceRule], everything: &[&str]) -> Vec<(String, bool, BTreeSet<String>)> {
    let demanded = rules.iter().filter_map(PresenceRule::decides).filter(|(_, is_set)| *is_set);
    let facts = Facts {
        rules: rules.iter().cloned().collect(),
        minimal: Some(demanded.map(|(path, _)| path.to_owned()).collect()),
        everything: Some(names(everything)),
        ..Facts::default()
    };
    let options = Options { cases: Cases::Auto, apply: true, facts, ..Options::default() };
    let scenarios = managed(&schema(), &options);
    let of = |scenario: &Scenario| {
        let argument = scenario.label.optional.clone()?;
        assert!(scenario.label.is_at_limit());
        let config = configs(scenario)[0].clone();
        let is_there = |value: &Value| value.is_set() && value.elements().is_none_or(|all| !all.is_empty());
        let set = config.attributes().filter(|(_, value)| is_there(value)).map(|(name, _)| name.to_owned());
        Some((argument.path.to_string(), argument.is_set, set.collect()))
    };
    scenarios.iter().filter_map(of).collect()
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn an_optional_argument_that_is_always_demanded_is_left_out_once() {
    let rules = [
        PresenceRule::Required("size".to_owned()),
        PresenceRule::Together("free".to_owned(), names(&["size"])),
    ];
    // What needs it is left out with it, and all else is set that might take its place.
    let tried = contested(&rules, &["size", "free", "code", "zones"]);
    assert_eq!(tried, [("size".to_owned(), false, names(&["mode", "code", "zones"]))]);
}

#[test]
fn an_optional_argument_that_is_always_refused_is_set_once_beside_little_else() {
    let tried = contested(&[PresenceRule::Forbidden("free".to_owned())], &["code", "zones"]);
    assert_eq!(tried, [("free".to_owned(), true, names(&["mode", "free"]))]);
}

#[test]
fn an_argument_of_a_choice_may_be_left_out_anyway() {
    let choice = names(&["size", "code"]);
    let rules = [PresenceRule::AtLeastOne(choice.clone()), PresenceRule::AtMostOne(choice)];
    assert_eq!(contested(&rules, &["size"]), []);
}
