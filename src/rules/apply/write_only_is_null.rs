use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, Shows, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// The result of an apply holds no write-only values.
    ///
    /// A provider uses a write-only value and then forgets it: the new state has null there,
    /// even if the apply fails. Otherwise a secret would end up in the state; Terraform drops
    /// the whole result, so that a created object is lost, and OpenTofu may store the value.
    /// Build the state from the plan, which has null there, not from the configuration. Nor
    /// may collections around such values have null elements: engines crash on them.
    "apply/write-only-is-null", Must,
    covers: ["APPLY-006", "WO-001", "WO-002"],
    shows: Shows::title_of("Provider produced invalid object").in_opentofu("Invalid provider response"),
    fix: "build the new state from the plan, which has null for {attributes}",
    framework: "read the value from `req.Config`, and build the state from `req.Plan`",
    sdkv2: "read it with `d.GetRawConfigAt`, and never call `d.Set` for it",
    cites: "tfplugin6 protocol definition", "Schema.Attribute":
        "must be omitted from state";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/leaks-write-only",
        about: "returns a value for a write-only attribute from an apply",
        injection: Injection::Answer(leak),
    };
    control: Fault {
        name: "apply/echoes-secrets",
        about: "returns configured sensitive values, as it must",
        injection: Injection::Nothing("null is the only answer for a write-only attribute"),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    let block = &applied.schema.block;
    let problems = context.apply_check(applied, CheckKind::WriteOnlyNull);
    findings.adopt_leaks(block, problems, RULE.covers, applied.planned);
}

fn leak(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, |apply, new| edit::leak(&apply.schema.block, new))
}
