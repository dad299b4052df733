//! Objects of the small world, which use each other.

use super::driver::{Driver, Stored};
use crate::reference::Offered;
use crate::reference::schema::world::{DNS_RECORD, NETWORK, SUBNET};
use crate::transcript::*;
use crate::value;
use crate::value::{Literal, Value};

/// The types of the world, over one store.
struct World(Driver);

impl World {
    fn new() -> World {
        World(Driver::of(Offered::World, 6, NETWORK, &[]))
    }

    fn of(&mut self, type_name: &str) -> &Driver {
        self.0.type_name = type_name.to_owned();
        &self.0
    }

    fn create(&mut self, type_name: &str, written: Literal) -> Stored {
        let driver = self.of(type_name);
        let config = driver.config(written);
        assert_eq!(driver.validate(&config), []);
        let stored = driver.bring_to(None, &config);
        driver.assert_settled(&stored, &config);
        stored
    }

    /// The error of a change that the remote system refuses; null configuration deletes.
    fn refused(&mut self, type_name: &str, prior: Option<&Stored>, config: &Value) -> String {
        let driver = self.of(type_name);
        let response = driver.apply(prior, config, &driver.plan(prior, config));
        let [diagnostic] = &response.diagnostics[..] else { panic!("{:?}", response.diagnostics) };
        assert!(diagnostic.is_error());
        format!("{}: {}", diagnostic.summary, diagnostic.detail)
    }
}

fn id(of: &Stored) -> String {
    of.state.member("id").as_str().expect("an ID is a text").to_owned()
}

#[test]
fn what_is_used_cannot_be_deleted() {
    let mut world = World::new();
    let network = world.create(NETWORK, value!({ name: "main", cidr: "10.0.0.0/8" }));
    let of = id(&network);
    let subnet = world.create(SUBNET, value!({ name: "a", network_id: (of.as_str()), cidr: "10.1.0.0/16" }));
    let null = world.of(NETWORK).schema().null();
    let error = world.refused(NETWORK, Some(&network), &null);
    let expected = format!("Object is in use: {of} cannot be deleted while it is used by {}.", id(&subnet));
    assert_eq!(error, expected);
    world.of(SUBNET).destroy(&subnet);
    world.of(NETWORK).destroy(&network);
}

#[test]
fn what_is_used_exists() {
    let mut world = World::new();
    for missing in ["network-none", "../v6", ""] {
        let written = value!({ name: "a", network_id: missing, cidr: "10.1.0.0/16" });
        let config = world.of(SUBNET).config(written);
        let error = world.refused(SUBNET, None, &config);
        let expected = "Object does not exist: network_id: there is no reference_network with the ID";
        assert_eq!(error, format!("{expected} {missing:?}."));
    }
}

#[test]
fn a_unique_name_is_free_again_once_its_object_is_gone_or_has_another() {
    let mut world = World::new();
    let first = world.create(NETWORK, value!({ name: "main", cidr: "10.0.0.0/8" }));
    let config = world.of(NETWORK).config(value!({ name: "main", cidr: "11.0.0.0/8" }));
    let taken = "Name is taken: There is a reference_network with the name \"main\".";
    assert_eq!(world.refused(NETWORK, None, &config), taken);
    let renamed = world.of(NETWORK).config(value!({ name: "other", cidr: "10.0.0.0/8" }));
    let first = world.of(NETWORK).bring_to(Some(&first), &renamed);
    let second = world.of(NETWORK).bring_to(None, &config);
    assert_eq!(world.refused(NETWORK, Some(&first), &config), taken);
    world.of(NETWORK).destroy(&second);
    world.of(NETWORK).bring_to(Some(&first), &config);
}

#[test]
fn a_refused_object_holds_on_to_nothing() {
    let mut world = World::new();
    let written = value!({ name: "www", addresses: ["10.1.0.1"], certificate_id: "certificate-none" });
    let config = world.of(DNS_RECORD).config(written);
    world.refused(DNS_RECORD, None, &config);
    world.create(DNS_RECORD, value!({ name: "www", addresses: ["10.1.0.1"] }));
}

#[test]
fn a_data_source_finds_an_object_by_its_name() {
    let mut world = World::new();
    let look = |world: &mut World| {
        let schema = world.of(NETWORK).reference().schema().data_sources[NETWORK].clone();
        let config = value!({ name: "main" }).of(schema.implied_type());
        let request = ReadDataSourceRequest {
            type_name: NETWORK.to_owned(),
            config: Encoded::of(config, schema.implied_type()),
            provider_meta: None,
            capabilities: None,
        };
        let (answered, _) = world.0.call(AnyCall::ReadDataSource(Call::unanswered(request)));
        let AnyCall::ReadDataSource(Call { outcome: Ok(response), .. }) = answered else { panic!("no read") };
        response
    };
    let missing = look(&mut world);
    assert_eq!(missing.diagnostics[0].summary, "Object does not exist");
    let network = world.create(NETWORK, value!({ name: "main", cidr: "10.0.0.0/8" }));
    let found = look(&mut world).state.value().expect("a decoded state").clone();
    assert_eq!(found.member("id"), network.state.member("id"));
    assert_eq!(found.member("cidr"), Value::string("10.0.0.0/8"));
}
