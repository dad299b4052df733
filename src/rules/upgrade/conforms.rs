use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Upgraded, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// An upgraded state has nested blocks where the schema has nested blocks.
    ///
    /// Most answers of the wrong type do not even decode. Nested blocks with dynamic
    /// members are sent as a dynamic value, which can hold anything; it has to be a tuple
    /// of the blocks' objects, or for a map of blocks an object of them. State of an older
    /// version is to be brought into this shape, and not passed through.
    "upgrade/conforms", Must,
    covers: ["UPGRADE-002"],
    title: Some("Invalid resource state upgrade"),
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "to conform to the current schema for the resource type";
    check: Check::Upgrade(check);
    fault: Fault {
        name: "upgrade/misshapes-blocks",
        about: "upgrades blocks with dynamic members to a text",
        injection: Injection::Answer(misshape),
    };
    control: Fault {
        name: "upgrade/keeps-blocks-in-shape",
        about: "upgrades each block to an object",
        injection: Injection::Nothing("nothing else may stand in place of nested blocks"),
    };
}

fn check(context: &Context<'_>, upgrade: &Upgraded<'_>, findings: &mut Findings) {
    findings.adopt_places(context.upgrade_check(upgrade, CheckKind::Conforms), RULE.covers);
}

fn misshape(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::upgraded_state(exchange, context, |schema, upgraded| edit::misshape(&schema.block, upgraded))
}
