use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, declared, edit};
use crate::schema::{Attribute, Block, ProviderSchema};
use crate::value::{SchemaPath, Type};

declare_rule! {
    /// Attribute names consist of lower-case letters, digits and underscores, and do not begin with a digit.
    ///
    /// A name that is not an identifier of the language cannot be written in a configuration, and
    /// letters beyond ASCII have more than one spelling. Engines tolerate such names for the sake of
    /// old providers; the SDKs refuse them. Name attributes like the language's own: `max_size`, not
    /// `maxSize` or `max-size`.
    "schema/attribute-names-are-plain", Should,
    covers: ["SCHEMA-006"],
    title: None,
    fix: "name the attribute in lower case with underscores, beginning with a letter",
    cites: "configuration language", "Identifiers": "first character of an identifier must not be a digit";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/names-an-attribute-with-capitals",
        about: "declares an attribute whose name has a capital",
        injection: Injection::Schema(capital),
    };
    control: Fault {
        name: "schema/names-an-attribute-with-digits",
        about: "declares an attribute whose name has a digit, but not first",
        injection: Injection::Schema(digit),
    };
}

fn check(_: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    for (kind, name, schema) in provider.configurable() {
        block(kind, name, &schema.block, &SchemaPath::root(), findings);
    }
}

fn block(kind: &str, name: &str, block: &Block, at: &SchemaPath, findings: &mut Findings) {
    attributes(kind, name, &block.attributes, at, findings);
    for nested in &block.block_types {
        self::block(kind, name, &nested.block, &at.child(&nested.name), findings);
    }
}

fn attributes(kind: &str, name: &str, attributes: &[Attribute], at: &SchemaPath, findings: &mut Findings) {
    for attribute in attributes {
        let path = at.child(&attribute.name);
        if !is_plain(&attribute.name) {
            let message = "the name should consist of lower-case letters, digits and underscores, and not begin with a digit";
            findings.add(declared(kind, name, message).at_place(path.clone()));
        }
        if let Some(nested) = attribute.nested_attributes() {
            self::attributes(kind, name, &nested.attributes, &path, findings);
        }
    }
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn capital(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed("Armed", Type::String).optional())
}

fn digit(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed("armed_1", Type::String).optional())
}
