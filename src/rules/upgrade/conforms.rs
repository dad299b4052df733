use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Crash, Fault, FaultContext, Findings, Injection, Shows, Upgraded, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// An upgraded state has nested blocks where the schema has nested blocks.
    ///
    /// Most answers of the wrong type do not even decode. Nested blocks with dynamic members
    /// are sent as a dynamic value, which can hold anything; it must be a tuple of the
    /// blocks' objects, or an object of them for a map of blocks. Terraform stores what it gets,
    /// and crashes when it plans with it, unless a read corrects it first: as with
    /// `-refresh=false`. Convert state of an older version into this shape instead of passing it
    /// through.
    "upgrade/conforms", Must,
    covers: ["UPGRADE-002"],
    shows: Shows::crash(&[Crash { engine: "terraform 1.11.4", words: "not a list, map, or tuple type" }]),
    fix: "convert {attributes} into the shape of the current schema",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "to conform to the current schema for the resource type";
    check: Check::Upgrade(check);
    fault: Fault {
        name: "upgrade/misshapes-blocks",
        about: "upgrades blocks with dynamic members to a string",
        injection: Injection::Answer(misshape),
    };
    control: Fault {
        name: "upgrade/keeps-blocks-in-shape",
        about: "upgrades each block to an object",
        injection: Injection::Nothing("nothing else may take the place of nested blocks"),
    };
}

fn check(context: &Context<'_>, upgrade: &Upgraded<'_>, findings: &mut Findings) {
    findings.adopt_places(context.upgrade_check(upgrade, CheckKind::Conforms), RULE.covers);
}

fn misshape(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::upgraded_state(exchange, context, |schema, upgraded| edit::misshape(&schema.block, upgraded))
}
