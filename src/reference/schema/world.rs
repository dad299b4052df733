//! A small world: types of a cloud that use each other.
//!
//! The other types have every feature of a schema. These have what makes a graph: an object holds the ID of
//! another, which cannot be destroyed before it, some names are unique, and some changes need a new object.

use std::collections::BTreeMap;

use super::parts;
use crate::reference::definition::Definition;
use crate::reference::modify::{default, requires_replace, requires_replace_if};
use crate::schema::{Attribute, Block};
use crate::value::{Type, Value};

/// The managed resource types, by name; the same in every protocol.
pub fn definitions() -> BTreeMap<String, Definition> {
    [
        (NETWORK, network()),
        (SUBNET, subnet()),
        (KEY, key()),
        (MACHINE, machine()),
        (DISK, disk()),
        (ATTACHMENT, attachment()),
        (CERTIFICATE, certificate()),
        (DNS_RECORD, dns_record()),
    ]
    .into_iter()
    .map(|(name, definition)| (name.to_owned(), definition))
    .collect()
}

/// The data sources: a managed type of the same name has the object, which is found by its `name`.
pub fn data_sources() -> BTreeMap<String, Block> {
    let network = Block::new(
        vec![
            text("name").required(),
            text("id").computed(),
            text("cidr").computed(),
            Attribute::typed("labels", Type::map(Type::String)).computed(),
        ],
        vec![],
    );
    [(NETWORK.to_owned(), network)].into()
}

pub const NETWORK: &str = "reference_network";
pub const SUBNET: &str = "reference_subnet";
pub const KEY: &str = "reference_key";
pub const MACHINE: &str = "reference_machine";
pub const DISK: &str = "reference_disk";
pub const ATTACHMENT: &str = "reference_attachment";
pub const CERTIFICATE: &str = "reference_certificate";
pub const DNS_RECORD: &str = "reference_dns_record";

fn text(name: &str) -> Attribute {
    Attribute::typed(name, Type::String)
}

/// A type with these attributes, an ID and labels.
fn with(attributes: Vec<Attribute>) -> Definition {
    let mut all = vec![text("id").computed(), Attribute::typed("labels", Type::map(Type::String)).optional()];
    all.extend(attributes);
    Definition::new(all, vec![])
}

fn network() -> Definition {
    with(vec![text("name").required().describe("Unique."), text("cidr").required()])
        .identified()
        .unique_name()
        .modifier("cidr", requires_replace())
}

fn subnet() -> Definition {
    with(vec![
        text("name").required(),
        text("network_id").required(),
        text("cidr").required(),
        text("gateway").computed(),
    ])
    .uses("network_id", NETWORK)
    .modifier("network_id", requires_replace())
    .modifier("cidr", requires_replace())
}

fn key() -> Definition {
    with(vec![
        text("name").required().describe("Unique."),
        text("public_key").required(),
        text("fingerprint").computed(),
    ])
    .unique_name()
    .modifier("name", requires_replace())
    .modifier("public_key", requires_replace())
}

fn machine() -> Definition {
    with(vec![
        text("name").required(),
        text("subnet_id").required(),
        text("key_id").optional(),
        text("image").required(),
        text("size").optional().computed(),
        text("address").computed(),
    ])
    .identified()
    .uses("subnet_id", SUBNET)
    .uses("key_id", KEY)
    .modifier("subnet_id", requires_replace())
    .modifier("image", requires_replace())
    .modifier("size", default(Value::string("small")))
}

fn disk() -> Definition {
    with(vec![
        text("name").required(),
        Attribute::typed("size", Type::Number).required().describe("May grow, but not shrink."),
        text("kind").optional().computed(),
    ])
    .related()
    .modifier("size", requires_replace_if(parts::shrinks()))
    .modifier("kind", default(Value::string("ssd")))
    .modifier("kind", requires_replace())
}

fn attachment() -> Definition {
    with(vec![
        text("machine_id").required(),
        text("disk_id").required(),
        text("device").optional().computed(),
    ])
    .uses("machine_id", MACHINE)
    .uses("disk_id", DISK)
    .modifier("machine_id", requires_replace())
    .modifier("disk_id", requires_replace())
}

fn certificate() -> Definition {
    with(vec![
        text("domain").required(),
        text("key_id").required(),
        text("issued_at").computed(),
        text("body").computed().sensitive(),
    ])
    .uses("key_id", KEY)
    .modifier("domain", requires_replace())
    .modifier("key_id", requires_replace())
}

fn dns_record() -> Definition {
    with(vec![
        text("name").required().describe("Unique."),
        Attribute::typed("addresses", Type::set(Type::String)).required(),
        Attribute::typed("ttl", Type::Number).optional().computed(),
        text("certificate_id").optional(),
    ])
    .unique_name()
    .uses("certificate_id", CERTIFICATE)
    .modifier("name", requires_replace())
    .modifier("ttl", default(Value::number(300)))
}
