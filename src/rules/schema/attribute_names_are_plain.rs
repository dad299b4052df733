use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, declared, edit};
use crate::schema::{Attribute, Block, ProviderSchema};
use crate::value::{SchemaPath, Type};

declare_rule! {
    /// The name of an attribute holds lower-case letters, digits and underscores, and no digit first.
    ///
    /// A name that is no identifier of the language cannot be written in a configuration at all,
    /// and any letter beyond ASCII has more than one spelling. Engines look away for the sake of
    /// old providers, while the SDKs refuse such names. Rename the attribute as the language's own
    /// names are formed: `max_size`, not `maxSize` or `max-size`.
    "schema/attribute-names-are-plain", Should,
    covers: ["SCHEMA-006"],
    title: None,
    cites: "configuration language", "Identifiers": "first character of an identifier must not be a digit";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/names-an-attribute-with-capitals",
        about: "declares an attribute whose name has a capital",
        injection: Injection::Schema(capital),
    };
    control: Fault {
        name: "schema/names-an-attribute-with-digits",
        about: "declares an attribute whose name has a digit, not first",
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
            let message =
                "the name should hold lower-case letters, digits and underscores, and no digit first";
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
