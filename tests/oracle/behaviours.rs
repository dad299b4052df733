//! What an engine does to instances besides creating, changing and destroying them: each behaviour with all
//! types that allow it side by side.

use std::collections::BTreeMap;

use tfconform::engine::Engine;
use tfconform::generate::{self, Cases};
use tfconform::scenario::{EngineRun, ImportBy, RunOptions, Scenario, WorldChange};
use tfconform::schema::{Kind, ProviderSchema};
use tfconform::transcript::ScenarioLabel;

/// Enough for one scenario of each behaviour.
const CASES: Cases = Cases::Number(400);

/// A scenario for each behaviour, by its name.
pub fn all(schema: &ProviderSchema, seed: u64) -> BTreeMap<String, Scenario> {
    let mut found: BTreeMap<String, Scenario> = BTreeMap::new();
    for type_name in schema.names(Kind::Resource) {
        let of_type = schema.get(Kind::Resource, type_name).expect("it has that name");
        let successors = generate::successors(schema, type_name);
        let options =
            generate::Options { seed, cases: CASES, apply: true, successors, ..generate::Options::default() };
        let mut seen = Vec::new();
        for scenario in generate::scenarios(of_type, Kind::Resource, type_name, &options) {
            let name = scenario.label.kind.clone();
            if !name.contains('/') || seen.contains(&name) {
                continue;
            }
            let together = found
                .entry(name.clone())
                .or_insert_with(|| Scenario::new(ScenarioLabel::default(), alone(&scenario)));
            // Of types whose runs differ in their modes only the first is played, and the ID of only one is told.
            let imports = scenario.runs.iter().any(|run| !run.imports.is_empty());
            if imports && together.runs.iter().all(|run| run.imports.is_empty())
                || !imports && alone(together) == alone(&scenario)
            {
                together.runs.iter_mut().zip(&scenario.runs).for_each(|(together, run)| add(together, run));
            }
            seen.push(name);
        }
    }
    found
}

/// Why an engine cannot be made to play it.
pub fn impossible(scenario: &Scenario, engine: Engine, in_module: bool) -> Option<&'static str> {
    let mut imports = scenario.runs.iter().flat_map(|run| &run.imports);
    match imports.next() {
        Some(_) if in_module && engine != Engine::Terraform => {
            return Some("it has `import` blocks only in the root module");
        }
        Some(import) if in_module && import.generates => {
            return Some("no engine writes a configuration into a module");
        }
        _ => {}
    }
    let mut blocks = scenario.runs.iter().flat_map(|run| &run.blocks);
    if !engine.knows_destroy_false() && blocks.any(|block| block.meta.lifecycle.forgets) {
        return Some("it does not know `destroy = false`");
    }
    let mut changes = scenario.runs.iter().flat_map(|run| &run.before);
    if changes.any(|change| matches!(change, WorldChange::Depose { .. })) {
        return Some("no command leaves a deposed object");
    }
    let mut changes = scenario.runs.iter().flat_map(|run| &run.before);
    if changes.any(|change| matches!(change, WorldChange::StoredWithout { .. })) {
        return Some("no command stores what an older release did");
    }
    let mut imports = scenario.runs.iter().flat_map(|run| &run.imports);
    imports.any(|import| import.by == ImportBy::Identity).then_some("no engine here imports by identity")
}

/// The runs with nothing in them but their modes.
fn alone(scenario: &Scenario) -> Vec<EngineRun> {
    let empty = |run: &EngineRun| {
        let RunOptions { operation, mode, without_refresh, .. } = run.options;
        let options = RunOptions { operation, mode, without_refresh, ..RunOptions::default() };
        EngineRun { options, ..EngineRun::default() }
    };
    scenario.runs.iter().map(empty).collect()
}

fn add(together: &mut EngineRun, run: &EngineRun) {
    let EngineRun { before, blocks, moved, removed, imports, options, changes_nothing, .. } = run.clone();
    together.before.extend(before);
    together.blocks.extend(blocks);
    together.moved.extend(moved);
    together.removed.extend(removed);
    together.imports.extend(imports);
    together.options.targets.extend(options.targets);
    together.options.replace.extend(options.replace);
    together.changes_nothing = changes_nothing;
}
