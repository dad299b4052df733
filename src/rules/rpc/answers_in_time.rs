use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, ProcessInjection,
};
use crate::transcript::{AnyCall, Busy, Exchange, RpcFailure};
use crate::value::AttributePath;

declare_rule! {
    /// Every call is answered within the time this run allows.
    ///
    /// An engine sets no deadline of its own: where a provider never answers, a user sees "Still
    /// creating" forever, and interrupting loses state. The limit here is this run's, so raise it
    /// for an operation that is slow by nature. Otherwise look for an endless wait: a lock taken
    /// twice, a retry without a limit, a channel that nothing reads. Give each remote operation a
    /// timeout, and return an error diagnostic when it expires.
    "rpc/answers-in-time", Should,
    covers: ["PROC-004"],
    title: None,
    fix: "give each remote operation a timeout, and look for locks and retries without an end",
    cites: "plugin protocol", "Stop": "abort as soon as it is safe";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/hangs",
        about: "never answers a read",
        injection: Injection::Process(hang),
    };
    control: Fault {
        name: "rpc/answers-in-the-end",
        about: "answers every read",
        injection: Injection::Nothing("only the deadline of a run tells slow from never"),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some(failure @ RpcFailure::TimedOut { busy, .. }) = asked.failure else { return };
    if *busy == Some(Busy::Starved) {
        return findings
            .inconclusive("the machine was too busy to tell whether a call would have been answered");
    }
    findings.add(Finding::new(AttributePath::root(), failure.to_string()).caused_by("no answer"));
}

fn hang(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::ReadResource(_)).then_some(ProcessInjection::Hang)
}
