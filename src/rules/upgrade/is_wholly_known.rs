use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{
    Check, Context, Enforced, Fault, FaultContext, Findings, Injection, Since, Upgraded, edit,
};
use crate::transcript::Exchange;

declare_rule! {
    /// An upgraded state is wholly known.
    ///
    /// What the older state does not have is null after the upgrade; the read that follows
    /// fills it in. Terraform shows an error, OpenTofu silently turns the unknown into null.
    "upgrade/is-wholly-known", Must,
    covers: ["UPGRADE-003"],
    title: Some("Invalid resource state upgrade"),
    enforced: Enforced::by_terraform(Since::Always),
    fix: "upgrade {attributes} to null where the older state has no value",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "No unknown values are permitted in the Updated State";
    check: Check::Upgrade(check);
    fault: Fault {
        name: "upgrade/leaves-unknowns",
        about: "upgrades a computed attribute to unknown",
        injection: Injection::Answer(leave),
    };
    control: Fault {
        name: "upgrade/plans-unknowns",
        about: "plans an optional and computed attribute as unknown, which is where unknowns belong",
        injection: Injection::Answer(edit::unsettle_while_undecided),
    };
}

fn check(context: &Context<'_>, upgrade: &Upgraded<'_>, findings: &mut Findings) {
    findings.adopt_places(context.upgrade_check(upgrade, CheckKind::WhollyKnown), RULE.covers);
}

fn leave(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::upgraded_state(exchange, context, |schema, upgraded| edit::unsettle(&schema.block, upgraded))
}
