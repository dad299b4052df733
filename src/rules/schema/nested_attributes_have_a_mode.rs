use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Attribute, Nesting, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// Nested attributes are nested as a single object, a list, a set or a map.
    ///
    /// These are the modes that the protocol defines; engines refuse a provider that sends any
    /// other number, including zero, the value of an unset field. Groups are for nested blocks
    /// only.
    "schema/nested-attributes-have-a-mode", Must,
    covers: ["SCHEMA-014"],
    title: Some("Failed to load plugin schemas"),
    fix: "set the nesting mode to single, list, set or map",
    cites: "configuration schema", "internal validation": "invalid nesting mode";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/nests-attributes-in-no-mode",
        about: "declares nested attributes in a mode that does not exist",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/nests-attributes-in-a-list",
        about: "declares nested attributes in a list",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-014");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    declare(provider, Nesting::Invalid(0))
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    declare(provider, Nesting::List)
}

fn declare(provider: &mut ProviderSchema, nesting: Nesting) -> bool {
    let inner = Attribute::typed("inner", Type::String).optional();
    edit::declare(provider, Attribute::nested(edit::ARMED, nesting, vec![inner]).optional())
}
