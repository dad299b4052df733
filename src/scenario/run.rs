//! One run of an engine, and what happens to the world before it.

use serde::{Deserialize, Serialize};

use super::{Block, InstanceAddress};
use crate::transcript::DriftKind;

/// One run of an engine as requested by a user, with the configuration at that time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineRun {
    /// What happens outside the engine before it starts. If the remote system does not allow it,
    /// the run is not played.
    pub before: Vec<WorldChange>,
    /// The configuration. Ignored in [`PlanningMode::Destroy`].
    pub blocks: Vec<Block>,
    pub options: RunOptions,
}

/// Something that happens between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorldChange {
    /// The remote object of an instance changes behind the provider's back.
    Drift { of: InstanceAddress, kind: DriftKind },
}

/// The options of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOptions {
    pub operation: Operation,
    pub mode: PlanningMode,
    /// Instances to target, with their dependencies; all if empty.
    pub targets: Vec<InstanceAddress>,
    /// Instances to replace, changed or not.
    pub replace: Vec<InstanceAddress>,
}

/// How far a run goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    Validate,
    Plan,
    /// Plan, and make up the state that an apply might leave. Nothing is applied or read: the runs after
    /// it plan with that state, as long as none of them applies.
    Synthesise,
    #[default]
    Apply,
}

/// The planning mode of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanningMode {
    #[default]
    Normal,
    /// Only records remote changes in the state.
    RefreshOnly,
    Destroy,
}

impl EngineRun {
    /// A run that goes as far as `operation` with that configuration.
    pub fn new(operation: Operation, blocks: Vec<Block>) -> EngineRun {
        EngineRun {
            blocks,
            options: RunOptions { operation, ..RunOptions::default() },
            ..EngineRun::default()
        }
    }

    /// A run that destroys everything.
    pub fn destroy() -> EngineRun {
        let options = RunOptions { mode: PlanningMode::Destroy, ..RunOptions::default() };
        EngineRun { options, ..EngineRun::default() }
    }

    /// This run after something happened to the world.
    #[must_use]
    pub fn after(self, before: Vec<WorldChange>) -> EngineRun {
        EngineRun { before, ..self }
    }

    /// Whether it changes nothing.
    pub fn only_looks(&self) -> bool {
        self.options.operation != Operation::Apply
    }
}
