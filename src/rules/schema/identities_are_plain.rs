use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, Findings, Injection, Since, edit};
use crate::schema::{IdentityAttribute, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// The attributes of an identity are strings, numbers, bools, or lists of these.
    ///
    /// People compare identities and type them in. Terraform refuses maps, sets and objects in one;
    /// OpenTofu does not check. Give each part of a compound identity its own attribute.
    "schema/identities-are-plain", Must,
    covers: ["SCHEMA-041"],
    title: Some("Failed to load plugin schemas"),
    enforced: Enforced::by_terraform(Since::Release(12)),
    fix: "use strings, numbers, bools or lists of them, one attribute for each part",
    cites: "plugin protocol", "ResourceIdentitySchema": "which is not allowed in identity schemas";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/identifies-by-a-map",
        about: "declares an identity attribute that is a map",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/identifies-by-a-list",
        about: "declares an identity attribute that is a list",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-041");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    declare(provider, Type::map(Type::String), true)
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    declare(provider, Type::list(Type::String), true)
}

fn declare(provider: &mut ProviderSchema, ty: Type, optional_for_import: bool) -> bool {
    let Some(identity) = provider.identities.values_mut().next() else { return false };
    Arc::make_mut(identity).attributes.push(IdentityAttribute {
        name: edit::ARMED.to_owned(),
        ty: Ok(ty),
        required_for_import: false,
        optional_for_import,
        description: String::new(),
    });
    true
}
