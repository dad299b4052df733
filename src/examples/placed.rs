//! Places of values as paths under a type.

use serde_json::Value as Json;

use super::arguments::step_into;
use super::expression::Step;
use crate::schema::Schema;
use crate::suite::block_value;
use crate::value::{AttributePath, PathStep, Type, Value};

/// Stands for a reference in a set until its path is known.
const MARK: &str = "\u{0}reference";

/// The path of a place in a configuration that holds null, and the type there; `None` if there is no such place, or
/// it is in a set and no text.
pub(super) fn in_configuration(
    json: &Json,
    steps: &[Step],
    schema: &Schema,
) -> Option<(AttributePath, Type)> {
    path(schema.implied_type(), steps).or_else(|| {
        let mut marked = json.clone();
        *step_into(&mut marked, steps)? = Json::from(MARK);
        let config = block_value(&marked, &schema.block, "").ok()?;
        let mut found = None;
        config.walk(&mut |at, value| {
            if value.as_str() == Some(MARK) {
                found = Some((unmarked(at), value.ty().clone()));
            }
            found.is_none()
        });
        found
    })
}

/// The path of a place in a value of a type, and the type there; `None` if there is no such place, or it is in a
/// set, whose elements are named by their values.
pub(super) fn path(ty: &Type, steps: &[Step]) -> Option<(AttributePath, Type)> {
    let (mut ty, mut path) = (ty.clone(), AttributePath::root());
    for step in steps {
        (path, ty) = match (&ty, step) {
            (Type::Object(object), Step::Member(name)) => (path.attribute(name), object.get(name)?.clone()),
            // A block that there is one of is written like a list of blocks.
            (Type::Object(_), Step::Element(0)) => (path, ty.clone()),
            (Type::Map(element), Step::Member(key)) => (path.key(key), Type::clone(element)),
            (Type::List(element), Step::Element(idx)) => (path.index(*idx), Type::clone(element)),
            (Type::Tuple(tuple), Step::Element(idx)) => {
                (path.index(*idx), tuple.elements().get(*idx)?.clone())
            }
            _ => return None,
        };
    }
    Some((path, ty))
}

/// The path with null in place of the mark.
fn unmarked(at: &AttributePath) -> AttributePath {
    AttributePath::new(at.steps().iter().map(|step| match step {
        PathStep::Element(value) => {
            PathStep::Element(value.transform(&mut |_, value| match value.as_str() {
                Some(MARK) => Value::null(Type::String),
                _ => value,
            }))
        }
        step => step.clone(),
    }))
}
