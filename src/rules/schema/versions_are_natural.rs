use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::ProviderSchema;

declare_rule! {
    /// The version of a schema is zero or more.
    ///
    /// Versions count up from zero, and engines refuse a provider that declares a negative one for
    /// any type. Set the version of a type that never had one to zero, or leave it out.
    "schema/versions-are-natural", Must,
    covers: ["SCHEMA-003"],
    title: Some("Failed to load plugin schemas"),
    fix: "set the version to zero or more",
    cites: "configuration schema", "schema loading": "invalid negative schema version";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/counts-from-below-zero",
        about: "declares a negative schema version",
        injection: Injection::Schema(negative),
    };
    control: Fault {
        name: "schema/counts-from-zero",
        about: "declares schema version zero",
        injection: Injection::Schema(zero),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-003");
}

fn negative(provider: &mut ProviderSchema) -> bool {
    version(provider, -1)
}

fn zero(provider: &mut ProviderSchema) -> bool {
    version(provider, 0)
}

fn version(provider: &mut ProviderSchema, version: i64) -> bool {
    edit::resource_schema(provider, |schema| {
        schema.version = version;
        true
    })
}
