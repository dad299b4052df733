use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Attribute, Block, NestedBlock, Nesting, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// No name in a block is both an attribute and a nested block type.
    ///
    /// A value has one place for each name, so the two cannot be told apart, and engines refuse the
    /// provider. This happens when an attribute is replaced by a block of the same name and the old
    /// declaration is kept for its deprecation message: give the block another name.
    "schema/names-differ", Must,
    covers: ["SCHEMA-004"],
    title: Some("Failed to load plugin schemas"),
    fix: "give the attribute or the block another name",
    cites: "configuration schema", "internal validation": "defined as both attribute and child block type";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/names-an-attribute-and-a-block-alike",
        about: "declares an attribute and a nested block with the same name",
        injection: Injection::Schema(alike),
    };
    control: Fault {
        name: "schema/names-an-attribute-and-a-block-apart",
        about: "declares an attribute and a nested block with different names",
        injection: Injection::Schema(apart),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-004");
}

fn alike(provider: &mut ProviderSchema) -> bool {
    declare(provider, edit::ARMED)
}

fn apart(provider: &mut ProviderSchema) -> bool {
    declare(provider, "armed_too")
}

fn declare(provider: &mut ProviderSchema, block_name: &str) -> bool {
    edit::resource_schema(provider, |schema| {
        schema.block.attributes.push(Attribute::typed(edit::ARMED, Type::String).optional());
        schema.block.block_types.push(NestedBlock::new(block_name, Nesting::Single, Block::default()));
        true
    })
}
