//! What we intend to do with a provider, as pure data.
//!
//! A scenario is a sequence of engine runs: what a user would have an engine do, one run after the
//! other, and what happens to the remote system in between. The lifecycle knows which calls a run
//! takes, in which order and with what content.

mod address;
mod arguments;
mod block;
mod run;
mod state;
mod stored;

use serde::{Deserialize, Serialize};

use crate::schema::Kind;
use crate::transcript::ScenarioLabel;

pub use address::{InstanceAddress, InstanceKey, ResourceAddress};
pub use arguments::{Arguments, Reference, Source, Upstream};
pub use block::{Block, Lifecycle, MetaArguments, Repetition};
pub use run::{EngineRun, Operation, PlanningMode, RunOptions, WorldChange};
pub use state::{DeposedKey, InstanceState, Object, State, Status};

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
