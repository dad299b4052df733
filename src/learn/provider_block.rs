//! A provider block that the provider accepts, where it refuses one without arguments.

use std::collections::BTreeSet;

use super::course::Course;
use super::{Budgets, Oracle, Stop, Subject};
use crate::generate::model::{NodeId, Presence, ROOT};
use crate::generate::shape::Shape;
use crate::scenario::Operation;
use crate::value::Value;

/// The most questions.
const QUESTIONS: u32 = 40;

/// For the smallest block; the others are for arguments that no answer names.
const BUDGETS: Budgets = Budgets { validate: 15, apply: 10, ..Budgets::DEFAULT };

/// For each other block that is tried.
const EACH: u32 = 4;

/// Words in the names of arguments that say who uses the remote system, and where it is.
const ACCESS: [&str; 14] = [
    "token",
    "key",
    "secret",
    "user",
    "password",
    "credential",
    "account",
    "tenant",
    "project",
    "url",
    "uri",
    "endpoint",
    "host",
    "address",
];

/// Finds a provider block with which the provider can be configured; `of` is the provider's own schema.
///
/// First the smallest one is changed as the provider's answers ask for. Where they do not say what is missing, every
/// argument is tried, those that give access first: each alone, then those together, then all.
pub async fn provider_block<O: Oracle>(of: Subject<'_>, oracle: &mut O) -> Result<Value, Stop> {
    let mut course = Course::new(of, oracle);
    let Err(stop) = course.solve(Operation::Apply, BUDGETS).await else { return course.applied() };
    if is_final(&stop) {
        return Err(stop);
    }
    for added in additions(&course) {
        let left = QUESTIONS.saturating_sub(course.n_asked);
        if left == 0 {
            break;
        }
        let shape = added.iter().fold(course.generator.minimal.clone(), |shape: Shape, id| {
            shape.with(&course.generator.model, *id)
        });
        match course.settle(shape, &added, Operation::Apply, left.min(EACH)).await {
            Ok(asked) => return Ok(asked.config),
            Err(broken) if is_final(&broken) => return Err(broken),
            Err(_) => {}
        }
    }
    Err(stop)
}

/// Whether no other block would change it.
fn is_final(stop: &Stop) -> bool {
    matches!(stop, Stop::Broken(_) | Stop::Outside(_) | Stop::OurDefect(_))
}

/// The arguments that blocks have in addition to the smallest one.
fn additions<O: Oracle>(course: &Course<'_, '_, O>) -> Vec<BTreeSet<NodeId>> {
    let (model, store) = (&course.generator.model, &course.generator.store);
    let is_free = |id: &NodeId| {
        let node = model.node(*id);
        node.parent == ROOT && node.presence == Presence::Optional && !node.deprecated && store.is_open(*id)
    };
    let gives_access = |id: &NodeId| ACCESS.iter().any(|word| model.node(*id).name.contains(word));
    let (access, others): (Vec<NodeId>, Vec<NodeId>) = model.ids().filter(is_free).partition(gives_access);
    let alone = |ids: &[NodeId]| ids.iter().map(|id| BTreeSet::from([*id])).collect::<Vec<_>>();
    let together = [access.iter().copied().collect(), access.iter().chain(&others).copied().collect()];
    let mut additions = alone(&access);
    additions.extend(together.into_iter().filter(|all: &BTreeSet<NodeId>| all.len() > 1));
    additions.extend(alone(&others));
    additions
}
