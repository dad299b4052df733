//! The schema as a generator sees it: a tree of what can be configured.
//!
//! Nodes are numbered breadth first, so iterating in order visits shallow ones before deep ones.
//! The deepest optional parts of a huge schema are left out of the tree and never configured.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Schema, TIMEOUTS};
use crate::value::{AttributePath, ObjectType, Type, nfc};

/// Beyond this many nodes optional parts are left out.
const MAX_NODES: usize = 6_000;

/// A schema with this many nodes is huge: a provider takes a second to plan an object of it.
const HUGE: usize = 2_000;

/// The index of a node in [`SchemaModel::nodes`].
pub type NodeId = usize;

/// The whole object.
pub const ROOT: NodeId = 0;

#[derive(Debug)]
pub struct SchemaModel<'s> {
    pub schema: &'s Schema,
    /// Breadth first; the first is the whole object.
    pub nodes: Vec<Node<'s>>,
}

/// An attribute, nested attribute, nested block type, or member of an object type.
#[derive(Debug)]
pub struct Node<'s> {
    pub name: Arc<str>,
    /// The schema path: names joined by dots, indexes left out.
    pub path: String,
    pub parent: NodeId,
    /// The type its value is declared with.
    pub ty: Type,
    pub form: Form<'s>,
    /// One for each attribute of the object type, in its order. Empty if there are no members.
    pub children: Vec<NodeId>,
    pub presence: Presence,
    /// It, or something that contains it.
    pub deprecated: bool,
    /// It, or something that contains it, is sensitive or write-only.
    pub is_secret: bool,
    pub write_only: bool,
    /// Stays known: write-only, the version attribute next to one, or the timeouts of operations.
    pub steady: bool,
    /// Something below, or the node itself, stays known.
    pub holds_steady: bool,
}

#[derive(Debug)]
pub enum Form<'s> {
    /// A value without named members.
    Leaf,
    /// A nested attribute, or an attribute of object type, or of a collection of objects.
    Structure {
        nesting: Nesting,
        members: Members<'s>,
    },
    Block(&'s NestedBlock),
}

/// Where the members of a structure are declared.
#[derive(Clone, Copy, Debug)]
pub enum Members<'s> {
    Attributes(&'s [Attribute]),
    Typed(&'s ObjectType),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Not settable by the user, or deliberately left to the provider.
    Never,
    Required,
    Optional,
    /// A member of an object type: present whenever the object is, null allowed.
    Member,
}

impl<'s> SchemaModel<'s> {
    pub fn new(schema: &'s Schema) -> SchemaModel<'s> {
        let mut growth = Growth { nodes: Vec::new() };
        let root = NodeDraft::of(schema.implied_type().clone(), Form::Leaf, Presence::Required);
        growth.nodes.push(root.node("".into(), ROOT, ""));
        growth.adopt(ROOT, block_members(&schema.block, true));
        let mut next = ROOT + 1;
        while next < growth.nodes.len() {
            growth.expand(next);
            next += 1;
        }
        let mut nodes = growth.nodes;
        // Nobody writes timeouts without a duration.
        let is_timeouts = |node: &Node<'_>| *node.name == *TIMEOUTS && matches!(node.form, Form::Block(_));
        let timeouts = nodes[ROOT].children.iter().find(|id| is_timeouts(&nodes[**id]));
        let durations = timeouts.map_or(&[][..], |id| &nodes[*id].children);
        let is_free = |id: &&NodeId| nodes[**id].presence == Presence::Optional;
        if let Some(duration) = durations.iter().find(is_free).copied() {
            nodes[duration].presence = Presence::Required;
        }
        for id in (1..nodes.len()).rev() {
            if nodes[id].steady || nodes[id].holds_steady {
                nodes[id].holds_steady = true;
                let parent = nodes[id].parent;
                nodes[parent].holds_steady = true;
            }
        }
        SchemaModel { schema, nodes }
    }

    pub fn node(&self, id: NodeId) -> &Node<'s> {
        &self.nodes[id]
    }

    /// Whether each call for an object of the schema takes long.
    pub fn is_huge(&self) -> bool {
        self.nodes.len() >= HUGE
    }

    /// The argument next to a write-only one that has the same value, but keeps it in the state: `password` for
    /// `password_wo`.
    pub fn counterpart(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id);
        if !node.write_only || node.plain_name() == &*node.name {
            return None;
        }
        let is_counterpart = |other: &&NodeId| {
            let other = self.node(**other);
            *other.name == *node.plain_name() && other.ty == node.ty
        };
        self.node(node.parent).children.iter().find(is_counterpart).copied()
    }

    /// All nodes but the root, shallow ones first.
    pub fn ids(&self) -> std::ops::Range<NodeId> {
        ROOT + 1..self.nodes.len()
    }

    /// The path of a node's first occurrence, as choices name it: `disk[0].size`.
    pub fn first_path(&self, id: NodeId) -> String {
        let node = self.node(id);
        if node.parent == ROOT {
            return node.name.to_string();
        }
        let element = if self.node(node.parent).form.is_collection() { "[0]" } else { "" };
        format!("{}{element}.{}", self.first_path(node.parent), node.name)
    }
}

impl SchemaModel<'_> {
    /// Where a node's first occurrence is in a value, or the outermost set or map around it.
    pub fn value_path(&self, id: NodeId) -> AttributePath {
        let around = std::iter::successors(Some(id), |id| Some(self.node(*id).parent));
        let mut nodes: Vec<NodeId> = around.take_while(|id| *id != ROOT).collect();
        nodes.reverse();
        let mut path = AttributePath::root();
        for around in nodes {
            path = path.attribute(&self.node(around).name);
            match self.node(around).form.nesting() {
                Some(Nesting::Set | Nesting::Map) => break,
                Some(Nesting::List) if around != id => path = path.index(0),
                _ => {}
            }
        }
        path
    }
}

impl Node<'_> {
    /// The name without the ending by which write-only arguments are told from those that are kept in the state. It
    /// says what the value is.
    pub fn plain_name(&self) -> &str {
        let name = self.name.strip_suffix("_wo").filter(|name| self.write_only && !name.is_empty());
        name.unwrap_or(&self.name)
    }
}

impl Form<'_> {
    /// Whether the node's members are in elements of a collection.
    pub fn is_collection(&self) -> bool {
        matches!(self.nesting(), Some(Nesting::List | Nesting::Set | Nesting::Map))
    }

    /// How the node nests its members; `None` if it has none.
    pub fn nesting(&self) -> Option<Nesting> {
        match self {
            Form::Leaf => None,
            Form::Structure { nesting, .. } => Some(*nesting),
            Form::Block(nested) => Some(nested.nesting),
        }
    }
}

struct Growth<'s> {
    nodes: Vec<Node<'s>>,
}

/// A node that has no index yet.
struct NodeDraft<'s> {
    ty: Type,
    form: Form<'s>,
    presence: Presence,
    deprecated: bool,
    is_secret: bool,
    write_only: bool,
    steady: bool,
}

/// By name: if two members have the same name the later wins, as in the implied type.
type Drafts<'s> = BTreeMap<Arc<str>, NodeDraft<'s>>;

impl<'s> Growth<'s> {
    fn adopt(&mut self, id: NodeId, drafts: Drafts<'s>) {
        let parent_path = self.nodes[id].path.clone();
        for (name, mut draft) in drafts {
            draft.deprecated |= self.nodes[id].deprecated;
            draft.is_secret |= self.nodes[id].is_secret;
            let child = self.nodes.len();
            self.nodes[id].children.push(child);
            self.nodes.push(draft.node(name, id, &parent_path));
        }
    }

    fn expand(&mut self, id: NodeId) {
        let node = &self.nodes[id];
        if matches!(node.form, Form::Leaf) || node.presence == Presence::Never {
            return;
        }
        // A required part can only be left out along with its parent, which is already in the tree.
        if self.nodes.len() > MAX_NODES && node.presence != Presence::Required {
            self.nodes[id].presence = Presence::Never;
            return;
        }
        let drafts = match &node.form {
            Form::Leaf => return,
            Form::Block(nested) => block_members(&nested.block, false),
            Form::Structure { members: Members::Attributes(attributes), .. } => {
                attribute_members(attributes, false)
            }
            Form::Structure { members: Members::Typed(object), .. } => object
                .attributes()
                .iter()
                .map(|(name, ty)| (name.clone(), NodeDraft::of(ty.clone(), form_of(ty), Presence::Member)))
                .collect(),
        };
        self.adopt(id, drafts);
    }
}

impl<'s> NodeDraft<'s> {
    fn of(ty: Type, form: Form<'s>, presence: Presence) -> NodeDraft<'s> {
        NodeDraft {
            ty,
            form,
            presence,
            deprecated: false,
            is_secret: false,
            write_only: false,
            steady: false,
        }
    }

    fn node(self, name: Arc<str>, parent: NodeId, parent_path: &str) -> Node<'s> {
        let path = if parent_path.is_empty() { name.to_string() } else { format!("{parent_path}.{name}") };
        Node {
            name,
            path,
            parent,
            ty: self.ty,
            form: self.form,
            children: Vec::new(),
            presence: self.presence,
            deprecated: self.deprecated,
            is_secret: self.is_secret,
            write_only: self.write_only,
            steady: self.steady,
            holds_steady: false,
        }
    }
}

fn block_members(block: &Block, top: bool) -> Drafts<'_> {
    let mut drafts = attribute_members(&block.attributes, top);
    for nested in &block.block_types {
        let presence = match nested.min_items {
            _ if nested.block.computed => Presence::Never,
            1.. => Presence::Required,
            _ => Presence::Optional,
        };
        let mut draft = NodeDraft::of(nested.implied_type(), Form::Block(nested), presence);
        draft.deprecated = nested.block.deprecated;
        // SDKs read them while planning, so nobody has them depend on other resources: one of them fails to parse the
        // placeholder of an unknown duration.
        draft.steady = top && nested.name == TIMEOUTS;
        drafts.insert(nfc(&nested.name), draft);
    }
    drafts
}

fn attribute_members(attributes: &[Attribute], top: bool) -> Drafts<'_> {
    let write_only: Vec<&str> =
        attributes.iter().filter(|attribute| attribute.write_only).map(|a| a.name.as_str()).collect();
    let versions = |name: &str| {
        name.strip_suffix("_version").is_some_and(|of| {
            write_only.iter().any(|secret| *secret == of || secret.strip_suffix("_wo") == Some(of))
        })
    };
    attributes
        .iter()
        .map(|attribute| {
            let form = match &attribute.kind {
                AttributeKind::Typed(ty) => form_of(ty),
                AttributeKind::Nested(nested) => Form::Structure {
                    nesting: nested.nesting,
                    members: Members::Attributes(&nested.attributes),
                },
                AttributeKind::Invalid(_) => Form::Leaf,
            };
            let draft = NodeDraft {
                ty: attribute.ty(),
                form,
                presence: presence(attribute, top),
                deprecated: attribute.deprecated,
                is_secret: attribute.is_secret(),
                write_only: attribute.write_only,
                steady: attribute.write_only
                    || versions(&attribute.name)
                    || (top && attribute.name == TIMEOUTS),
            };
            (nfc(&attribute.name), draft)
        })
        .collect()
}

/// The SDK marks a top-level `id` optional but refuses it.
fn presence(attribute: &Attribute, top: bool) -> Presence {
    let left_out = top && attribute.name == "id" && attribute.computed && attribute.ty() == Type::String;
    match (attribute.required, attribute.optional) {
        (true, _) => Presence::Required,
        (false, true) if !left_out => Presence::Optional,
        _ => Presence::Never,
    }
}

fn form_of(ty: &Type) -> Form<'_> {
    let (nesting, inner) = match ty {
        Type::List(inner) => (Nesting::List, inner.as_ref()),
        Type::Set(inner) => (Nesting::Set, inner.as_ref()),
        Type::Map(inner) => (Nesting::Map, inner.as_ref()),
        single => (Nesting::Single, single),
    };
    match inner {
        Type::Object(object) => Form::Structure { nesting, members: Members::Typed(object) },
        _ => Form::Leaf,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::example;

    #[test]
    fn the_tree_has_every_member_and_says_what_is_for_the_user_to_set() {
        let schema = example::schema();
        let model = SchemaModel::new(&schema.resources[example::THING]);
        let find = |path: &str| model.nodes.iter().position(|node| node.path == path).expect(path);
        assert_eq!(model.node(find("id")).presence, Presence::Never);
        assert_eq!(model.node(find("name")).presence, Presence::Required);
        assert_eq!(model.node(find("disk")).presence, Presence::Optional);
        assert_eq!(model.first_path(find("disk.tag.key")), "disk[0].tag[0].key");
        assert!(model.node(find("keyed.key")).steady && model.node(find("keyed")).holds_steady);
        assert!(!model.node(find("listed")).holds_steady);
    }

    #[test]
    fn a_place_in_a_value_is_never_inside_a_set_or_a_map() {
        let schema = example::schema();
        let model = SchemaModel::new(&schema.resources[example::THING]);
        let path = |path: &str| {
            let id = model.nodes.iter().position(|node| node.path == path).expect(path);
            model.value_path(id).to_string()
        };
        assert_eq!(path("disk"), "disk");
        assert_eq!(path("disk.size"), "disk[0].size");
        assert_eq!(path("disk.tag.key"), "disk[0].tag[0].key");
        assert_eq!(path("mapped.level"), "mapped");
    }

    #[test]
    fn the_version_beside_a_write_only_attribute_stays_known_too() {
        let attributes = vec![
            Attribute::typed("password_wo", Type::String).optional().write_only(),
            Attribute::typed("password_wo_version", Type::Number).optional(),
            Attribute::typed("engine_version", Type::String).optional(),
            Attribute::typed("id", Type::String).optional().computed(),
        ];
        let schema = Schema { version: 0, block: Block::new(attributes, vec![]) };
        let model = SchemaModel::new(&schema);
        let steady: Vec<&str> =
            model.nodes.iter().filter(|node| node.steady).map(|node| node.path.as_str()).collect();
        assert_eq!(steady, ["password_wo", "password_wo_version"]);
        assert!(model.nodes.iter().any(|node| node.path == "id" && node.presence == Presence::Never));
    }

    #[test]
    fn what_an_optional_part_must_have_is_there_however_large_the_giant() {
        let leaves =
            || (0..600).map(|n| Attribute::typed(&format!("leaf{n}"), Type::String).optional()).collect();
        let must = NestedBlock::new("must", Nesting::List, Block::new(leaves(), vec![])).items(1, 1);
        let parts = (0..12).map(|n| {
            let inside = Block::new(leaves(), vec![must.clone()]);
            NestedBlock::new(&format!("part{n}"), Nesting::List, inside)
        });
        let schema = Schema { version: 0, block: Block::new(vec![], parts.collect()) };
        let model = SchemaModel::new(&schema);
        let grown =
            model.nodes.iter().filter(|node| node.name.starts_with("part") && !node.children.is_empty());
        assert!(grown.clone().count() > 5 && model.nodes.iter().any(|node| node.presence == Presence::Never));
        for part in grown {
            let must = part.children.iter().map(|id| model.node(*id)).find(|node| &*node.name == "must");
            assert_eq!(must.expect("it is declared").presence, Presence::Required, "{}", part.path);
        }
    }

    #[test]
    fn a_giant_is_cut_below_and_never_at_what_is_required() {
        let mut block = Block::new(vec![Attribute::typed("end", Type::String).required()], vec![]);
        for _ in 0..12 {
            let inner = |name: &str| NestedBlock::new(name, Nesting::List, block.clone());
            block = Block::new(
                vec![Attribute::typed("leaf", Type::String).optional()],
                vec![inner("may"), inner("must").items(1, 1)],
            );
        }
        let schema = Schema { version: 0, block };
        let model = SchemaModel::new(&schema);
        assert!(model.nodes.len() < 2 * MAX_NODES);
        let musts = (1..=12).map(|n| vec!["must"; n].join("."));
        for path in musts {
            assert!(model.nodes.iter().any(|node| node.path == path), "{path}");
        }
    }
}
