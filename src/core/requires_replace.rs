//! Which of a provider's `requires_replace` paths count.
//!
//! Source: contract section 4.7.

use super::declaration::Declaration;
use super::problem::Problem;
use super::write_only::write_only_paths;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Type, Value};

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
        let (was, will_be) = (prior.at(path), planned.at(path));
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

/// Whether the schema declares the attribute at a path write-only.
pub fn designates_write_only(block: &Block, path: &AttributePath) -> bool {
    matches!(Declaration::Block(block).at(path), Declaration::Attribute(attribute) if attribute.write_only)
}
