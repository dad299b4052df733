//! Whether a prior value can, or must, have come from configuration.
//!
//! Source: contract sections 4.3.3 and 4.3.7.

use super::place::Place;
use crate::schema::Attribute;
use crate::value::{AttributePath, PathStep, Type, Value};

/// Whether a prior set element may be what became of a configured one: wherever they differ, a computed
/// attribute is left to the provider.
///
/// `place` is that of the element. Refinements do not count.
pub(super) fn valid_prior_from_config(place: Place<'_>, prior: &Value, config: &Value) -> bool {
    explains(place, &prior.unrefined(), Some(config.unrefined()))
}

fn explains(place: Place<'_>, prior: &Value, config: Option<Value>) -> bool {
    let Some(config) = config else { return false };
    if *prior == config {
        return true;
    }
    if matches!(config.ty(), Type::Set(_)) {
        return false;
    }
    match place {
        Place::Attribute(leaf) if leaf.nested_attributes().is_none() => leaf.computed && config.is_null(),
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
            .any(|(step, child)| holds_configured(Place::Attribute(attribute).step(step), child))
}

fn holds_configured(place: Place<'_>, value: &Value) -> bool {
    let configured = matches!(place, Place::Attribute(attribute) if !attribute.computed && !value.is_null());
    configured || value.children().iter().any(|(step, child)| holds_configured(place.step(step), child))
}
