//! The kinds of things that a provider offers.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ProviderSchema, Schema};

/// What a provider offers under a name. Two kinds may share a name: a resource type and a data
/// source often do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The provider itself, configured by its own block; it has no type name.
    Provider,
    /// A managed resource type.
    Resource,
    DataSource,
    EphemeralResource,
    ListResource,
    Action,
    Function,
    StateStore,
}

impl Kind {
    /// The kinds whose offers have names.
    pub const WITH_TYPES: [Kind; 7] = [
        Kind::Resource,
        Kind::DataSource,
        Kind::EphemeralResource,
        Kind::ListResource,
        Kind::Action,
        Kind::Function,
        Kind::StateStore,
    ];

    /// The kind's name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Provider => "provider",
            Kind::Resource => "resource",
            Kind::DataSource => "data source",
            Kind::EphemeralResource => "ephemeral resource",
            Kind::ListResource => "list resource",
            Kind::Action => "action",
            Kind::Function => "function",
            Kind::StateStore => "state store",
        }
    }

    /// The prefix of the type's name in an address, as in `data.acme_lookup.a`.
    pub fn address_prefix(self) -> &'static str {
        match self {
            Kind::Resource => "",
            Kind::DataSource => "data.",
            Kind::EphemeralResource => "ephemeral.",
            Kind::ListResource => "list.",
            Kind::Action => "action.",
            Kind::Provider | Kind::Function => "provider::",
            Kind::StateStore => "state_store.",
        }
    }

    /// The name of a type of this kind, distinguished from the same name of another kind, as in
    /// `data.acme_lookup`.
    pub fn qualified(self, type_name: &str) -> String {
        format!("{}{type_name}", self.address_prefix())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ProviderSchema {
    /// The schema of one kind and name; `None` if it was not declared, and for functions, which have none.
    pub fn get(&self, kind: Kind, name: &str) -> Option<&Arc<Schema>> {
        match kind {
            Kind::Provider => self.provider.as_ref(),
            Kind::Resource => self.resources.get(name),
            Kind::DataSource => self.data_sources.get(name),
            Kind::EphemeralResource => self.ephemeral_resources.get(name),
            Kind::ListResource => self.list_resources.get(name),
            Kind::Action => self.actions.get(name),
            Kind::StateStore => self.state_stores.get(name),
            Kind::Function => None,
        }
    }

    /// The declared names of one kind, sorted; empty for the provider itself.
    pub fn names(&self, kind: Kind) -> Vec<&str> {
        match kind {
            Kind::Provider => Vec::new(),
            Kind::Resource => self.resources.keys().map(String::as_str).collect(),
            Kind::DataSource => self.data_sources.keys().map(String::as_str).collect(),
            Kind::EphemeralResource => self.ephemeral_resources.keys().map(String::as_str).collect(),
            Kind::ListResource => self.list_resources.keys().map(String::as_str).collect(),
            Kind::Action => self.actions.keys().map(String::as_str).collect(),
            Kind::StateStore => self.state_stores.keys().map(String::as_str).collect(),
            Kind::Function => self.functions.keys().map(String::as_str).collect(),
        }
    }
}
