//! Where two values differ.

use crate::value::{AttributePath, Type, Value};

/// The innermost places at which two values differ, including volatile ones.
pub fn differences(a: &Value, b: &Value) -> Vec<(AttributePath, Value, Value)> {
    let mut found = Vec::new();
    collect_differences(a, b, &AttributePath::root(), &mut found);
    found
}

fn collect_differences(
    a: &Value,
    b: &Value,
    at: &AttributePath,
    found: &mut Vec<(AttributePath, Value, Value)>,
) {
    if a == b {
        return;
    }
    let (inside_a, inside_b) = (a.children(), b.children());
    let steps_match = inside_a.len() == inside_b.len()
        && !inside_a.is_empty()
        && !matches!(a.ty(), Type::Set(_))
        && inside_a.iter().zip(&inside_b).all(|((x, _), (y, _))| x == y);
    if !steps_match {
        found.push((at.clone(), a.clone(), b.clone()));
        return;
    }
    for ((step, x), (_, y)) in inside_a.into_iter().zip(inside_b) {
        collect_differences(x, y, &at.with(step), found);
    }
}
