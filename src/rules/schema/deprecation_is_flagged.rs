use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, Findings, Injection, Since, edit};
use crate::schema::{Attribute, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// What has a deprecation message is marked as deprecated.
    ///
    /// A message is shown only if the mark is set, and Terraform refuses a provider that sends the
    /// message without it; OpenTofu does not check. Set `deprecated`, or leave the message out.
    "schema/deprecation-is-flagged", Must,
    covers: ["SCHEMA-025"],
    title: Some("Failed to load plugin schemas"),
    enforced: Enforced::by_terraform(Since::Release(15)),
    fix: "set `deprecated` where there is a message, or leave the message out",
    cites: "configuration schema", "internal validation": "deprecation message without the deprecated flag";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/warns-of-no-deprecation",
        about: "declares an attribute with a deprecation message that is not deprecated",
        injection: Injection::Schema(unmarked),
    };
    control: Fault {
        name: "schema/warns-of-deprecation",
        about: "declares a deprecated attribute with a deprecation message",
        injection: Injection::Schema(marked),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-025");
}

fn unmarked(provider: &mut ProviderSchema) -> bool {
    declare(provider, false)
}

fn marked(provider: &mut ProviderSchema) -> bool {
    declare(provider, true)
}

fn declare(provider: &mut ProviderSchema, deprecated: bool) -> bool {
    let mut attribute = Attribute::typed(edit::ARMED, Type::String).optional();
    attribute.deprecated = deprecated;
    attribute.deprecation_message = "Use another attribute.".to_owned();
    edit::declare(provider, attribute)
}
