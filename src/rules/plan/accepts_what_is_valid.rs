use crate::declare_rule;
use crate::rule::failed::{self, Change};
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, Speaker, edit, named,
};
use crate::transcript::{AnyCall, Diagnostic, Exchange, Purpose};
use crate::value::Value;

declare_rule! {
    /// A configuration that validation accepts can be planned.
    ///
    /// Validation accepted the configuration with everything known, and the plan of a new object refuses an argument
    /// in it. Users see the error only with credentials and after a refresh, and `terraform validate` in their
    /// editors and checks says that all is well. Move checks that need nothing but the configuration to validation;
    /// what needs the provider's configuration, the prior state or the remote system stays in the plan.
    "plan/accepts-what-is-valid", Advice,
    covers: ["VALIDATE-008"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "move the check to validation if it needs nothing but the configuration",
    framework: "move it from ModifyPlan to a validator or ValidateConfig",
    sdkv2: "move it from CustomizeDiff to ValidateDiagFunc or ValidateRawResourceConfigFuncs",
    cites: "resource instance change lifecycle", "ValidateResourceConfig":
        "validation rules that do not depend on a prior state";
    check: Check::Asked(check);
    fault: Fault {
        name: "plan/refuses-what-is-valid",
        about: "refuses to plan a new object that lacks an optional argument",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "plan/warns-of-what-is-valid",
        about: "warns when it plans a new object that lacks an optional argument",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some(config) = new_and_known(asked.call).filter(|_| *context.purpose() == Purpose::Ordinary) else {
        return findings.not_applicable("not the first plan of a new object with everything known");
    };
    if asked.failure.is_some() {
        return findings.inconclusive("the call has no answer");
    }
    let Some(error) = failed::first_error(asked.call) else { return };
    if !failed::is_plain(error) {
        return findings.not_applicable("the error is about the provider itself");
    }
    let text = format!("{} {}", error.summary, error.detail).to_lowercase();
    if failed::lacks_what_it_names(Change::Create, &text) || text.contains("already exists") {
        return findings.inconclusive("the error is about what exists");
    }
    let schema = context.subject().schema_of(asked.call);
    if schema.is_none_or(|schema| named::arguments(error, schema).is_empty()) {
        return findings.inconclusive("the error names no argument");
    }
    let mut before = context.transcript.before(context.exchange.id, &context.exchange.instance);
    if !before.any(|other| other.call.succeeded() && validated(&other.call) == Some(config)) {
        return findings.inconclusive("the configuration was not validated before");
    }
    let path = error.attribute.as_ref().map(|path| path.to_path()).unwrap_or_default();
    let message = format!("validation accepted the configuration, and the plan refuses it: {}", error.line());
    findings.add(Finding::new(path, message).caused_by(failed::cause(error, asked.call.type_name())));
}

fn validated(call: &AnyCall) -> Option<&Value> {
    let AnyCall::ValidateResourceConfig(call) = call else { return None };
    call.request.config.value()
}

/// The configuration of a new object, if everything in it is known.
fn new_and_known(call: &AnyCall) -> Option<&Value> {
    let AnyCall::PlanResourceChange(call) = call else { return None };
    let is_new = call.request.prior_state.value()?.is_null();
    call.request.config.value().filter(|config| is_new && config.is_set() && config.is_wholly_known())
}

fn complain(exchange: &mut Exchange, context: &FaultContext<'_>, severity: i32) -> bool {
    let Some(option) = context.schema.and_then(edit::first_option) else { return false };
    let is_left_out =
        new_and_known(&exchange.call).is_some_and(|config| config.member(&option.name).is_null());
    let detail = format!("\"{}\" cannot be left out of these.", option.name);
    is_left_out
        && edit::say(exchange, Diagnostic { severity, ..Diagnostic::error("Invalid combination", &detail) })
}

fn refuse(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    complain(exchange, context, Diagnostic::ERROR)
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    complain(exchange, context, Diagnostic::WARNING)
}
