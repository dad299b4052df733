//! What `ignore_changes` does to a configuration before a provider sees it.
//!
//! Source: contract section 4.6.

use std::collections::BTreeMap;

use super::declaration::{Declaration, with_children};
use crate::schema::Block;
use crate::value::{AttributePath, PathStep, Type, Value};

/// What a user wrote for `ignore_changes`.
#[derive(Clone, Debug, PartialEq)]
pub enum Ignored {
    All,
    /// Each parsed like any [`AttributePath`].
    Paths(Vec<AttributePath>),
}

/// The configuration with prior values for what is ignored.
///
/// A path that does not exist in either value changes nothing; one that ends in a key of a map
/// restores only that key. With [`Ignored::All`] the result is the prior state without what only
/// the provider can set.
///
/// Source: contract section 4.6.
pub fn ignore_changes(block: &Block, prior: &Value, config: &Value, ignored: &Ignored) -> Value {
    match ignored {
        _ if prior.is_null() => config.clone(),
        Ignored::All => Declaration::Block(block).transform(prior, &mut |place, value| match place {
            Declaration::Attribute(attribute) if attribute.computed && !attribute.optional => {
                Value::null(value.ty().clone())
            }
            _ => value,
        }),
        Ignored::Paths(paths) => restore(prior, config, paths),
    }
}

/// The planned state of a legacy provider, to which engines apply ignore_changes again, without a schema.
///
/// Source: contract sections 4.6 and 7.
pub fn ignore_changes_in_legacy_plan(prior: &Value, planned: &Value, ignored: &Ignored) -> Value {
    match ignored {
        _ if prior.is_null() => planned.clone(),
        Ignored::All => prior.clone(),
        Ignored::Paths(paths) => restore(prior, planned, paths),
    }
}

/// One path at which the two values differ.
struct Difference {
    path: AttributePath,
    /// If the path ended in a map key, the key of the map at `path`.
    key: Option<String>,
    prior: Value,
}

fn restore(prior: &Value, config: &Value, paths: &[AttributePath]) -> Value {
    let differences: Vec<Difference> =
        paths.iter().filter_map(|path| difference(prior, config, path)).collect();
    if differences.is_empty() {
        return config.clone();
    }
    rebuild(config, &mut AttributePath::root(), &differences)
}

fn difference(prior: &Value, config: &Value, path: &AttributePath) -> Option<Difference> {
    let mut path = path.clone();
    let key = match path.steps().last() {
        Some(PathStep::Key(key)) => Some(key.clone()),
        _ => None,
    };
    if key.is_some() {
        path.pop();
    }
    let (prior, config) = (prior.at(&path)?, config.at(&path)?);
    (prior != config).then_some(Difference { path, key, prior })
}

fn rebuild(value: &Value, at: &mut AttributePath, differences: &[Difference]) -> Value {
    let children = value.children().into_iter().map(|(step, child)| {
        at.push(step);
        let child = rebuild(child, at, differences);
        at.pop();
        child
    });
    let children: Vec<Value> = children.collect();
    let value = if children.is_empty() { value.clone() } else { with_children(value, children) };
    let mut here = differences.iter().filter(|difference| difference.path == *at).peekable();
    if here.peek().is_none() {
        return value;
    }
    match value.ty() {
        Type::Map(_) => restore_map(&value, here),
        _ => here.next().map_or(value, |difference| difference.prior.clone()),
    }
}

fn restore_map<'d>(config: &Value, differences: impl Iterator<Item = &'d Difference>) -> Value {
    if config.is_unknown() {
        return config.clone();
    }
    let mut entries: BTreeMap<String, Value> =
        config.keyed().into_iter().map(|(key, value)| (key.to_owned(), value.clone())).collect();
    for difference in differences {
        let Some(key) = &difference.key else { return difference.prior.clone() };
        match difference.prior.entry(key) {
            Some(value) => entries.insert(key.clone(), value.clone()),
            None => entries.remove(key),
        };
    }
    if entries.is_empty() && config.is_null() {
        return config.clone();
    }
    Value::of_entries(config.ty(), entries).unwrap_or_else(|| config.clone())
}
