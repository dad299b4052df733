//! Validators as providers write them, each solved within some number of questions.

mod avoid_stop;
mod growing;
mod provider_block;
mod required_with;

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::calls::{WirePath, WireStep};
use crate::generate::Shown;
use crate::generate::facts::PresenceRule;
use crate::generate::facts::Written;
use crate::generate::spec::{ConfigSpec, TypeGenerator};
use crate::scenario::{Arguments, Block as ConfigBlock, ResourceAddress};
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

/// Accepts what is right, and otherwise always gives the same answer.
struct Gate {
    is_right: fn(&Value) -> bool,
    otherwise: Answer,
    /// The numbers of the questions.
    asked: Vec<u32>,
}

impl Oracle for Gate {
    fn ask(&mut self, scenario: Scenario) -> impl Future<Output = Answer> + Send {
        self.asked.push(scenario.label.number);
        let is_right = (self.is_right)(scenario.runs[0].blocks[0].arguments.unresolved());
        std::future::ready(if is_right { Answer::Accepted } else { self.otherwise.clone() })
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
fn alternatives_in_a_block_that_is_left_out() {
    let judge: Judge = |config| {
        let blocks = config.member("data");
        let is_chosen = blocks.length().is_some_and(|length| length.min > 0) && {
            let [data] = blocks.elements().expect("blocks are known") else { panic!("one block is allowed") };
            is_set(data, "left") != is_set(data, "right")
        };
        match is_chosen {
            true => Vec::new(),
            false => vec![error(
                &[],
                "Missing Attribute Configuration",
                "Exactly one of these attributes must be configured: [data[0].left,data[0].right]",
            )],
        }
    };
    let data = Block::new(["left", "right"].map(|name| text(name).optional()).into(), vec![]);
    let data = NestedBlock::new("data", Nesting::List, data).items(0, 1);
    assert_solved(&schema(vec![], vec![data]), judge, 3);
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
    let (learned, asked) = solved_with(
        Facts::of_written(Written { shown: vec![shown], ..Written::default() }.into()),
        &schema,
        judge,
        false,
    );
    assert!(learned.reached.is_some(), "{:?}\n{asked:?}", learned.stop);
    assert_eq!(learned.facts.minimal, Some(set));
}

/// Accepts splits that add up, whatever they are called.
fn adds_up(config: &Value) -> Vec<Diagnostic> {
    let splits = config.member("split");
    let weights = splits.elements().unwrap_or_default().iter().map(|split| split.member("weight"));
    let sum: i64 = weights.filter_map(|weight| weight.as_text()?.parse::<i64>().ok()).sum();
    let is_right = sum == 100 && is_set(config, "name");
    if is_right { Vec::new() } else { vec![error(&[], "The splits are wrong", "")] }
}

#[test]
fn what_only_a_whole_example_satisfies_is_sent_as_it_is_and_the_rest_made_up() {
    let weight = Attribute::typed("weight", Type::Number).required();
    let split =
        NestedBlock::new("split", Nesting::List, Block::new(vec![weight, text("note").optional()], vec![]));
    let schema = schema(vec![text("name").required()], vec![split.items(1, 0)]);
    assert_eq!(solved(&schema, adds_up, false).0.reached, None);
    let split =
        |weight: i64| Value::object([("note", Value::null(Type::String)), ("weight", Value::number(weight))]);
    let splits = vec![split(80), split(20)];
    let ty = splits[0].ty().clone();
    let config = schema
        .empty_value()
        .with_attribute("name", Value::string("web"))
        .with_attribute("split", Value::list(ty, splits.clone()));
    let address = ResourceAddress::new(Kind::Resource, "zoo_animal", "a");
    let shown = Shown::of(&ConfigBlock::new(address, Arguments::known(config)), "a.tf:1".to_owned());
    let written = Written { shown: vec![shown], ..Written::default() };
    let (learned, asked) = solved_with(Facts::of_written(written.into()), &schema, adds_up, false);
    assert!(learned.reached.is_some(), "{:?}\n{asked:?}", learned.stop);
    // Its name is made up.
    assert_eq!(learned.facts.base.keys().collect::<Vec<_>>(), ["split"]);
    // What is decided about a split is built; nothing else is.
    let options = Options { seed: 1, facts: learned.facts, ..Options::default() };
    let generator = TypeGenerator::new(&schema, Kind::Resource, "zoo_animal", &options);
    let plain = ConfigSpec::plain(generator.minimal.clone());
    let of = |spec: &ConfigSpec| generator.config(7, spec);
    assert!(adds_up(&of(&plain)).is_empty());
    assert_ne!(of(&plain).member("name"), Value::string("web"));
    assert_eq!(of(&plain.with_class("name", 1)).member("split").elements(), Some(&splits[..]));
    assert_ne!(of(&plain.with_class("split[0].weight", 1)).member("split").elements(), Some(&splits[..]));
    let note = generator.model.ids().find(|id| generator.model.node(*id).path == "split.note").unwrap();
    let noted = plain.shaped(plain.shape.with(&generator.model, note));
    assert!(!of(&noted).member("split").elements().unwrap()[0].member("note").is_null());
}

#[test]
fn of_several_arguments_another_is_set_where_one_leads_nowhere() {
    let judge: Judge = |config| match (is_set(config, "cluster"), is_set(config, "server")) {
        // The last one is no more required than the other.
        (false, false) => vec![error(&[], "One of 'server' or 'cluster' must be specified", "")],
        (true, _) => vec![error(&[], "unable to load the file: no such file", "")],
        (false, true) => Vec::new(),
    };
    let optional = ["cluster", "note", "server"].map(|name| text(name).optional());
    let facts = assert_solved(&schema(optional.into(), vec![]), judge, 5);
    assert_eq!(facts.minimal, Some(["server".to_owned()].into()));
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
