//! Which of a provider's `requires_replace` paths count.
//!
//! Source: contract section 4.7.

use super::declaration::Declaration;
use super::problem::Problem;
use super::write_only::write_only_paths;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Number, PathStep, Type, Value};

/// What the engine made of the paths in `requires_replace`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequiredReplaces {
    /// Those that count, in the order given: something changes there, or the attribute is write-only.
    pub kept: Vec<AttributePath>,
    /// One for each path that exists in neither value (PLAN-040).
    pub problems: Vec<Problem>,
}

/// Sorts the paths a provider answered with.
///
/// None counts for an object that does not exist yet. Paths at which nothing changes are dropped
/// silently, as in the engines.
///
/// Source: contract section 4.7, entries PLAN-040 to PLAN-042.
pub fn requires_replace(
    block: &Block,
    prior: &Value,
    planned: &Value,
    paths: &[AttributePath],
    engine: Engine,
) -> RequiredReplaces {
    let mut result = RequiredReplaces::default();
    if prior.is_null() {
        return result;
    }
    let write_only = write_only_paths(block, planned);
    for path in paths {
        let (was, will_be) = (apply_path(prior, path), apply_path(planned, path));
        if was.is_none() && will_be.is_none() {
            let message = "replacement is required by a path that does not exist";
            result.problems.push(Problem::new(path, "PLAN-040", message));
            continue;
        }
        let unknown = || Value::unknown(Type::Dynamic);
        let (was, will_be) = (was.unwrap_or_else(unknown), will_be.unwrap_or_else(unknown));
        let is_write_only = if engine.finds_write_only_paths_by_schema() {
            designates_write_only(block, path)
        } else {
            write_only.contains(path)
        };
        if is_write_only || !will_be.equals(&was).is_true() {
            result.kept.push(path.clone());
        }
    }
    result
}

/// The value at a path, as an engine finds it there: it converts a key to what the collection is
/// indexed by.
///
/// Source: contract section 4.7 and entry PLAN-040.
fn apply_path(value: &Value, path: &AttributePath) -> Option<Value> {
    path.steps().iter().try_fold(value.clone(), |value, step| {
        let step = converted(step, value.ty());
        value.at(&AttributePath::new([step]))
    })
}

fn converted(step: &PathStep, collection: &Type) -> PathStep {
    match (step, collection) {
        (PathStep::Key(key), Type::List(_) | Type::Tuple(_)) => {
            let index = Number::parse(key).ok().and_then(|number| number.to_i64());
            index.map_or_else(|| step.clone(), PathStep::Index)
        }
        (PathStep::Index(index), Type::Map(_) | Type::Object(_)) => PathStep::Key(index.to_string()),
        _ => step.clone(),
    }
}

/// Whether the schema declares the attribute at a path write-only.
pub fn designates_write_only(block: &Block, path: &AttributePath) -> bool {
    matches!(Declaration::Block(block).at(path), Declaration::Attribute(attribute) if attribute.write_only)
}
