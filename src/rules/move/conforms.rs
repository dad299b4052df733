use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Crash, Fault, FaultContext, Findings, Injection, Moved, Shows, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// A moved state has nested blocks where the schema of its new type has nested blocks.
    ///
    /// Most answers of the wrong type do not even decode. Nested blocks with dynamic members are
    /// sent as a dynamic value, which can hold anything; it must be a tuple of the blocks' objects, or
    /// an object of them for a map of blocks. Terraform stores what it gets, and a read corrects it, if there
    /// is one before it plans; OpenTofu crashes. Convert what the source has into this shape instead of
    /// passing it through.
    "move/conforms", Should, behaviours: ["instances/moved-across-types"],
    covers: ["MOVE-002"],
    shows: Shows::crash(&[Crash { engine: "tofu 1.12.6", words: "value is not a collection" }]),
    fix: "convert {attributes} of the source into the shape of the target's schema",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "to conform to the current schema for the resource type";
    check: Check::Move(check);
    fault: Fault {
        name: "move/misshapes-blocks",
        about: "moves blocks with dynamic members to a string",
        injection: Injection::Answer(misshape),
    };
    control: Fault {
        name: "move/keeps-blocks-in-shape",
        about: "moves each block to an object",
        injection: Injection::Nothing("nothing else may take the place of nested blocks"),
    };
}

fn check(context: &Context<'_>, moved: &Moved<'_>, findings: &mut Findings) {
    findings.adopt_places(context.move_check(moved, CheckKind::Conforms), RULE.covers);
}

fn misshape(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::moved_state(exchange, context, |schema, moved| edit::misshape(&schema.block, moved))
}
