use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, Findings, Injection, Since, edit};
use crate::schema::{Attribute, Block, NestedBlock, Nesting, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// Everything inside a computed nested block is computed.
    ///
    /// The provider fills a computed block as a whole, so each of its attributes and nested blocks
    /// must be computed as well, or optional and computed. Otherwise Terraform refuses the provider;
    /// OpenTofu does not know computed blocks.
    "schema/computed-blocks-are-computed-throughout", Must,
    covers: ["SCHEMA-030"],
    title: Some("Failed to load plugin schemas"),
    enforced: Enforced::by_terraform(Since::Release(16)),
    fix: "mark everything inside the computed block as computed",
    cites: "plugin protocol", "Schema.Block": "everything inside is computed too";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/computes-half-a-block",
        about: "declares a computed block with an attribute that is not computed",
        injection: Injection::Schema(half),
    };
    control: Fault {
        name: "schema/computes-a-whole-block",
        about: "declares a computed block of computed attributes",
        injection: Injection::Schema(whole),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-030");
}

fn half(provider: &mut ProviderSchema) -> bool {
    declare(provider, Attribute::typed("inner", Type::String).optional())
}

fn whole(provider: &mut ProviderSchema) -> bool {
    declare(provider, Attribute::typed("inner", Type::String).optional().computed())
}

fn declare(provider: &mut ProviderSchema, inner: Attribute) -> bool {
    let mut block = Block::new(vec![inner], vec![]);
    block.computed = true;
    edit::declare_block(provider, NestedBlock::new(edit::ARMED, Nesting::Single, block))
}
