use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit, failed};
use crate::transcript::{AnyCall, Diagnostic, Exchange, Purpose, has_errors};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// Deleting an object that is already gone succeeds.
    ///
    /// The object may have been deleted outside Terraform since it was last read, or an
    /// earlier delete may have been interrupted. Nothing is left to do then, and an error
    /// would keep the object in the state until a user edits it by hand. Treat the remote
    /// system's "not found" as success in Delete.
    "apply/deletes-what-is-gone", Should,
    covers: ["APPLY-032"],
    title: None,
    fix: "treat the remote system's “not found” as success in Delete",
    framework: "in Delete, return without an error where the remote system says “not found”",
    sdkv2: "in Delete, return nil where the remote system says “not found”",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "to make remote objects match the Final Planned State";
    check: Check::Asked(check);
    fault: Fault {
        name: "apply/refuses-to-delete-twice",
        about: "reports an error when an object is deleted that it has deleted before",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "apply/warns-on-deleting-twice",
        about: "warns when an object is deleted that it has deleted before",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let AnyCall::ApplyResourceChange(_) = asked.call else {
        return findings.not_applicable("nothing is deleted");
    };
    if *context.purpose() != Purpose::Gone {
        return findings.not_applicable("the object may exist");
    }
    if asked.failure.is_some() {
        return findings.inconclusive("the delete has no answer");
    }
    if let Some(error) = asked.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        let message = "deleting an object that is already gone reports an error";
        findings.add(
            Finding::new(AttributePath::root(), message)
                .caused_by(failed::cause(error, asked.call.type_name())),
        );
    }
}

fn on_second_delete(exchange: &mut Exchange, context: &mut FaultContext<'_>, diagnostic: Diagnostic) -> bool {
    let AnyCall::ApplyResourceChange(call) = &exchange.call else { return false };
    let deletes = call.request.planned_state.value().is_some_and(Value::is_null);
    let Some(prior) = call.request.prior_state.value().filter(|_| deletes) else { return false };
    let times = context.memory.count(&format!("apply/deletes-what-is-gone {prior}"));
    times > 0 && !has_errors(exchange.call.diagnostics()) && edit::say(exchange, diagnostic)
}

fn refuse(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    on_second_delete(exchange, context, Diagnostic::error("404 Not Found", "There is no such object."))
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    on_second_delete(exchange, context, edit::warning())
}
