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
    /// resources included, and loses the state of what was just created. A user sees "Plugin did not
    /// respond" and a stack trace. Typical causes are nulls, unknowns and empty collections where code
    /// expects a value, numbers at the limits of a type, and API responses without an expected member;
    /// look first at the frame named here.
    "rpc/survives", Must,
    covers: ["RPC-002"],
    title: Some("Plugin did not respond"),
    fix: "check for null, unknown and missing values at the frame where it fails",
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
    findings.add(Finding::new(AttributePath::root(), report.to_string()).caused_by(report.cause()));
}

fn panic(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::ReadResource(_)).then_some(ProcessInjection::Panic)
}

fn chatter(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::ReadResource(_)).then_some(ProcessInjection::Noise)
}
