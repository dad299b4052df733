use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Nesting, ProviderSchema};

declare_rule! {
    /// The item counts of a nested block in group or map mode are zero.
    ///
    /// A group is always there, exactly once, and the protocol has no limits for maps; engines
    /// refuse a provider that declares one. Where the number of a map's blocks matters, check it in
    /// validation.
    "schema/groups-and-maps-are-not-counted", Must,
    covers: ["SCHEMA-022"],
    title: Some("Failed to load plugin schemas"),
    fix: "set the item counts to zero, and check the number in validation",
    cites: "configuration schema", "NestedBlock": "must both be left at zero";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/counts-groups-and-maps",
        about: "declares an item count for a nested block in group or map mode",
        injection: Injection::Schema(group_or_map),
    };
    control: Fault {
        name: "schema/counts-lists-and-sets",
        about: "declares an item count for a nested block in list or set mode",
        injection: Injection::Schema(list_or_set),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-022");
}

fn group_or_map(provider: &mut ProviderSchema) -> bool {
    count(provider, |nesting| matches!(nesting, Nesting::Group | Nesting::Map))
}

fn list_or_set(provider: &mut ProviderSchema) -> bool {
    count(provider, |nesting| matches!(nesting, Nesting::List | Nesting::Set))
}

fn count(provider: &mut ProviderSchema, holds: fn(Nesting) -> bool) -> bool {
    edit::nested_block(
        provider,
        |nested| holds(nested.nesting) && !nested.block.computed,
        |nested| (nested.min_items, nested.max_items) = (0, 9),
    )
}
