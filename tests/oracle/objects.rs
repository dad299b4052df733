//! Sequences of runs over many objects that have nothing to do with each other: what is asked of each is what
//! would be asked if it were alone.

use tfconform::core::Ignored;
use tfconform::generate::{self, Cases};
use tfconform::scenario::{
    Arguments, Block, EngineRun, InstanceAddress, Lifecycle, MetaArguments, Operation, PlanningMode,
    ResourceAddress, RunOptions, Scenario,
};
use tfconform::schema::{Kind, ProviderSchema};
use tfconform::transcript::ScenarioLabel;
use tfconform::value::{AttributePath, Value};

use super::asked::mark_of;
use super::ours::marked;

/// A block, and the arguments that it has one after the other.
struct Life {
    address: ResourceAddress,
    meta: MetaArguments,
    arguments: Vec<Arguments>,
}

impl Life {
    /// The block after that many changes; at the end it stays as it is.
    fn block(&self, n_changes: usize) -> Option<Block> {
        let last = self.arguments.len().checked_sub(1)?;
        let arguments = self.arguments[n_changes.min(last)].clone();
        Some(Block { address: self.address.clone(), arguments, meta: self.meta.clone() })
    }

    fn instance(&self) -> InstanceAddress {
        self.address.instance(None)
    }
}

/// Creates, changes, refreshes, replaces, abandons and destroys `n` objects of each managed type, and of each data
/// source.
pub fn sequence(schema: &ProviderSchema, seed: u64, n: usize) -> Scenario {
    let lives: Vec<Life> = lives(schema, seed, n);
    let blocks = |n_changes: usize, is_kept: &dyn Fn(usize) -> bool| -> Vec<Block> {
        let kept = lives.iter().enumerate().filter(|(idx, _)| is_kept(*idx));
        kept.filter_map(|(_, life)| life.block(n_changes)).collect()
    };
    let apply = |blocks| EngineRun::new(Operation::Apply, blocks);
    let all = |_| true;
    let kept = |idx: usize| !idx.is_multiple_of(4);
    let replace = lives.iter().enumerate().filter(|(idx, life)| {
        kept(*idx) && idx % 3 == 0 && life.address.kind == Kind::Resource && !life.arguments.is_empty()
    });
    let replace = replace.map(|(_, life)| life.instance()).collect();
    let refresh = RunOptions { mode: PlanningMode::RefreshOnly, ..RunOptions::default() };
    let runs = vec![
        apply(blocks(0, &all)),
        apply(blocks(1, &all)),
        EngineRun { options: refresh, ..apply(blocks(1, &all)) },
        EngineRun { options: RunOptions { replace, ..RunOptions::default() }, ..apply(blocks(2, &kept)) },
        EngineRun::destroy(),
    ];
    Scenario::new(ScenarioLabel::default(), runs)
}

fn lives(schema: &ProviderSchema, seed: u64, n: usize) -> Vec<Life> {
    let mut lives = Vec::new();
    for kind in [Kind::Resource, Kind::DataSource] {
        for type_name in schema.names(kind) {
            let of_type = schema.get(kind, type_name).expect("it has that name");
            let options = generate::Options {
                seed,
                cases: Cases::Number(10 * n),
                apply: true,
                ..generate::Options::default()
            };
            // Behaviours are played by themselves, and what is at a limit may be refused.
            let is_plain = |scenario: &Scenario| matches!(&*scenario.label.kind, "lifecycle" | "data-source");
            let scenarios = generate::scenarios(of_type, kind, type_name, &options).filter(is_plain);
            for scenario in scenarios.take(n) {
                let number = lives.len();
                let mark = Value::string(&format!("mark-{number}"));
                let address = ResourceAddress::new(kind, type_name, &format!("n{number}"));
                let is_asked = |run: &&EngineRun| run.before.is_empty() && !run.only_looks();
                let runs = scenario.runs.iter().filter(is_asked).filter_map(|run| run.blocks.first());
                let arguments: Vec<Arguments> = runs
                    .map(|block| marked(&block.arguments, mark_of(kind, type_name), &mark))
                    .map(
                        |arguments| {
                            if can_wait(type_name) { arguments } else { arguments.without_upstream() }
                        },
                    )
                    .collect();
                lives.push(Life { address, meta: meta(kind, number), arguments });
            }
        }
    }
    lives
}

/// Whether an engine survives it if a value is known only when the run is applied.
///
/// Terraform 1.11.4 crashes on a data source that must wait if a nested block of it has an attribute of any
/// type: `ProposedNew only supports object-typed values`.
fn can_wait(type_name: &str) -> bool {
    type_name != "reference_echo"
}

/// Meta-arguments of every kind in turn.
fn meta(kind: Kind, number: usize) -> MetaArguments {
    if kind != Kind::Resource {
        return MetaArguments::default();
    }
    let ignore_changes = match number % 7 {
        3 => Some(Ignored::All),
        5 => Some(Ignored::Paths(vec![AttributePath::root().attribute("note")])),
        _ => None,
    };
    let create_before_destroy = number % 2 == 1;
    let lifecycle = Lifecycle { create_before_destroy, ignore_changes, ..Lifecycle::default() };
    MetaArguments { lifecycle, ..MetaArguments::default() }
}
