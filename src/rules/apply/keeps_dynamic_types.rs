use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::{Type, Value};

declare_rule! {
    /// An apply returns dynamic values with the type that was planned.
    ///
    /// A dynamic attribute may hold anything, but once it is planned its type is fixed: a
    /// number does not come back as a string, nor a tuple as a list. Users see a wrong
    /// final value type. Keep the planned value itself instead of converting what the
    /// remote system sends; a round trip through JSON loses the type.
    "apply/keeps-dynamic-types", Must, legacy: Excused,
    covers: ["APPLY-019"],
    title: Some("Provider produced inconsistent result after apply"),
    fix: "return the planned value of {attributes} itself, without converting it",
    framework: "return the planned `types.Dynamic` itself",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "must have an identical value in the new state";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/retypes-dynamic-values",
        about: "stores and returns a dynamic value with another type",
        injection: Injection::Call(before, after),
    };
    control: Fault {
        name: "apply/retypes-nothing",
        about: "stores and returns each dynamic value as planned",
        injection: Injection::Nothing("the type of a known value is final"),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    findings.adopt(&applied.schema.block, context.result_problems(applied), RULE.covers);
}

fn retyped(apply: &edit::ApplyScene<'_>, object: &Value) -> Option<Value> {
    let attribute = edit::first_attribute(apply.schema, apply.planned, |attribute, planned| {
        attribute.is_configurable() && attribute.ty() == Type::Dynamic && planned.is_set()
    })?;
    let is_text = apply.planned.attribute(&attribute.name)?.as_str().is_some();
    let other = if is_text { Value::bool(true) } else { Value::string("retyped") };
    object.is_set().then(|| object.with_attribute(&attribute.name, other))
}

fn before(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, retyped)
}

fn after(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, retyped)
}
