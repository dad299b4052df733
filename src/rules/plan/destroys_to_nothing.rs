use bytes::Bytes;

use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, DestroyPlan, Fault, FaultContext, Findings, Injection};
use crate::transcript::{AnyCall, Encoded, Exchange, PlanResourceChangeRequest, PlanResourceChangeResponse};
use crate::value::Value;

declare_rule! {
    /// The plan of a destroy is null.
    ///
    /// A provider that declares it can plan destroys is asked with a null configuration and a
    /// null proposal, and may only answer null; to refuse, it reports an error. Users see
    /// that the provider planned a non-null destroy value. Plan modification code must return
    /// early when the plan is null: in the plugin framework, ask `req.Plan.Raw.IsNull()`
    /// first in ModifyPlan.
    "plan/destroys-to-nothing", Must,
    covers: ["PLAN-055"],
    title: Some("Provider produced invalid plan"),
    fix: "return early in plan modification when the plan is null",
    framework: "begin ModifyPlan with `if req.Plan.Raw.IsNull() { return }`",
    cites: "terraform-plugin-go documentation", "PlanResourceChangeRequest":
        "will be null when planning a delete operation";
    check: Check::DestroyPlan(check);
    fault: Fault {
        name: "plan/destroys-to-the-prior-state",
        about: "answers the plan of a destroy with the prior state",
        injection: Injection::Answer(keep),
    };
    control: Fault {
        name: "plan/destroys-with-a-note",
        about: "returns private data with the plan of a destroy",
        injection: Injection::Answer(note),
    };
}

fn check(context: &Context<'_>, plan: &DestroyPlan<'_>, findings: &mut Findings) {
    if plan.response.deferred.is_some() {
        return findings.not_applicable("the plan was deferred");
    }
    findings.adopt_places(context.destroy_plan_check(plan, CheckKind::Presence), RULE.covers);
}

fn change(
    exchange: &mut Exchange,
    change: fn(&PlanResourceChangeRequest, &mut PlanResourceChangeResponse),
) -> bool {
    let AnyCall::PlanResourceChange(call) = &mut exchange.call else { return false };
    let destroys = call.request.proposed_new_state.value().is_some_and(Value::is_null);
    match &mut call.outcome {
        Ok(response) if destroys => {
            change(&call.request, response);
            true
        }
        _ => false,
    }
}

fn keep(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    change(exchange, |request, response| {
        response.planned_state = Encoded::clone(&request.prior_state);
    })
}

fn note(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    change(exchange, |_, response| {
        if response.planned_private.is_empty() {
            response.planned_private = Bytes::from_static(b"{}");
        }
    })
}
