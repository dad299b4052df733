use std::cmp::Reverse;
use std::collections::BTreeMap;
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
    fix: "begin the type's name with the provider's name and an underscore",
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
    let types: Vec<(&str, &str)> = provider
        .configurable()
        .into_iter()
        .filter(|(_, name, _)| !name.is_empty())
        .map(|(kind, name, _)| (kind, name))
        .collect();
    let own = own_prefix(&context.subject().name, types.iter().map(|(_, name)| prefix(name)));
    for (kind, name) in types.iter().filter(|(_, name)| prefix(name) != own) {
        findings.add(declared(kind, name, "the name does not begin with the provider's"));
    }
}

fn prefix(name: &str) -> &str {
    name.split('_').next().unwrap_or_default()
}

/// The provider's own name. The program may have any name, such as that of a wrapper: if no type has it, it is
/// the name that most types have.
fn own_prefix<'n>(program: &str, prefixes: impl Iterator<Item = &'n str>) -> String {
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    prefixes.for_each(|prefix| *uses.entry(prefix).or_default() += 1);
    let most = uses.iter().max_by_key(|(prefix, n)| (**n, Reverse(**prefix))).map(|(prefix, _)| *prefix);
    most.filter(|_| !uses.contains_key(program)).unwrap_or(program).to_owned()
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

#[cfg(test)]
mod tests {
    use super::own_prefix;

    #[test]
    fn a_program_with_another_name_does_not_rename_the_provider() {
        assert_eq!(own_prefix("time", ["time", "stray", "stray"].into_iter()), "time");
        assert_eq!(own_prefix("wrapper", ["time", "time", "stray"].into_iter()), "time");
        assert_eq!(own_prefix("google-beta", ["google"].into_iter()), "google");
        assert_eq!(own_prefix("acme", std::iter::empty()), "acme");
    }
}
