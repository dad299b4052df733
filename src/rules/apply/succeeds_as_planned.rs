use crate::declare_rule;
use crate::rule::edit::ApplyScene;
use crate::rule::failed::{self, Change};
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, Speaker, edit, own_words,
};
use crate::transcript::{Diagnostic, Exchange, Phase, Purpose};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// What was planned can be applied.
    ///
    /// The configuration was validated and its plan accepted, and then the apply fails. A user has
    /// approved the plan, and may be left with half of it. What the remote system will refuse can often
    /// be known before: check it when the configuration is validated or planned, where an error costs
    /// nothing. Only what depends on the state of the remote system has to wait for the apply.
    "apply/succeeds-as-planned", Should, presumes: Applied,
    covers: ["VALIDATE-008", "APPLY-001"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "refuse when validating or planning what the remote system will refuse",
    framework: "check it in a validator, ValidateConfig or ModifyPlan",
    sdkv2: "check it in ValidateDiagFunc or CustomizeDiff",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "to make remote objects match the Final Planned State";
    check: Check::Asked(check);
    fault: Fault {
        name: "apply/refuses-to-create",
        about: "plans an object with an optional argument, and returns an error and a part of it when it is created",
        injection: Injection::Call(leave_undone, refuse),
    };
    control: Fault {
        name: "apply/warns-on-creating",
        about: "plans an object with an optional argument, and warns when it creates it",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some((_, change)) = failed::change(asked.call) else {
        return findings.not_applicable("nothing is applied");
    };
    if *context.purpose() == Purpose::Gone {
        return findings.not_applicable("the object is gone");
    }
    if context.exchange.phase == Phase::Interrupted {
        return findings.not_applicable("it was interrupted");
    }
    if asked.failure.is_some() {
        return findings.inconclusive("the apply has no answer");
    }
    let Some(error) = failed::first_error(asked.call) else { return };
    if context.transcript.scenario.is_at_limit() {
        return findings.not_applicable("the provider is known to refuse the value");
    }
    if own_words(error).is_some() {
        return findings.not_applicable("the error is about the provider itself");
    }
    if failed::is_unreachable(&error.line()) {
        return findings.inconclusive("the remote system could not be reached");
    }
    if failed::lacks_what_it_names(change, &format!("{}\n{}", error.summary, error.detail)) {
        return findings.inconclusive("something that the configuration names does not exist");
    }
    if context.is_at_quota() {
        return findings.inconclusive("the remote system may allow no more objects of this type");
    }
    let is_reported = match change {
        Change::Create => false,
        Change::Update => context.refuses_every_update(error),
        Change::Delete => context.fails_to_destroy_again() || context.fails_to_plan_destroy(),
    };
    if is_reported {
        return findings.not_applicable("another rule reports it");
    }
    let what = match change {
        Change::Create => "created",
        Change::Update => "updated",
        Change::Delete => "deleted",
    };
    let message = format!("the plan was accepted, and the object cannot be {what}: {}", error.line());
    let cause = failed::cause(error, asked.call.type_name());
    findings.add(Finding::new(AttributePath::root(), message).caused_by(cause));
}

fn creates_with_an_option(scene: &ApplyScene<'_>) -> bool {
    let option = || {
        edit::first_attribute(scene.schema, scene.config, |attribute, value| {
            attribute.optional && Value::is_set(value)
        })
    };
    scene.prior.is_null() && scene.planned.is_set() && option().is_some()
}

fn leave_undone(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::leave_undone(exchange, context, creates_with_an_option)
}

fn refuse(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let error = Diagnostic::error("400 Bad Request", "The service has no such option.");
    edit::refuse_halfway(exchange, context, creates_with_an_option, error)
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_scene(exchange, context).is_some_and(|scene| creates_with_an_option(&scene))
        && edit::say(exchange, edit::warning())
}
