use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Block, NestedBlock, Nesting, ProviderSchema};

declare_rule! {
    /// The name of a nested block type consists of lower-case letters, digits and underscores only.
    ///
    /// Engines refuse a provider with any other block name, including an empty one. Replace capitals
    /// and hyphens in names that come from an API.
    "schema/block-names-are-plain", Must,
    covers: ["SCHEMA-005"],
    title: Some("Failed to load plugin schemas"),
    fix: "name the block type in lower case, with digits and underscores only",
    cites: "configuration schema", "internal validation": "must contain only lowercase letters, numbers, and underscores";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/names-a-block-with-a-hyphen",
        about: "declares a nested block whose name has a capital and a hyphen",
        injection: Injection::Schema(hyphen),
    };
    control: Fault {
        name: "schema/names-a-block-with-an-underscore",
        about: "declares a nested block whose name has an underscore",
        injection: Injection::Schema(underscore),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-005");
}

fn hyphen(provider: &mut ProviderSchema) -> bool {
    declare(provider, "Armed-block")
}

fn underscore(provider: &mut ProviderSchema) -> bool {
    declare(provider, "armed_block")
}

fn declare(provider: &mut ProviderSchema, name: &str) -> bool {
    edit::declare_block(provider, NestedBlock::new(name, Nesting::Single, Block::default()))
}
