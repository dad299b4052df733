use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, Shows, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// A planned state holds no write-only values.
    ///
    /// A write-only attribute is null in every state, whatever the configuration says; unknown
    /// is not null. The engine's proposed new state contains the configured value, so a plan
    /// that echoes the proposal leaks it. The plugin framework and SDKv2 clear these values
    /// themselves; look for plan modifiers that set them, or for an SDK that is older than
    /// write-only attributes.
    "plan/write-only-is-null", Must,
    covers: ["PLAN-003", "PLAN-012", "WO-001"],
    shows: Shows::title_of("Provider produced invalid plan").in_opentofu("Invalid provider response"),
    fix: "plan null for {attributes}, whatever the configuration and the proposal have",
    framework: "set no write-only attribute in ModifyPlan; read it from `req.Config` in Create and Update",
    sdkv2: "read it with `d.GetRawConfigAt` in Create and Update, and never call `d.Set` for it",
    cites: "tfplugin6 protocol definition", "Schema.Attribute":
        "must be omitted from state";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/leaks-write-only",
        about: "plans a value for a write-only attribute",
        injection: Injection::Answer(leak),
    };
    control: Fault {
        name: "plan/echoes-secrets",
        about: "plans configured sensitive values, as it must",
        injection: Injection::Nothing("null is the only answer for a write-only attribute"),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    let block = &plan.schema.block;
    findings.adopt(block, context.plan_check(plan, CheckKind::WriteOnlyNull), RULE.covers);
}

fn leak(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| edit::leak(&plan.schema.block, planned))
}
