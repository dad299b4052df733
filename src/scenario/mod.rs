//! What we intend to do with a provider, as pure data.
//!
//! A scenario is a sequence of engine runs: what a user would have an engine do, one run after the
//! other, and what happens to the remote system in between. The lifecycle knows which calls a run
//! takes, in which order and with what content.

mod address;
mod aims;
mod arguments;
mod block;
pub mod existing_files;
mod run;
mod state;
mod stored;
pub mod words;

use serde::{Deserialize, Serialize};

use crate::schema::Kind;
use crate::transcript::ScenarioLabel;

pub use address::{InstanceAddress, InstanceKey, ResourceAddress};
pub use aims::{Aims, ObligationId, Part};
pub use arguments::{Arguments, Reference, Source, TemplatePart, Upstream};
pub use block::{Block, Lifecycle, MetaArguments, Repetition};
pub use run::{
    EngineRun, Import, ImportBy, Mishap, Moved, NewValue, Operation, PlanningMode, RunOptions, Schedule,
    WorldChange,
};
pub use state::{DeposedKey, InstanceState, Object, State, Status};
pub use words::Words;

/// Engine runs, played one after the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scenario {
    /// Written once with the transcript, not with the runs.
    #[serde(skip)]
    pub label: ScenarioLabel,
    /// What exists before the first run.
    #[serde(default, skip_serializing_if = "State::is_empty")]
    pub initial: State,
    /// Whatever still exists after the last run is destroyed.
    pub runs: Vec<EngineRun>,
}

impl Scenario {
    /// Whether something ends a run while a change is in flight.
    pub fn has_mishap(&self) -> bool {
        self.runs.iter().any(|run| run.options.mishap.is_some())
    }

    /// A scenario that starts with nothing.
    pub fn new(label: ScenarioLabel, runs: Vec<EngineRun>) -> Scenario {
        Scenario { label, initial: State::default(), runs }
    }

    /// Every block of every run.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.runs.iter().flat_map(|run| &run.blocks)
    }

    /// The kind of thing the scenario is about: that of the first block of the type under test.
    pub fn kind(&self) -> Option<Kind> {
        let block = self.blocks().find(|block| block.address.type_name == self.label.type_name);
        block.map(|block| block.address.kind)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bytes::Bytes;

    use super::*;
    use crate::core::Ignored;
    use crate::transcript::{DriftKind, DynamicValue, Encoded, PriorOrigin};
    use crate::value::{AttributePath, Refinements, Type, Value};

    fn object(value: &Value) -> Object {
        Object {
            value: value.clone(),
            private: Bytes::from_static(b"\0opaque"),
            identity: Some(Encoded::received(Some(DynamicValue {
                msgpack: Bytes::from_static(b"\xa3n-1"),
                json: Bytes::new(),
            }))),
            status: Status::Tainted,
            schema_version: 2,
            dependencies: BTreeSet::from([ResourceAddress::new(Kind::DataSource, "acme_lookup", "a")]),
            create_before_destroy: true,
            provider: Some("second".to_owned()),
            origin: PriorOrigin::Synthesised,
        }
    }

    #[test]
    fn a_scenario_reads_back_as_it_was_written() {
        let network = ResourceAddress::new(Kind::Resource, "acme_network", "a");
        let disk = ResourceAddress::new(Kind::Resource, "acme_disk", "b");
        let known = Value::object([("name", Value::string("web")), ("network", Value::null(Type::String))]);
        let promised = Refinements { not_null: true, ..Refinements::with_prefix("w") };
        let unknown = known.with_attribute("name", Value::refined(Type::String, promised));
        let name = AttributePath::root().attribute("name");
        let source =
            Source::Attribute { of: network.instance(Some(InstanceKey::Index(1))), path: name.clone() };
        let arguments = Arguments::with_upstream(unknown, known.clone())
            .refer(AttributePath::root().attribute("network"), source)
            .refer(name.clone(), Source::key());
        let mut block = Block::new(disk.clone(), arguments);
        block.meta = MetaArguments {
            repetition: Repetition::ForEach(BTreeSet::from(["x".to_owned()])),
            depends_on: BTreeSet::from([network.clone()]),
            lifecycle: Lifecycle {
                create_before_destroy: true,
                prevent_destroy: true,
                forgets: true,
                ignore_changes: Some(Ignored::Paths(vec![name])),
                replace_triggered_by: BTreeSet::from([network.clone()]),
            },
            provider: Some("second".to_owned()),
            provisioner_fails: true,
        };
        let of = disk.instance(Some(InstanceKey::Key("x".to_owned())));
        let mut run = EngineRun::new(Operation::Plan, vec![block]).after(vec![
            WorldChange::Drift { of: of.clone(), kind: DriftKind::Vanish, to: None },
            WorldChange::Taint { of: of.clone() },
            WorldChange::StoredWithout { of: of.clone(), attributes: ["name".to_owned()].into() },
        ]);
        run.moved = vec![Moved { from: network.instance(None), to: of.clone() }];
        run.removed = vec![network.clone()];
        let forgotten = network.instance(None);
        run.imports = vec![Import { to: of.clone(), by: ImportBy::Identity, forgotten, generates: true }];
        run.options.without_refresh = true;
        run.options.schedule = Schedule::Backwards;
        run.options.targets = vec![of.clone()];
        run.options.replace = vec![of.clone()];
        let mut initial = State::default();
        initial.set_current(&of, Some(object(&known)));
        initial.depose(&of);
        initial.set_current(&of, Some(object(&known)));
        let scenario =
            Scenario { label: ScenarioLabel::default(), initial, runs: vec![run, EngineRun::destroy()] };
        let written = serde_json::to_string(&scenario).unwrap();
        let read: Scenario = serde_json::from_str(&written).unwrap();
        assert_eq!(read.runs, scenario.runs);
        assert_eq!(
            read.runs[0].blocks[0].arguments.upstream(),
            scenario.runs[0].blocks[0].arguments.upstream()
        );
        assert_eq!(serde_json::to_string(&read).unwrap(), written);
    }
}
