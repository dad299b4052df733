//! Types that need others, played by a remote system in memory.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde_json::json;

use crate::generate::{Options, Pins, Suppliers};
use crate::learn::{Answer, Budgets, Learned, Oracle, Stop, Subject, grow, solve, solve_slow};
use crate::scenario::{Block, InstanceAddress, Operation, Scenario};
use crate::schema::{self, Attribute, Kind, Schema};
use crate::transcript::Diagnostic;
use crate::value::{Type, Value};

/// What the remote system says against a configuration; it has `acme_vpc-1` and so on.
type Refuse = fn(&Value) -> Option<String>;

struct Cloud {
    refuse: Refuse,
    /// A type that can no longer be created.
    broken: &'static str,
    asked: Vec<Value>,
}

impl Cloud {
    /// The object of a block: what others refer to is there.
    fn created(&self, scenario: &Scenario, block: &Block) -> Value {
        let blocks = &scenario.runs[0].blocks;
        let find = |of: &InstanceAddress| blocks.iter().find(|block| block.address == of.resource);
        let object = |of: &InstanceAddress| {
            let found = find(of)?;
            let created = self.created(scenario, found);
            let id = format!("{}-{}", of.resource.type_name, of.resource.name);
            Some(
                created
                    .with_attribute("id", Value::string(&id))
                    .with_attribute("title", Value::string(&format!("the {id}")))
                    .with_attribute("private_key_pem", Value::string(&format!("key of {id}"))),
            )
        };
        block.arguments.evaluate(true, None, &object)
    }
}

impl Oracle for Cloud {
    fn ask(&mut self, scenario: Scenario) -> impl Future<Output = Answer> + Send {
        let run = &scenario.runs[0];
        let config = self.created(&scenario, &run.blocks[0]);
        let is_applied = run.options.operation == Operation::Apply;
        let is_broken = run.blocks[1..].iter().any(|block| block.address.type_name == self.broken);
        let answer = match (self.refuse)(&config).filter(|_| is_applied) {
            _ if is_applied && is_broken => Answer::OtherRefused,
            Some(text) => {
                Answer::Refused { at: Operation::Apply, diagnostics: vec![Diagnostic::error(&text, "")] }
            }
            None => Answer::Accepted,
        };
        self.asked.push(config);
        std::future::ready(answer)
    }
}

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("it waits"),
    }
}

fn schema(attributes: Vec<Attribute>) -> Schema {
    Schema { version: 0, block: schema::Block::new(attributes, vec![]) }
}

fn required(names: &[&str]) -> Schema {
    schema(names.iter().map(|name| Attribute::typed(name, Type::String).required()).collect())
}

/// Types that others can refer to.
fn suppliers(types: &[&str]) -> Suppliers {
    let computed = |name: &str| Attribute::typed(name, Type::String).computed();
    let schema = schema(["id", "title", "private_key_pem"].map(computed).to_vec());
    let mut suppliers = Suppliers::default();
    for name in types {
        assert!(suppliers.add(name, &schema, &schema.empty_value()));
    }
    suppliers
}

fn learned(schema: &Schema, options: Options, mut cloud: Cloud) -> (Learned, Vec<Value>) {
    let options = Options { seed: 1, apply: true, ..options };
    let of = Subject { schema, kind: Kind::Resource, type_name: "acme_own", options: &options };
    let learned = now(solve(of, Budgets::DEFAULT, &mut cloud));
    (learned, cloud.asked)
}

fn references(learned: &Learned) -> BTreeMap<String, String> {
    let of = learned.facts.references.iter();
    of.map(|(path, supplier)| (path.clone(), supplier.to_string())).collect()
}

/// Learns that arguments refer to suppliers, within some questions.
#[track_caller]
fn assert_refers(arguments: &[&str], types: &[&str], refuse: Refuse, expected: &[(&str, &str)], most: u32) {
    let options = Options { suppliers: suppliers(types), ..Options::default() };
    let cloud = Cloud { refuse, broken: "", asked: Vec::new() };
    let (learned, asked) = learned(&required(arguments), options, cloud);
    assert_eq!(learned.reached, Some(Operation::Apply), "{:?}\n{asked:#?}", learned.stop);
    let expected: BTreeMap<String, String> =
        expected.iter().map(|(path, supplier)| ((*path).to_owned(), (*supplier).to_owned())).collect();
    assert_eq!(references(&learned), expected);
    assert!(learned.n_asked <= most, "{} questions", learned.n_asked);
}

/// Complains unless an argument begins with some letters.
fn needs(config: &Value, argument: &str, start: &str, complaint: &str) -> Option<String> {
    let sent = config.member(argument);
    let sent = sent.as_str()?;
    (!sent.starts_with(start)).then(|| complaint.replace("{}", sent))
}

/// A provider that waits for an object which does not exist.
struct Waiting(Cloud);

impl Oracle for Waiting {
    async fn ask(&mut self, scenario: Scenario) -> Answer {
        match self.0.ask(scenario).await {
            Answer::Refused { .. } => Answer::TooSlow,
            answer => answer,
        }
    }
}

#[test]
fn what_a_provider_waits_for_is_the_object_of_another_type() {
    let refuse: Refuse = |config| needs(config, "vpc_id", "acme_vpc-", "it waits");
    let waits = |suppliers: Suppliers| {
        let options = Options { suppliers, seed: 1, apply: true, ..Options::default() };
        let schema = required(&["name", "vpc_id"]);
        let of = Subject { schema: &schema, kind: Kind::Resource, type_name: "acme_own", options: &options };
        let cloud = Cloud { refuse, broken: "", asked: Vec::new() };
        now(solve(of, Budgets::DEFAULT, &mut Waiting(cloud)))
    };
    let found = waits(suppliers(&["acme_subvpc", "acme_vpc"]));
    assert_eq!(found.reached, Some(Operation::Apply), "{:?}", found.stop);
    assert_eq!(references(&found), [("vpc_id".to_owned(), "acme_vpc.id".to_owned())].into());
    assert_eq!(found.n_asked, 4);
    let alone = waits(Suppliers::default());
    assert_eq!((alone.reached, alone.stop), (Some(Operation::Plan), Some(Stop::TooSlow)));
    assert_eq!(alone.n_asked, 3, "it is asked once, because each question takes long");
    let options = Options { suppliers: suppliers(&["acme_vpc"]), seed: 1, apply: true, ..Options::default() };
    let schema = required(&["name", "vpc_id"]);
    let of = Subject { schema: &schema, kind: Kind::Resource, type_name: "acme_own", options: &options };
    let mut cloud = Waiting(Cloud { refuse, broken: "", asked: Vec::new() });
    let after = now(solve_slow(of, Budgets::DEFAULT, &mut cloud));
    assert_eq!(
        (after.reached, after.n_asked),
        (Some(Operation::Apply), 3),
        "it is not asked again without it"
    );
}

#[test]
fn an_id_comes_from_the_type_that_the_argument_is_named_after() {
    let refuse: Refuse = |config| {
        needs(config, "vpc_id", "acme_vpc-", "InvalidVpcID.NotFound: The vpc ID '{}' does not exist")
    };
    let twins = ["acme_vpcs", "acme_vpc_route", "acme_subvpc"];
    let all = ["acme_vpcs", "acme_vpc_route", "acme_subvpc", "acme_vpc"];
    assert_refers(&["name", "vpc_id"], &all, refuse, &[("vpc_id", "acme_vpc.id")], 4);
    // Names that only look alike are not tried.
    let options = Options { suppliers: suppliers(&twins), ..Options::default() };
    let cloud = Cloud { refuse, broken: "", asked: Vec::new() };
    let (learned, asked) = learned(&required(&["name", "vpc_id"]), options, cloud);
    assert_eq!(learned.reached, Some(Operation::Plan));
    assert!(references(&learned).is_empty());
    let ids = asked.iter().map(|config| config.member("vpc_id"));
    assert!(ids.into_iter().all(|id| !id.as_str().unwrap().starts_with("acme_")));
}

#[test]
fn each_attribute_that_could_be_meant_is_tried() {
    let refuse: Refuse = |config| needs(config, "group_title", "the acme_group-", "no such group: {}");
    assert_refers(&["group_title"], &["acme_group"], refuse, &[("group_title", "acme_group.title")], 4);
    // The first is another type that is named alike.
    let refuse: Refuse = |config| needs(config, "net_id", "acme_dns_net-", "net {} was not found");
    let all = ["acme_net", "acme_dns_net"];
    assert_refers(&["net_id"], &all, refuse, &[("net_id", "acme_dns_net.id")], 5);
}

#[test]
fn a_refusal_tells_which_type_is_meant() {
    let refuse: Refuse = |config| needs(config, "parent", "acme_folder-", "parent: could not find folder {}");
    let all = ["acme_disk", "acme_folder", "acme_tag"];
    assert_refers(&["parent"], &all, refuse, &[("parent", "acme_folder.id")], 4);
}

#[test]
fn a_telling_name_is_reason_enough() {
    let refuse: Refuse = |config| {
        needs(config, "private_key_pem", "key of ", "private_key_pem must be a key that was made here")
    };
    let expected = [("private_key_pem", "acme_key.private_key_pem")];
    assert_refers(&["private_key_pem"], &["acme_disk_pool", "acme_key"], refuse, &expected, 5);
}

#[test]
fn a_complaint_without_a_path_mentions_an_argument() {
    let refuse: Refuse = |config| {
        needs(config, "ca_private_key_pem", "key of ", "Failed to parse private key PEM: failed to decode it")
    };
    let expected = [("ca_private_key_pem", "acme_private_key.private_key_pem")];
    let types = ["acme_disk_pool", "acme_private_key"];
    assert_refers(&["ca_private_key_pem", "note"], &types, refuse, &expected, 6);
}

#[test]
fn several_arguments_refer_one_after_the_other() {
    let refuse: Refuse = |config| {
        let vpc = needs(config, "vpc_id", "acme_vpc-", "The vpc ID '{}' does not exist");
        vpc.or_else(|| needs(config, "subnet_id", "acme_subnet-", "The subnet ID '{}' does not exist"))
    };
    let expected = [("subnet_id", "acme_subnet.id"), ("vpc_id", "acme_vpc.id")];
    assert_refers(&["subnet_id", "vpc_id"], &["acme_subnet", "acme_vpc"], refuse, &expected, 5);
}

#[test]
fn values_that_the_user_chose_win() {
    let refuse: Refuse = |config| needs(config, "vpc_id", "acme_vpc-", "The vpc ID '{}' does not exist");
    let values = [("vpc_id".to_owned(), vec![json!("mine")])].into();
    let pins = Pins { values, ..Pins::default() };
    let options = Options { suppliers: suppliers(&["acme_vpc"]), pins, ..Options::default() };
    let cloud = Cloud { refuse, broken: "", asked: Vec::new() };
    let (learned, asked) = learned(&required(&["vpc_id"]), options, cloud);
    assert!(references(&learned).is_empty());
    assert!(asked.iter().all(|config| config.member("vpc_id").as_str() == Some("mine")));
}

#[test]
fn a_supplier_that_is_refused_itself_is_left_for_the_next() {
    let refuse: Refuse = |config| needs(config, "net_id", "acme_", "net {} was not found");
    let options = Options { suppliers: suppliers(&["acme_net", "acme_dns_net"]), ..Options::default() };
    let cloud = Cloud { refuse, broken: "acme_net", asked: Vec::new() };
    let (learned, _) = learned(&required(&["net_id"]), options, cloud);
    assert_eq!(learned.reached, Some(Operation::Apply));
    assert_eq!(references(&learned), [("net_id".to_owned(), "acme_dns_net.id".to_owned())].into());
}

#[test]
fn an_optional_argument_refers_in_the_largest_configuration() {
    let refuse: Refuse = |config| needs(config, "key_id", "acme_key-", "unable to find key {}");
    let optional = |name: &str| Attribute::typed(name, Type::String).optional();
    let schema = schema(vec![optional("key_id"), optional("note")]);
    let options = Options {
        seed: 1,
        apply: true,
        suppliers: suppliers(&["acme_key", "acme_disk"]),
        ..Options::default()
    };
    let of = Subject { schema: &schema, kind: Kind::Resource, type_name: "acme_own", options: &options };
    let mut cloud = Cloud { refuse, broken: "", asked: Vec::new() };
    let learned = now(grow(of, Operation::Apply, Budgets::DEFAULT, &mut cloud));
    assert_eq!(references(&learned), [("key_id".to_owned(), "acme_key.id".to_owned())].into());
    let everything = learned.facts.everything.expect("it was found");
    assert_eq!(everything, ["key_id".to_owned(), "note".to_owned()].into());
}
