//! How large a scenario is.

use super::About;
use super::config;
use crate::scenario::{Block, EngineRun, MetaArguments, Scenario};
use crate::schema::Member;

/// A well-founded measure: what comes first matters more than all that comes after.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    n_runs: usize,
    /// Changes of the world, options, parts and meta-arguments.
    n_extras: usize,
    /// How far the runs go.
    operations: usize,
    n_blocks: usize,
    n_old_states: usize,
    /// Arguments, elements and references that are set.
    n_set: usize,
    n_unknown: usize,
    /// Arguments that differ from those of the run before.
    n_changes: usize,
    /// Arguments with another than their usual value.
    n_unusual: usize,
    /// The length of all values as texts.
    length: usize,
}

impl Size {
    pub fn of(scenario: &Scenario, about: &About<'_>) -> Size {
        let runs = &scenario.runs;
        let mut size = Size {
            n_runs: runs.len(),
            n_extras: runs.iter().map(extras).sum(),
            operations: runs.iter().map(|run| run.options.operation as usize).sum(),
            n_blocks: scenario.blocks().count(),
            n_old_states: runs.iter().map(|run| run.old_states.len()).sum(),
            n_set: 0,
            n_unknown: 0,
            n_changes: runs.windows(2).map(|pair| changes(&pair[0], &pair[1]).len()).sum(),
            n_unusual: 0,
            length: 0,
        };
        scenario.blocks().for_each(|block| size.add(block, about));
        size
    }

    fn add(&mut self, block: &Block, about: &About<'_>) {
        let arguments = &block.arguments;
        self.n_set += arguments.references().len();
        self.n_unknown += arguments.upstream().len();
        arguments.resolved().walk(&mut |_, value| {
            self.n_set += usize::from(!value.is_null());
            self.length += value.as_text().map_or(0, |text| text.len());
            true
        });
        let Some(schema) = about.schema_of(block) else { return };
        config::each(&schema.block, arguments.resolved(), &mut |path, member, value| {
            let usual = about.usual_value(block, path);
            let is_plain =
                matches!(member, Member::Attribute(attribute) if attribute.nested_attributes().is_none());
            self.n_unusual += usize::from(is_plain && usual.is_some_and(|usual| usual != value));
        });
    }
}

fn extras(run: &EngineRun) -> usize {
    let is_special = |block: &&Block| block.meta != MetaArguments::default();
    run.before.len()
        + run.options.targets.len()
        + run.options.replace.len()
        + run.parts.len()
        + run.blocks.iter().filter(is_special).count()
}

/// The arguments of blocks that differ between two runs: the position of the block in the second, and the name.
pub(super) fn changes(before: &EngineRun, now: &EngineRun) -> Vec<(usize, String)> {
    let mut changes = Vec::new();
    for (idx, block) in now.blocks.iter().enumerate() {
        let Some(earlier) = before.blocks.iter().find(|earlier| earlier.address == block.address) else {
            continue;
        };
        let (old, new) = (earlier.arguments.resolved(), block.arguments.resolved());
        let changed = new.attributes().filter(|(name, value)| old.attribute(name) != Some(value));
        changes.extend(changed.map(|(name, _)| (idx, name.to_owned())));
    }
    changes
}
