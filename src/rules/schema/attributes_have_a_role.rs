use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Attribute, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// Every attribute is optional, required or computed.
    ///
    /// An attribute with none of the three could be neither set by a user nor filled by the
    /// provider, so engines refuse the provider. The same goes for nested attributes at any
    /// depth. Mark what a user may set as optional or required, and what only the provider knows
    /// as computed.
    "schema/attributes-have-a-role", Must,
    covers: ["SCHEMA-010"],
    title: Some("Failed to load plugin schemas"),
    fix: "mark the attribute optional, required or computed",
    cites: "configuration schema", "internal validation": "must set Optional, Required or Computed";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/gives-an-attribute-no-role",
        about: "declares an attribute that is neither optional, required nor computed",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/gives-an-attribute-a-role",
        about: "declares an attribute that is optional",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-010");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed(edit::ARMED, Type::String))
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed(edit::ARMED, Type::String).optional())
}
