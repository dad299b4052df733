use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::edit::ApplyScene;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::{AnyCall, Exchange};
use crate::value::Value;

declare_rule! {
    /// A create or an update that succeeds returns the object.
    ///
    /// Returning null without an error loses the object: it exists, but it is not in the
    /// state. If the object vanished during an update, report an error. The usual cause is a
    /// Create that reads the object back before the remote system can find it, or in SDKv2
    /// an ID that is set too late or to "", which means "no object" there.
    "apply/returns-an-object", Must,
    covers: ["APPLY-003", "APPLY-010"],
    title: Some("Provider produced inconsistent result after apply"),
    fix: "return the object after a create or an update, and an error if it vanished",
    framework: "in Create and Update, call `resp.State.Set` before you return without an error",
    sdkv2: "call `d.SetId` as soon as the object exists, and never with `\"\"` in Create or Update",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "and thus produce the New State object";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/loses-the-object-on-update",
        about: "answers an update with null",
        injection: Injection::Answer(lose),
    };
    control: Fault {
        name: "apply/finds-the-object-late",
        about: "warns on an update that the object was found only at the second try",
        injection: Injection::Answer(find),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    if applied.planned.is_null() {
        return findings.not_applicable("the object is deleted");
    }
    findings.adopt_places(context.apply_check(applied, CheckKind::Presence), RULE.covers);
}

fn lose(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let lost = edit::applied_state(exchange, context, |apply, new| {
        let updates = apply.prior.is_set() && apply.keeps_object();
        updates.then(|| Value::null(new.ty().clone()))
    });
    if let (true, AnyCall::ApplyResourceChange(call)) = (lost, &mut exchange.call)
        && let Ok(response) = &mut call.outcome
    {
        response.new_identity = None;
    }
    lost
}

fn find(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let updates = |apply: ApplyScene<'_>| apply.prior.is_set() && apply.keeps_object();
    edit::applied_scene(exchange, context).is_some_and(updates) && edit::say(exchange, edit::warning())
}
