use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, declared, edit};
use crate::schema::{Attribute, ProviderSchema};
use crate::value::{SchemaPath, Type};

declare_rule! {
    /// No argument at the root of a schema has a name that the language reserves.
    ///
    /// In a resource these are `connection`, `count`, `depends_on`, `for_each`, `lifecycle`,
    /// `provider` and `provisioner`; in the provider's own block `alias`, `count`, `depends_on`,
    /// `for_each`, `lifecycle`, `locals`, `source` and `version`. The engine takes such an argument
    /// for its own, so users can never set it. Choose another name, such as `connection_settings`, or
    /// put the argument in a nested block.
    "schema/names-are-not-reserved", Should,
    covers: ["SCHEMA-007"],
    title: None,
    fix: "give the argument another name, or put it into a nested block",
    cites: "configuration language", "Meta-Arguments": "can be used with any resource type";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/takes-a-reserved-name",
        about: "declares an attribute with the name of a meta-argument",
        injection: Injection::Schema(reserved),
    };
    control: Fault {
        name: "schema/takes-a-free-name",
        about: "declares an attribute with almost the name of a meta-argument",
        injection: Injection::Schema(free),
    };
}

const IN_RESOURCES: &[&str] =
    &["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"];
const IN_PROVIDER: &[&str] =
    &["alias", "count", "depends_on", "for_each", "lifecycle", "locals", "source", "version"];

fn check(_: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    for (kind, name, schema) in provider.configurable() {
        let reserved = if name.is_empty() { IN_PROVIDER } else { IN_RESOURCES };
        let attributes = schema.block.attributes.iter().map(|attribute| &attribute.name);
        let blocks = schema.block.block_types.iter().map(|nested| &nested.name);
        for taken in attributes.chain(blocks).filter(|taken| reserved.contains(&taken.as_str())) {
            let path = SchemaPath::root().child(taken);
            findings.add(declared(kind, name, "the language reserves this name").at_place(path));
        }
    }
}

fn reserved(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed("depends_on", Type::String).optional())
}

fn free(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed("depends_upon", Type::String).optional())
}
