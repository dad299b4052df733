use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Nesting, ProviderSchema};

declare_rule! {
    /// The item counts of a nested block are zero or more.
    ///
    /// Zero means no limit, and a number of blocks cannot be negative; engines refuse a provider
    /// that declares a negative count.
    "schema/item-counts-are-natural", Must,
    covers: ["SCHEMA-020"],
    title: Some("Failed to load plugin schemas"),
    fix: "set the item counts to zero or more; zero is no limit",
    cites: "configuration schema", "internal validation": "MinItems and MaxItems must both be greater than zero";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/demands-less-than-no-items",
        about: "declares a nested block with a negative item count",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/demands-one-item",
        about: "declares a nested block of which one is required",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-020");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    count(provider, -1, 0)
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    count(provider, 1, 0)
}

fn count(provider: &mut ProviderSchema, min: i64, max: i64) -> bool {
    edit::nested_block(
        provider,
        |nested| matches!(nested.nesting, Nesting::List | Nesting::Set) && !nested.block.computed,
        |nested| (nested.min_items, nested.max_items) = (min, max),
    )
}
