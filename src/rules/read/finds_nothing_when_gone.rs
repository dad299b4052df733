use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, edit, failed,
};
use crate::transcript::{AnyCall, Diagnostic, DriftKind, Exchange, Purpose};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// Reading an object that is gone returns null, without an error.
    ///
    /// Null removes the object from the state, so that the next plan creates it again. With
    /// an error every plan fails until a user edits the state by hand; with an object, the
    /// state describes something that does not exist. In Read, treat only the remote
    /// system's "not found" as absence: in the plugin framework call RemoveResource on the
    /// state, in SDKv2 set the ID to "".
    "read/finds-nothing-when-gone", Must, presumes: Applied,
    covers: ["READ-004", "READ-006", "APPLY-032"],
    title: None,
    fix: "return null when the remote system says “not found”: RemoveResource, or SetId(\"\")",
    framework: "call `resp.State.RemoveResource(ctx)` and return",
    sdkv2: "call `d.SetId(\"\")` and return nil",
    cites: "resource instance change lifecycle", "ReadResource":
        "to detect any such external changes and describe them";
    check: Check::Asked(check);
    fault: Fault {
        name: "read/fails-when-gone",
        about: "reports an error when the object it reads is gone",
        injection: Injection::Answer(fail),
    };
    control: Fault {
        name: "read/warns-when-gone",
        about: "warns when the object it reads is gone",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let AnyCall::ReadResource(call) = asked.call else { return findings.not_applicable("nothing is read") };
    let (most_of_error, most_of_object) = match context.purpose() {
        // A read of what somebody else deleted would fail the same way. But a provider without a remote system
        // cannot know that an object is gone.
        Purpose::Gone => (Level::Must, Level::Advice),
        Purpose::AfterDrift(drift) if drift.kind == DriftKind::Vanish => (Level::Must, Level::Must),
        _ => return findings.not_applicable("the object exists"),
    };
    let Ok(response) = &call.outcome else { return findings.inconclusive("the read has no answer") };
    let root = AttributePath::root();
    if let Some(error) = asked.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        let message = format!("the object is gone, but reading it reports an error: “{}”", error.summary);
        return findings.add(
            Finding::new(root, message)
                .caused_by(failed::cause(error, asked.call.type_name()))
                .at_most(most_of_error),
        );
    }
    match response.new_state.value() {
        None => findings.inconclusive("the state that was read does not decode"),
        Some(_) if response.deferred.is_some() => findings.not_applicable("the read was deferred"),
        // Every scenario ends so if one does: once for each type is enough.
        Some(new) if new.is_set() && most_of_object == Level::Advice && !is_first(context) => {
            findings.not_applicable("only the first scenario of a type is judged");
        }
        Some(new) if !new.is_null() => {
            findings.add(
                Finding::new(root, "the object is gone, but the read returns one").at_most(most_of_object),
            );
        }
        Some(_) => {}
    }
}

fn is_first(context: &Context<'_>) -> bool {
    context.transcript.scenario.number <= 1
}

fn say_when_gone(exchange: &mut Exchange, diagnostic: Diagnostic) -> bool {
    let AnyCall::ReadResource(call) = &exchange.call else { return false };
    let is_gone = call.outcome.as_ref().is_ok_and(|response| {
        response.new_state.value().is_some_and(Value::is_null)
            && call.request.current_state.value().is_some_and(Value::is_set)
    });
    is_gone && edit::say(exchange, diagnostic)
}

fn fail(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    say_when_gone(exchange, Diagnostic::error("404 Not Found", "There is no such object."))
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    say_when_gone(exchange, edit::warning())
}
