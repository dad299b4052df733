use crate::declare_rule;
use crate::rule::edit::ApplyScene;
use crate::rule::failed::{self, Change};
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, Speaker, edit,
};
use crate::transcript::{Diagnostic, Exchange};
use crate::value::AttributePath;

declare_rule! {
    /// What was planned as an update in place can be updated in place.
    ///
    /// The update was planned without replacement, the plan was accepted, and the apply refuses it: not
    /// for a value, because another update is refused with the same words, and both objects can be
    /// created as they were to be updated. A user who changes an argument meets the error after they
    /// have approved the plan, and every time. Implement the update, or plan a replacement: in the
    /// plugin framework a RequiresReplace plan modifier for each argument that cannot change, in SDKv2
    /// ForceNew.
    "apply/updates-in-place", Must, presumes: Applied,
    covers: ["PLAN-053"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "implement the update of {attributes}, or plan a replacement",
    framework: "add a RequiresReplace plan modifier to each argument that cannot change",
    sdkv2: "set ForceNew on each argument that cannot change",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "any changes that require the object to be replaced";
    check: Check::Asked(check);
    fault: Fault {
        name: "apply/refuses-updates",
        about: "plans updates in place, and refuses each when it is applied",
        injection: Injection::Call(leave_undone, refuse),
    };
    control: Fault {
        name: "apply/warns-on-updating",
        about: "plans updates in place, and warns of each when it is applied",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some((_, Change::Update)) = failed::change(asked.call) else {
        return findings.not_applicable("nothing is updated");
    };
    if asked.failure.is_some() {
        return findings.inconclusive("the update has no answer");
    }
    if failed::first_error(asked.call).is_none() {
        return;
    }
    let refused = failed::plain_error(asked.call).filter(|error| context.refuses_every_update(error));
    let Some(error) = refused else {
        return findings.not_applicable("the values may be to blame");
    };
    let message = format!(
        "the update was planned in place and is refused, whatever its values, although the same object can be \
         created: {}",
        error.line()
    );
    let cause = failed::cause(error, asked.call.type_name());
    findings.add(Finding::new(AttributePath::root(), message).caused_by(cause));
}

fn is_update(scene: &ApplyScene<'_>) -> bool {
    scene.prior.is_set() && scene.planned.is_set()
}

fn leave_undone(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::leave_undone(exchange, context, is_update)
}

fn refuse(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::refuse(exchange, context, is_update, Diagnostic::error("Not implemented", "Things cannot change."))
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_scene(exchange, context).is_some_and(|scene| is_update(&scene))
        && edit::say(exchange, edit::warning())
}
