use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, declared};
use crate::schema::{Function, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// The name of a function does not begin with the name of the provider.
    ///
    /// A call already names the provider, as in `provider::acme::parse_id`; with a prefix it would
    /// read `provider::acme::acme_parse_id`. Leave the prefix to resource types.
    "schema/functions-are-not-prefixed", Should,
    covers: ["SCHEMA-051"],
    title: None,
    fix: "leave the provider's name out of the function's name",
    cites: "plugin protocol", "GetProviderSchema, functions": "should NOT be prefixed with the provider name";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/prefixes-a-function",
        about: "declares a function whose name begins with the provider's",
        injection: Injection::Schema(prefixed),
    };
    control: Fault {
        name: "schema/does-not-prefix-a-function",
        about: "declares a function whose name ends with the provider's",
        injection: Injection::Schema(suffixed),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    let prefix = format!("{}_", context.subject().name.replace('-', "_"));
    for name in provider.functions.keys().filter(|name| name.starts_with(&prefix)) {
        findings.add(declared("function", name, "the name begins with the provider's"));
    }
}

fn prefixed(provider: &mut ProviderSchema) -> bool {
    declare(provider, |prefix| format!("{prefix}_armed"))
}

fn suffixed(provider: &mut ProviderSchema) -> bool {
    declare(provider, |prefix| format!("armed_{prefix}"))
}

fn declare(provider: &mut ProviderSchema, name: fn(&str) -> String) -> bool {
    let Some(type_name) = provider.resources.keys().next() else { return false };
    let prefix = type_name.split('_').next().unwrap_or_default();
    let function = Function { return_type: Some(Ok(Type::String)), ..Function::default() };
    provider.functions.insert(name(prefix), Arc::new(function)).is_none()
}
