use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Attribute, Nesting, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// No attribute inside a set of nested blocks or nested attributes is dynamic.
    ///
    /// All elements of a set must have the same type, and a dynamic attribute would give each
    /// element its own; engines refuse the provider, however deeply the attribute is nested. Use a
    /// list or a map, or give the attribute a type.
    "schema/sets-have-one-type", Must,
    covers: ["SCHEMA-015"],
    title: Some("Failed to load plugin schemas"),
    fix: "use a list or a map in place of the set, or give the attribute a type",
    cites: "configuration schema", "internal validation": "may not contain attributes of cty.DynamicPseudoType";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/puts-any-type-in-a-set",
        about: "declares a dynamic attribute inside a set",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/puts-any-type-in-a-list",
        about: "declares a dynamic attribute inside a list",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-015");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    declare(provider, Nesting::Set)
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    declare(provider, Nesting::List)
}

fn declare(provider: &mut ProviderSchema, nesting: Nesting) -> bool {
    let inner = Attribute::typed("inner", Type::Dynamic).optional();
    edit::declare(provider, Attribute::nested(edit::ARMED, nesting, vec![inner]).optional())
}
