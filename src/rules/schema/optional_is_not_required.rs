use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Attribute, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// No attribute is both optional and required.
    ///
    /// The two contradict each other, and engines refuse the provider. Use `required` where the
    /// provider cannot do without a value, `optional` everywhere else.
    "schema/optional-is-not-required", Must,
    covers: ["SCHEMA-011"],
    title: Some("Failed to load plugin schemas"),
    fix: "mark the attribute either required or optional",
    cites: "configuration schema", "internal validation": "cannot set both Optional and Required";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/requires-what-is-optional",
        about: "declares an attribute that is both optional and required",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/computes-what-is-optional",
        about: "declares an attribute that is both optional and computed",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-011");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed(edit::ARMED, Type::String).optional().required())
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed(edit::ARMED, Type::String).optional().computed())
}
