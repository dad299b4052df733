use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Shows, Upgraded, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// An upgraded state holds no write-only values.
    ///
    /// When an attribute becomes write-only, older states still have its value: raise the
    /// schema version, and set the attribute to null in the upgrade. Collections around such
    /// values may not have null elements: engines crash on them.
    "upgrade/write-only-is-null", Must,
    covers: ["UPGRADE-004", "WO-001", "WO-002"],
    shows: Shows::title_of("Invalid resource state upgrade").in_opentofu("Invalid provider response"),
    fix: "raise the schema version, and set {attributes} to null in the upgrade",
    cites: "tfplugin6 protocol definition", "Schema.Attribute":
        "must be omitted from state";
    check: Check::Upgrade(check);
    fault: Fault {
        name: "upgrade/leaks-write-only",
        about: "upgrades a write-only attribute to a value",
        injection: Injection::Answer(leak),
    };
    control: Fault {
        name: "upgrade/echoes-secrets",
        about: "upgrades sensitive values to themselves, as it must",
        injection: Injection::Nothing("null is the only answer for a write-only attribute"),
    };
}

fn check(context: &Context<'_>, upgrade: &Upgraded<'_>, findings: &mut Findings) {
    let block = &upgrade.schema.block;
    let problems = context.upgrade_check(upgrade, CheckKind::WriteOnlyNull);
    if problems.is_empty() {
        return;
    }
    let stored = upgrade.stored().unwrap_or_else(|| upgrade.schema.null());
    findings.adopt_leaks(block, problems, RULE.covers, &stored);
}

fn leak(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::upgraded_state(exchange, context, |schema, upgraded| edit::leak(&schema.block, upgraded))
}
