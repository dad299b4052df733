//! A configuration that the provider accepted as its author wrote it, with which others begin.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{NodeId, Presence, ROOT, SchemaModel};
use crate::value::Value;

/// The arguments and blocks of the root that are set as somebody wrote them, unless something in them is decided
/// otherwise.
#[derive(Debug, Default)]
pub(super) struct Base(BTreeMap<NodeId, Member>);

#[derive(Debug)]
struct Member {
    value: Value,
    /// The optional nodes below it, and which of them are set.
    below: BTreeMap<NodeId, bool>,
}

impl Base {
    /// From the values of members of the root, by name.
    pub fn new(model: &SchemaModel<'_>, values: &BTreeMap<String, Value>) -> Base {
        let members = model.ids().filter(|id| *id != ROOT && model.node(*id).parent == ROOT);
        let base = members.filter_map(|id| {
            let value = values.get(model.node(id).name.as_ref())?;
            let set = paths(&model.node(id).path, value);
            let inside = |other: &NodeId| {
                let mut around = std::iter::successors(Some(*other), |id| Some(model.node(*id).parent));
                *other != id && around.by_ref().take_while(|at| *at != ROOT).any(|at| at == id)
            };
            let optional =
                model.ids().filter(inside).filter(|id| model.node(*id).presence == Presence::Optional);
            let below = optional.map(|id| (id, set.contains(&model.node(id).path))).collect();
            Some((id, Member { value: value.clone(), below }))
        });
        Base(base.collect())
    }

    /// The value of a member of the root, in a configuration that has the same arguments below it; `is_on` says which
    /// it has.
    pub fn value(&self, id: NodeId, is_on: impl Fn(NodeId) -> bool) -> Option<&Value> {
        let member = self.0.get(&id)?;
        member.below.iter().all(|(id, is_set)| is_on(*id) == *is_set).then_some(&member.value)
    }
}

/// The schema paths of everything that is set in a value.
fn paths(at: &str, value: &Value) -> BTreeSet<String> {
    let mut set = BTreeSet::new();
    value.walk(&mut |path, value| {
        let below = path.schema_path().to_string();
        if value.is_set() && !below.is_empty() {
            set.insert(format!("{at}.{below}"));
        }
        true
    });
    set
}
