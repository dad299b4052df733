//! Sequences of runs over blocks that depend on each other.

use tfconform::scenario::{
    Block, EngineRun, InstanceAddress, Operation, PlanningMode, RunOptions, Scenario, WorldChange,
};
use tfconform::schema::ProviderSchema;
use tfconform::transcript::ScenarioLabel;

use super::dice::Dice;
use super::world::World;

/// How far the numbers of the blocks of two worlds are apart.
const APART: usize = 100;

/// What happens to all worlds in one run.
#[derive(Clone, Copy, PartialEq)]
pub enum Step {
    /// Each is changed.
    Edit,
    /// The same, and nothing is read before it is planned.
    EditUnread,
    /// One instance of each is tainted.
    Taint,
    /// One instance of each is replaced, as the user asks for.
    Replace,
    Refresh,
    /// Each is changed, and one or two instances of each are targeted.
    Target,
}

/// A bit of everything.
pub const EVERYTHING: &[Step] = &[
    Step::Edit,
    Step::Replace,
    Step::Refresh,
    Step::Edit,
    Step::Target,
    Step::EditUnread,
    Step::Taint,
    Step::Edit,
];

/// Changes that targets leave undone, until they are done with others.
pub const TARGETS: &[Step] = &[
    Step::Target,
    Step::Target,
    Step::Edit,
    Step::Target,
    Step::Target,
    Step::Target,
    Step::EditUnread,
    Step::Target,
    Step::Refresh,
];

/// `n` worlds, which have nothing to do with each other, and what is done to all of them at once.
pub fn sequence(schema: &ProviderSchema, seed: u64, n: usize, steps: &[Step]) -> Scenario {
    let mut dice = Dice::of(seed);
    let mut worlds: Vec<World> = (0..n).map(|idx| World::new(&mut dice, 1 + idx * APART)).collect();
    let mut runs = vec![apply(&worlds, schema, RunOptions::default())];
    for step in steps {
        if matches!(step, Step::Edit | Step::EditUnread | Step::Target) {
            worlds.iter_mut().for_each(|world| world.edit(&mut dice));
        }
        let mut picked = || -> Vec<InstanceAddress> {
            let picked = worlds.iter().map(|world| world.some_instance(&mut dice));
            picked.flatten().collect()
        };
        let options = match step {
            Step::Edit | Step::Taint => RunOptions::default(),
            Step::EditUnread => RunOptions { without_refresh: true, ..RunOptions::default() },
            Step::Replace => RunOptions { replace: picked(), ..RunOptions::default() },
            Step::Refresh => RunOptions { mode: PlanningMode::RefreshOnly, ..RunOptions::default() },
            Step::Target => RunOptions { targets: [picked(), picked()].concat(), ..RunOptions::default() },
        };
        let tainted = if *step == Step::Taint { picked() } else { Vec::new() };
        let tainted = tainted.into_iter().map(|of| WorldChange::Taint { of });
        runs.push(apply(&worlds, schema, options).after(tainted.collect()));
    }
    runs.push(EngineRun::destroy());
    Scenario::new(ScenarioLabel::default(), runs)
}

fn apply(worlds: &[World], schema: &ProviderSchema, options: RunOptions) -> EngineRun {
    let blocks: Vec<Block> = worlds.iter().flat_map(|world| world.blocks(schema)).collect();
    EngineRun { options, ..EngineRun::new(Operation::Apply, blocks) }
}
