use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, FaultContext, Findings, Injection, Moved, Since, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// A moved state is wholly known.
    ///
    /// What the source does not have is null after the move; the read that follows fills it in.
    /// Terraform shows an error, OpenTofu silently turns the unknown into null.
    "move/is-wholly-known", Must, behaviours: ["instances/moved-across-types"],
    covers: ["MOVE-002"],
    title: Some("Provider returned invalid value"),
    enforced: Enforced::by_terraform(Since::Always),
    fix: "set {attributes} to null where the source has no value",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "No unknown values are permitted in the Updated State";
    check: Check::Move(check);
    fault: Fault {
        name: "move/leaves-unknowns",
        about: "moves a computed attribute to unknown",
        injection: Injection::Answer(leave),
    };
    control: Fault {
        name: "move/warns-about-the-source",
        about: "warns about an object that it moves",
        injection: Injection::Answer(super::warn),
    };
}

fn check(context: &Context<'_>, moved: &Moved<'_>, findings: &mut Findings) {
    findings.adopt_places(context.move_check(moved, CheckKind::WhollyKnown), RULE.covers);
}

fn leave(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::moved_state(exchange, context, |schema, moved| edit::unsettle(&schema.block, moved))
}
