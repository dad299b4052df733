use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit, failed};
use crate::transcript::{AnyCall, Diagnostic, Exchange};
use crate::value::AttributePath;

declare_rule! {
    /// Fetching the schema, or the identity schemas, reports no error.
    ///
    /// The schema of a provider follows from its code, without configuration, network or credentials.
    /// If fetching it reports an error, an engine cannot use the provider for anything, not even to
    /// validate. Report problems with a configuration or an account when the provider is configured
    /// or used. A provider that does not support identities leaves their call unimplemented.
    "schema/loads", Must,
    covers: ["SCHEMA-042", "DIAG-002"],
    title: Some("Failed to load plugin schemas"),
    fix: "report errors about configuration or accounts later, not while the schema is fetched",
    cites: "plugin protocol", "GetProviderSchema": "diagnostics";
    check: Check::Asked(check);
    fault: Fault {
        name: "schema/needs-credentials",
        about: "reports an error when the schema is fetched",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "schema/warns-when-loaded",
        about: "reports a warning when the schema is fetched",
        injection: Injection::Answer(warn),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let AnyCall::GetProviderSchema(_) = asked.call else {
        return findings.not_applicable("not a fetch of the schema");
    };
    for diagnostic in asked.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        let message = format!("fetching the schema reports an error: {}", diagnostic.summary);
        findings.add(Finding::new(AttributePath::root(), message).caused_by(failed::cause(diagnostic, None)));
    }
}

fn complain(exchange: &mut Exchange, severity: i32) -> bool {
    let diagnostic = Diagnostic::error("Missing credentials", "The endpoint could not be reached.");
    let diagnostic = Diagnostic { severity, ..diagnostic };
    matches!(exchange.call, AnyCall::GetProviderSchema(_)) && edit::say(exchange, diagnostic)
}

fn refuse(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    complain(exchange, Diagnostic::ERROR)
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    complain(exchange, Diagnostic::WARNING)
}
