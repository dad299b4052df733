//! Transcripts: what was requested and what was answered, facts only.
//!
//! A transcript comes from a played scenario, from a proxy, or from a file; the rules cannot tell
//! which. It contains the raw bytes of every value along with what they decode to, so that encoding
//! issues and hostile answers are data too.

mod old_state;
mod phase;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::engine::{ClientCapabilities, Engine};
use crate::schema::{IdentitySchema, ProviderSchema, Schema};
use crate::value::{SchemaPath, Value};

pub use crate::calls::*;
pub use old_state::{Alteration, OldState, StateForm};
pub use phase::{Drift, DriftKind, ExchangeId, Phase, PriorOrigin, Purpose};

/// The provider a transcript was recorded with.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name in findings, without the `terraform-provider-` prefix.
    pub name: String,
    /// Major protocol version, 5 or 6.
    pub protocol: u8,
    /// The engine that was imitated.
    pub engine: Engine,
    pub schema: Arc<ProviderSchema>,
    /// The provider block it was configured with; `None` if it has none, or if that is not known.
    pub config: Option<Value>,
}

/// One scenario as it was played.
#[derive(Clone, Debug)]
pub struct Transcript {
    pub subject: Arc<Subject>,
    /// Which scenario this was, for people and for replaying it.
    pub scenario: ScenarioLabel,
    /// In the order in which the calls were made.
    pub exchanges: Vec<Exchange>,
}

/// How a scenario is named.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ScenarioLabel {
    /// The resource type or data source under test; empty if there is none.
    pub type_name: String,
    /// What kind of scenario: one of [`ScenarioLabel::KINDS`], or a planning behaviour.
    pub kind: String,
    /// What is special about its configuration, in a few words.
    pub about: String,
    /// Counted from 1 within its type.
    pub number: u32,
    pub seed: u64,
    /// The example of the provider's documentation that it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<ExampleOrigin>,
    /// The optional argument whose flag is put to the test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optional: Option<OptionalArgument>,
}

impl ScenarioLabel {
    /// The kinds besides the planning behaviours, and what happens in each.
    pub const KINDS: [(&str, &str); 7] = [
        ("schema", "the provider starts, and its schema is fetched from several processes"),
        (
            "lifecycle",
            "an object is created, updated or replaced, changed from outside, and destroyed; each plan is made twice",
        ),
        (
            "data-source",
            "a data source is validated and read twice; while something is unknown, only when applied",
        ),
        ("example", "the configuration of an example in the provider's documentation is applied"),
        ("test", "configurations of the provider's acceptance tests are applied, one after the other"),
        (
            ScenarioLabel::AT_LIMIT,
            "a value at a limit that the provider states, or beyond it; or an optional argument that it seems to demand or to refuse, left out or set",
        ),
        ("old-state", "states as earlier versions of the schema might have stored them are upgraded"),
    ];
    /// The kind of a scenario that the provider is expected to refuse: at the limit of what it is known to accept, or
    /// beyond it.
    pub const AT_LIMIT: &str = "limit";

    /// Whether a refusal is what is expected.
    pub fn is_at_limit(&self) -> bool {
        self.kind == ScenarioLabel::AT_LIMIT
    }
}

/// An example of a provider's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExampleOrigin {
    /// The file, as the user named its folder.
    pub file: String,
    /// Where its block begins, counted from 1.
    pub line: u32,
    /// The instance that it configures, such as `acme_thing.web`.
    pub instance: String,
    /// Why no engine would play it, whatever the provider says; each with file and line. Another
    /// configuration was played in its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// Whether something was left out of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
}

/// An argument that the schema declares as optional, in a configuration that tests whether it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OptionalArgument {
    pub path: SchemaPath,
    /// Whether it is set, although no configuration with it was accepted; otherwise it is left out, although none
    /// without it was.
    pub is_set: bool,
}

/// One call and its answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exchange {
    /// Position in the transcript, counted from 0.
    pub id: ExchangeId,
    /// The step of the scenario it belongs to.
    pub phase: Phase,
    /// Why it was made, and how it relates to earlier ones.
    pub purpose: Purpose,
    /// Which instance of the scenario, such as `acme_thing.a`; empty for the provider itself.
    pub instance: String,
    /// Which provider process served it, counted from 1.
    pub process: u32,
    /// Where the prior state in its request comes from.
    pub prior: PriorOrigin,
    pub call: AnyCall,
    /// Wall time of the call itself, without encoding; zero in built examples.
    #[serde(default)]
    pub took: Duration,
}

impl Transcript {
    pub fn exchange(&self, id: ExchangeId) -> Option<&Exchange> {
        self.exchanges.get(id.0 as usize)
    }

    /// The exchanges before `id` for one instance, latest first.
    pub fn before(&self, id: ExchangeId, instance: &str) -> impl Iterator<Item = &Exchange> {
        let end = (id.0 as usize).min(self.exchanges.len());
        self.exchanges[..end].iter().rev().filter(move |exchange| exchange.instance == instance)
    }

    /// The exchanges after `id` for one instance, earliest first.
    pub fn after(&self, id: ExchangeId, instance: &str) -> impl Iterator<Item = &Exchange> {
        let start = (id.0 as usize + 1).min(self.exchanges.len());
        self.exchanges[start..].iter().filter(move |exchange| exchange.instance == instance)
    }
}

impl Subject {
    /// What the engine tells the provider it supports.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        self.engine.client_capabilities(self.protocol)
    }

    /// The schema of a managed resource type.
    pub fn resource(&self, type_name: &str) -> Option<&Arc<Schema>> {
        self.schema.resources.get(type_name)
    }

    pub fn data_source(&self, type_name: &str) -> Option<&Arc<Schema>> {
        self.schema.data_sources.get(type_name)
    }

    /// The schema of the objects in a call.
    pub fn schema_of(&self, call: &AnyCall) -> Option<&Arc<Schema>> {
        let address = call.address()?;
        self.schema.get(address.kind, address.name)
    }

    pub fn identity(&self, type_name: &str) -> Option<&Arc<IdentitySchema>> {
        self.schema.identities.get(type_name)
    }
}
