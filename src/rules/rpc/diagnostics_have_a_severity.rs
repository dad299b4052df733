use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::transcript::{AnyCall, Diagnostic, Exchange};
use crate::value::AttributePath;

declare_rule! {
    /// Every diagnostic is an error or a warning.
    ///
    /// With severity 0 (the value of an unset field) or a number that the protocol does not define, a
    /// diagnostic counts as neither: what was meant as an error stops nothing, and the response is
    /// taken for a success. Set the severity wherever a diagnostic is created.
    "rpc/diagnostics-have-a-severity", Should,
    covers: ["DIAG-001"],
    title: None,
    fix: "set the severity to error or warning wherever a diagnostic is created",
    cites: "plugin protocol", "Diagnostic.Severity": "error or warning";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/says-without-severity",
        about: "returns a diagnostic of severity 0 from a read",
        injection: Injection::Answer(without),
    };
    control: Fault {
        name: "rpc/says-with-severity",
        about: "returns a warning from a read",
        injection: Injection::Answer(with),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    for diagnostic in &asked.diagnostics {
        if ![Diagnostic::ERROR, Diagnostic::WARNING].contains(&diagnostic.severity) {
            let Diagnostic { severity, summary, .. } = diagnostic;
            let message = format!("the diagnostic {summary:?} has severity {severity}");
            findings.add(Finding::new(AttributePath::root(), message).caused_by(severity.to_string()));
        }
    }
}

fn without(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    say(exchange, 0)
}

fn with(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    say(exchange, Diagnostic::WARNING)
}

fn say(exchange: &mut Exchange, severity: i32) -> bool {
    let diagnostic = Diagnostic { severity, ..Diagnostic::error("Armed", "Reported by a fault.") };
    matches!(exchange.call, AnyCall::ReadResource(_)) && edit::say(exchange, diagnostic)
}
