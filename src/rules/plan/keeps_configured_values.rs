use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::transcript::Exchange;
use crate::value::Value;

declare_rule! {
    /// A plan keeps every configured value exactly, or keeps the prior state's value.
    ///
    /// What the user wrote must come back as written: not in another case, not with spaces
    /// trimmed, not with one list element replaced. Where the change makes no difference in
    /// meaning, return the whole value of the prior state. A value that is not known yet
    /// stays unknown. Users see that the provider produced an invalid plan and can do
    /// nothing about it. In the plugin framework, let a plan modifier return the prior
    /// state's value, or use a custom type with semantic equality; in SDKv2, use
    /// DiffSuppressFunc rather than StateFunc.
    "plan/keeps-configured-values", Must, legacy: Excused,
    covers: ["PLAN-010", "PLAN-014", "PLAN-050", "PLAN-063"],
    title: Some("Provider produced invalid plan"),
    fix: "plan {attributes} as configured, or the prior state's value if it means the same",
    framework: "let a plan modifier return `req.StateValue` where it means the same, and nothing else",
    sdkv2: "use DiffSuppressFunc rather than StateFunc",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "must either preserve the exact configuration value or return the corresponding attribute value from the prior state";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/rewrites-configured-values",
        about: "plans configured strings with something appended",
        injection: Injection::Answer(rewrite),
    };
    control: Fault {
        name: "plan/keeps-prior-values",
        about: "plans the prior state's strings in place of configured ones",
        injection: Injection::Answer(keep_prior),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.plan_problems(plan), RULE.covers);
}

/// Changes every configured text of the root block; `change` sees the text and the prior value.
fn each_text(
    exchange: &mut Exchange,
    context: &FaultContext<'_>,
    change: fn(&str, &Value) -> Option<Value>,
) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        Some(edit::each_attribute(&plan.schema.block, planned, |attribute, _| {
            let config = plan.config.member(&attribute.name);
            let text = config.as_str().filter(|_| !attribute.write_only)?;
            change(text, &plan.prior.member(&attribute.name))
        }))
    })
}

fn rewrite(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    each_text(exchange, context, |text, _| Some(Value::string(&format!("{text}-planned"))))
}

fn keep_prior(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    each_text(exchange, context, |_, prior| prior.as_str().map(Value::string))
}
