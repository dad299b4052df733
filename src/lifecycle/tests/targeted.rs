//! Which changes are made for targets: `network` is replaced, every `subnet` updated, `machine` refers to one
//! of these.

use crate::engine::Engine;
use crate::lifecycle::configuration::Configuration;
use crate::lifecycle::graph::{Change, Vertex};
use crate::lifecycle::targeted::keep_needed;
use crate::scenario::{
    Arguments, Block, EngineRun, InstanceAddress, InstanceKey, Operation, Repetition, ResourceAddress,
    RunOptions, Source, State,
};
use crate::schema::Kind;
use crate::value::{AttributePath, Type, Value};

fn address(name: &str) -> ResourceAddress {
    ResourceAddress::new(Kind::Resource, "acme_thing", name)
}

fn subnet(index: u64) -> InstanceAddress {
    address("subnet").instance(Some(InstanceKey::Index(index)))
}

fn referring_to(name: &str, of: InstanceAddress) -> Block {
    let at = |name: &str| AttributePath::root().attribute(name);
    let arguments = Arguments::known(Value::object([("note", Value::null(Type::String))]));
    Block::new(address(name), arguments.refer(at("note"), Source::Attribute { of, path: at("id") }))
}

fn run(targets: Vec<InstanceAddress>, depends_on_all: bool) -> EngineRun {
    let nothing = Arguments::known(Value::object([("note", Value::null(Type::String))]));
    let mut subnets = referring_to("subnet", address("network").instance(None));
    subnets.meta.repetition = Repetition::Count(2);
    let mut machine = referring_to("machine", subnet(0));
    if depends_on_all {
        machine.meta.depends_on.insert(address("subnet"));
    }
    let blocks = vec![Block::new(address("network"), nothing), subnets, machine];
    let options = RunOptions { targets, ..RunOptions::default() };
    EngineRun { options, ..EngineRun::new(Operation::Apply, blocks) }
}

/// The changes that are made of those that are planned, without the type of their blocks.
fn made(run: &EngineRun, planned: &[(InstanceAddress, Change)], engine: Engine) -> Vec<String> {
    let config = Configuration::of(run).expect("the configuration has no cycle");
    let vertex = |(address, change): &(InstanceAddress, Change)| {
        config.change(&State::default(), address, change.clone())
    };
    let mut changes: Vec<Vertex> = planned.iter().map(vertex).collect();
    keep_needed(&mut changes, &config, engine);
    changes.iter().map(|change| change.to_string().replace("acme_thing.", "")).collect()
}

/// A replacement of the network, which updates the subnets.
fn replacement(of_network: [Change; 2]) -> Vec<(InstanceAddress, Change)> {
    let network = of_network.map(|change| (address("network").instance(None), change));
    network.into_iter().chain([0, 1].map(|index| (subnet(index), Change::Apply))).collect()
}

fn machine() -> InstanceAddress {
    address("machine").instance(None)
}

#[test]
fn all_changes_are_made_without_targets() {
    let planned = replacement([Change::Apply, Change::DestroyReplaced]);
    assert_eq!(made(&run(vec![], false), &planned, Engine::Terraform111).len(), 4);
}

#[test]
fn only_what_the_target_refers_to_changes() {
    let planned = replacement([Change::Apply, Change::DestroyReplaced]);
    let made = |depends_on_all| made(&run(vec![machine()], depends_on_all), &planned, Engine::Terraform111);
    assert_eq!(made(false), ["network", "subnet[0]"]);
    assert_eq!(made(true), ["network", "subnet[0]", "subnet[1]"]);
}

#[test]
fn what_is_destroyed_first_is_destroyed_for_the_target() {
    let planned = replacement([Change::Destroy(None), Change::Apply]);
    let made = made(&run(vec![machine()], false), &planned, Engine::Terraform111);
    assert_eq!(made, ["network (destroy)", "network", "subnet[0]"]);
}

#[test]
fn a_reference_to_an_instance_that_stays_reaches_all_that_change() {
    let planned = [(subnet(1), Change::Apply)];
    assert_eq!(made(&run(vec![machine()], false), &planned, Engine::Terraform111), ["subnet[1]"]);
}

#[test]
fn opentofu_changes_nothing_for_a_target_that_does_not_change() {
    let mut planned = replacement([Change::Apply, Change::DestroyReplaced]);
    let run = run(vec![machine()], false);
    assert_eq!(made(&run, &planned, Engine::OpenTofu112), [""; 0]);
    planned.push((machine(), Change::Apply));
    assert_eq!(made(&run, &planned, Engine::OpenTofu112), ["network", "subnet[0]", "machine"]);
}
