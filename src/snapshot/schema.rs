//! A schema in a readable and stable form.
//!
//! Descriptions are left out: they are prose, and rewording them changes no plan.

use crate::schema::{
    Attribute, AttributeKind, Block, Function, IdentitySchema, InvalidKind, NestedBlock, Nesting, Parameter,
    ProviderSchema, Schema,
};
use crate::value::tree::Tree;
use crate::value::{Type, TypeError};

/// A schema with its version.
pub fn schema(schema: &Schema) -> Tree {
    let mut lines = vec![line("version", schema.version)];
    lines.extend(block_lines(&schema.block));
    Tree::Object(lines)
}

/// What identifies the remote objects of a type.
pub fn identity(schema: &IdentitySchema) -> Tree {
    let mut attributes: Vec<_> = schema.attributes.iter().collect();
    attributes.sort_by_key(|attribute| &attribute.name);
    let attribute_line = |attribute: &&crate::schema::IdentityAttribute| {
        let mut words = vec![type_text(&attribute.ty)];
        words.extend(attribute.required_for_import.then(|| "required for import".to_owned()));
        words.extend(attribute.optional_for_import.then(|| "optional for import".to_owned()));
        (attribute.name.clone(), Tree::Leaf(words.join(", ")))
    };
    let version = line("version", schema.version);
    Tree::Object(std::iter::once(version).chain(attributes.iter().map(attribute_line)).collect())
}

/// What a provider offers, by name.
pub fn lists(schema: &ProviderSchema) -> Vec<(&'static str, Tree)> {
    fn names<'n>(names: impl Iterator<Item = &'n String>) -> Tree {
        Tree::List(names.map(|name| Tree::leaf(name)).collect())
    }
    let functions = schema.functions.iter().map(|(name, declared)| (name.clone(), function(declared)));
    let lists = [
        ("resources", names(schema.resources.keys())),
        ("data sources", names(schema.data_sources.keys())),
        ("ephemeral resources", names(schema.ephemeral_resources.keys())),
        ("list resources", names(schema.list_resources.keys())),
        ("actions", names(schema.actions.keys())),
        ("state stores", names(schema.state_stores.keys())),
        ("functions", Tree::Object(functions.collect())),
    ];
    let is_empty = |tree: &Tree| match tree {
        Tree::List(all) => all.is_empty(),
        Tree::Object(all) => all.is_empty(),
        Tree::Leaf(_) | Tree::Set(_) | Tree::Map(_) => false,
    };
    lists.into_iter().filter(|(_, tree)| !is_empty(tree)).collect()
}

fn line(label: &str, text: impl ToString) -> (String, Tree) {
    (label.to_owned(), Tree::Leaf(text.to_string()))
}

fn block_lines(block: &Block) -> Vec<(String, Tree)> {
    let mut lines = Vec::new();
    if block.deprecated {
        lines.push(line("deprecated", deprecation(&block.deprecation_message)));
    }
    if block.computed {
        lines.push(line("computed", true));
    }
    lines.extend(attribute_lines(&block.attributes));
    let mut blocks: Vec<&NestedBlock> = block.block_types.iter().collect();
    blocks.sort_by_key(|nested| &nested.name);
    lines.extend(
        blocks.into_iter().map(|nested| (block_label(nested), Tree::Object(block_lines(&nested.block)))),
    );
    lines
}

fn block_label(nested: &NestedBlock) -> String {
    let mut label = format!("block {} ({}", nested.name, nesting(nested.nesting));
    if nested.min_items != 0 {
        label.push_str(&format!(", at least {}", nested.min_items));
    }
    if nested.max_items != 0 {
        label.push_str(&format!(", at most {}", nested.max_items));
    }
    label.push(')');
    label
}

fn attribute_lines(attributes: &[Attribute]) -> Vec<(String, Tree)> {
    let mut attributes: Vec<&Attribute> = attributes.iter().collect();
    attributes.sort_by_key(|attribute| &attribute.name);
    attributes.into_iter().map(attribute_line).collect()
}

fn attribute_line(attribute: &Attribute) -> (String, Tree) {
    let flags = flags(attribute).join(", ");
    match &attribute.kind {
        AttributeKind::Typed(ty) => line(&attribute.name, format!("{ty}, {flags}")),
        AttributeKind::Nested(nested) => {
            let label = format!("{} ({}, {flags})", attribute.name, nesting(nested.nesting));
            (label, Tree::Object(attribute_lines(&nested.attributes)))
        }
        AttributeKind::Invalid(kind) => line(&attribute.name, format!("{}, {flags}", invalid(kind))),
    }
}

fn invalid(kind: &InvalidKind) -> String {
    match kind {
        InvalidKind::NeitherTypeNorNested => "without a type".to_owned(),
        InvalidKind::BothTypeAndNested => "with two types".to_owned(),
        InvalidKind::Type(error) => error.to_string(),
    }
}

fn flags(attribute: &Attribute) -> Vec<String> {
    let flags = [
        (attribute.required, "required"),
        (attribute.optional, "optional"),
        (attribute.computed, "computed"),
        (attribute.sensitive, "sensitive"),
        (attribute.write_only, "write-only"),
    ];
    let mut words: Vec<String> =
        flags.iter().filter(|(is_set, _)| *is_set).map(|(_, word)| (*word).to_owned()).collect();
    if attribute.deprecated {
        words.push(format!(
            "deprecated{}",
            match attribute.deprecation_message.as_str() {
                "" => String::new(),
                message => format!(" ({})", deprecation(message)),
            }
        ));
    }
    words
}

/// A message on one line.
fn deprecation(message: &str) -> String {
    if message.is_empty() {
        "true".to_owned()
    } else {
        message.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn nesting(nesting: Nesting) -> String {
    match nesting {
        Nesting::Single => "single".to_owned(),
        Nesting::Group => "group".to_owned(),
        Nesting::List => "list".to_owned(),
        Nesting::Set => "set".to_owned(),
        Nesting::Map => "map".to_owned(),
        Nesting::Invalid(number) => format!("nesting {number}"),
    }
}

fn function(function: &Function) -> Tree {
    let parameter = |parameter: &Parameter| {
        let mut text = format!("{} {}", parameter.name, type_text(&parameter.ty));
        if parameter.allow_null_value {
            text.push_str(" or null");
        }
        if parameter.allow_unknown_values {
            text.push_str(" or unknown");
        }
        text
    };
    let fixed = function.parameters.iter().map(parameter);
    let more = function.variadic_parameter.iter().map(|last| format!("{}...", parameter(last)));
    let parameters: Vec<String> = fixed.chain(more).collect();
    let result = function.return_type.as_ref().map_or_else(|| "nothing".to_owned(), type_text);
    Tree::Leaf(format!("({}) -> {result}", parameters.join(", ")))
}

fn type_text(ty: &Result<Type, TypeError>) -> String {
    ty.as_ref().map_or_else(ToString::to_string, ToString::to_string)
}
