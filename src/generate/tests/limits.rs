//! Values at and beyond the bounds that were learned.

use super::*;
use crate::generate::facts::{Constraint, Evidence, Fact, Span, Strength, ValueFacts};
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
