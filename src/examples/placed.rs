//! Places of values as paths under a type.

use super::expression::Step;
use crate::value::{AttributePath, Type};

/// The path of a place in a value of a type, and the type there; `None` if there is no such place, or it is in a
/// set, whose elements have no names.
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
