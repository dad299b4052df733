//! Resource and data blocks, as a user would write them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Arguments, InstanceAddress, InstanceKey, ResourceAddress};
use crate::core::Ignored;

/// A resource or data block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    pub address: ResourceAddress,
    pub arguments: Arguments,
    #[serde(default)]
    pub meta: MetaArguments,
}

/// The meta-arguments that every block accepts, whatever its type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MetaArguments {
    pub repetition: Repetition,
    pub depends_on: BTreeSet<ResourceAddress>,
    pub lifecycle: Lifecycle,
    /// The alias of the provider configuration that serves its instances; none is the default configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Whether it has a provisioner that fails: an engine runs it after an instance is created.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub provisioner_fails: bool,
}

/// How many instances a block has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repetition {
    /// One, without a key.
    #[default]
    None,
    Count(u64),
    ForEach(BTreeSet<String>),
}

/// The `lifecycle` block.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lifecycle {
    pub create_before_destroy: bool,
    /// Whether an engine refuses every plan that destroys an instance.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub prevent_destroy: bool,
    /// `destroy = false`: an engine forgets an instance where it would destroy it, if it knows the argument.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forgets: bool,
    #[serde(with = "super::stored::ignored")]
    pub ignore_changes: Option<Ignored>,
    /// Blocks: if an instance of one is updated or replaced, so are the instances of this one.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub replace_triggered_by: BTreeSet<ResourceAddress>,
}

impl Repetition {
    /// Whether an instance with that key is one of them.
    pub fn has(&self, key: Option<&InstanceKey>) -> bool {
        match (self, key) {
            (Repetition::None, None) => true,
            (Repetition::Count(count), Some(InstanceKey::Index(index))) => index < count,
            (Repetition::ForEach(keys), Some(InstanceKey::Key(key))) => keys.contains(key),
            _ => false,
        }
    }
}

impl Block {
    /// A block with arguments only.
    pub fn new(address: ResourceAddress, arguments: Arguments) -> Block {
        Block { address, arguments, meta: MetaArguments::default() }
    }

    /// The addresses of its instances, in the order of their keys.
    pub fn instances(&self) -> Vec<InstanceAddress> {
        match &self.meta.repetition {
            Repetition::None => vec![self.address.instance(None)],
            Repetition::Count(count) => {
                (0..*count).map(|index| self.address.instance(Some(InstanceKey::Index(index)))).collect()
            }
            Repetition::ForEach(keys) => {
                keys.iter().map(|key| self.address.instance(Some(InstanceKey::Key(key.clone())))).collect()
            }
        }
    }

    /// The blocks that it refers to, and those that `depends_on` and `replace_triggered_by` name.
    pub fn dependencies(&self) -> BTreeSet<ResourceAddress> {
        let referred = self.arguments.used_instances().map(|of| &of.resource);
        referred.chain(self.named_blocks()).cloned().collect()
    }

    /// The blocks that it depends on as a whole.
    pub fn named_blocks(&self) -> impl Iterator<Item = &ResourceAddress> {
        self.meta.depends_on.iter().chain(&self.meta.lifecycle.replace_triggered_by)
    }
}
