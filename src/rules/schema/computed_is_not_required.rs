use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Attribute, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// No attribute is both computed and required.
    ///
    /// What a user must set is never left for the provider to fill, so engines refuse the provider.
    /// For a default that a user may override, mark the attribute optional and computed.
    "schema/computed-is-not-required", Must,
    covers: ["SCHEMA-012"],
    title: Some("Failed to load plugin schemas"),
    fix: "mark the attribute optional and computed, or only one of required and computed",
    cites: "configuration schema", "internal validation": "cannot set both Computed and Required";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/requires-what-is-computed",
        about: "declares an attribute that is both computed and required",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/only-computes",
        about: "declares an attribute that is only computed",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-012");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed(edit::ARMED, Type::String).computed().required())
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed(edit::ARMED, Type::String).computed())
}
