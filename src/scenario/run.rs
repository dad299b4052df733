//! One run of an engine, and what happens to the world before it.

use serde::{Deserialize, Serialize};

use super::{Aims, Arguments, Block, InstanceAddress, Part};
use crate::transcript::{DriftKind, OldState};
use crate::value::{AttributePath, Value};

/// One run of an engine as requested by a user, with the configuration at that time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineRun {
    /// What happens outside the engine before it starts. If the remote system does not allow it,
    /// the run is not played.
    pub before: Vec<WorldChange>,
    /// The configuration. Ignored in [`PlanningMode::Destroy`].
    pub blocks: Vec<Block>,
    /// The states to upgrade with [`Operation::Upgrade`], made up from the configuration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub old_states: Vec<OldState>,
    pub options: RunOptions,
    /// What to play if the provider refuses the run, of its first block.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    #[serde(skip)]
    pub aims: Aims,
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
    /// Have states of earlier versions upgraded, which no engine asks for; nothing else is done with them.
    Upgrade,
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

    /// This run with some of its parts alone: those places of its first block are as here, all others as
    /// in `base`.
    #[must_use]
    pub fn with_parts(&self, parts: &[Part], base: &EngineRun) -> EngineRun {
        let of = |run: &EngineRun| run.blocks.first().map(|block| block.arguments.resolved().clone());
        let (Some(base), Some(full)) = (of(base), of(self)) else { return self.clone() };
        let config = parts.iter().fold(base, |config, part| grafted(&config, &full, &part.at));
        let blocks = self
            .blocks
            .iter()
            .take(1)
            .map(|block| Block { arguments: Arguments::known(config.clone()), ..block.clone() });
        EngineRun { blocks: blocks.collect(), options: self.options.clone(), ..EngineRun::default() }
    }

    /// Whether it changes nothing.
    pub fn only_looks(&self) -> bool {
        self.options.operation != Operation::Apply
    }
}

/// `base` with what `full` has at a place, or at the smallest place around it that both have.
fn grafted(base: &Value, full: &Value, at: &AttributePath) -> Value {
    let around = (0..=at.steps().len()).rev().map(|n| AttributePath::new(at.steps()[..n].iter().cloned()));
    let shared = around.into_iter().find_map(|place| {
        base.at(&place)?;
        let new = full.at(&place)?;
        Some((place, new))
    });
    shared.map_or_else(|| full.clone(), |(place, new)| base.with_at(&place, new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::ResourceAddress;
    use crate::schema::Kind;
    use crate::value;
    use crate::value::Type;

    #[test]
    fn a_part_is_what_a_run_has_at_a_place_on_top_of_another_run() {
        let ty = Type::object([
            ("name", Type::String),
            ("disk", Type::list(Type::object([("size", Type::Number), ("tag", Type::String)]))),
        ]);
        let run = |config: Value| {
            let address = ResourceAddress::new(Kind::Resource, "acme_thing", "a");
            EngineRun::new(Operation::Apply, vec![Block::new(address, Arguments::known(config))])
        };
        let config = |run: &EngineRun| run.blocks[0].arguments.resolved().clone();
        let part = |at: AttributePath| Part { at, aims: Vec::new() };
        let disk = AttributePath::root().attribute("disk");
        let full = run(value!({ name: "new", disk: [{ size: 2, tag: "new" }] }).of(&ty));
        let base = run(value!({ name: "old", disk: [{ size: 1, tag: "old" }] }).of(&ty));
        let size = part(disk.index(0).attribute("size"));
        let expected = value!({ name: "old", disk: [{ size: 2, tag: "old" }] }).of(&ty);
        assert_eq!(config(&full.with_parts(std::slice::from_ref(&size), &base)), expected);
        // Without a block there is no place inside of it.
        let bare = run(value!({ name: "old", disk: [] }).of(&ty));
        let expected = value!({ name: "old", disk: [{ size: 2, tag: "new" }] }).of(&ty);
        assert_eq!(config(&full.with_parts(&[size], &bare)), expected);
    }
}
