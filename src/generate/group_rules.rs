//! What a provider demands of arguments together, by the nodes of a type's model.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::PresenceRule;
use super::model::{NodeId, SchemaModel};

/// The rules of a type, by the nodes of its model. Rules that name no argument of the type are left out.
#[derive(Debug, Default)]
pub struct Rules(pub(super) Vec<Rule>);

#[derive(Debug)]
pub(super) struct Rule {
    pub kind: RuleKind,
    /// The node that contains all of its arguments: without it the rule says nothing.
    pub scope: NodeId,
}

#[derive(Debug)]
pub(super) enum RuleKind {
    Required(NodeId),
    Forbidden(NodeId),
    AtMostOne(Vec<NodeId>),
    AtLeastOne(Vec<NodeId>),
    Together(NodeId, Vec<NodeId>),
    When { node: NodeId, is: String, then: Box<Rule> },
}

impl Rules {
    pub fn new<'r>(model: &SchemaModel<'_>, rules: impl IntoIterator<Item = &'r PresenceRule>) -> Rules {
        let ids: BTreeMap<&str, NodeId> = model.ids().map(|id| (model.node(id).path.as_str(), id)).collect();
        Rules(rules.into_iter().filter_map(|rule| Rule::new(model, &ids, rule)).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a node must be set wherever it can be.
    pub fn demand(&self, id: NodeId) -> bool {
        self.0.iter().any(|rule| match &rule.kind {
            RuleKind::Required(required) => *required == id,
            RuleKind::AtLeastOne(ids) => ids == &[id],
            _ => false,
        })
    }
}

impl Rule {
    fn new(model: &SchemaModel<'_>, ids: &BTreeMap<&str, NodeId>, rule: &PresenceRule) -> Option<Rule> {
        let one = |path: &String| ids.get(path.as_str()).copied();
        let many = |paths: &BTreeSet<String>| paths.iter().filter_map(one).collect::<Vec<_>>();
        let kind = match rule {
            PresenceRule::Required(path) => RuleKind::Required(one(path)?),
            PresenceRule::Forbidden(path) => RuleKind::Forbidden(one(path)?),
            PresenceRule::AtMostOne(paths) => RuleKind::AtMostOne(many(paths)),
            PresenceRule::AtLeastOne(paths) => RuleKind::AtLeastOne(many(paths)),
            PresenceRule::Together(path, others) => RuleKind::Together(one(path)?, many(others)),
            PresenceRule::When { path, is, then } => {
                let then = Box::new(Rule::new(model, ids, then)?);
                RuleKind::When { node: one(path)?, is: is.clone(), then }
            }
        };
        let members = kind.members();
        let scope = members.iter().map(|id| model.node(*id).parent).reduce(|a, b| common(model, a, b))?;
        Some(Rule { kind, scope })
    }
}

impl RuleKind {
    fn members(&self) -> Vec<NodeId> {
        match self {
            RuleKind::Required(id) | RuleKind::Forbidden(id) => vec![*id],
            RuleKind::AtMostOne(ids) | RuleKind::AtLeastOne(ids) => ids.clone(),
            RuleKind::Together(id, others) => [&[*id], &others[..]].concat(),
            RuleKind::When { node, then, .. } => [&[*node], &then.kind.members()[..]].concat(),
        }
    }
}

/// The nearest node that contains both.
fn common(model: &SchemaModel<'_>, mut a: NodeId, mut b: NodeId) -> NodeId {
    // A parent has a lower number than what it contains.
    while a != b {
        if a > b {
            a = model.node(a).parent;
        } else {
            b = model.node(b).parent;
        }
    }
    a
}
