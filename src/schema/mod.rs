//! Schemas: the shape of resources.
//!
//! A schema here may be *wrong*: it is what a provider declared, so that [`check`] can report what
//! an engine would refuse. What the rest of the crate needs from a schema (implied type, members,
//! walks) works for wrong ones too.

mod align;
mod check;
mod implied;
mod json;
mod kind;
mod place;
#[cfg(test)]
pub(crate) mod strategy;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::value::{Type, TypeError};

pub use align::{Aligned, Member, align};
pub use check::{Problem, check, check_function, check_identity};
pub use json::{SchemaJsonError, block_from_json, schema_from_json, schema_to_json};
pub use kind::Kind;
pub use place::{Found, Place, Rewrite};

/// The block or attribute of operations' durations. Both SDKs have it, and it is nothing of the remote object.
pub const TIMEOUTS: &str = "timeouts";

/// Everything a provider declares about itself.
#[derive(Clone, Debug, Default)]
pub struct ProviderSchema {
    /// Arguments of the provider block; `None` if the provider sent none, which engines refuse.
    pub provider: Option<Arc<Schema>>,
    pub provider_meta: Option<Arc<Schema>>,
    pub resources: BTreeMap<String, Arc<Schema>>,
    pub data_sources: BTreeMap<String, Arc<Schema>>,
    pub ephemeral_resources: BTreeMap<String, Arc<Schema>>,
    pub list_resources: BTreeMap<String, Arc<Schema>>,
    pub state_stores: BTreeMap<String, Arc<Schema>>,
    pub actions: BTreeMap<String, Arc<Schema>>,
    pub functions: BTreeMap<String, Arc<Function>>,
    /// By managed resource type.
    pub identities: BTreeMap<String, Arc<IdentitySchema>>,
    pub capabilities: ServerCapabilities,
}

/// What a provider says it supports beyond the base protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct ServerCapabilities {
    pub plan_destroy: bool,
    pub get_provider_schema_optional: bool,
    pub move_resource_state: bool,
    pub generate_resource_config: bool,
}

/// The schema of one resource type, data source or provider block, with its version.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    pub version: i64,
    pub block: Block,
}

/// Attributes and nested blocks; attributes in the order the provider sent them.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub attributes: Vec<Attribute>,
    pub block_types: Vec<NestedBlock>,
    pub description: String,
    pub deprecated: bool,
    pub deprecation_message: String,
    /// Protocol 6.11: the provider fills the whole block.
    pub computed: bool,
    /// The provider sent no block where one is required; everything else is empty then.
    pub missing: bool,
    implied: OnceLock<Type>,
    /// Whether an attribute at any depth is write-only.
    write_only: OnceLock<bool>,
    /// Whether one is sensitive or write-only.
    secret: OnceLock<bool>,
}

#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: String,
    pub kind: AttributeKind,
    pub required: bool,
    pub optional: bool,
    pub computed: bool,
    pub sensitive: bool,
    pub write_only: bool,
    pub deprecated: bool,
    pub deprecation_message: String,
    pub description: String,
    pub markdown: bool,
}

/// What an attribute contains.
#[derive(Clone, Debug)]
pub enum AttributeKind {
    /// A plain value.
    Typed(Type),
    /// A nested attribute (`nested_type`), protocol 6 only.
    Nested(Box<NestedAttributes>),
    /// Something no engine can use.
    Invalid(InvalidKind),
}

#[derive(Clone, Debug, PartialEq)]
pub enum InvalidKind {
    NeitherTypeNorNested,
    BothTypeAndNested,
    Type(TypeError),
}

/// The attributes inside a nested attribute.
#[derive(Clone, Debug)]
pub struct NestedAttributes {
    pub nesting: Nesting,
    pub attributes: Vec<Attribute>,
    implied: OnceLock<Type>,
}

/// A nested block type.
#[derive(Clone, Debug)]
pub struct NestedBlock {
    pub name: String,
    pub nesting: Nesting,
    pub block: Block,
    pub min_items: i64,
    /// 0 means no limit.
    pub max_items: i64,
}

/// How a nested block or nested attribute nests its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Nesting {
    Single,
    /// Like single, but never null: absence is an object of absent members.
    Group,
    List,
    Set,
    Map,
    /// A number that no protocol defines.
    Invalid(i32),
}

/// What identifies a remote object.
#[derive(Clone, Debug, Default)]
pub struct IdentitySchema {
    pub version: i64,
    pub attributes: Vec<IdentityAttribute>,
}

#[derive(Clone, Debug)]
pub struct IdentityAttribute {
    pub name: String,
    pub ty: Result<Type, TypeError>,
    pub required_for_import: bool,
    pub optional_for_import: bool,
    pub description: String,
}

/// The declaration of a provider-defined function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    pub parameters: Vec<Parameter>,
    pub variadic_parameter: Option<Parameter>,
    /// `None` if the provider declared no return type.
    pub return_type: Option<Result<Type, TypeError>>,
    pub summary: String,
    pub description: String,
    /// The description here or of a parameter has a kind that no protocol defines.
    pub odd_text: bool,
    pub deprecation_message: String,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub ty: Result<Type, TypeError>,
    pub allow_null_value: bool,
    pub allow_unknown_values: bool,
    pub description: String,
}

impl Schema {
    /// The type of every value of this schema.
    pub fn implied_type(&self) -> &Type {
        self.block.implied_type()
    }
}

impl Block {
    pub fn new(attributes: Vec<Attribute>, block_types: Vec<NestedBlock>) -> Block {
        Block { attributes, block_types, ..Block::default() }
    }

    /// Used when the provider sent no block.
    pub fn missing() -> Block {
        Block { missing: true, ..Block::default() }
    }

    /// The attribute with a name; of several, the last, as in engines and the implied type.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().rfind(|attribute| attribute.name == name)
    }

    /// The nested block type with a name; of several, the last.
    pub fn block_type(&self, name: &str) -> Option<&NestedBlock> {
        self.block_types.iter().rfind(|nested| nested.name == name)
    }

    /// Clears what was derived from the members; call it after changing them.
    pub fn changed(&mut self) {
        self.implied = OnceLock::new();
        self.write_only = OnceLock::new();
        self.secret = OnceLock::new();
        for nested in &mut self.block_types {
            nested.block.changed();
        }
    }

    /// Whether any attribute, at any depth, is write-only. Most blocks have none and need not be walked.
    pub fn holds_write_only(&self) -> bool {
        *self.write_only.get_or_init(|| self.any_attribute(&|attribute| attribute.write_only))
    }

    /// Whether any attribute, at any depth, is sensitive or write-only.
    pub fn holds_secret(&self) -> bool {
        *self.secret.get_or_init(|| self.any_attribute(&Attribute::is_secret))
    }

    /// Whether any attribute, at any depth, satisfies a predicate.
    pub fn any_attribute(&self, holds: &dyn Fn(&Attribute) -> bool) -> bool {
        self.attributes.iter().any(|attribute| attribute.any(holds))
            || self.block_types.iter().any(|nested| nested.block.any_attribute(holds))
    }
}

impl Attribute {
    /// Whether its value must not be shown.
    pub fn is_secret(&self) -> bool {
        self.sensitive || self.write_only
    }

    /// An attribute that holds a plain value; set its flags with the methods below.
    pub fn typed(name: &str, ty: Type) -> Attribute {
        Attribute::of(name, AttributeKind::Typed(ty))
    }

    pub fn nested(name: &str, nesting: Nesting, attributes: Vec<Attribute>) -> Attribute {
        Attribute::of(name, AttributeKind::Nested(Box::new(NestedAttributes::new(nesting, attributes))))
    }

    pub fn of(name: &str, kind: AttributeKind) -> Attribute {
        Attribute {
            name: name.to_owned(),
            kind,
            required: false,
            optional: false,
            computed: false,
            sensitive: false,
            write_only: false,
            deprecated: false,
            deprecation_message: String::new(),
            description: String::new(),
            markdown: false,
        }
    }

    #[must_use]
    pub fn required(mut self) -> Attribute {
        self.required = true;
        self
    }

    #[must_use]
    pub fn optional(mut self) -> Attribute {
        self.optional = true;
        self
    }

    #[must_use]
    pub fn computed(mut self) -> Attribute {
        self.computed = true;
        self
    }

    #[must_use]
    pub fn sensitive(mut self) -> Attribute {
        self.sensitive = true;
        self
    }

    #[must_use]
    pub fn write_only(mut self) -> Attribute {
        self.write_only = true;
        self
    }

    #[must_use]
    pub fn describe(mut self, description: &str) -> Attribute {
        self.description = description.to_owned();
        self
    }

    /// Whether a user may set it.
    pub fn is_configurable(&self) -> bool {
        self.required || self.optional
    }

    pub fn nested_attributes(&self) -> Option<&NestedAttributes> {
        match &self.kind {
            AttributeKind::Nested(nested) => Some(nested),
            AttributeKind::Typed(_) | AttributeKind::Invalid(_) => None,
        }
    }

    /// The type of its value; dynamic if the declaration is invalid.
    pub fn ty(&self) -> Type {
        match &self.kind {
            AttributeKind::Typed(ty) => ty.clone(),
            AttributeKind::Nested(nested) => nested.implied_type().clone(),
            AttributeKind::Invalid(_) => Type::Dynamic,
        }
    }

    /// Whether it, or an attribute inside, satisfies a predicate.
    pub fn any(&self, holds: &dyn Fn(&Attribute) -> bool) -> bool {
        holds(self)
            || self
                .nested_attributes()
                .is_some_and(|nested| nested.attributes.iter().any(|inner| inner.any(holds)))
    }
}

impl NestedAttributes {
    pub fn new(nesting: Nesting, attributes: Vec<Attribute>) -> NestedAttributes {
        NestedAttributes { nesting, attributes, implied: OnceLock::new() }
    }

    /// The attribute with a name; of several, the last.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().rfind(|attribute| attribute.name == name)
    }
}

impl NestedBlock {
    pub fn new(name: &str, nesting: Nesting, block: Block) -> NestedBlock {
        NestedBlock { name: name.to_owned(), nesting, block, min_items: 0, max_items: 0 }
    }

    #[must_use]
    pub fn items(mut self, min: i64, max: i64) -> NestedBlock {
        (self.min_items, self.max_items) = (min, max);
        self
    }
}

impl IdentitySchema {
    /// The object of its attributes.
    pub fn implied_type(&self) -> Type {
        Type::object(
            self.attributes
                .iter()
                .map(|attribute| (&attribute.name, attribute.ty.clone().unwrap_or(Type::Dynamic))),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_members_of_one_name_the_last_counts_everywhere() {
        let two = || [Type::String, Type::Number].map(|ty| Attribute::typed("a", ty)).to_vec();
        let nested = |nesting| NestedBlock::new("b", nesting, Block::default());
        let block = Block::new(two(), vec![nested(Nesting::List), nested(Nesting::Single)]);
        assert_eq!(block.attribute("a").map(Attribute::ty), Some(Type::Number));
        assert_eq!(block.block_type("b").map(|nested| nested.nesting), Some(Nesting::Single));
        let implied = block.implied_type().as_object().unwrap();
        assert_eq!(implied.get("a"), Some(&Type::Number));
        assert_eq!(implied.get("b"), Some(&block.block_types[1].implied_type()));
        let attributes = NestedAttributes::new(Nesting::Single, two());
        assert_eq!(attributes.attribute("a").map(Attribute::ty), Some(Type::Number));
    }
}
