use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, ProcessInjection,
};
use crate::transcript::{AnyCall, Exchange, RpcFailure};
use crate::value::AttributePath;

declare_rule! {
    /// No call ends the provider's process.
    ///
    /// A panic, an exit or a fatal log line takes down everything in flight on that process, other
    /// resources included, and loses the state of what was just made. A user sees "Plugin did not
    /// respond" and a stack trace. Nulls, unknowns and empty collections where code expects a
    /// value, numbers at the edge of a type, and answers of an API without the expected member are
    /// what panics are made of; the frame named here is where to look first.
    "rpc/survives", Must,
    covers: ["RPC-002"],
    title: Some("Plugin did not respond"),
    cites: "plugin protocol", "process life cycle": "the process ends when the engine ends it";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/panics",
        about: "panics in a read",
        injection: Injection::Process(panic),
    };
    control: Fault {
        name: "rpc/writes-to-standard-error",
        about: "writes to standard error in a read",
        injection: Injection::Process(chatter),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some(RpcFailure::Crashed(report)) = asked.failure else { return };
    let again = match report.confirmed {
        Some(true) => ", and so did a fresh process asked the same",
        // Several calls may have been in flight: who was the guilty one cannot be told.
        Some(false) => {
            return findings.inconclusive("a process ended, and a fresh one asked the same did not");
        }
        None => "",
    };
    let message = format!("{report}{again}");
    findings.add(Finding::new(AttributePath::root(), message).caused_by(report.cause()));
}

fn panic(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::ReadResource(_)).then_some(ProcessInjection::Panic)
}

fn chatter(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::ReadResource(_)).then_some(ProcessInjection::Noise)
}
