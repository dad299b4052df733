use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, Findings, Injection, Since, edit};
use crate::schema::{IdentityAttribute, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// Every attribute of an identity is either required or optional for import.
    ///
    /// One of the two marks, and only one, tells a user who imports by identity whether the
    /// attribute must be given. Terraform refuses a provider that sends neither or both; OpenTofu
    /// does not check.
    "schema/identities-say-what-import-needs", Must,
    covers: ["SCHEMA-040"],
    title: Some("Failed to load plugin schemas"),
    enforced: Enforced::by_terraform(Since::Release(12)),
    fix: "mark the attribute either required or optional for import",
    cites: "plugin protocol", "ResourceIdentitySchema": "required_for_import or optional_for_import";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/leaves-import-open",
        about: "declares an identity attribute that is neither required nor optional for import",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/lets-import-choose",
        about: "declares an identity attribute that is optional for import",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-040");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    declare(provider, Type::String, false)
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    declare(provider, Type::String, true)
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
