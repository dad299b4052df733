//! What the provider knows about one of its types besides the schema.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::modify::{Modifier, ModifyPlan, use_state_for_unknown};
use super::spelling::Spelling;
use crate::schema::{Attribute, Block, NestedBlock, Schema};
use crate::value::SchemaPath;

/// A managed resource type: its schema, and what its plans do besides carrying values over.
///
/// Places are written as the text of a [`SchemaPath`].
#[derive(Clone, Default)]
pub struct Definition {
    pub schema: Schema,
    /// Whether it has an identity: the attributes of [`identity`](super::schema::identity).
    pub identified: bool,
    /// Whether it sets the legacy flag.
    pub legacy: bool,
    pub modify_plan: Option<ModifyPlan>,
    /// Strings that the remote system stores in another spelling than it was given.
    pub spellings: BTreeMap<SchemaPath, Spelling>,
    /// The first takes state of version 0 to version 1, and so on. Pure functions.
    pub upgrades: Vec<fn(Json) -> Json>,
    /// `None` for types whose objects have nothing to do with each other.
    pub relations: Option<Relations>,
    /// Another type that stands for the same objects: an object of either can be moved to the other.
    pub twin: Option<&'static str>,
    modifiers: BTreeMap<SchemaPath, Vec<Modifier>>,
}

/// Which other objects a type uses, and whether its names are unique.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    /// Attributes with the ID of another object, and the type of that.
    pub uses: Vec<(&'static str, &'static str)>,
    /// Whether no two objects have the same `name`.
    pub unique_name: bool,
}

impl Definition {
    /// A type whose computed attributes keep their value for the life of the object.
    pub fn new(attributes: Vec<Attribute>, block_types: Vec<NestedBlock>) -> Definition {
        let block = Block::new(attributes, block_types);
        let mut modifiers = BTreeMap::new();
        keep_computed(&block.attributes, &SchemaPath::root(), &mut modifiers);
        keep_computed_blocks(&block.block_types, &SchemaPath::root(), &mut modifiers);
        Definition { schema: Schema { version: 0, block }, modifiers, ..Definition::default() }
    }

    /// Each upgrade function takes state one version on; the newest is the schema's.
    #[must_use]
    pub fn upgrades(mut self, upgrades: Vec<fn(Json) -> Json>) -> Definition {
        self.schema.version = upgrades.len() as i64;
        self.upgrades = upgrades;
        self
    }

    #[must_use]
    pub fn identified(mut self) -> Definition {
        self.identified = true;
        self
    }

    #[must_use]
    pub fn legacy(mut self) -> Definition {
        self.legacy = true;
        self
    }

    #[must_use]
    pub fn modify_plan(mut self, modify: ModifyPlan) -> Definition {
        self.modify_plan = Some(modify);
        self
    }

    #[must_use]
    pub fn spelling(mut self, path: &str, spelling: Spelling) -> Definition {
        self.spellings.insert(place(path), spelling);
        self
    }

    /// An earlier release called the type like that, or a later one does.
    #[must_use]
    pub fn twin(mut self, type_name: &'static str) -> Definition {
        self.twin = Some(type_name);
        self
    }

    /// The name under which the remote system has the objects of the type, whose own name is `own`: that of
    /// the twin that comes first in the alphabet.
    pub fn kept_as<'n>(&self, own: &'n str) -> &'n str {
        self.twin.filter(|twin| *twin < own).unwrap_or(own)
    }

    /// Appends a link to an attribute's chain.
    #[must_use]
    pub fn modifier(mut self, path: &str, modifier: Modifier) -> Definition {
        self.modifiers.entry(place(path)).or_default().push(modifier);
        self
    }

    /// A computed attribute that gets a new value in every update.
    #[must_use]
    pub fn renewed(mut self, path: &str) -> Definition {
        self.modifiers.remove(&place(path));
        self
    }

    /// A type of which every object may be used by others.
    #[must_use]
    pub fn related(mut self) -> Definition {
        self.relations.get_or_insert_default();
        self
    }

    /// An attribute holds the ID of an object of another type, which must exist and cannot be destroyed before.
    #[must_use]
    pub fn uses(mut self, attribute: &'static str, type_name: &'static str) -> Definition {
        self.relations.get_or_insert_default().uses.push((attribute, type_name));
        self
    }

    /// No two objects of the type have the same `name`.
    #[must_use]
    pub fn unique_name(mut self) -> Definition {
        self.relations.get_or_insert_default().unique_name = true;
        self
    }

    pub fn chain(&self, path: &SchemaPath) -> &[Modifier] {
        self.modifiers.get(path).map_or(&[], Vec::as_slice)
    }
}

fn place(text: &str) -> SchemaPath {
    text.parse().expect("places are written in code")
}

fn keep_computed(
    attributes: &[Attribute],
    at: &SchemaPath,
    modifiers: &mut BTreeMap<SchemaPath, Vec<Modifier>>,
) {
    for attribute in attributes {
        let path = at.child(&attribute.name);
        if let Some(nested) = attribute.nested_attributes() {
            keep_computed(&nested.attributes, &path, modifiers);
        }
        if attribute.computed {
            modifiers.insert(path, vec![use_state_for_unknown()]);
        }
    }
}

fn keep_computed_blocks(
    block_types: &[NestedBlock],
    at: &SchemaPath,
    modifiers: &mut BTreeMap<SchemaPath, Vec<Modifier>>,
) {
    for nested in block_types {
        let path = at.child(&nested.name);
        keep_computed(&nested.block.attributes, &path, modifiers);
        keep_computed_blocks(&nested.block.block_types, &path, modifiers);
    }
}
