//! The names of blocks and of their instances.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::schema::Kind;

/// Names a resource or data block, such as `acme_thing.a` or `data.acme_lookup.a`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceAddress {
    pub kind: Kind,
    pub type_name: String,
    pub name: String,
}

/// Names one instance of a block, such as `acme_thing.a`, `acme_thing.a[0]` or `acme_thing.a["web"]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceAddress {
    pub resource: ResourceAddress,
    /// `None` for the only instance of a block without `count` and `for_each`.
    pub key: Option<InstanceKey>,
}

/// Distinguishes the instances of one block.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InstanceKey {
    /// Of `count`, counted from 0.
    Index(u64),
    /// Of `for_each`.
    Key(String),
}

impl ResourceAddress {
    pub fn new(kind: Kind, type_name: &str, name: &str) -> ResourceAddress {
        ResourceAddress { kind, type_name: type_name.to_owned(), name: name.to_owned() }
    }

    /// The instance of this block with that key.
    pub fn instance(&self, key: Option<InstanceKey>) -> InstanceAddress {
        InstanceAddress { resource: self.clone(), key }
    }
}

impl InstanceKey {
    /// The key in a text, as `"${count.index}"` or `"${each.key}"` has it.
    pub fn text(&self) -> String {
        match self {
            InstanceKey::Index(index) => index.to_string(),
            InstanceKey::Key(key) => key.clone(),
        }
    }
}

impl InstanceAddress {
    pub fn is_managed(&self) -> bool {
        self.resource.kind == Kind::Resource
    }
}

impl fmt::Display for ResourceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.kind.qualified(&self.type_name), self.name)
    }
}

impl fmt::Display for InstanceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.resource)?;
        match &self.key {
            None => Ok(()),
            Some(InstanceKey::Index(index)) => write!(f, "[{index}]"),
            Some(InstanceKey::Key(key)) => write!(f, "[{}]", serde_json::Value::from(key.as_str())),
        }
    }
}

/// Parses what `Display` writes. The error contains the text that is not an address.
impl FromStr for InstanceAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<InstanceAddress, String> {
        let malformed = || format!("{text:?} is not the address of an instance");
        let (resource, key) = match text.split_once('[') {
            None => (text, None),
            Some((resource, key)) => {
                let key = key.strip_suffix(']').ok_or_else(malformed)?;
                let key = match key.parse() {
                    Ok(index) => InstanceKey::Index(index),
                    Err(_) => InstanceKey::Key(serde_json::from_str(key).map_err(|_| malformed())?),
                };
                (resource, Some(key))
            }
        };
        let (kind, rest) = match resource.strip_prefix(Kind::DataSource.address_prefix()) {
            Some(rest) => (Kind::DataSource, rest),
            None => (Kind::Resource, resource),
        };
        let (type_name, name) = rest.split_once('.').ok_or_else(malformed)?;
        Ok(ResourceAddress::new(kind, type_name, name).instance(key))
    }
}

/// Parses what `Display` writes. The error contains the text that is not an address.
impl FromStr for ResourceAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<ResourceAddress, String> {
        match text.parse()? {
            InstanceAddress { resource, key: None } => Ok(resource),
            InstanceAddress { .. } => Err(format!("{text:?} is the address of one instance, not of a block")),
        }
    }
}

/// Serialized as the text that users know.
macro_rules! as_text {
    ($address:ident) => {
        impl Serialize for $address {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $address {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$address, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

as_text!(ResourceAddress);
as_text!(InstanceAddress);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_back_as_it_was_written() {
        let thing = ResourceAddress::new(Kind::Resource, "acme_thing", "a");
        let lookup = ResourceAddress::new(Kind::DataSource, "acme_lookup", "b");
        let keys = [None, Some(InstanceKey::Index(3)), Some(InstanceKey::Key("a \"]b".to_owned()))];
        for address in keys.iter().flat_map(|key| [thing.instance(key.clone()), lookup.instance(key.clone())])
        {
            assert_eq!(address.to_string().parse(), Ok(address));
        }
        assert!("acme_thing".parse::<InstanceAddress>().is_err());
        assert!("acme_thing.a[".parse::<InstanceAddress>().is_err());
    }
}
