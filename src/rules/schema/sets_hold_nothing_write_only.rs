use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, Findings, Injection, Since, edit};
use crate::schema::{Attribute, Nesting, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// No attribute inside a set of nested blocks or nested attributes is write-only.
    ///
    /// A set element is identified by its whole value, and a write-only attribute is absent from
    /// state, so the element could not be found again. Terraform refuses the provider; OpenTofu does
    /// not check. Use a list or a map keyed by a name.
    "schema/sets-hold-nothing-write-only", Must,
    covers: ["SCHEMA-016"],
    title: Some("Failed to load plugin schemas"),
    enforced: Enforced::by_terraform(Since::Always),
    fix: "use a list, or a map keyed by a name, in place of the set",
    cites: "configuration schema", "internal validation": "may not contain write-only attributes";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/puts-a-secret-in-a-set",
        about: "declares a write-only attribute inside a set",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/puts-a-secret-in-a-list",
        about: "declares a write-only attribute inside a list",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-016");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    declare(provider, Nesting::Set)
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    declare(provider, Nesting::List)
}

fn declare(provider: &mut ProviderSchema, nesting: Nesting) -> bool {
    let inner = Attribute::typed("inner", Type::String).optional().write_only();
    edit::declare(provider, Attribute::nested(edit::ARMED, nesting, vec![inner]).optional())
}
