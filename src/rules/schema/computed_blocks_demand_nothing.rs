use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, Findings, Injection, Since, edit};
use crate::schema::{NestedBlock, Nesting, ProviderSchema};

declare_rule! {
    /// A computed nested block is not a group, and has no minimum item count.
    ///
    /// Where the provider decides how many blocks there are, a user cannot be required to write any,
    /// and a group is always present. Terraform refuses the provider; OpenTofu does not know computed
    /// blocks. Set the minimum item count to zero, and use single mode instead of a group.
    "schema/computed-blocks-demand-nothing", Must,
    covers: ["SCHEMA-031"],
    title: Some("Failed to load plugin schemas"),
    enforced: Enforced::by_terraform(Since::Release(16)),
    fix: "set the minimum of items to zero, and use single mode in place of a group",
    cites: "plugin protocol", "Schema.Block": "a group, or demanded items, cannot be computed";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/demands-computed-blocks",
        about: "declares a computed block in list or set mode of which one is required",
        injection: Injection::Schema(demanded),
    };
    control: Fault {
        name: "schema/limits-computed-blocks",
        about: "declares a computed block in list or set mode with a maximum item count",
        injection: Injection::Schema(limited),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-031");
}

fn demanded(provider: &mut ProviderSchema) -> bool {
    declare(provider, 1)
}

fn limited(provider: &mut ProviderSchema) -> bool {
    declare(provider, 0)
}

fn declare(provider: &mut ProviderSchema, min: i64) -> bool {
    edit::nested_block(
        provider,
        |nested| matches!(nested.nesting, Nesting::List | Nesting::Set),
        |nested| {
            (nested.min_items, nested.max_items) = (min, 9);
            compute(nested);
        },
    )
}

fn compute(nested: &mut NestedBlock) {
    nested.block.computed = true;
    for attribute in &mut nested.block.attributes {
        attribute.optional |= attribute.required;
        (attribute.required, attribute.computed) = (false, true);
    }
    nested.block.block_types.iter_mut().for_each(compute);
}
