//! Whether a prior value can, or must, have come from configuration.
//!
//! Source: contract sections 4.3.3 and 4.3.7.

use super::declaration::Declaration;
use crate::schema::Attribute;
use crate::value::{AttributePath, PathStep, Type, Value};

/// Whether a prior set element may be what became of a configured one: wherever they differ, a computed
/// attribute is left to the provider.
///
/// `place` is that of the element. Refinements do not count.
pub(super) fn valid_prior_from_config(place: Declaration<'_>, prior: &Value, config: &Value) -> bool {
    explains(place, &prior.unrefined(), Some(config.unrefined()))
}

fn explains(place: Declaration<'_>, prior: &Value, config: Option<Value>) -> bool {
    let Some(config) = config else { return false };
    if *prior == config {
        return true;
    }
    if matches!(config.ty(), Type::Set(_)) {
        return false;
    }
    match place {
        Declaration::Attribute(leaf) if leaf.nested_attributes().is_none() => {
            leaf.computed && config.is_null()
        }
        _ => prior
            .children()
            .into_iter()
            .all(|(step, child)| explains(place.step(&step), child, child_of(&config, step))),
    }
}

fn child_of(value: &Value, step: PathStep) -> Option<Value> {
    value.at(&AttributePath::new([step]))
}

/// Whether an optional nested attribute holds something that no provider could have filled in:
/// a value at a nested attribute that is not computed.
pub fn optional_value_not_computable(attribute: &Attribute, prior: &Value) -> bool {
    attribute.optional
        && attribute.nested_attributes().is_some()
        && prior
            .children()
            .iter()
            .any(|(step, child)| holds_configured(Declaration::Attribute(attribute).step(step), child))
}

fn holds_configured(place: Declaration<'_>, value: &Value) -> bool {
    let configured =
        matches!(place, Declaration::Attribute(attribute) if !attribute.computed && !value.is_null());
    configured || value.children().iter().any(|(step, child)| holds_configured(place.step(step), child))
}
