use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, Speaker, edit, failed,
};
use crate::transcript::{AnyCall, Diagnostic, Exchange};
use crate::value::{Value, may_become};

declare_rule! {
    /// Planning reports no error because something is not known yet.
    ///
    /// This configuration could be planned with values, but not with unknowns in their place. A user
    /// who takes a value from another resource, as most do, cannot plan at all. Leave what depends on
    /// an unknown value unknown in the plan, and leave checks of it to the plan in the apply phase,
    /// when everything is known.
    "plan/tolerates-unknowns", Must, presumes: Applied,
    covers: ["PLAN-048"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "check {unknown} only once known, and plan what depends on them as unknown",
    framework: "in validators and ModifyPlan, return early while a value is `IsUnknown()`",
    sdkv2: "in CustomizeDiff, check a value only if `d.NewValueKnown` is true for it",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "may contain unknown values as placeholders";
    check: Check::Asked(check);
    fault: Fault {
        name: "plan/refuses-unknowns",
        about: "refuses to plan a configuration that is not wholly known",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "plan/warns-of-unknowns",
        about: "warns when planning a configuration that is not wholly known",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some((prior, config)) = planned(asked.call).filter(|(_, config)| !config.is_wholly_known()) else {
        return findings.not_applicable("not a plan of a configuration with unknowns");
    };
    let is_of_provider = |said: &&Diagnostic| said.is_error() && !failed::is_unreachable(&said.line());
    let errors: Vec<&Diagnostic> = asked.diagnostics.iter().copied().filter(is_of_provider).collect();
    if errors.is_empty() {
        return;
    }
    let succeeded = || {
        let calls = context.transcript.exchanges.iter().map(|exchange| &exchange.call);
        let alike = calls.filter(|call| call.type_name() == asked.call.type_name() && call.succeeded());
        alike.filter_map(planned).filter(|(before, _)| before.is_null() == prior.is_null())
    };
    if succeeded().any(|(_, planned)| planned == config) {
        return findings.not_applicable("the same unknowns were planned another time");
    }
    if !succeeded().any(|(_, known)| known.is_wholly_known() && may_become(config, known)) {
        return findings
            .inconclusive("the same configuration was not planned with values in place of unknowns");
    }
    for error in errors {
        let path = error.attribute.as_ref().map(|path| path.to_path()).unwrap_or_default();
        let message = format!("planning failed because a value is unknown: {}", error.summary);
        findings.add(Finding::new(path, message).caused_by(failed::cause(error, asked.call.type_name())));
    }
}

/// The request of a create or update plan.
fn planned(call: &AnyCall) -> Option<(&Value, &Value)> {
    let AnyCall::PlanResourceChange(call) = call else { return None };
    let (prior, config) = (call.request.prior_state.value()?, call.request.config.value()?);
    config.is_set().then_some((prior, config))
}

fn complain(exchange: &mut Exchange, severity: i32) -> bool {
    let is_unknown = planned(&exchange.call).is_some_and(|(_, config)| !config.is_wholly_known());
    let diagnostic =
        Diagnostic { severity, ..Diagnostic::error("Value not known", "A value must be known.") };
    is_unknown && edit::say(exchange, diagnostic)
}

fn refuse(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    complain(exchange, Diagnostic::ERROR)
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    complain(exchange, Diagnostic::WARNING)
}
