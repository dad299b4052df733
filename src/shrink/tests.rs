//! What holds for every candidate, and where the search ends.

use proptest::prelude::*;

use super::*;
use crate::engine::Engine;
use crate::generate::strategy::schemas;
use crate::generate::unknown::relaxes;
use crate::generate::{Cases, Options, scenarios};
use crate::rule::example;
use crate::scenario::{Arguments, EngineRun, InstanceAddress, Operation, Source};
use crate::schema::{self, Attribute};
use crate::transcript::ScenarioLabel;
use crate::value::{AttributePath, Type, msgpack};

fn provider(schema: &Schema) -> ProviderSchema {
    let resources = [(example::THING.to_owned(), Arc::new(schema.clone()))].into();
    ProviderSchema { resources, ..ProviderSchema::default() }
}

fn options(cases: usize) -> Options {
    Options { seed: 7, cases: Cases::Number(cases), apply: true, ..Options::default() }
}

fn about<'s>(provider: &'s ProviderSchema, clue: Clue) -> About<'s> {
    let (kind, type_name) = (Kind::Resource, example::THING.to_owned());
    let usual = Usual::of(&provider.resources[&type_name], kind, &type_name, &options(1), 1);
    About { schema: provider, kind, type_name, usual, clue }
}

fn config(scenario: &Scenario, run: usize) -> &Value {
    scenario.runs[run].blocks[0].arguments.resolved()
}

/// The smallest scenario for which a predicate holds, and how many were tried.
fn search(start: &Scenario, about: &About<'_>, holds: &dyn Fn(&Scenario) -> bool) -> (Scenario, usize) {
    assert!(holds(start), "it holds at first");
    let mut n_tried = 0;
    let mut tried = |made: &Scenario| {
        n_tried += 1;
        holds(made)
    };
    let mut smallest = guesses(start, about).find(&mut tried).unwrap_or_else(|| start.clone());
    loop {
        let smaller = candidates(&smallest, about).find(&mut tried);
        let Some(smaller) = smaller else { break };
        assert!(Size::of(&smaller, about) < Size::of(&smallest, about));
        smallest = smaller;
    }
    (smallest, n_tried)
}

/// What is set at the top of a configuration.
fn set(config: &Value) -> Vec<&str> {
    let empty = example::schema().resources[example::THING].empty_value();
    config.attributes().filter(|(name, value)| **value != empty.member(name)).map(|(name, _)| name).collect()
}

fn example_scenarios() -> (ProviderSchema, Vec<Scenario>) {
    let schema = example::schema().resources[example::THING].clone();
    let made = scenarios(&schema, Kind::Resource, example::THING, &options(40)).collect();
    (provider(&schema), made)
}

#[test]
fn what_shows_everywhere_is_left_with_one_run_of_what_is_required() {
    let (provider, scenarios) = example_scenarios();
    let about = about(&provider, Clue::default());
    for scenario in scenarios.iter().filter(|scenario| scenario.runs.len() > 1) {
        let (smallest, n_tried) = search(scenario, &about, &|_| true);
        assert_eq!(
            (smallest.runs.len(), set(config(&smallest, 0))),
            (1, vec!["name"]),
            "{}",
            scenario.label.about
        );
        assert!(!smallest.runs[0].blocks[0].arguments.has_upstream());
        assert!(n_tried <= 3, "{n_tried} for {}", scenario.label.about);
    }
}

#[test]
fn the_guilty_argument_stays_with_what_is_required() {
    let (provider, scenarios) = example_scenarios();
    let is_set = |scenario: &Scenario| {
        scenario.runs.iter().any(|run| run.blocks[0].arguments.resolved().member("note").is_set())
    };
    let scenario = scenarios.iter().find(|scenario| is_set(scenario) && set(config(scenario, 0)).len() > 10);
    let scenario = scenario.expect("some scenario sets everything");
    let guided = Clue { paths: ["note".to_owned()].into(), run: Some(0), ..Clue::default() };
    for (clue, most) in [(guided, 4), (Clue::default(), 30)] {
        let (smallest, n_tried) = search(scenario, &about(&provider, clue), &is_set);
        assert_eq!((smallest.runs.len(), set(config(&smallest, 0))), (1, vec!["name", "note"]));
        assert!(n_tried <= most, "{n_tried}");
    }
}

#[test]
fn an_update_stays_one_and_changes_nothing_else() {
    let (provider, scenarios) = example_scenarios();
    let name = |scenario: &Scenario, run| config(scenario, run).member("name");
    let changes = |scenario: &Scenario| {
        let mut runs = 1..scenario.runs.len();
        runs.any(|run| name(scenario, run) != name(scenario, run - 1))
    };
    let clue = Clue { phase: Some(Phase::Update), paths: ["name".to_owned()].into(), ..Clue::default() };
    let about = about(&provider, clue);
    let updates: Vec<&Scenario> = scenarios.iter().filter(|scenario| changes(scenario)).collect();
    assert!(!updates.is_empty());
    for scenario in updates {
        let (smallest, _) = search(scenario, &about, &changes);
        assert_eq!(smallest.runs.len(), 2);
        assert!((0..2).all(|run| set(config(&smallest, run)) == ["name"]), "{:?}", smallest.runs);
    }
}

#[test]
fn what_is_unknown_stays_if_it_matters() {
    let (provider, scenarios) = example_scenarios();
    let unknown = |scenario: &Scenario| {
        scenario.blocks().any(|block| block.arguments.unresolved().member("size").is_unknown())
    };
    let about = about(&provider, Clue { has_unknowns: true, ..Clue::default() });
    let scenario = scenarios.iter().find(|scenario| unknown(scenario)).expect("it is unknown in some");
    let (smallest, _) = search(scenario, &about, &unknown);
    let arguments = &smallest.runs[0].blocks[0].arguments;
    assert_eq!((smallest.runs.len(), set(arguments.resolved())), (1, vec!["name", "size"]));
    assert_eq!(arguments.upstream().len(), 1);
}

#[test]
fn what_nothing_refers_to_goes() {
    let schema = example::schema().resources[example::THING].clone();
    let provider = provider(&schema);
    let block = |name: &str| ResourceAddress::new(Kind::Resource, example::THING, name);
    let other = ResourceAddress::new(Kind::Resource, "acme_other", "b");
    let named = schema.empty_value().with_attribute("name", Value::string("web"));
    let note = AttributePath::root().attribute("note");
    let of: InstanceAddress = other.instance(None);
    let source = Source::Attribute { of, path: AttributePath::root().attribute("id") };
    let arguments = Arguments::known(named).refer(note, source);
    let other = Block::new(other, Arguments::known(schema.empty_value()));
    let run = EngineRun::new(Operation::Apply, vec![Block::new(block("a"), arguments), other]);
    let start = Scenario::new(ScenarioLabel::default(), vec![run]);
    let mut with_other = provider.clone();
    with_other.resources.insert("acme_other".to_owned(), with_other.resources[example::THING].clone());
    let about = about(&with_other, Clue::default());
    let (smallest, _) = search(&start, &about, &|_| true);
    assert_eq!(smallest.runs[0].blocks.len(), 1);
    assert!(smallest.runs[0].blocks[0].arguments.references().is_empty());
}

#[test]
fn what_others_ask_for_stays_with_them() {
    use crate::generate::facts::PresenceRule;
    let (provider, scenarios) = example_scenarios();
    let mut about = about(&provider, Clue::default());
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    about.usual.rules.insert(PresenceRule::AtLeastOne(names(&["choice", "note"])));
    about.usual.rules.insert(PresenceRule::Together("choice".to_owned(), names(&["size"])));
    let both = |scenario: &&Scenario| {
        ["choice", "note", "size"].iter().all(|name| set(config(scenario, 0)).contains(name))
    };
    let scenario = scenarios.iter().find(both).expect("some scenario sets everything");
    let (smallest, _) = search(scenario, &about, &|_| true);
    assert_eq!(set(config(&smallest, 0)), ["choice", "name", "size"]);
}

#[test]
fn an_argument_that_is_known_to_be_demanded_stays() {
    let (provider, scenarios) = example_scenarios();
    let mut about = about(&provider, Clue::default());
    about.usual.demanded.insert("note".to_owned());
    let has_note = |scenario: &&Scenario| config(scenario, 0).member("note").is_set();
    let (smallest, _) =
        search(scenarios.iter().find(has_note).expect("some scenario has it"), &about, &|_| true);
    assert_eq!(set(config(&smallest, 0)), ["name", "note"]);
}

/// Possible, with nothing unknown that is applied in the end, and the same after a round trip over the wire.
#[track_caller]
fn assert_playable(schema: &Schema, scenario: &Scenario, start: &Scenario) {
    let has_withheld = start.blocks().any(|block| !block.arguments.resolved().is_wholly_known());
    for block in scenario.blocks() {
        let (unknown, config) = (block.arguments.unresolved(), block.arguments.resolved());
        assert_eq!(why_impossible(schema, unknown), []);
        assert!(has_withheld || config.is_wholly_known());
        assert!(!block.arguments.has_upstream() || relaxes(unknown, config), "{unknown} for {config}");
        let bytes = msgpack::encode(unknown, schema.implied_type());
        let decoded = msgpack::decode(&bytes, schema.implied_type());
        assert!(decoded.issues.is_empty(), "{:?} in {unknown}", decoded.issues);
    }
}

fn with_name(schema: &Schema) -> Schema {
    let mut schema = schema.clone();
    schema.block.attributes.push(Attribute::typed("zzz", Type::String).optional());
    schema.block.changed();
    schema
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_candidate_of_every_schema_could_be_played(schema in schemas(), nth in 0_usize..40, skip in 0_usize..12) {
        let schema = with_name(&schema);
        // Nothing is played of a provider that engines refuse.
        prop_assume!(schema::check(&schema, Engine::Terraform).is_empty());
        let provider = provider(&schema);
        let about = about(&provider, Clue { has_unknowns: skip % 2 == 0, ..Clue::default() });
        let start = scenarios(&schema, Kind::Resource, example::THING, &options(40)).nth(nth).expect("there are 40");
        let guesses = guesses(&start, &about);
        for made in guesses.chain(candidates(&start, &about)).step_by(1 + skip).take(12) {
            assert_playable(&schema, &made, &start);
            for next in candidates(&made, &about).skip(skip).take(3) {
                assert_playable(&schema, &next, &start);
            }
        }
    }
}
