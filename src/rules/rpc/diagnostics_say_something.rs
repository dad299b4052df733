use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::transcript::{AnyCall, Diagnostic, Exchange};
use crate::value::AttributePath;

declare_rule! {
    /// Every diagnostic has a summary.
    ///
    /// The summary is the line a user reads first, and without it the box is empty. Keep it short
    /// and the same for every problem of one kind, and put the particulars into the detail: what
    /// was tried, what came back, what to do.
    "rpc/diagnostics-say-something", Advice,
    covers: ["DIAG-004"],
    title: None,
    fix: "give every diagnostic a short summary, and its particulars in the detail",
    cites: "plugin protocol", "Diagnostic": "a summary, and detail enough to act on";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/says-nothing",
        about: "returns a warning without a summary from a read",
        injection: Injection::Answer(nothing),
    };
    control: Fault {
        name: "rpc/says-little",
        about: "returns a warning without detail from a read",
        injection: Injection::Answer(something),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    for diagnostic in asked.diagnostics.iter().filter(|diagnostic| diagnostic.summary.trim().is_empty()) {
        let message = match diagnostic.detail.trim() {
            "" => "a diagnostic has neither summary nor detail".to_owned(),
            detail => format!("the diagnostic with detail {detail:?} has no summary"),
        };
        findings.add(Finding::new(AttributePath::root(), message).caused_by("no summary"));
    }
}

fn nothing(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    say(exchange, "")
}

fn something(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    say(exchange, "Armed")
}

fn say(exchange: &mut Exchange, summary: &str) -> bool {
    let diagnostic = Diagnostic { severity: Diagnostic::WARNING, ..Diagnostic::error(summary, "") };
    matches!(exchange.call, AnyCall::ReadResource(_)) && edit::say(exchange, diagnostic)
}
