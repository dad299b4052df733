//! What an engine refuses about a schema when it loads it, and what it should refuse.
//!
//! Source: contract section 3.3 and, where noted, the documentation of the SDKs.

use std::collections::BTreeSet;

use super::{
    Attribute, AttributeKind, Block, Function, IdentitySchema, InvalidKind, NestedBlock, Nesting, Schema,
};
use crate::engine::Engine;
use crate::value::{SchemaPath, Type};

/// Something wrong with a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub path: SchemaPath,
    /// The contract entry that forbids it.
    pub covers: &'static str,
    pub message: String,
    /// False if every engine accepts it silently, but does something other than declared.
    pub refused: bool,
}

const NO_BLOCK: &str = "no block is declared";

impl Problem {
    /// Whether the problem is a missing block.
    pub fn is_missing_block(&self) -> bool {
        self.message == NO_BLOCK
    }
}

/// Every problem for which `engine` refuses a managed resource, data source or ephemeral resource schema,
/// and those it should refuse but does not.
pub fn check(schema: &Schema, engine: Engine) -> Vec<Problem> {
    let mut problems = Problems { engine, found: Vec::new() };
    if schema.version < 0 {
        problems.add(
            &SchemaPath::root(),
            "SCHEMA-003",
            format!("schema version {} is negative", schema.version),
        );
    }
    problems.block(&schema.block, &SchemaPath::root());
    problems.found
}

struct Problems {
    engine: Engine,
    found: Vec<Problem>,
}

impl Problems {
    fn add(&mut self, path: &SchemaPath, covers: &'static str, message: impl Into<String>) {
        self.found.push(Problem { path: path.clone(), covers, message: message.into(), refused: true });
    }

    fn add_silent(&mut self, path: &SchemaPath, covers: &'static str, message: impl Into<String>) {
        self.found.push(Problem { path: path.clone(), covers, message: message.into(), refused: false });
    }

    fn block(&mut self, block: &Block, at: &SchemaPath) {
        if block.missing {
            self.add(at, "SCHEMA-002", NO_BLOCK);
        }
        if self.engine.checks_deprecation_messages()
            && !block.deprecated
            && !block.deprecation_message.is_empty()
        {
            self.add(at, "SCHEMA-025", "a deprecation message on a block that is not deprecated");
        }
        let mut names = BTreeSet::new();
        for attribute in &block.attributes {
            if !names.insert(attribute.name.as_str()) {
                self.add_silent(&at.child(&attribute.name), "SCHEMA-004", "two attributes have this name");
            }
        }
        for attribute in &block.attributes {
            self.attribute(attribute, &at.child(&attribute.name));
        }
        for nested in &block.block_types {
            let path = at.child(&nested.name);
            if block.attribute(&nested.name).is_some() {
                self.add(&path, "SCHEMA-004", "an attribute and a nested block have this name");
            } else if !names.insert(nested.name.as_str()) {
                self.add_silent(&path, "SCHEMA-004", "two nested blocks have this name");
            }
            self.nested_block(nested, &path);
        }
    }

    fn attribute(&mut self, attribute: &Attribute, at: &SchemaPath) {
        if !(attribute.optional || attribute.required || attribute.computed) {
            self.add(at, "SCHEMA-010", "neither optional, required nor computed");
        }
        if attribute.optional && attribute.required {
            self.add(at, "SCHEMA-011", "both optional and required");
        }
        if attribute.computed && attribute.required {
            self.add(at, "SCHEMA-012", "both computed and required");
        }
        if self.engine.checks_deprecation_messages()
            && !attribute.deprecated
            && !attribute.deprecation_message.is_empty()
        {
            self.add(at, "SCHEMA-025", "a deprecation message on an attribute that is not deprecated");
        }
        match &attribute.kind {
            AttributeKind::Typed(_) => {}
            AttributeKind::Invalid(InvalidKind::NeitherTypeNorNested) => {
                self.add(at, "SCHEMA-013", "neither a type nor nested attributes");
            }
            AttributeKind::Invalid(InvalidKind::BothTypeAndNested) => {
                self.add(at, "SCHEMA-013", "both a type and nested attributes");
            }
            AttributeKind::Invalid(InvalidKind::Type(error)) => {
                self.add(at, "SCHEMA-002", format!("the type cannot be read: {error}"));
            }
            AttributeKind::Nested(nested) => {
                match nested.nesting {
                    Nesting::Single | Nesting::List | Nesting::Map => {}
                    Nesting::Set => self.inside_set(nested.implied_type(), &nested.attributes, &[], at),
                    // A GROUP number cannot be written on the wire for attributes.
                    Nesting::Group => self.add(at, "SCHEMA-014", "group nesting is for blocks only"),
                    Nesting::Invalid(number) => {
                        self.add(at, "SCHEMA-014", format!("nesting mode {number} does not exist"));
                    }
                }
                let mut names = BTreeSet::new();
                for inner in &nested.attributes {
                    let path = at.child(&inner.name);
                    if !names.insert(inner.name.as_str()) {
                        self.add_silent(&path, "SCHEMA-004", "two attributes have this name");
                    }
                    self.attribute(inner, &path);
                }
            }
        }
    }

    /// What is not allowed in a set at any depth.
    fn inside_set(&mut self, ty: &Type, attributes: &[Attribute], blocks: &[NestedBlock], at: &SchemaPath) {
        if ty.has_dynamic() {
            self.add(at, "SCHEMA-015", "a dynamic attribute inside a set");
        }
        let write_only = attributes.iter().any(|attribute| attribute.any(&|inner| inner.write_only))
            || blocks.iter().any(|nested| nested.block.any_attribute(&|inner| inner.write_only));
        if write_only && self.engine.checks_write_only_in_sets() {
            self.add(at, "SCHEMA-016", "a write-only attribute inside a set");
        }
    }

    fn nested_block(&mut self, nested: &NestedBlock, at: &SchemaPath) {
        let (min, max) = (nested.min_items, nested.max_items);
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if nested.name.is_empty() || !nested.name.chars().all(is_name) {
            self.add(at, "SCHEMA-005", "only lower-case letters, digits and underscores are allowed");
        }
        if min < 0 || max < 0 {
            self.add(at, "SCHEMA-020", format!("item counts may not be negative ({min}, {max})"));
        }
        match nested.nesting {
            Nesting::Single => {
                if min != max {
                    self.add(
                        at,
                        "SCHEMA-021",
                        format!("single nesting needs equal item counts, not {min} and {max}"),
                    );
                } else if !(0..=1).contains(&min) {
                    self.add(at, "SCHEMA-021", "single nesting allows one item or none");
                }
            }
            Nesting::Group | Nesting::Map => {
                if min != 0 || max != 0 {
                    self.add(at, "SCHEMA-022", "item counts must be zero in this nesting mode");
                }
            }
            Nesting::List | Nesting::Set => {
                if min > max && max != 0 {
                    self.add(at, "SCHEMA-023", format!("at least {min} items but at most {max}"));
                }
            }
            Nesting::Invalid(number) => {
                self.add(at, "SCHEMA-024", format!("nesting mode {number} does not exist"))
            }
        }
        if nested.nesting == Nesting::Set {
            let block = &nested.block;
            self.inside_set(block.implied_type(), &block.attributes, &block.block_types, at);
        }
        if nested.block.computed && self.engine.knows_computed_blocks() {
            if nested.nesting == Nesting::Group {
                self.add(at, "SCHEMA-031", "a group block cannot be computed");
            }
            if min > 0 && nested.nesting == Nesting::Single {
                self.add_silent(at, "SCHEMA-031", "a computed block cannot be required");
            } else if min > 0 {
                self.add(at, "SCHEMA-031", "a computed block cannot require items");
            }
            for attribute in nested.block.attributes.iter().filter(|attribute| !attribute.computed) {
                self.add(
                    &at.child(&attribute.name),
                    "SCHEMA-030",
                    "inside a computed block, but not computed",
                );
            }
            for inner in nested.block.block_types.iter().filter(|inner| !inner.block.computed) {
                self.add(&at.child(&inner.name), "SCHEMA-030", "inside a computed block, but not computed");
            }
        }
        self.block(&nested.block, at);
    }
}

/// Every problem for which Terraform refuses an identity schema; OpenTofu checks none.
pub fn check_identity(schema: &IdentitySchema, engine: Engine) -> Vec<Problem> {
    let mut problems = Problems { engine, found: Vec::new() };
    if !engine.checks_identity() {
        return problems.found;
    }
    if schema.version < 0 {
        problems.add(
            &SchemaPath::root(),
            "SCHEMA-003",
            format!("identity version {} is negative", schema.version),
        );
    }
    for attribute in &schema.attributes {
        let path = SchemaPath::root().child(&attribute.name);
        if attribute.required_for_import == attribute.optional_for_import {
            problems.add(&path, "SCHEMA-040", "exactly one of required and optional for import is needed");
        }
        match &attribute.ty {
            Ok(Type::Map(_) | Type::Set(_) | Type::Object(_)) => {
                problems.add(&path, "SCHEMA-041", "maps, sets and objects are not allowed in an identity");
            }
            Ok(_) => {}
            Err(error) => problems.add(&path, "SCHEMA-002", format!("the type cannot be read: {error}")),
        }
    }
    problems.found
}

/// Every problem with a function's declaration.
pub fn check_function(name: &str, function: &Function, engine: Engine) -> Vec<Problem> {
    let mut problems = Problems { engine, found: Vec::new() };
    let root = SchemaPath::root();
    match &function.return_type {
        None => problems.add(&root, "SCHEMA-002", "no return type is declared"),
        Some(Err(error)) => {
            problems.add(&root, "SCHEMA-052", format!("the return type cannot be read: {error}"))
        }
        Some(Ok(_)) => {}
    }
    if function.odd_text && engine.panics_at_odd_text() {
        problems.add(&root, "SCHEMA-002", "a description is neither plain nor Markdown");
    }
    if engine.checks_functions() && !is_identifier(name) {
        problems.add(&root, "SCHEMA-050", format!("{name:?} is not an identifier"));
    }
    let mut names = BTreeSet::new();
    for parameter in function.parameters.iter().chain(&function.variadic_parameter) {
        let path = root.child(&parameter.name);
        if let Err(error) = &parameter.ty {
            problems.add(&path, "SCHEMA-052", format!("the type cannot be read: {error}"));
        }
        if !engine.checks_functions() {
            continue;
        }
        if !is_identifier(&parameter.name) {
            problems.add(&path, "SCHEMA-050", format!("{:?} is not an identifier", parameter.name));
        }
        if !names.insert(&parameter.name) {
            problems.add(&path, "SCHEMA-050", "two parameters have this name");
        }
    }
    problems.found
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}
