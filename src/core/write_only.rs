//! Write-only attributes: where they are in a value, and that they are null there.
//!
//! Source: contract entries WO-001 and WO-002.

use super::declaration::Declaration;
use super::problem::Problem;
use crate::schema::{Attribute, Block, Nesting};
use crate::value::{AttributePath, Value};

/// The path of every write-only attribute in a value. Null and unknown containers hold none.
///
/// Source: contract entry WO-001.
pub fn write_only_paths(block: &Block, value: &Value) -> Vec<AttributePath> {
    let mut paths = Vec::new();
    if !block.holds_write_only() {
        return paths;
    }
    walk(Declaration::Block(block), value, &mut AttributePath::root(), &mut |place, path, _| {
        if matches!(place, Declaration::Attribute(attribute) if attribute.write_only) {
            paths.push(path.clone());
        }
    });
    paths
}

/// Every write-only attribute that is not null, unknown ones included, and every null element of a
/// nested attribute that holds write-only attributes, which brings engines down.
///
/// Source: contract entries WO-001 and WO-002.
pub fn assert_write_only_null(block: &Block, value: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !block.holds_write_only() {
        return problems;
    }
    walk(
        Declaration::Block(block),
        value,
        &mut AttributePath::root(),
        &mut |place, path, value| match place {
            Declaration::Attribute(attribute) if attribute.write_only && !value.is_null() => {
                let problem = Problem::new(path, "WO-001", "a write-only attribute is not null");
                problems.push(Problem { sensitive: true, ..problem.with("returned value", value) });
            }
            Declaration::Attributes(_) if value.is_null() => {
                let message = "a null element in a nested attribute that holds write-only attributes";
                problems.push(Problem::new(path, "WO-002", message));
            }
            _ => {}
        },
    );
    problems
}

/// A copy of an object with null at every write-only attribute.
pub fn without_write_only(block: &Block, value: &Value) -> Value {
    if !block.holds_write_only() {
        return value.clone();
    }
    Declaration::Block(block).transform(value, &mut |place, value| match place {
        Declaration::Attribute(attribute) if attribute.write_only => Value::null(attribute.ty()),
        _ => value,
    })
}

type Visit<'v> = &'v mut dyn FnMut(Declaration<'_>, &AttributePath, &Value);

/// Visits write-only attributes and what may hold some.
fn walk(place: Declaration<'_>, value: &Value, path: &mut AttributePath, visit: Visit<'_>) {
    if let Declaration::Attribute(attribute) = place
        && (attribute.write_only || !holds_write_only(attribute))
    {
        if attribute.write_only {
            visit(place, path, value);
        }
        return;
    }
    // The members of a single nested attribute follow it directly; an element has its own place.
    visit(place, path, value);
    for (step, child) in value.children() {
        let place = place.step(&step);
        path.push(step);
        walk(place, child, path, visit);
        path.pop();
    }
}

fn holds_write_only(attribute: &Attribute) -> bool {
    attribute.nested_attributes().is_some_and(|nested| {
        !matches!(nested.nesting, Nesting::Invalid(_))
            && nested.attributes.iter().any(|inner| inner.write_only || holds_write_only(inner))
    })
}
