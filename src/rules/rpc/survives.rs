use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, ProcessInjection, Shows,
};
use crate::transcript::{AnyCall, Exchange, RpcFailure, Side};
use crate::value::{AttributePath, Data, Value};

declare_rule! {
    /// No call ends the provider's process.
    ///
    /// A panic, an exit or a fatal log line takes down everything in flight on that process, other
    /// resources included, and loses the state of what was just created. A user sees "Plugin did not
    /// respond" and a stack trace. Typical causes are nulls, unknowns and empty collections where code
    /// expects a value, numbers at the limits of a type, and API responses without an expected member;
    /// look first at the frame named here. A process that a limit of the sandbox, the kernel or the machine
    /// ended is a `should`: it may use too much for one value.
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

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some(RpcFailure::Crashed(report)) = asked.failure else { return };
    if let Some(limit) = report.limit() {
        return findings.add(stopped_by(limit, context, asked));
    }
    findings.add(Finding::new(AttributePath::root(), report.to_string()).caused_by(report.cause()));
}

/// A process that a limit ended breaks no promise of the protocol. What made it use so much is worth knowing all the same.
fn stopped_by(limit: &str, context: &Context<'_>, asked: &Asked<'_>) -> Finding {
    let requested = asked.call.values(Side::Request).into_iter().filter_map(|(_, value)| value.value());
    let numbers = requested.flat_map(numbers);
    let largest = numbers.max_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)));
    let message =
        format!("the process was stopped by a limit, while nothing is wrong with an answer: {limit}");
    let finding = match (largest, context.subject().schema_of(asked.call)) {
        (Some((path, value)), Some(schema)) => {
            Finding::new(path, message).actual("largest number", &value).guarded(&schema.block)
        }
        _ => Finding::new(AttributePath::root(), message),
    };
    finding.caused_by(format!("stopped by a limit: {limit}")).at_most(Level::Should).showing(Shows::NOTHING)
}

/// The numbers in a value, each with its place.
fn numbers(value: &Value) -> Vec<(AttributePath, Value)> {
    let mut found = Vec::new();
    value.walk(&mut |path, value| {
        if matches!(value.data(), Data::Number(_)) {
            found.push((path.clone(), value.clone()));
        }
        true
    });
    found
}

fn size(value: &Value) -> f64 {
    match value.data() {
        Data::Number(number) => number.to_f64_lossy().abs(),
        _ => 0.0,
    }
}

fn panic(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::ReadResource(_)).then_some(ProcessInjection::Panic)
}

fn chatter(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::ReadResource(_)).then_some(ProcessInjection::Noise)
}
