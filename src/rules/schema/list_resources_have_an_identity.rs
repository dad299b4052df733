use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, Findings, Injection, Since, declared};
use crate::schema::ProviderSchema;

declare_rule! {
    /// A list resource has the name of a managed resource type that has an identity schema.
    ///
    /// A list returns objects of that type, told apart by their identities. Without them every query
    /// ends with an error that blames a bug in the provider. Declare an identity for the managed
    /// resource, or name the list resource after the type it lists.
    "schema/list-resources-have-an-identity", Must,
    covers: ["SCHEMA-061"],
    title: Some("Identity schema not found for resource type"),
    enforced: Enforced::by_terraform(Since::Release(14)),
    fix: "declare an identity for the managed resource, or name the list after its type",
    cites: "plugin protocol", "ListResource": "Identity schema not found for resource type";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/lists-nothing",
        about: "declares a list resource without a managed resource type of its name",
        injection: Injection::Schema(nothing),
    };
    control: Fault {
        name: "schema/lists-what-is-identified",
        about: "declares a list resource for a type that has an identity",
        injection: Injection::Schema(identified),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    if !context.engine.knows_list_resources() {
        return findings.not_applicable("the engine does not know list resources");
    }
    for name in provider.list_resources.keys() {
        if !provider.resources.contains_key(name) {
            findings.add(declared("list resource type", name, "no managed resource type has this name"));
        } else if !provider.identities.contains_key(name) {
            findings.add(declared("list resource type", name, "the managed resource type has no identity"));
        }
    }
}

fn nothing(provider: &mut ProviderSchema) -> bool {
    provider.list_resources.insert("armed_list".to_owned(), Arc::default()).is_none()
}

fn identified(provider: &mut ProviderSchema) -> bool {
    let Some(name) = provider.identities.keys().next().cloned() else { return false };
    provider.list_resources.insert(name, Arc::default()).is_none()
}
