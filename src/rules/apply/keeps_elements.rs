use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::{Type, Value};

declare_rule! {
    /// An apply returns lists and maps with the elements that were planned.
    ///
    /// The remote system may add its own tags or members, or drop empty ones; the state must
    /// have exactly those in the plan. Users see that a new element has appeared, or that one
    /// has vanished. Report what the remote system adds in a separate computed attribute, and
    /// keep it out of the configured one.
    "apply/keeps-elements", Must, legacy: Excused,
    covers: ["APPLY-017"],
    title: Some("Provider produced inconsistent result after apply"),
    fix: "return the planned elements of {attributes}; put added ones into a computed attribute",
    framework: "begin with `req.Plan.Get`, and overwrite only what is `IsUnknown()`",
    sdkv2: "store only the elements that the user configured; put all of them into a computed attribute",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "must have an identical value in the new state";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/adds-an-element",
        about: "stores and returns a configured list with one more element",
        injection: Injection::Call(before, after),
    };
    control: Fault {
        name: "apply/adds-no-element",
        about: "stores and returns each list as planned",
        injection: Injection::Nothing("a known list may have neither more nor fewer elements"),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    findings.adopt(&applied.schema.block, context.result_problems(applied), RULE.covers);
}

fn extended(apply: &edit::ApplyScene<'_>, object: &Value) -> Option<Value> {
    let attribute = edit::first_attribute(apply.schema, apply.planned, |attribute, planned| {
        let is_list = matches!(attribute.ty(), Type::List(element) if element.is_primitive());
        let has_elements = planned.elements().is_some_and(|elements| !elements.is_empty());
        attribute.optional && !attribute.computed && is_list && has_elements
    })?;
    let mut elements = apply.planned.attribute(&attribute.name)?.elements()?.to_vec();
    elements.push(elements[0].clone());
    let list = Value::list(elements[0].ty().clone(), elements);
    object.is_set().then(|| object.with_attribute(&attribute.name, list))
}

fn before(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, extended)
}

fn after(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, extended)
}
