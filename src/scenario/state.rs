//! The state that an engine keeps between its runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{InstanceAddress, ResourceAddress};
use crate::transcript::{Encoded, PriorOrigin};
use crate::value::Value;

/// Every object that an engine knows, by the instance it belongs to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    pub instances: BTreeMap<InstanceAddress, InstanceState>,
}

/// The objects of one instance.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct InstanceState {
    pub current: Option<Object>,
    /// Replaced objects that are still to be destroyed.
    pub deposed: BTreeMap<DeposedKey, Object>,
}

/// Names a deposed object; engines show it as eight hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DeposedKey(pub u32);

/// A managed object, as in an engine's state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Object {
    /// Wholly known, never null, of the type of the current schema.
    #[serde(with = "crate::value::typed")]
    pub value: Value,
    #[serde(with = "super::stored::opaque")]
    pub private: Bytes,
    pub identity: Option<Encoded>,
    pub status: Status,
    /// The version of the schema that it was stored with.
    pub schema_version: i64,
    /// Its dependencies when it was last applied, directly or through others.
    pub dependencies: BTreeSet<ResourceAddress>,
    /// Whether its replacement is to be created before it is destroyed.
    pub create_before_destroy: bool,
    /// The alias of the provider configuration that it was last applied with, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    pub origin: PriorOrigin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Ready,
    /// A failed create or provisioner left it behind: it is replaced by the next run.
    Tainted,
}

impl Object {
    pub fn is_tainted(&self) -> bool {
        self.status == Status::Tainted
    }

    /// Whether an apply that ended without an error returned it, or a read of an object that exists did.
    pub fn is_whole(&self) -> bool {
        !self.is_tainted() && self.origin != PriorOrigin::Failed
    }

    /// Whether it was made up from a plan, and nothing like it exists.
    pub fn is_synthesised(&self) -> bool {
        self.origin == PriorOrigin::Synthesised
    }
}

impl State {
    /// The current object of an instance.
    pub fn current(&self, address: &InstanceAddress) -> Option<&Object> {
        self.instances.get(address)?.current.as_ref()
    }

    /// Replaces or removes the current object of an instance.
    pub fn set_current(&mut self, address: &InstanceAddress, object: Option<Object>) {
        self.instances.entry(address.clone()).or_default().current = object;
        self.forget_empty(address);
    }

    /// Deposes the current object of an instance.
    pub fn depose(&mut self, address: &InstanceAddress) -> Option<DeposedKey> {
        let instance = self.instances.get_mut(address)?;
        let object = instance.current.take()?;
        let key = DeposedKey(instance.deposed.keys().last().map_or(1, |last| last.0 + 1));
        instance.deposed.insert(key, object);
        Some(key)
    }

    /// Gives the objects of one instance to another one, unless that has an object already.
    pub fn rename(&mut self, from: &InstanceAddress, to: &InstanceAddress) {
        if !self.instances.contains_key(to)
            && let Some(objects) = self.instances.remove(from)
        {
            self.instances.insert(to.clone(), objects);
        }
    }

    /// Makes a deposed object the current one again, unless another took its place.
    pub fn restore(&mut self, address: &InstanceAddress, key: DeposedKey) {
        if let Some(instance) = self.instances.get_mut(address)
            && instance.current.is_none()
        {
            instance.current = instance.deposed.remove(&key);
        }
    }

    /// Removes a deposed object.
    pub fn remove_deposed(&mut self, address: &InstanceAddress, key: DeposedKey) {
        if let Some(instance) = self.instances.get_mut(address) {
            instance.deposed.remove(&key);
        }
        self.forget_empty(address);
    }

    /// The instances whose current object was made up.
    pub fn synthesised(&self) -> impl Iterator<Item = &InstanceAddress> {
        let is_made_up =
            |instance: &InstanceState| instance.current.as_ref().is_some_and(Object::is_synthesised);
        self.instances.iter().filter(move |(_, instance)| is_made_up(instance)).map(|(address, _)| address)
    }

    /// Forgets the objects that were made up.
    pub fn forget_synthesised(&mut self) {
        let made_up: Vec<InstanceAddress> = self.synthesised().cloned().collect();
        for address in &made_up {
            self.set_current(address, None);
        }
    }

    /// Whether no object is left.
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    fn forget_empty(&mut self, address: &InstanceAddress) {
        let is_empty = |instance: &InstanceState| instance.current.is_none() && instance.deposed.is_empty();
        if self.instances.get(address).is_some_and(is_empty) {
            self.instances.remove(address);
        }
    }
}

impl fmt::Display for DeposedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}
