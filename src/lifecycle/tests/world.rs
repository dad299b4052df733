//! The types of the small world, all of which use each other.

use super::Stage;
use crate::core::Action;
use crate::lifecycle::{End, Played};
use crate::reference::Offered;
use crate::reference::schema::world::{
    ATTACHMENT, CERTIFICATE, DISK, DNS_RECORD, KEY, MACHINE, NETWORK, SUBNET,
};
use crate::scenario::{Arguments, Block, EngineRun, Operation, ResourceAddress, Scenario, Source};
use crate::schema::Kind;
use crate::transcript::{AnyCall, Exchange, Purpose, ScenarioLabel};
use crate::value;
use crate::value::{AttributePath, Literal};

/// A block named `main`, with the `id` of other ones as some of its arguments.
fn block(stage: &Stage, kind: Kind, type_name: &str, written: Literal, uses: &[(&str, &str)]) -> Block {
    let schema = stage.schema.get(kind, type_name).expect("the type is declared");
    let at = |name: &str| AttributePath::root().attribute(name);
    let arguments = uses.iter().fold(
        Arguments::known(written.of(schema.implied_type())),
        |arguments, (argument, used)| {
            let of = ResourceAddress::new(Kind::Resource, used, "main").instance(None);
            arguments.refer(at(argument), Source::Attribute { of, path: at("id") })
        },
    );
    Block::new(ResourceAddress::new(kind, type_name, "main"), arguments)
}

/// One block of each type, and a data source.
fn world(stage: &Stage, image: &str) -> Vec<Block> {
    let resource = |type_name: &str, written: Literal, uses: &[(&str, &str)]| {
        block(stage, Kind::Resource, type_name, written, uses)
    };
    let mut machine =
        resource(MACHINE, value!({ name: "web", image: image }), &[("subnet_id", SUBNET), ("key_id", KEY)]);
    machine.meta.lifecycle.create_before_destroy = true;
    let mut network = block(stage, Kind::DataSource, NETWORK, value!({ name: "main" }), &[]);
    network.meta.depends_on.insert(ResourceAddress::new(Kind::Resource, NETWORK, "main"));
    vec![
        resource(NETWORK, value!({ name: "main", cidr: "10.0.0.0/8" }), &[]),
        resource(SUBNET, value!({ name: "a", cidr: "10.1.0.0/16" }), &[("network_id", NETWORK)]),
        resource(KEY, value!({ name: "deploy", public_key: "ssh-ed25519 A" }), &[]),
        machine,
        resource(DISK, value!({ name: "data", size: 10 }), &[]),
        resource(ATTACHMENT, value!({}), &[("machine_id", MACHINE), ("disk_id", DISK)]),
        resource(CERTIFICATE, value!({ domain: "example.com" }), &[("key_id", KEY)]),
        resource(
            DNS_RECORD,
            value!({ name: "www", addresses: ["10.1.0.1"] }),
            &[("certificate_id", CERTIFICATE)],
        ),
        network,
    ]
}

/// What the applies of a run did, such as `create machine`; without what is asked again when it is gone.
fn done(played: &Played) -> Vec<String> {
    let of = |exchange: &Exchange| {
        let AnyCall::ApplyResourceChange(call) = &exchange.call else { return None };
        let is_null = |value: &crate::transcript::Encoded| value.value().is_some_and(value::Value::is_null);
        let action = match (is_null(&call.request.prior_state), is_null(&call.request.planned_state)) {
            (true, _) => Action::Create,
            (false, true) => Action::Delete,
            (false, false) => Action::Update,
        };
        let name = exchange.instance.strip_prefix("reference_")?.strip_suffix(".main")?;
        Some(format!("{action} {name}"))
    };
    let is_played = |exchange: &&Exchange| exchange.purpose != Purpose::Gone;
    played.transcript.exchanges.iter().filter(is_played).filter_map(of).collect()
}

#[test]
fn a_world_is_created_changed_in_the_middle_and_destroyed() {
    let stage = Stage::of(Offered::World, &[]);
    let run = |image: &str| EngineRun::new(Operation::Apply, world(&stage, image));
    let label = ScenarioLabel { type_name: MACHINE.to_owned(), ..ScenarioLabel::default() };
    let played = stage.play(&Scenario::new(label, vec![run("v1"), run("v2")]));
    assert_eq!(played.end, End::Done);
    assert!(played.state.is_empty() && !played.leaves_something);
    let errors: Vec<_> =
        played.transcript.exchanges.iter().flat_map(|exchange| exchange.call.diagnostics()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let created = ["disk", "key", "certificate", "dns_record", "network", "subnet", "machine", "attachment"];
    let destroyed =
        ["attachment", "disk", "dns_record", "certificate", "machine", "key", "subnet", "network"];
    let replaced = ["delete attachment", "create machine", "create attachment", "delete machine"];
    let expected: Vec<String> = created
        .map(|name| format!("create {name}"))
        .into_iter()
        .chain(replaced.map(str::to_owned))
        .chain(destroyed.map(|name| format!("delete {name}")))
        .collect();
    assert_eq!(done(&played), expected);
}
