use bytes::Bytes;

use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::{AnyCall, Exchange};
use crate::value::Value;

declare_rule! {
    /// A delete that succeeds returns null.
    ///
    /// What is returned is stored, so if a delete returns an object, the engine believes that
    /// it still exists. If the object could not be deleted, report an error, with or without
    /// the object. The plugin framework and SDKv2 clear the state after Delete returns without
    /// errors; do not set it there.
    "apply/deletes-to-nothing", Must,
    covers: ["APPLY-002"],
    title: Some("Provider returned invalid result object after apply"),
    fix: "return null after a delete that succeeds, and an error after one that does not",
    framework: "set no state in Delete: it is removed when Delete returns no error",
    sdkv2: "return an error from Delete unless the object is gone",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "to make remote objects match the Final Planned State";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/deletes-to-the-prior-state",
        about: "answers a delete with the prior state",
        injection: Injection::Answer(keep),
    };
    control: Fault {
        name: "apply/deletes-with-a-note",
        about: "returns private data from a delete",
        injection: Injection::Answer(note),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    if !applied.planned.is_null() {
        return findings.not_applicable("nothing is deleted");
    }
    findings.adopt_places(context.apply_check(applied, CheckKind::Presence), RULE.covers);
}

fn keep(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, |apply, _| apply.planned.is_null().then(|| apply.prior.clone()))
}

fn note(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    let AnyCall::ApplyResourceChange(call) = &mut exchange.call else { return false };
    let deletes = call.request.planned_state.value().is_some_and(Value::is_null);
    match &mut call.outcome {
        Ok(response) if deletes => {
            response.private = Bytes::from_static(b"{}");
            true
        }
        _ => false,
    }
}
