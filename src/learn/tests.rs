//! Validators as providers write them, each solved within some number of questions.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::calls::{WirePath, WireStep};
use crate::generate::Shown;
use crate::generate::facts::PresenceRule;
use crate::generate::spec::TypeGenerator;
use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value::{Type, Value};

type Judge = fn(&Value) -> Vec<Diagnostic>;

/// Refuses what a validator refuses, with the diagnostics in one order or the other.
struct Animal {
    judge: Judge,
    is_reversed: bool,
    asked: Vec<String>,
}

impl Oracle for Animal {
    fn ask(&mut self, scenario: Scenario) -> impl Future<Output = Answer> + Send {
        let config = scenario.runs[0].blocks[0].arguments.unresolved().clone();
        self.asked.push(config.to_string());
        let mut diagnostics = (self.judge)(&config);
        if self.is_reversed {
            diagnostics.reverse();
        }
        let answer = match diagnostics.is_empty() {
            true => Answer::Accepted,
            false => Answer::Refused { at: Operation::Validate, diagnostics },
        };
        std::future::ready(answer)
    }
}

/// The result of a future that never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("it waits"),
    }
}

fn solved(schema: &Schema, judge: Judge, is_reversed: bool) -> (Learned, Vec<String>) {
    solved_with(Facts::default(), schema, judge, is_reversed)
}

fn solved_with(facts: Facts, schema: &Schema, judge: Judge, is_reversed: bool) -> (Learned, Vec<String>) {
    let options = Options { seed: 1, facts, ..Options::default() };
    let of = Subject { schema, kind: Kind::DataSource, type_name: "zoo_animal", options: &options };
    let mut animal = Animal { judge, is_reversed, asked: Vec::new() };
    let learned = now(solve(of, Budgets::DEFAULT, &mut animal));
    (learned, animal.asked)
}

/// Solves it within some questions, and in the same way whatever the order of diagnostics.
#[track_caller]
fn assert_solved(schema: &Schema, judge: Judge, most: u32) -> Facts {
    let (learned, asked) = solved(schema, judge, false);
    let asked = asked.join("\n");
    assert!(learned.reached.is_some(), "{:?}\n{asked}", learned.stop);
    assert!(learned.n_to_solve <= most, "{} questions:\n{asked}", learned.n_to_solve);
    assert_eq!(learned.facts, solved(schema, judge, true).0.facts);
    learned.facts
}

fn schema(attributes: Vec<Attribute>, blocks: Vec<NestedBlock>) -> Schema {
    Schema { version: 0, block: Block::new(attributes, blocks) }
}

fn text(name: &str) -> Attribute {
    Attribute::typed(name, Type::String)
}

fn error(path: &[&str], summary: &str, detail: &str) -> Diagnostic {
    let steps = path.iter().map(|name| Some(WireStep::Attribute((*name).to_owned())));
    Diagnostic {
        severity: 1,
        summary: summary.to_owned(),
        detail: detail.to_owned(),
        attribute: (!path.is_empty()).then(|| WirePath(steps.collect())),
    }
}

fn string(config: &Value, name: &str) -> Option<String> {
    config.member(name).as_str().map(str::to_owned)
}

fn is_set(config: &Value, name: &str) -> bool {
    !config.member(name).is_null()
}

#[test]
fn what_accepts_anything_takes_one_question() {
    assert_solved(&schema(vec![text("name").required()], vec![]), |_| Vec::new(), 1);
}

#[test]
fn a_list_of_values() {
    let judge: Judge = |config| match string(config, "mode").as_deref() {
        None | Some("fast" | "slow") => Vec::new(),
        Some(other) => vec![error(
            &["mode"],
            &format!("expected mode to be one of [\"fast\" \"slow\"], got {other}"),
            "",
        )],
    };
    assert_solved(&schema(vec![text("mode").required()], vec![]), judge, 2);
}

#[test]
fn a_range_and_a_length_in_one_answer() {
    let judge: Judge = |config| {
        let mut errors = Vec::new();
        let size = config.member("size").as_number().and_then(|size| size.to_string().parse::<i64>().ok());
        if size.is_some_and(|size| !(100..=200).contains(&size)) {
            errors.push(error(&["size"], "expected size to be in the range (100 - 200), got 7", ""));
        }
        if string(config, "name").is_some_and(|name| name.len() < 12) {
            errors.push(error(
                &["name"],
                "Invalid Attribute Value Length",
                "Attribute name string length must be at least 12, got: 9",
            ));
        }
        errors
    };
    let attributes = vec![Attribute::typed("size", Type::Number).required(), text("name").required()];
    assert_solved(&schema(attributes, vec![]), judge, 2);
}

#[test]
fn exactly_one_of_several() {
    let judge: Judge = |config| {
        let n_set = ["a", "b", "c"].iter().filter(|name| is_set(config, name)).count();
        let complain = |name: &&str| {
            error(
                &[name],
                "Invalid combination of arguments",
                &format!("\"{name}\": one of `a,b,c` must be specified"),
            )
        };
        match n_set {
            0 => ["a", "b", "c"].iter().map(complain).collect(),
            1 => Vec::new(),
            _ => vec![error(
                &["a"],
                "Invalid combination of arguments",
                "\"a\": only one of `a,b,c` can be specified, but `a,b` were specified.",
            )],
        }
    };
    let attributes = vec![text("a").optional(), text("b").optional(), text("c").optional()];
    let facts = assert_solved(&schema(attributes, vec![]), judge, 2);
    assert!(facts.rules.iter().any(|rule| matches!(rule, PresenceRule::AtLeastOne(_))));
}

#[test]
fn words_that_are_not_listed() {
    let judge: Judge = |config| match string(config, "direction").as_deref() {
        None | Some("ingress" | "egress") => Vec::new(),
        Some(other) => {
            vec![error(&["direction"], &format!("unknown \"{other}\" direction for zoo_animal"), "")]
        }
    };
    assert_solved(&schema(vec![text("direction").required()], vec![]), judge, 3);
}

#[test]
fn prose_with_an_example() {
    let judge: Judge = |config| match string(config, "volume") {
        Some(volume) if !volume.starts_with("vol-") => {
            vec![error(&["volume"], "invalid value for volume (must begin with vol-)", "")]
        }
        _ => Vec::new(),
    };
    assert_solved(&schema(vec![text("volume").required()], vec![]), judge, 4);
}

#[test]
fn a_complaint_that_names_nobody() {
    let judge: Judge = |config| match string(config, "b") {
        Some(b) if b != "true" => {
            vec![error(&[], "Configuration not possible", "The value must be \"true\".")]
        }
        _ => Vec::new(),
    };
    let attributes = ["a", "b", "c", "d"].map(|name| text(name).required()).to_vec();
    let (learned, asked) = solved(&schema(attributes, vec![]), judge, false);
    assert!(learned.reached.is_some(), "{:?}\n{}", learned.stop, asked.join("\n"));
    assert!(learned.n_to_solve <= 15, "{}", learned.n_to_solve);
}

#[test]
fn blocks_that_need_each_other() {
    let judge: Judge = |config| {
        let n_blocks = |name: &str| config.member(name).length().map_or(0, |length| length.min);
        match (n_blocks("rule"), is_set(config, "default")) {
            (0, false) => vec![error(
                &[],
                "Missing Attribute Configuration",
                "At least one of these attributes must be configured: [rule,default]",
            )],
            _ => Vec::new(),
        }
    };
    let rule = NestedBlock::new("rule", Nesting::List, Block::new(vec![text("x").required()], vec![]));
    assert_solved(&schema(vec![text("default").optional()], vec![rule]), judge, 2);
}

#[test]
fn what_is_never_accepted_is_given_up_with_the_words_that_stopped_it() {
    let judge: Judge = |_| vec![error(&[], "This account is closed", "")];
    let (learned, _) = solved(&schema(vec![text("name").required()], vec![]), judge, false);
    assert_eq!(learned.reached, None);
    assert!(learned.stop.is_some_and(|stop| stop.to_string().contains("This account is closed")));
    assert!(learned.n_asked <= Budgets::DEFAULT.validate);
}

#[test]
fn what_only_an_example_tells() {
    let judge: Judge = |config| {
        let is_right = is_set(config, "left") == is_set(config, "right")
            && matches!(string(config, "left").as_deref(), Some("north"));
        if is_right { Vec::new() } else { vec![error(&[], "Invalid configuration", "It is invalid.")] }
    };
    let schema = schema(vec![text("left").optional(), text("right").optional()], vec![]);
    assert_eq!(solved(&schema, judge, false).0.reached, None);
    let set: BTreeSet<String> = ["left", "right"].map(str::to_owned).into();
    let texts = [("left", "north"), ("right", "south")];
    let texts = texts.map(|(path, text)| (path.to_owned(), vec![text.to_owned()])).into();
    let shown = Shown { set: set.clone(), texts, ..Shown::default() };
    let (learned, asked) = solved_with(Facts::of_examples(vec![shown]), &schema, judge, false);
    assert!(learned.reached.is_some(), "{:?}\n{asked:?}", learned.stop);
    assert_eq!(learned.facts.minimal, Some(set));
}

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
fn of_several_arguments_another_is_chosen_where_one_leads_nowhere() {
    let judge: Judge = |config| match (is_set(config, "cluster"), is_set(config, "server")) {
        (false, false) => vec![error(&[], "One of 'cluster' or 'server' must be specified", "")],
        (true, _) => vec![error(&[], "unable to load the file: no such file", "")],
        (false, true) => Vec::new(),
    };
    let optional = ["cluster", "note", "server"].map(|name| text(name).optional());
    let facts = assert_solved(&schema(optional.into(), vec![]), judge, 5);
    assert_eq!(facts.minimal, Some(["server".to_owned()].into()));
}

#[test]
fn a_rule_is_not_forced_if_another_one_explains_the_complaint() {
    // That both are set breaks one half of the rule; the other half holds.
    let judge: Judge = |config| match (is_set(config, "word"), is_set(config, "word_wo")) {
        (true, true) => {
            let said = "Exactly one of these attributes must be configured: [word,word_wo]";
            vec![error(&[], "Invalid Attribute Combination", said)]
        }
        (false, false) => {
            let said = "Exactly one of these attributes must be configured: [word,word_wo]";
            vec![error(&[], "Missing Attribute Configuration", said)]
        }
        _ => Vec::new(),
    };
    let schema = schema(vec![text("word").optional(), text("word_wo").optional().write_only()], vec![]);
    let (facts, _) = learned_and_grown(Facts::default(), &schema, judge);
    // More can be seen of what is not write-only.
    assert_eq!(facts.everything, Some(["word".to_owned()].into()));
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
    assert_eq!(within(Cases::Number(4), 50).leftovers, 20);
    assert_eq!((within(Cases::Auto, 50).pairs, within(Cases::Number(4), 50).pairs), (2_000, 0));
}

/// Accepts every configuration, and refuses to apply any, with the words for an argument that is missing.
struct Closed;

impl Oracle for Closed {
    fn ask(&mut self, scenario: Scenario) -> impl Future<Output = Answer> + Send {
        let at = scenario.runs[0].options.operation;
        let said = "At least one of these attributes must be configured: [note,tag]";
        std::future::ready(match at {
            Operation::Validate => Answer::Accepted,
            _ => {
                Answer::Refused { at, diagnostics: vec![error(&[], "Missing Attribute Configuration", said)] }
            }
        })
    }
}

#[test]
fn rules_that_led_nowhere_are_forgotten() {
    let schema =
        schema(vec![text("name").required(), text("note").optional(), text("tag").optional()], vec![]);
    let options = Options { seed: 1, apply: true, ..Options::default() };
    let of = Subject { schema: &schema, kind: Kind::DataSource, type_name: "zoo_animal", options: &options };
    let learned = now(solve(of, Budgets::DEFAULT, &mut Closed));
    assert_eq!(learned.reached, Some(Operation::Validate));
    assert!(learned.n_asked > 2, "it tried what the words ask for");
    assert_eq!(learned.facts.rules, BTreeSet::new());
}

/// Accepts every block, and none that it is configured with.
struct Locked(u32);

impl Oracle for Locked {
    fn ask(&mut self, scenario: Scenario) -> impl Future<Output = Answer> + Send {
        self.0 += 1;
        let at = scenario.runs[0].options.operation;
        let said = error(&[], "No valid credential sources found", "");
        std::future::ready(match at {
            Operation::Apply => Answer::Refused { at, diagnostics: vec![said] },
            _ => Answer::Accepted,
        })
    }
}

#[test]
fn a_provider_block_is_given_up_after_some_questions() {
    let names: Vec<String> = (0..60).map(|n| format!("api_key{n}")).collect();
    let schema = schema(names.iter().map(|name| text(name).optional()).collect(), vec![]);
    let options = Options { apply: true, ..Options::default() };
    let of = Subject { schema: &schema, kind: Kind::Provider, type_name: "zoo", options: &options };
    let mut locked = Locked(0);
    let stop = now(provider_block(of, &mut locked)).unwrap_err();
    assert!(matches!(&stop, Stop::Stuck { complaint, .. } if complaint.contains("credential")), "{stop:?}");
    assert!((10..=40).contains(&locked.0), "{} questions", locked.0);
}

/// What a provider says as it checks a key, logs in and looks up its account: one after the other, each unless it is
/// told not to.
struct Service;

impl Oracle for Service {
    fn ask(&mut self, scenario: Scenario) -> impl Future<Output = Answer> + Send {
        let at = scenario.runs[0].options.operation;
        let config = scenario.runs[0].blocks[0].arguments.unresolved();
        let is_on = |name| config.member(name) == Value::bool(true);
        let said = match (is_set(config, "key_id"), is_set(config, "secret")) {
            _ if at != Operation::Apply => None,
            (false, false) => Some("No credentials, nor from the network: dial tcp: network is unreachable"),
            (true, false) | (false, true) => Some("The credentials are empty"),
            _ if !is_on("skip_login") => Some("Failed to log in: dial tcp: network is unreachable"),
            _ if !is_on("skip_account") => {
                Some("Failed to find the account: dial tcp: network is unreachable")
            }
            _ => None,
        };
        std::future::ready(match said {
            Some(said) => Answer::Refused { at, diagnostics: vec![error(&[], said, "")] },
            None => Answer::Accepted,
        })
    }
}

#[test]
fn a_provider_block_grows_by_what_gets_the_provider_further() {
    let texts = ["color", "key_id", "profile", "secret"].map(|name| text(name).optional());
    let switches = ["skip_account", "skip_login"].map(|name| Attribute::typed(name, Type::Bool).optional());
    let schema = schema(texts.into_iter().chain(switches).collect(), vec![]);
    let options = Options { apply: true, ..Options::default() };
    let of = Subject { schema: &schema, kind: Kind::Provider, type_name: "zoo", options: &options };
    let block = now(provider_block(of, &mut Service)).unwrap();
    let set = ["key_id", "secret", "skip_account", "skip_login"];
    let names = schema.block.attributes.iter().map(|attribute| &*attribute.name);
    assert_eq!(names.filter(|name| is_set(&block, name)).collect::<Vec<_>>(), set);
}
