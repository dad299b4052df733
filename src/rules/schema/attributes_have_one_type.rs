use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Attribute, AttributeKind, InvalidKind, Nesting, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// Every attribute has either a type or nested attributes, and not both.
    ///
    /// With neither, the attribute has no type; with both, it has two. Engines refuse the provider
    /// in either case. Protocol 5 has no nested attributes: there the type is always set.
    "schema/attributes-have-one-type", Must,
    covers: ["SCHEMA-013"],
    title: Some("Failed to load plugin schemas"),
    fix: "give the attribute a type or nested attributes, not both",
    cites: "configuration schema", "internal validation": "either Type or NestedType must be defined";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/gives-an-attribute-no-type",
        about: "declares an attribute with neither a type nor nested attributes",
        injection: Injection::Schema(neither),
    };
    control: Fault {
        name: "schema/gives-an-attribute-nested-attributes",
        about: "declares an attribute with nested attributes",
        injection: Injection::Schema(nested),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-013");
}

fn neither(provider: &mut ProviderSchema) -> bool {
    let kind = AttributeKind::Invalid(InvalidKind::NeitherTypeNorNested);
    edit::declare(provider, Attribute::of(edit::ARMED, kind).optional())
}

fn nested(provider: &mut ProviderSchema) -> bool {
    let inner = Attribute::typed("inner", Type::String).optional();
    edit::declare(provider, Attribute::nested(edit::ARMED, Nesting::Single, vec![inner]).optional())
}
