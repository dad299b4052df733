use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, declared};
use crate::schema::ProviderSchema;

declare_rule! {
    /// The name of a type begins with the provider's own name and an underscore.
    ///
    /// Engines, and readers, tell the provider of a resource from the part of the type's name before
    /// the first underscore. With another prefix, users have to name the provider in every resource.
    /// That cannot be avoided by providers that share their types with another one.
    "schema/types-are-prefixed", Advice,
    covers: ["SCHEMA-060"],
    title: None,
    cites: "configuration language", "Resource Types": "start with their provider's preferred local name";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/gives-a-type-another-prefix",
        about: "declares an ephemeral resource with another prefix",
        injection: Injection::Schema(stray),
    };
    control: Fault {
        name: "schema/gives-a-type-the-prefix",
        about: "declares an ephemeral resource with the provider's prefix",
        injection: Injection::Schema(prefixed),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    let own = &context.subject().name;
    for (kind, name, _) in provider.configurable().into_iter().filter(|(_, name, _)| !name.is_empty()) {
        let prefix = name.split('_').next().unwrap_or_default();
        if prefix != own {
            findings.add(declared(kind, name, "the name does not begin with the provider's"));
        }
    }
}

fn stray(provider: &mut ProviderSchema) -> bool {
    declare(provider, |_| "stray_armed".to_owned())
}

fn prefixed(provider: &mut ProviderSchema) -> bool {
    declare(provider, |prefix| format!("{prefix}_armed"))
}

fn declare(provider: &mut ProviderSchema, name: fn(&str) -> String) -> bool {
    let Some(type_name) = provider.resources.keys().next() else { return false };
    let prefix = type_name.split('_').next().unwrap_or_default();
    provider.ephemeral_resources.insert(name(prefix), Arc::default()).is_none()
}
