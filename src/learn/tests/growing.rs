//! From the smallest configuration to the largest, within limits.

use super::*;
use crate::generate::spec::TypeGenerator;

/// Learns all about a type; what became known, and the questions.
fn learned_and_grown(facts: Facts, schema: &Schema, judge: Judge) -> (Facts, usize) {
    let (learned, solving) = solved_with(facts, schema, judge, false);
    let options = Options { seed: 1, facts: learned.facts, ..Options::default() };
    let of = Subject { schema, kind: Kind::DataSource, type_name: "zoo_animal", options: &options };
    let mut animal = Animal { judge, is_reversed: false, asked: Vec::new() };
    let grown = now(grow(of, learned.reached.expect("it is solved"), Budgets::DEFAULT, &mut animal));
    (grown.facts, solving.len() + animal.asked.len())
}

#[test]
fn what_was_learned_before_is_asked_once() {
    let before: Judge = |config| match string(config, "mode").as_deref() {
        Some(text) if !["fast", "slow"].contains(&text) => {
            vec![error(&["mode"], &format!("expected mode to be one of [\"fast\" \"slow\"], got {text}"), "")]
        }
        _ => Vec::new(),
    };
    let after: Judge = |config| match string(config, "mode").as_deref() {
        Some(text) if text != "even" => {
            vec![error(&["mode"], &format!("expected mode to be one of [\"even\"], got {text}"), "")]
        }
        _ => Vec::new(),
    };
    let schema = schema(vec![text("mode").required(), text("note").optional()], vec![]);
    let key = || (Kind::DataSource, "zoo_animal".to_owned());
    let kept = |facts: &Facts| super::text::write(&[(key(), facts.clone())].into(), &|_| true);
    let remembered = |facts: &Facts| super::text::read(&kept(facts)).unwrap().remove(&key()).unwrap();

    let (cold, n_cold) = learned_and_grown(Facts::default(), &schema, before);
    let (warm, n_warm) = learned_and_grown(remembered(&cold), &schema, before);
    assert!(n_cold > 2 && n_warm == 2, "{n_cold} and {n_warm} questions");
    assert_eq!(kept(&warm), kept(&cold));
    // What no longer holds is learned anew.
    let (anew, _) = learned_and_grown(remembered(&cold), &schema, after);
    assert_eq!(kept(&anew), kept(&learned_and_grown(Facts::default(), &schema, after).0));
}

#[test]
fn rules_that_only_some_combinations_break_are_learned_and_obeyed() {
    let judge: Judge = |config| {
        let pair = ["user", "word"].map(|name| is_set(config, name).then_some(name));
        let ([Some(name), None] | [None, Some(name)]) = pair else { return Vec::new() };
        let detail = format!("\"{name}\": all of `user,word` must be specified");
        vec![error(&[name], "Missing required argument", &detail)]
    };
    let optional = ["user", "word", "note"].map(|name| text(name).optional());
    let schema = schema(optional.into(), vec![]);
    // Neither the smallest configuration nor the largest one tells.
    let (facts, _) = learned_and_grown(Facts::default(), &schema, judge);
    assert!(!facts.rules.is_empty());
    let options = Options { seed: 1, facts, ..Options::default() };
    let generator = TypeGenerator::new(&schema, Kind::DataSource, "zoo_animal", &options);
    for (shape, _) in &generator.pairs().rows {
        let paths = shape.paths(&generator.model);
        assert_eq!(paths.contains("user"), paths.contains("word"), "{paths:?}");
    }
    let ruled_out: Vec<String> = generator.pairs().ruled_out.iter().map(ToString::to_string).collect();
    assert_eq!(ruled_out, ["user null, word set", "user set, word null"]);
    let met: BTreeSet<_> = generator.pairs().rows.iter().flat_map(|(_, met)| met).collect();
    assert_eq!(met.len(), 10, "of three pairs in four ways two are ruled out");
}

#[test]
fn a_rule_is_not_forced_if_another_one_explains_the_complaint() {
    // That both are set breaks one half of the rule. The other half holds, also if a word comes from elsewhere.
    let judge: Judge = |config| match (is_set(config, "word"), is_set(config, "word_wo")) {
        (true, true) => {
            let said = "Exactly one of these attributes must be configured: [word,word_wo]";
            vec![error(&[], "Invalid Attribute Combination", said)]
        }
        _ => Vec::new(),
    };
    let schema = schema(vec![text("word").optional(), text("word_wo").optional().write_only()], vec![]);
    let (facts, _) = learned_and_grown(Facts::default(), &schema, judge);
    // More can be seen of what is not write-only.
    assert_eq!(facts.everything, Some(["word".to_owned()].into()));
}

/// Learns the largest configuration for a few scenarios: of eight optional notes, `odd` and another attribute.
fn grown(other: Attribute, judge: Judge) -> Learned {
    let mut attributes: Vec<Attribute> = (1..=8).map(|n| text(&format!("note{n}")).optional()).collect();
    attributes.push(text("odd").optional());
    attributes.push(other);
    let schema = schema(attributes, vec![]);
    let (learned, _) = solved(&schema, judge, false);
    let options = Options { seed: 1, cases: Cases::Number(4), facts: learned.facts, ..Options::default() };
    let of = Subject { schema: &schema, kind: Kind::DataSource, type_name: "zoo_animal", options: &options };
    let mut animal = Animal { judge, is_reversed: false, asked: Vec::new() };
    now(grow(of, Operation::Validate, Budgets::DEFAULT, &mut animal))
}

#[test]
fn an_argument_that_cannot_be_satisfied_keeps_no_other_out() {
    let by_name: Judge = |config| match is_set(config, "odd") {
        true => vec![error(&["odd"], "this is not what we expect here", "")],
        false => Vec::new(),
    };
    let in_the_name_of_another: Judge = |config| match is_set(config, "odd") {
        true => vec![error(&["kind"], "expected kind to be one of [\"small\" \"large\"], got another", "")],
        false => Vec::new(),
    };
    for (other, judge, n_optional) in
        [(text("other").optional(), by_name, 9), (text("kind").required(), in_the_name_of_another, 8)]
    {
        let learned = grown(other, judge);
        let largest = learned.facts.everything.unwrap();
        assert!(largest.len() == n_optional && !largest.contains("odd"), "{largest:?}");
        assert!(learned.set.is_superset(&largest) && !learned.set.contains("odd"), "{:?}", learned.set);
    }
}

#[test]
fn each_of_several_blocks_that_exclude_each_other_is_set_with_all_that_it_contains() {
    let judge: Judge = |config| {
        let is_there = |name: &str| config.member(name).length().is_some_and(|length| length.min > 0);
        match is_there("left") && is_there("right") {
            true => vec![error(&[], "Invalid configuration", "Only one of left, right can be specified")],
            false => Vec::new(),
        }
    };
    let notes = || (1..=30).map(|n| text(&format!("note{n}")).optional()).collect();
    let block = |name| NestedBlock::new(name, Nesting::List, Block::new(notes(), vec![]));
    let schema = schema(vec![text("name").required()], vec![block("left"), block("right")]);
    let (learned, _) = solved(&schema, judge, false);
    let options = Options { seed: 1, cases: Cases::Number(4), facts: learned.facts, ..Options::default() };
    let of = Subject { schema: &schema, kind: Kind::DataSource, type_name: "zoo_animal", options: &options };
    let mut animal = Animal { judge, is_reversed: false, asked: Vec::new() };
    let grown = now(grow(of, Operation::Validate, Budgets::DEFAULT, &mut animal));
    assert_eq!(grown.set.len(), 1 + 2 * 31, "{:?}", grown.set);
    assert!(grown.n_asked <= 12, "{} questions", grown.n_asked);
}

#[test]
fn what_is_required_keeps_what_was_learned_while_others_are_left_out() {
    let judge: Judge = |config| match is_set(config, "odd") {
        true => vec![error(&["kind"], "this is not what we expect here", "")],
        false => Vec::new(),
    };
    let facts = grown(text("kind").required(), judge).facts;
    assert!(facts.everything.is_some_and(|largest| largest.len() == 8));
    assert!(facts.values["kind"].bad.len() > 6, "{:?}", facts.values["kind"].bad);
}

#[test]
fn what_was_learned_for_few_scenarios_is_completed_for_more() {
    let names: Vec<String> = (0..12).map(|n| format!("note{n}")).collect();
    let schema = schema(names.iter().map(|name| text(name).optional()).collect(), vec![]);
    let grown = |facts: Facts, cases: Cases| {
        let options = Options { seed: 1, cases, facts, ..Options::default() };
        let of =
            Subject { schema: &schema, kind: Kind::DataSource, type_name: "zoo_animal", options: &options };
        let mut animal = Animal { judge: |_| Vec::new(), is_reversed: false, asked: Vec::new() };
        let learned = now(grow(of, Operation::Validate, Budgets::DEFAULT, &mut animal));
        (Facts { is_remembered: true, ..learned.facts }, learned.n_asked)
    };
    let (of_few, _) = grown(Facts::default(), Cases::Number(4));
    assert_eq!(grown(of_few.clone(), Cases::Number(3)).1, 1, "nothing but whether it still holds");
    let (of_all, n_asked) = grown(of_few, Cases::Auto);
    assert!(n_asked > 6, "{n_asked} questions: each combination is asked for");
    assert_eq!(of_all.grown_for, None);
    assert_eq!(grown(of_all, Cases::Number(4)).1, 1);
}

#[test]
fn no_more_is_asked_than_scenarios_make_use_of() {
    let names: Vec<String> = (0..12).map(|n| format!("note{n}")).collect();
    let schema = schema(names.iter().map(|name| text(name).optional()).collect(), vec![]);
    let n_asked = |cases: Cases| {
        let options = Options { seed: 1, cases, ..Options::default() };
        let of =
            Subject { schema: &schema, kind: Kind::DataSource, type_name: "zoo_animal", options: &options };
        let mut animal = Animal { judge: |_| Vec::new(), is_reversed: false, asked: Vec::new() };
        now(grow(of, Operation::Validate, Budgets::DEFAULT, &mut animal)).n_asked
    };
    let (few, all) = (n_asked(Cases::Number(4)), n_asked(Cases::Auto));
    assert!(few <= 2, "{few} questions: no scenario has a combination");
    assert!(all > 6, "{all} questions: each combination is asked for");
    assert_eq!(n_asked(Cases::Share(1000)), all);
}

#[test]
fn a_large_type_has_fewer_questions() {
    let within = |cases, n_nodes| Budgets::DEFAULT.within(Kind::Resource, cases, n_nodes);
    assert_eq!(within(Cases::Auto, 50).leftovers, 2_000);
    assert_eq!(within(Cases::Auto, 10_000).leftovers, 10);
    assert_eq!(within(Cases::Number(4), 50).leftovers, 60);
    assert_eq!((within(Cases::Auto, 50).pairs, within(Cases::Number(4), 50).pairs), (2_000, 0));
}
