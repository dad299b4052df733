use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, declared, edit};
use crate::schema::{Attribute, Block, ProviderSchema};
use crate::value::{SchemaPath, Type};

declare_rule! {
    /// A write-only attribute is optional or required, not computed, and belongs to a managed resource.
    ///
    /// A write-only value comes from the configuration and is stored nowhere, so there is nothing for
    /// a provider to compute, and only managed resources have a state to keep it out of. For a secret
    /// that the provider generates, use a sensitive attribute or an ephemeral resource.
    "schema/write-only-is-configured", Should,
    covers: ["SCHEMA-017"],
    title: None,
    fix: "mark the attribute optional or required, not computed, and only in a resource",
    cites: "plugin protocol", "Schema.Attribute": "must be combined with optional or required";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/computes-what-is-write-only",
        about: "declares a write-only attribute that is also computed",
        injection: Injection::Schema(computed),
    };
    control: Fault {
        name: "schema/takes-what-is-write-only",
        about: "declares a write-only attribute that is optional",
        injection: Injection::Schema(optional),
    };
}

fn check(_: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    for (kind, name, schema) in provider.configurable() {
        let managed = provider.resources.get(name).is_some_and(|managed| std::ptr::eq(&**managed, schema));
        block(kind, name, managed, &schema.block, &SchemaPath::root(), findings);
    }
}

fn block(kind: &str, name: &str, managed: bool, block: &Block, at: &SchemaPath, findings: &mut Findings) {
    attributes(kind, name, managed, &block.attributes, at, findings);
    for nested in &block.block_types {
        self::block(kind, name, managed, &nested.block, &at.child(&nested.name), findings);
    }
}

fn attributes(
    kind: &str,
    name: &str,
    managed: bool,
    attributes: &[Attribute],
    at: &SchemaPath,
    findings: &mut Findings,
) {
    for attribute in attributes {
        let path = at.child(&attribute.name);
        if let Some(misuse) = misuse(attribute, managed) {
            findings.add(declared(kind, name, misuse).at_place(path.clone()));
        }
        if let Some(nested) = attribute.nested_attributes() {
            self::attributes(kind, name, managed, &nested.attributes, &path, findings);
        }
    }
}

fn misuse(attribute: &Attribute, managed: bool) -> Option<&'static str> {
    if !attribute.write_only {
        None
    } else if !managed {
        Some("write-only, but not in a managed resource")
    } else if attribute.computed {
        Some("both write-only and computed")
    } else if !attribute.is_configurable() {
        Some("write-only, but neither optional nor required")
    } else {
        None
    }
}

fn computed(provider: &mut ProviderSchema) -> bool {
    let attribute = Attribute::typed(edit::ARMED, Type::String).write_only().optional().computed();
    edit::declare(provider, attribute)
}

fn optional(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed(edit::ARMED, Type::String).write_only().optional())
}
