use crate::declare_rule;
use crate::rule::{Check, Context, Crash, Fault, FaultContext, Findings, Injection, Read, Shows, edit};
use crate::transcript::Exchange;

/// Where a block holds an attribute of any type, its list or map has no element type while it is null. Terraform meets the
/// null as a configuration only under `ignore_changes`.
const CRASHES: &[Crash] = &[
    Crash { engine: "terraform 1.11.4", words: "not a collection type" },
    Crash { engine: "tofu 1.12.6", words: "AttributeTypes on non-object Type" },
];

declare_rule! {
    /// A read returns an empty collection, not null, where there are no nested blocks.
    ///
    /// Only a single nested block may be null; a list, set or map is empty where there are
    /// none, and a group is an object of nulls. Engines correct this for schemas that the
    /// legacy SDK can have, and log it; for newer schemas the null stays in the state, where
    /// it misleads the next plan. If the blocks hold an attribute of any type, engines can crash
    /// on it, Terraform where `ignore_changes` keeps the null.
    "read/blocks-are-not-null", Should,
    covers: ["READ-007"],
    shows: Shows::CHANGE.or_crash(CRASHES),
    fix: "return an empty collection in place of null for {attributes}",
    framework: "return an empty list or set of blocks, not `types.ListNull` or `types.SetNull`",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "the number of blocks cannot be changed on the fly";
    check: Check::Read(check);
    fault: Fault {
        name: "read/nullifies-empty-blocks",
        about: "reads an empty collection of nested blocks as null",
        injection: Injection::Answer(nullify),
    };
    control: Fault {
        name: "read/leaves-empty-blocks",
        about: "reads an empty collection of nested blocks as empty",
        injection: Injection::Nothing("null never means no blocks"),
    };
}

fn check(_: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    findings.adopt_null_blocks(&read.schema.block, read.current, read.new, |_, finding| finding);
}

fn nullify(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::read_state(exchange, context, |schema, _, new| edit::nullify_empty_blocks(&schema.block, new))
}
