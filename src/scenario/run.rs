//! One run of an engine, and what happens to the world before it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Aims, Block, InstanceAddress, ObligationId, Part, Repetition, ResourceAddress};
use crate::transcript::{DriftKind, OldState};

/// One run of an engine as requested by a user, with the configuration at that time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineRun {
    /// What happens outside the engine before it starts. If the remote system does not allow it,
    /// the run is not played.
    pub before: Vec<WorldChange>,
    /// The configuration. Ignored in [`PlanningMode::Destroy`].
    pub blocks: Vec<Block>,
    /// Objects that have another address from now on: `moved` blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<Moved>,
    /// Resources that the engine forgets without destroying them: `removed` blocks with `destroy = false`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<ResourceAddress>,
    /// Existing objects that the engine takes over: `import` blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<Import>,
    /// The states to upgrade with [`Operation::Upgrade`], made up from the configuration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub old_states: Vec<OldState>,
    pub options: RunOptions,
    /// Whether nothing may be left to do: configuration and objects are as an earlier run left them, or every
    /// difference is ignored.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub changes_nothing: bool,
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
    /// The remote object of an instance changes behind the provider's back, somewhere or like this.
    Drift {
        of: InstanceAddress,
        kind: DriftKind,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<NewValue>,
    },
    /// The user marks the object for replacement, as `terraform taint` does.
    Taint { of: InstanceAddress },
    /// The user takes that back.
    Untaint { of: InstanceAddress },
    /// A run that was to replace the object ended before it created the new one: the old one is deposed.
    Depose { of: InstanceAddress },
    /// The state is as an older release of the provider stored it, which did not have these attributes of the root
    /// block: they are null.
    StoredWithout { of: InstanceAddress, attributes: BTreeSet<String> },
}

/// Another value of an attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewValue {
    /// Such as `disk[0].size`.
    pub path: String,
    /// As in a state file.
    pub value: serde_json::Value,
}

/// Says that the object of one instance belongs to another one now, even one of another type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    pub from: InstanceAddress,
    pub to: InstanceAddress,
}

/// Says that an existing object belongs to an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    pub to: InstanceAddress,
    pub by: ImportBy,
    /// The instance whose object it was before an earlier run forgot it.
    pub forgotten: InstanceAddress,
    /// Whether the engine writes the configuration, from what it imports (`-generate-config-out`): the run has no
    /// block for it, and is only planned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub generates: bool,
}

/// What names the object to import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImportBy {
    /// The attribute `id` of the object.
    Id,
    Identity,
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
    /// Whether objects are planned as the state has them, without reading them first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_refresh: bool,
    /// In which order objects that do not depend on each other are visited.
    #[serde(skip_serializing_if = "Schedule::is_default")]
    pub schedule: Schedule,
    /// What happens while the first change is applied. The engine asks for nothing more then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mishap: Option<Mishap>,
}

/// In which order a graph is walked where the graph itself leaves it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// As an engine walks: several objects at once.
    #[default]
    AtOnce,
    /// One object at a time, the last of them first.
    Backwards,
}

impl Schedule {
    fn is_default(&self) -> bool {
        *self == Schedule::default()
    }
}

/// What ends a run while a change is in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mishap {
    /// The user interrupts it: the engine tells the provider to stop, and waits for its answer.
    Stopped,
    /// The process of the provider is killed.
    Killed,
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

impl Moved {
    /// Whether the object gets another type, which only the provider can give it.
    pub fn is_across_types(&self) -> bool {
        self.from.resource.type_name != self.to.resource.type_name
    }
}

impl WorldChange {
    /// The instance that it is about.
    pub fn of(&self) -> &InstanceAddress {
        match self {
            WorldChange::Drift { of, .. }
            | WorldChange::Taint { of }
            | WorldChange::Untaint { of }
            | WorldChange::Depose { of }
            | WorldChange::StoredWithout { of, .. } => of,
        }
    }
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

    /// Everything that it is to meet, whole or in parts.
    pub fn obligations(&self) -> impl Iterator<Item = ObligationId> {
        let aims = [&self.aims.config, &self.aims.change, &self.aims.together];
        let parts = self.parts.iter().map(|part| &part.aims);
        aims.into_iter().chain(parts).flatten().copied()
    }

    /// A run that destroys everything.
    pub fn destroy() -> EngineRun {
        let options = RunOptions { mode: PlanningMode::Destroy, ..RunOptions::default() };
        EngineRun { options, ..EngineRun::default() }
    }

    /// Whether there may be several instances of one type.
    pub fn has_several_of_a_type(&self) -> bool {
        let is_repeated = |block: &Block| block.meta.repetition != Repetition::None;
        let mut types = BTreeSet::new();
        let mut is_new = |block: &Block| types.insert((block.address.kind, block.address.type_name.clone()));
        self.blocks.iter().any(|block| is_repeated(block) || !is_new(block))
    }

    /// This run after something happened to the world.
    #[must_use]
    pub fn after(self, before: Vec<WorldChange>) -> EngineRun {
        EngineRun { before, ..self }
    }

    /// This run with some of its parts alone: those places of its first block are as here, all others as
    /// in `base`. Its other blocks stay.
    #[must_use]
    pub fn with_parts(&self, parts: &[Part], base: &EngineRun) -> EngineRun {
        let (Some((own, others)), Some(base)) = (self.blocks.split_first(), base.blocks.first()) else {
            return self.clone();
        };
        let start = base.arguments.without_upstream();
        let arguments =
            parts.iter().fold(start, |arguments, part| arguments.grafted(&own.arguments, &part.at));
        let own = Block { arguments, ..own.clone() };
        let blocks = std::iter::once(own).chain(others.iter().cloned()).collect();
        EngineRun { blocks, options: self.options.clone(), ..EngineRun::default() }
    }

    /// This run, after which nothing may be left to do.
    #[must_use]
    pub fn changing_nothing(self) -> EngineRun {
        EngineRun { changes_nothing: true, ..self }
    }

    /// Whether a remote object changes before it behind the provider's back.
    pub fn has_drift(&self) -> bool {
        self.before.iter().any(|change| matches!(change, WorldChange::Drift { .. }))
    }

    /// Whether it changes nothing.
    pub fn only_looks(&self) -> bool {
        self.options.operation != Operation::Apply
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Arguments, ResourceAddress, Source};
    use crate::schema::Kind;
    use crate::value;
    use crate::value::{AttributePath, Type, Value};

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

    #[test]
    fn a_part_refers_to_what_it_refers_to_in_its_own_run() {
        let address = |name: &str| ResourceAddress::new(Kind::Resource, "acme_thing", name);
        let (name, disk) = (AttributePath::root().attribute("name"), AttributePath::root().attribute("disk"));
        let empty = Value::object([("name", Value::null(Type::String)), ("disk", Value::null(Type::String))]);
        // Both arguments refer to one other block.
        let run = |other: &str| {
            let source = |at: &AttributePath| Source::Attribute {
                of: address(other).instance(None),
                path: at.clone(),
            };
            let arguments = Arguments::known(empty.clone());
            let arguments = arguments.refer(name.clone(), source(&name)).refer(disk.clone(), source(&disk));
            let others = ["b", "c"].map(|name| Block::new(address(name), Arguments::known(empty.clone())));
            let blocks = std::iter::once(Block::new(address("a"), arguments)).chain(others);
            EngineRun::new(Operation::Apply, blocks.collect())
        };
        let part = Part { at: disk.clone(), aims: Vec::new() };
        let mixed = run("b").with_parts(&[part], &run("c"));
        assert_eq!(mixed.blocks[1..], run("b").blocks[1..]);
        let referred = mixed.blocks[0].arguments.references().iter().map(|reference| {
            let Source::Attribute { of, .. } = &reference.source else { panic!("it is to a block") };
            (reference.at.to_string(), of.resource.name.as_str())
        });
        assert_eq!(referred.collect::<Vec<_>>(), [("name".to_owned(), "c"), ("disk".to_owned(), "b")]);
    }
}
