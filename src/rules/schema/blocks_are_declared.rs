use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Crash, Fault, Findings, Injection, Shows, edit};
use crate::schema::{Block, ProviderSchema, Schema};

declare_rule! {
    /// Every schema, and every nested block in it, has a block.
    ///
    /// A schema without arguments still has a block, which is empty: where the `block` of a schema, of a
    /// nested block or of an action's schema is not set, an engine panics while it loads the provider,
    /// and the user sees a crash of the engine. SDKs set it; code that builds the response by hand may
    /// leave it out where there is nothing to put in it.
    "schema/blocks-are-declared", Must,
    covers: ["SCHEMA-002"],
    shows: Shows::crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "runtime error: invalid memory address or nil pointer dereference",
    }]),
    fix: "send a block with every schema, an empty one where there is nothing in it",
    cites: "plugin protocol", "Schema": "every schema and every nested block has a block";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/leaves-a-block-out",
        about: "declares an ephemeral resource without a block",
        injection: Injection::Schema(without),
    };
    control: Fault {
        name: "schema/declares-an-empty-block",
        about: "declares an ephemeral resource with an empty block",
        injection: Injection::Schema(empty),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_declared(provider, findings, |declared| declared.problem.is_missing_block());
}

fn without(provider: &mut ProviderSchema) -> bool {
    declare(provider, Block::missing())
}

fn empty(provider: &mut ProviderSchema) -> bool {
    declare(provider, Block::default())
}

fn declare(provider: &mut ProviderSchema, block: Block) -> bool {
    let Some(type_name) = provider.resources.keys().next() else { return false };
    let prefix = type_name.split('_').next().unwrap_or_default();
    let schema = Arc::new(Schema { version: 0, block });
    provider.ephemeral_resources.insert(format!("{prefix}_{}", edit::ARMED), schema).is_none()
}
