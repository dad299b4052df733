//! Scenarios in which states of earlier versions are upgraded.
//!
//! What those versions looked like is not known: the states are of the current shape, with something
//! missing, or as providers change it from one version to the next.

use super::Options;
use super::spec::{ConfigSpec, TypeGenerator};
use super::stored_state::StoredState;
use crate::scenario::{Arguments, EngineRun, Operation, ResourceAddress, Scenario};
use crate::schema::{Attribute, Block, Kind, Nesting, Schema};
use crate::transcript::{Alteration, OldState, ScenarioLabel, StateForm};

/// The most versions that are tried, the current one included; older ones are left out.
const VERSIONS: i64 = 10;

/// The most states that one scenario has upgraded.
const STATES: usize = 48;

/// Scenarios for one managed type that has had earlier versions, and at most `options.cases` of them: for each
/// version, from the first to the current one, states as they are, with each attribute null, with each absent,
/// and so on. They are numbered from 1.
pub fn old_states(schema: &Schema, type_name: &str, options: &Options) -> Vec<Scenario> {
    if schema.version <= 0 {
        return Vec::new();
    }
    let generator = TypeGenerator::new(schema, Kind::Resource, type_name, options);
    let spec = ConfigSpec::plain(generator.everything().clone());
    let config = generator.config(1, &spec);
    let Some(stored) = StoredState::of(schema, &config) else { return Vec::new() };
    let first = schema.version.saturating_sub(VERSIONS - 1).max(0);
    let probes = (first..=schema.version).flat_map(|version| probes(schema, &stored, version));
    let address = ResourceAddress::new(Kind::Resource, type_name, "a");
    let scenario = |(number, (about, old_states)): (u32, (String, Vec<OldState>))| {
        let block = crate::scenario::Block::new(address.clone(), Arguments::known(config.clone()));
        let run = EngineRun { old_states, ..EngineRun::new(Operation::Upgrade, vec![block]) };
        let label = ScenarioLabel {
            type_name: type_name.to_owned(),
            kind: "old-state".to_owned(),
            about,
            number,
            seed: options.seed,
            example: None,
            optional: None,
        };
        Scenario::new(label, vec![run])
    };
    (1..).zip(probes.take(options.cases.most())).map(scenario).collect()
}

/// The states of one version, and what is special about them, for a scenario each.
fn probes(schema: &Schema, stored: &StoredState<'_>, version: i64) -> Vec<(String, Vec<OldState>)> {
    let state = |form, alteration, at: &str| OldState { version, form, alteration, at: at.to_owned() };
    let is_one = |old: &OldState| stored.altered(old).is_some();
    let all = [
        state(StateForm::Json, Alteration::Nothing, ""),
        state(StateForm::Json, Alteration::Null, ""),
        state(StateForm::Json, Alteration::Absent, ""),
        state(StateForm::Flatmap, Alteration::Nothing, ""),
    ];
    let all = all.into_iter().filter(is_one).collect();
    let mut probes = vec![(format!("states of version {version}"), all)];
    let mut paths = Vec::new();
    block_paths(&schema.block, "", &mut paths);
    for alteration in Alteration::OF_ATTRIBUTES {
        let each = paths.iter().map(|at| state(StateForm::Json, alteration, at));
        let each: Vec<OldState> = each.filter(is_one).collect();
        let about = format!("states of version {version}, each attribute {}", alteration.about());
        for (idx, some) in each.chunks(STATES).enumerate() {
            let part = match each.len() > STATES {
                true => format!(", {} to {} of {}", idx * STATES + 1, idx * STATES + some.len(), each.len()),
                false => String::new(),
            };
            // Beside one that the upgrader refuses, the untouched state shows what becomes of the attribute.
            let is_retyped = matches!(alteration, Alteration::List | Alteration::Single);
            let untouched = (is_retyped && version < schema.version)
                .then(|| state(StateForm::Json, Alteration::Nothing, ""));
            probes.push((
                format!("{about}{part}"),
                untouched.into_iter().chain(some.iter().cloned()).collect(),
            ));
        }
    }
    probes
}

/// The paths of the attributes and nested blocks of a block, as in [`OldState::at`].
fn block_paths(block: &Block, below: &str, paths: &mut Vec<String>) {
    attribute_paths(&block.attributes, below, paths);
    for nested in &block.block_types {
        let path = format!("{below}{}", nested.name);
        paths.push(path.clone());
        block_paths(&nested.block, &inside(&path, nested.nesting), paths);
    }
}

fn attribute_paths(attributes: &[Attribute], below: &str, paths: &mut Vec<String>) {
    for attribute in attributes {
        let path = format!("{below}{}", attribute.name);
        paths.push(path.clone());
        if let Some(nested) = attribute.nested_attributes() {
            attribute_paths(&nested.attributes, &inside(&path, nested.nesting), paths);
        }
    }
}

fn inside(path: &str, nesting: Nesting) -> String {
    if nesting == Nesting::Map { format!("{path}.*.") } else { format!("{path}.") }
}
