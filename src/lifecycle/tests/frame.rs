//! Graphs of several instances.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::Stage;
use crate::core::{Action, Ignored};
use crate::lifecycle::{Drawing, End, Options, PARALLELISM, Walked};
use crate::scenario::{
    Arguments, Block, EngineRun, InstanceKey, MetaArguments, Operation, PlanningMode, Repetition,
    ResourceAddress, RunOptions, Scenario, Source, Words,
};
use crate::schema::Kind;
use crate::transcript::{AnyCall, Exchange, Purpose, ScenarioLabel};
use crate::value::{AttributePath, Value};

fn machine() -> ResourceAddress {
    ResourceAddress::new(Kind::Resource, "reference_everything", "machine")
}

fn record() -> ResourceAddress {
    ResourceAddress::new(Kind::Resource, "reference_plain", "record")
}

fn attribute(name: &str) -> AttributePath {
    AttributePath::root().attribute(name)
}

fn block(stage: &Stage, address: ResourceAddress, arguments: &[(&str, &str)]) -> Block {
    let schema = stage.schema.get(address.kind, &address.type_name).expect("the type is declared");
    let set = |config: Value, (name, text): &(&str, &str)| config.with_attribute(name, Value::string(text));
    Block::new(address, Arguments::known(arguments.iter().fold(schema.empty_value(), set)))
}

/// A machine of a kind, created before it is destroyed, and a record that holds its id.
fn machine_and_record(stage: &Stage, kind: &str) -> Vec<Block> {
    let mut machine = block(stage, machine(), &[("name", "web"), ("kind", kind)]);
    machine.meta.lifecycle.create_before_destroy = true;
    let mut record = block(stage, record(), &[("name", "www")]);
    let id = Source::Attribute { of: self::machine().instance(None), path: attribute("id") };
    record.arguments = record.arguments.refer(attribute("colour"), id);
    vec![machine, record]
}

fn scenario(runs: Vec<EngineRun>) -> Scenario {
    let label = ScenarioLabel { type_name: "reference_everything".to_owned(), ..ScenarioLabel::default() };
    Scenario::new(label, runs)
}

fn apply(blocks: Vec<Block>) -> EngineRun {
    EngineRun::new(Operation::Apply, blocks)
}

/// What an apply did, such as `create reference_plain.record`.
fn done(exchange: &Exchange) -> Option<String> {
    let AnyCall::ApplyResourceChange(call) = &exchange.call else { return None };
    assert!(exchange.call.succeeded(), "{:?}", exchange.call.diagnostics());
    let is_null = |value: &crate::transcript::Encoded| value.value().is_some_and(Value::is_null);
    let action = match (is_null(&call.request.prior_state), is_null(&call.request.planned_state)) {
        (true, _) => Action::Create,
        (false, true) => Action::Delete,
        (false, false) => Action::Update,
    };
    Some(format!("{action} {}", exchange.instance))
}

#[test]
fn a_dependent_is_updated_between_the_creation_and_the_destruction_of_what_it_needs() {
    let stage = Stage::new();
    let runs = vec![apply(machine_and_record(&stage, "small")), apply(machine_and_record(&stage, "large"))];
    let played = stage.play(&scenario(runs));
    assert_eq!(played.end, End::Done);
    assert!(played.state.is_empty() && !played.leaves_something);
    let done: Vec<String> = played.transcript.exchanges.iter().filter_map(done).collect();
    let (machine, record) = ("reference_everything.machine", "reference_plain.record");
    let expected = [
        format!("create {machine}"),
        format!("create {record}"),
        format!("create {machine}"),
        format!("update {record}"),
        format!("delete {machine}"),
        // The clean-up: dependents first, and each is deleted again when it is gone.
        format!("delete {record}"),
        format!("delete {machine}"),
        format!("delete {machine}"),
        format!("delete {record}"),
    ];
    assert_eq!(done, expected);
}

/// What the applies of a scenario did, before it is cleaned up.
fn all_done(stage: &Stage, runs: Vec<EngineRun>) -> Vec<String> {
    let played = stage.play(&scenario(runs));
    assert_eq!(played.end, End::Done);
    assert!(played.state.is_empty() && !played.leaves_something);
    let is_left = |exchange: &&Exchange| exchange.purpose != Purpose::Gone;
    played.transcript.exchanges.iter().filter(is_left).filter_map(done).collect()
}

#[test]
fn what_is_needed_by_something_created_first_is_created_first_as_well() {
    let stage = Stage::new();
    let blocks = |kind: &str| {
        let mut blocks = machine_and_record(&stage, kind);
        blocks[0].meta.lifecycle.create_before_destroy = false;
        blocks[1].meta.lifecycle.create_before_destroy = true;
        blocks
    };
    let done = all_done(&stage, vec![apply(blocks("small")), apply(blocks("large"))]);
    let (machine, record) = (machine(), record());
    let expected = [format!("create {machine}"), format!("update {record}"), format!("delete {machine}")];
    assert_eq!(done[2..5], expected);
}

#[test]
fn a_walked_graph_can_be_looked_at() {
    let stage = Stage::new();
    let runs = ["small", "large"].map(|kind| apply(machine_and_record(&stage, kind)));
    let played = stage.play(&scenario(runs.into()));
    let drawings: Vec<Drawing> = played.walked.iter().map(Walked::drawing).collect();
    let titles: Vec<&str> = drawings.iter().map(|drawing| drawing.title.as_str()).collect();
    let expected = ["run 1: plan", "run 1: apply", "run 2: plan", "run 2: apply"];
    assert_eq!(titles[..4], expected);
    assert_eq!(titles[4..], ["at the end: plan to destroy", "at the end: apply"]);
    let (machine, record) = (machine().to_string(), record().to_string());
    let destroyed = format!("{machine} (destroy)");
    let expected = ["provider", &machine, &record, &destroyed, "provider (close)", "root"];
    assert_eq!(drawings[3].nodes, expected);
    // The old object goes after both.
    assert_eq!(drawings[3].waits_for, [vec![], vec![0], vec![1], vec![1, 2], vec![3], vec![4]]);
}

#[test]
fn what_is_removed_is_destroyed_before_what_it_used_changes() {
    let stage = Stage::new();
    let alone = block(&stage, machine(), &[("name", "web"), ("kind", "small"), ("note", "alone")]);
    let done = all_done(&stage, vec![apply(machine_and_record(&stage, "small")), apply(vec![alone])]);
    let (machine, record) = (machine(), record());
    assert_eq!(done[2..4], [format!("delete {record}"), format!("update {machine}")]);
}

#[test]
fn a_dependency_can_be_turned_round() {
    let stage = Stage::new();
    let blocks = |note: &str, needs: [&[ResourceAddress]; 2]| {
        let machine = block(&stage, machine(), &[("name", "web"), ("note", note)]);
        let record = block(&stage, record(), &[("name", "www")]);
        let with = |mut block: Block, needs: &[ResourceAddress]| {
            block.meta.depends_on = needs.iter().cloned().collect();
            block
        };
        vec![with(machine, needs[0]), with(record, needs[1])]
    };
    // Nothing about the record changes but what it depends on.
    let before = blocks("before", [&[], &[machine()]]);
    let after = blocks("after", [&[record()], &[]]);
    let done = all_done(&stage, vec![apply(before), apply(after)]);
    let (machine, record) = (machine(), record());
    assert_eq!(
        done[2..],
        [format!("update {machine}"), format!("delete {machine}"), format!("delete {record}")]
    );
}

#[test]
fn only_objects_of_its_own_type_count_for_a_scenario() {
    let stage = Stage::with(&["apply/refuses-to-create@reference_plain"]);
    let mut blocks = machine_and_record(&stage, "small");
    blocks.reverse();
    let mut about_record = scenario(vec![apply(blocks)]);
    about_record.label.type_name = record().type_name;
    let played = stage.play(&about_record);
    assert!(matches!(played.end, End::Refused { .. }), "{:?}", played.end);
    assert!(played.reached.planned && !played.reached.applied);
}

#[test]
fn a_reference_is_unknown_in_the_plan_and_known_in_the_apply() {
    let stage = Stage::new();
    let played = stage.play(&scenario(vec![apply(machine_and_record(&stage, "small"))]));
    let of_record = |exchange: &&Exchange| exchange.instance == record().to_string();
    let colours: Vec<(bool, Value)> = played
        .transcript
        .exchanges
        .iter()
        .filter(of_record)
        .filter_map(|exchange| match &exchange.call {
            AnyCall::PlanResourceChange(call) => Some((false, call.request.config.value()?.member("colour"))),
            AnyCall::ApplyResourceChange(call) => Some((true, call.request.config.value()?.member("colour"))),
            _ => None,
        })
        .collect();
    let (_, first) = &colours[0];
    assert!(first.is_unknown(), "{first}");
    let (_, applied) = colours.iter().find(|(is_apply, _)| *is_apply).expect("it was applied");
    assert!(applied.as_str().is_some_and(|id| id.starts_with("everything-")), "{applied}");
}

#[test]
fn a_data_source_is_read_when_what_it_depends_on_has_changed() {
    let stage = Stage::new();
    let blocks = |kind: &str| {
        let address = ResourceAddress::new(Kind::DataSource, "reference_lookup", "all");
        let mut lookup = block(&stage, address, &[("query", "all")]);
        lookup.meta.depends_on.insert(machine());
        vec![block(&stage, machine(), &[("name", "web"), ("kind", kind)]), lookup]
    };
    let runs = ["small", "small", "large"].map(|kind| apply(blocks(kind)));
    let played = stage.play(&scenario(runs.to_vec()));
    assert_eq!(played.end, End::Done);
    let asked = |exchange: &Exchange| match (&exchange.call, &exchange.purpose) {
        (AnyCall::ReadDataSource(_), Purpose::Ordinary) => Some("read".to_owned()),
        (_, Purpose::Gone) => None,
        _ => done(exchange),
    };
    let machine = machine().to_string();
    let (create, delete) = (format!("create {machine}"), format!("delete {machine}"));
    // Nothing changes in the second run.
    let expected = [&*create, "read", "read", &*delete, &*create, "read", &*delete];
    let asked: Vec<String> = played.transcript.exchanges.iter().filter_map(asked).collect();
    assert_eq!(asked, expected);
}

#[test]
fn instances_that_do_not_depend_on_each_other_are_in_flight_together() {
    let stage = Stage::new();
    let counted = |count| {
        let mut block = block(&stage, record(), &[("name", "one")]);
        block.meta = MetaArguments { repetition: Repetition::Count(count), ..MetaArguments::default() };
        block.arguments = block.arguments.refer(attribute("colour"), Source::key());
        block
    };
    let played = stage.play(&scenario(vec![apply(vec![counted(3)]), apply(vec![counted(1)])]));
    assert_eq!(played.end, End::Done);
    assert!(stage.busy.most.load(Ordering::Relaxed) >= 3);
    let again = Stage::new().play(&scenario(vec![apply(vec![counted(3)]), apply(vec![counted(1)])]));
    let order = |played: &super::Played| -> Vec<String> {
        let told = |exchange: &Exchange| {
            format!(
                "{} {} {} {:?}",
                exchange.id.0,
                exchange.instance,
                exchange.call.rpc_name(),
                exchange.purpose
            )
        };
        played.transcript.exchanges.iter().map(told).collect()
    };
    assert_eq!(order(&played), order(&again), "the order does not depend on who answers first");
    let deleted: BTreeSet<String> = played.transcript.exchanges.iter().filter_map(done).collect();
    for index in 0..3 {
        let instance = record().instance(Some(InstanceKey::Index(index)));
        assert!(deleted.contains(&format!("delete {instance}")), "{deleted:?}");
    }
}

#[test]
fn options_of_a_run_replace_ignore_and_refresh() {
    let stage = Stage::new();
    let of = |kind: &str, ignored: Option<Ignored>| {
        let mut block = block(&stage, machine(), &[("name", "web"), ("kind", kind)]);
        block.meta.lifecycle.ignore_changes = ignored;
        vec![block]
    };
    let kind = Ignored::Paths(vec![attribute("kind")]);
    let replace = RunOptions { replace: vec![machine().instance(None)], ..RunOptions::default() };
    let refresh = RunOptions { mode: PlanningMode::RefreshOnly, ..RunOptions::default() };
    let played = stage.play(&scenario(vec![
        apply(of("small", None)),
        apply(of("large", Some(kind))),
        EngineRun { options: refresh, ..EngineRun::default() },
        EngineRun { options: replace, ..apply(of("small", None)) },
    ]));
    assert_eq!(played.end, End::Done);
    let done: Vec<String> = played.transcript.exchanges.iter().filter_map(done).collect();
    let machine = machine().to_string();
    assert_eq!(
        done[..3],
        [format!("create {machine}"), format!("delete {machine}"), format!("create {machine}")]
    );
}

#[test]
fn alone_one_call_is_made_at_a_time_unless_the_scenario_is_about_several_instances() {
    let stage = Stage::new();
    let single = scenario(vec![apply(vec![block(&stage, record(), &[("name", "one")])])]);
    let mut counted = single.clone();
    counted.runs[0].blocks[0].meta.repetition = Repetition::Count(3);
    let parallelism = |scenario| Options::new(true).alone(scenario, Words::OWN).parallelism;
    assert_eq!((parallelism(&single), parallelism(&counted)), (1, PARALLELISM));
}

#[test]
fn blocks_that_depend_on_each_other_are_refused() {
    let stage = Stage::new();
    let mut blocks = machine_and_record(&stage, "small");
    blocks[0].meta.depends_on.insert(record());
    let played = stage.play(&scenario(vec![apply(blocks)]));
    let End::Stopped { why, .. } = played.end else { panic!("{:?}", played.end) };
    assert_eq!(why, "the configuration has a cycle: reference_everything.machine, reference_plain.record");
    assert!(played.transcript.exchanges.is_empty());
}

#[test]
fn an_object_whose_provisioner_fails_is_replaced_and_what_depends_on_it_waits() {
    let stage = Stage::new();
    let blocks = |fails| {
        let mut blocks = machine_and_record(&stage, "small");
        blocks[0].meta.lifecycle.create_before_destroy = false;
        blocks[0].meta.provisioner_fails = fails;
        blocks
    };
    let played = stage.play(&scenario(vec![apply(blocks(true)), apply(blocks(false))]));
    assert_eq!(played.end, End::Done);
    let done: Vec<String> = played.transcript.exchanges.iter().filter_map(done).collect();
    let (machine, record) = (machine(), record());
    let expected = [
        format!("create {machine}"),
        format!("delete {machine}"),
        format!("create {machine}"),
        format!("create {record}"),
    ];
    assert_eq!(done[..4], expected);
    let shown = played.walked.iter().map(Walked::drawing).find(|drawing| drawing.title == "run 1: apply");
    assert!(shown.unwrap().nodes.contains(&format!("{machine} (then its provisioner)")));
}

#[test]
fn each_provider_configuration_has_a_process_of_its_own_in_a_walk() {
    let stage = Stage::new();
    let blocks = |colour| {
        let mut other = block(&stage, record(), &[("name", "two"), ("colour", colour)]);
        other.address.name = "other".to_owned();
        other.meta.provider = Some("second".to_owned());
        vec![block(&stage, record(), &[("name", "one"), ("colour", colour)]), other]
    };
    // The second run leaves the object of the other configuration to be destroyed.
    let last = blocks("red").swap_remove(0);
    let runs = vec![apply(blocks("red")), apply(blocks("blue")), apply(vec![last])];
    let played = stage.play(&scenario(runs));
    assert_eq!(played.end, End::Done);
    let changes = played.transcript.exchanges.iter().filter(|exchange| done(exchange).is_some());
    let of = |exchange: &Exchange| (exchange.instance.clone(), exchange.process);
    let changes: Vec<(String, u32)> = changes.map(of).collect();
    for pair in changes[..4].chunks(2) {
        assert_ne!(pair[0].0, pair[1].0);
        assert_ne!(pair[0].1, pair[1].1, "both configurations are served by one process");
    }
    let shown = played.walked.iter().map(Walked::drawing).find(|drawing| drawing.title == "run 3: apply");
    let nodes = shown.expect("an object is destroyed").nodes;
    let served = ["provider.second", "reference_plain.other (destroy)", "provider.second (close)"];
    let positions = served.map(|name| nodes.iter().position(|node| node == name));
    assert!(positions.is_sorted() && positions[0].is_some(), "{nodes:?}");
}
