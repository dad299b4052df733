use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Block, NestedBlock, Nesting, ProviderSchema};

declare_rule! {
    /// Nested blocks have one of the nesting modes that the protocol defines.
    ///
    /// These are single, group, list, set and map. Engines refuse a provider that sends any other
    /// number, including zero, the value of an unset field.
    "schema/blocks-have-a-mode", Must,
    covers: ["SCHEMA-024"],
    title: Some("Failed to load plugin schemas"),
    fix: "set the nesting mode to single, group, list, set or map",
    cites: "configuration schema", "internal validation": "invalid nesting mode";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/nests-blocks-in-no-mode",
        about: "declares a nested block in a mode that does not exist",
        injection: Injection::Schema(no_mode),
    };
    control: Fault {
        name: "schema/nests-blocks-singly",
        about: "declares a single nested block",
        injection: Injection::Schema(single),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-024");
}

fn no_mode(provider: &mut ProviderSchema) -> bool {
    declare(provider, Nesting::Invalid(0))
}

fn single(provider: &mut ProviderSchema) -> bool {
    declare(provider, Nesting::Single)
}

fn declare(provider: &mut ProviderSchema, nesting: Nesting) -> bool {
    edit::declare_block(provider, NestedBlock::new(edit::ARMED, nesting, Block::default()))
}
