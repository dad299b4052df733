use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Nesting, ProviderSchema};

declare_rule! {
    /// A nested block in list or set mode does not require more items than it allows.
    ///
    /// Otherwise no configuration can be valid, and engines refuse the provider. A maximum of zero
    /// means that there is no limit.
    "schema/item-counts-leave-room", Must,
    covers: ["SCHEMA-023"],
    title: Some("Failed to load plugin schemas"),
    fix: "raise the maximum of items to the minimum, or to zero for no limit",
    cites: "configuration schema", "internal validation": "MinItems must be less than or equal to MaxItems";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/demands-more-than-it-allows",
        about: "declares a nested block with a minimum item count above the maximum",
        injection: Injection::Schema(breach),
    };
    control: Fault {
        name: "schema/demands-and-allows",
        about: "declares a nested block with a minimum and a maximum item count",
        injection: Injection::Schema(neighbour),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-023");
}

fn breach(provider: &mut ProviderSchema) -> bool {
    count(provider, 3, 2)
}

fn neighbour(provider: &mut ProviderSchema) -> bool {
    count(provider, 1, 9)
}

fn count(provider: &mut ProviderSchema, min: i64, max: i64) -> bool {
    edit::nested_block(
        provider,
        |nested| matches!(nested.nesting, Nesting::List | Nesting::Set) && !nested.block.computed,
        |nested| (nested.min_items, nested.max_items) = (min, max),
    )
}
