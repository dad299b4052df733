use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::Value;

declare_rule! {
    /// An apply replaces an unknown only with a value that its refinements allow.
    ///
    /// An unknown becomes a value of its type. If the plan promised that it is not null, starts
    /// with some prefix, or lies within some bounds, the value must keep that promise. Users see
    /// that the final value does not conform to the planning placeholder. In the plugin
    /// framework the promises come from plan modifiers and types that refine unknowns, such as
    /// UseNonNullStateForUnknown; promise only what the remote system guarantees.
    "apply/keeps-promises", Must, legacy: Excused,
    covers: ["APPLY-012", "APPLY-023", "PLAN-071"],
    title: Some("Provider produced inconsistent result after apply"),
    fix: "refine the planned unknown of {attributes} only by what the remote system guarantees",
    framework: "use UseNonNullStateForUnknown only where the remote system always returns a value",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "must take on a known value whose type conforms to the type constraint of the unknown value";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/breaks-a-promise",
        about: "stores and returns null for what was planned as unknown and not null",
        injection: Injection::Call(before_breaking, break_promise),
    };
    control: Fault {
        name: "apply/returns-null-unpromised",
        about: "stores and returns null for what was planned as unknown without a promise",
        injection: Injection::Call(before_nullifying, nullify),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    findings.adopt(&applied.schema.block, context.result_problems(applied), RULE.covers);
}

fn nullified(apply: &edit::ApplyScene<'_>, object: &Value, promised: bool) -> Option<Value> {
    let attribute = edit::first_attribute(apply.schema, apply.planned, |attribute, planned| {
        let is_promised = planned.refinements().is_some_and(|refinements| refinements.not_null);
        // The object is found by its identifier.
        let is_free = attribute.computed && attribute.name != "id" && (promised || attribute.optional);
        is_free && planned.is_unknown() && is_promised == promised
    })?;
    object.is_set().then(|| object.with_attribute(&attribute.name, Value::null(attribute.ty())))
}

fn before_breaking(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, |apply, planned| nullified(apply, planned, true))
}

fn break_promise(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, |apply, new| nullified(apply, new, true))
}

fn before_nullifying(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, |apply, planned| nullified(apply, planned, false))
}

fn nullify(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, |apply, new| nullified(apply, new, false))
}
