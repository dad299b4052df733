//! What a user wrote until something broke, without secrets.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::referred::Referred;
use crate::schema::{Block, NestedBlock};
use crate::transcript::{Declared, Drift, DriftKind, Exchange, Field, Phase, Purpose, Transcript};
use crate::value::tree::{Hide, Tree};
use crate::value::{AttributePath, Value};

/// The configurations of an instance that led to an exchange: what is set in them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Trigger {
    /// As it was applied last; `None` if there was no object before.
    pub before: Option<Tree>,
    /// As it was planned, and then as it was applied, if what was unknown made a difference.
    pub now: Vec<Tree>,
    /// The names of nested blocks among what is set.
    pub blocks: BTreeSet<String>,
    /// What was done to the object in the remote system just before, as a sentence without a full stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<String>,
    /// The step of the apply, if the exchange is the read directly after it: what that changed was to be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied_in: Option<Phase>,
}

/// The configurations of one instance, up to an exchange.
#[derive(Default)]
struct Written<'t> {
    before: Option<&'t Value>,
    now: Vec<&'t Value>,
}

impl Trigger {
    pub(super) fn of(
        exchange: &Exchange,
        transcript: &Transcript,
        block: &Block,
        hide: &dyn Hide,
    ) -> Trigger {
        let of_type = |other: &&Exchange| other.call.type_name() == exchange.call.type_name();
        let earlier = transcript.before(exchange.id, &exchange.instance).filter(of_type);
        // A validation is about the same configuration as the plan after it.
        let earlier: Vec<&Exchange> = earlier.filter(|other| !is_validation(other)).collect();
        let apply = applied_before(exchange, &earlier);
        let mut written = Written::default();
        for exchange in earlier.into_iter().rev() {
            written.ask(exchange);
            if apply.is_none_or(|apply| apply.id != exchange.id) {
                written.answer(exchange);
            }
        }
        written.ask(exchange);
        let referred = Referred::of(exchange, transcript);
        let written_as = WhereSet { hide, referred: &referred };
        let set = |config: &Value| set(block, Tree::of(config, &written_as));
        Trigger {
            before: written.before.map(set),
            now: written.now.into_iter().map(set).collect(),
            blocks: block.block_types.iter().map(|nested| nested.name.clone()).collect(),
            drift: match &exchange.purpose {
                Purpose::AfterDrift(drift) => Some(hide.text(&happened(drift))),
                _ => None,
            },
            applied_in: apply.map(|apply| apply.phase),
        }
    }
}

/// The apply that a read directly follows, of the latest exchanges first.
fn applied_before<'t>(exchange: &Exchange, earlier: &[&'t Exchange]) -> Option<&'t Exchange> {
    let Purpose::NothingChanged { after } = exchange.purpose else { return None };
    let is_read = exchange.call.rpc_name() == "ReadResource";
    let apply = earlier.iter().find(|earlier| earlier.id == after).filter(|_| is_read)?;
    is_apply(apply).then_some(*apply)
}

fn happened(drift: &Drift) -> String {
    let place = if drift.path.is_empty() { "the object" } else { &drift.path };
    match drift.kind {
        DriftKind::Change => format!("{place} was changed in the remote system"),
        DriftKind::Vanish => "the object was deleted from the remote system".to_owned(),
        DriftKind::AddElement => format!("an element was added to {place} in the remote system"),
        DriftKind::Respell => format!("{place} was spelt differently in the remote system"),
    }
}

/// Hides values, but not that there is none: what is not set is no part of what a user wrote. What another object has
/// is shown as the reference that a user would have written.
struct WhereSet<'h> {
    hide: &'h dyn Hide,
    referred: &'h Referred,
}

impl Hide for WhereSet<'_> {
    fn in_place_of(&self, value: &Value, at: &AttributePath) -> Option<String> {
        if value.is_null() {
            return None;
        }
        self.hide.in_place_of(value, at).or_else(|| self.referred.reference(value))
    }

    fn text(&self, text: &str) -> String {
        self.hide.text(text)
    }
}

impl<'t> Written<'t> {
    fn ask(&mut self, exchange: &'t Exchange) {
        let Some(config) = config(exchange) else { return };
        if config.is_null() {
            return self.now.clear();
        }
        if self.now.last() == Some(&config) {
            return;
        }
        let is_resolved = matches!(exchange.purpose, Purpose::FinalPlan { .. }) || is_apply(exchange);
        if !is_resolved {
            self.now.clear();
        }
        self.now.push(config);
    }

    fn answer(&mut self, exchange: &'t Exchange) {
        let Some(config) = config(exchange).filter(|_| is_apply(exchange) && exchange.call.succeeded())
        else {
            return;
        };
        self.before = Some(config).filter(|config| config.is_set());
        self.now.clear();
    }
}

/// The configuration of the block that a call is about; null where it is destroyed.
pub(super) fn config(exchange: &Exchange) -> Option<&Value> {
    let mut config = None;
    exchange.call.fields(&mut |_, field| {
        if let Field::Value { name: "config", declared: Declared::Schema(_), value } = field {
            config = value.value();
        }
    });
    config
}

fn is_validation(exchange: &Exchange) -> bool {
    exchange.call.rpc_name().starts_with("Validate")
}

fn is_apply(exchange: &Exchange) -> bool {
    exchange.call.rpc_name() == "ApplyResourceChange"
}

/// Without what is not set: null arguments, and nested blocks of which there is none.
fn set(block: &Block, tree: Tree) -> Tree {
    let Tree::Object(members) = tree else { return tree };
    let nested = |name: &str| block.block_types.iter().find(|nested| nested.name == name);
    let members = members.into_iter().map(|(name, tree)| {
        let tree = match nested(&name) {
            Some(nested) => set_blocks(nested, tree),
            None => set_members(tree),
        };
        (name, tree)
    });
    let is_none = |tree: &Tree| match tree {
        Tree::List(blocks) | Tree::Set(blocks) => blocks.is_empty(),
        Tree::Map(blocks) => blocks.is_empty(),
        Tree::Leaf(_) | Tree::Object(_) => false,
    };
    let is_set = |(name, tree): &(String, Tree)| {
        *tree != Tree::leaf("null") && !(nested(name).is_some() && is_none(tree))
    };
    Tree::Object(members.filter(is_set).collect())
}

fn set_blocks(nested: &NestedBlock, tree: Tree) -> Tree {
    let inside = |tree| set(&nested.block, tree);
    match tree {
        Tree::List(blocks) => Tree::List(blocks.into_iter().map(inside).collect()),
        Tree::Set(blocks) => Tree::Set(blocks.into_iter().map(inside).collect()),
        Tree::Map(blocks) => Tree::Map(blocks.into_iter().map(|(key, block)| (key, inside(block))).collect()),
        other => inside(other),
    }
}

/// An argument without the members of objects that are not set.
fn set_members(tree: Tree) -> Tree {
    match tree {
        Tree::Object(members) => {
            let members = members.into_iter().filter(|(_, tree)| *tree != Tree::leaf("null"));
            Tree::Object(members.map(|(name, tree)| (name, set_members(tree))).collect())
        }
        Tree::List(elements) => Tree::List(elements.into_iter().map(set_members).collect()),
        Tree::Set(elements) => Tree::Set(elements.into_iter().map(set_members).collect()),
        Tree::Map(entries) => {
            Tree::Map(entries.into_iter().map(|(key, tree)| (key, set_members(tree))).collect())
        }
        leaf => leaf,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::example;
    use crate::value;
    use crate::value::tree::Nothing;
    use crate::value::{Data, Type};

    #[test]
    fn a_trigger_holds_what_the_user_wrote() {
        let transcript = example::lifecycle();
        let schema = transcript.subject.resource(example::THING).expect("the example has it");
        let of = |exchange: &Exchange| Trigger::of(exchange, &transcript, &schema.block, &Nothing);
        let at = |phase: Phase, rpc: &str| {
            let is_it = |exchange: &&Exchange| exchange.phase == phase && exchange.call.rpc_name() == rpc;
            of(transcript.exchanges.iter().rfind(is_it).expect("the example has it"))
        };
        let created = at(Phase::Create, "ApplyResourceChange");
        assert_eq!(created.before, None);
        let is_set = |name: &str| matches!(&created.now[0], Tree::Object(members) if members.iter().any(|(own, _)| own == name));
        assert!(is_set("note") && !is_set("id"), "only what the user wrote: {:?}", created.now[0]);
        assert!(created.blocks.contains("disk"));
        assert!(at(Phase::Update, "ApplyResourceChange").before.is_some());
        assert_eq!(at(Phase::Destroy, "PlanResourceChange").now, []);
    }

    #[test]
    fn a_hidden_argument_is_shown_only_if_it_is_set() {
        struct Everything;
        impl Hide for Everything {
            fn in_place_of(&self, value: &Value, _: &AttributePath) -> Option<String> {
                (!matches!(value.data(), Data::Object(_))).then(|| "hidden".to_owned())
            }

            fn text(&self, text: &str) -> String {
                text.to_owned()
            }
        }
        let config = value!({ "password": "x", "token": null });
        let hide = WhereSet { hide: &Everything, referred: &Referred::default() };
        let tree = set(&Block::default(), Tree::of(&config.of(&Type::Dynamic), &hide));
        assert_eq!(tree.to_string(), "{ password = hidden }");
    }
}
