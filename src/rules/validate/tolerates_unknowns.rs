use super::config;
use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, Speaker, edit, failed,
};
use crate::transcript::{Diagnostic, Exchange};
use crate::value::may_become;

declare_rule! {
    /// Validation reports no error because something is not known yet.
    ///
    /// During planning any value may be unknown, whole blocks and required arguments included, and
    /// the provider is asked again when everything is known. This configuration was accepted with
    /// values, but refused with unknowns in their place. A user cannot plan what would have applied.
    /// Skip every check that depends on an unknown value, and do not mistake unknown for null or
    /// empty.
    "validate/tolerates-unknowns", Must,
    covers: ["VALIDATE-001"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "check {unknown} only where known; an unknown value is neither null nor empty",
    cites: "resource instance change lifecycle", "ValidateResourceConfig": "avoid reporting errors for values that are unknown";
    check: Check::Asked(check);
    fault: Fault {
        name: "validate/refuses-unknowns",
        about: "refuses a configuration that is not wholly known",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "validate/warns-of-unknowns",
        about: "warns about a configuration that is not wholly known",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some(config) = config(asked.call).filter(|config| !config.is_wholly_known()) else {
        return findings.not_applicable("not the validation of a configuration with unknowns");
    };
    let is_of_provider = |said: &&Diagnostic| said.is_error() && !failed::is_unreachable(&said.line());
    let errors: Vec<&Diagnostic> = asked.diagnostics.iter().copied().filter(is_of_provider).collect();
    if errors.is_empty() {
        return;
    }
    let accepted = context.transcript.exchanges.iter().map(|exchange| &exchange.call).any(|call| {
        call.type_name() == asked.call.type_name()
            && call.succeeded()
            && super::config(call).is_some_and(|known| known.is_wholly_known() && may_become(config, known))
    });
    if !accepted {
        return findings
            .inconclusive("the same configuration was not accepted with values in place of unknowns");
    }
    for error in errors {
        let path = error.attribute.as_ref().map(|path| path.to_path()).unwrap_or_default();
        let message = format!("refused because a value is unknown: {}", error.line());
        findings.add(Finding::new(path, message).caused_by(failed::cause(error, asked.call.type_name())));
    }
}

fn complain(exchange: &mut Exchange, severity: i32) -> bool {
    let unknown = config(&exchange.call).is_some_and(|config| !config.is_wholly_known());
    let diagnostic =
        Diagnostic { severity, ..Diagnostic::error("Value not known", "A value must be known.") };
    unknown && edit::say(exchange, diagnostic)
}

fn refuse(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    complain(exchange, Diagnostic::ERROR)
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    complain(exchange, Diagnostic::WARNING)
}
