use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Block, NestedBlock, Nesting, ProviderSchema};

declare_rule! {
    /// The item counts of a single nested block are both zero, or both one.
    ///
    /// Both one make the block required, both zero make it optional; nothing else makes sense for a
    /// block of which there is at most one, and engines refuse all other numbers.
    "schema/single-blocks-are-required-or-not", Must,
    covers: ["SCHEMA-021"],
    title: Some("Failed to load plugin schemas"),
    fix: "set both item counts to zero, or both to one",
    cites: "configuration schema", "internal validation": "MinItems and MaxItems must match in NestingSingle mode";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/counts-a-single-block",
        about: "declares a single nested block with item counts zero and one",
        injection: Injection::Schema(counted),
    };
    control: Fault {
        name: "schema/leaves-a-single-block-optional",
        about: "declares a single nested block with item counts of zero",
        injection: Injection::Schema(optional),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-021");
}

fn counted(provider: &mut ProviderSchema) -> bool {
    declare(provider, 1)
}

fn optional(provider: &mut ProviderSchema) -> bool {
    declare(provider, 0)
}

fn declare(provider: &mut ProviderSchema, max: i64) -> bool {
    let single = NestedBlock::new(edit::ARMED, Nesting::Single, Block::default());
    edit::declare_block(provider, single.items(0, max))
}
