use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection};
use crate::schema::ProviderSchema;
use crate::value::AttributePath;

declare_rule! {
    /// A provider declares a schema for its own configuration.
    ///
    /// The schema response has a `provider` member, with an empty block where the provider takes no
    /// arguments. Without it an engine cannot use the provider at all: every command ends with
    /// "missing provider schema". SDKs send it; code that builds the response by hand may leave it
    /// out.
    "schema/configures-the-provider", Must,
    covers: ["SCHEMA-001"],
    title: Some("Failed to load plugin schemas"),
    fix: "send a provider schema, with an empty block if it takes no arguments",
    cites: "plugin protocol", "GetProviderSchema": "missing provider schema";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/forgets-the-provider",
        about: "declares no schema for the provider itself",
        injection: Injection::Schema(forget),
    };
    control: Fault {
        name: "schema/has-no-arguments",
        about: "declares a provider without arguments",
        injection: Injection::Schema(empty),
    };
}

fn check(_: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    if provider.provider.is_none() {
        findings.report(AttributePath::root(), "the provider declares no schema for its own configuration");
    }
}

fn forget(provider: &mut ProviderSchema) -> bool {
    provider.provider.take().is_some()
}

fn empty(provider: &mut ProviderSchema) -> bool {
    provider.provider = Some(Arc::default());
    true
}
