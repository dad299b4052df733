use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, ProcessInjection, edit,
};
use crate::transcript::{AnyCall, Exchange, RpcFailure};
use crate::value::AttributePath;

declare_rule! {
    /// Every call is answered with a response; errors are reported in its diagnostics.
    ///
    /// With a gRPC status other than OK the response is lost, and with it the state that an apply
    /// reached: the object exists and the state does not have it. A user sees "Plugin error" or "Plugin
    /// did not respond" and the raw text of the status, without a location in the configuration. Return
    /// an error diagnostic, and the state as far as it is known. Servers turn a returned Go error, and a
    /// response that is too large or is not a message, into a status.
    "rpc/answers", Must,
    covers: ["RPC-001"],
    title: Some("Plugin error"),
    fix: "return errors as diagnostics, with the state as far as it is known",
    cites: "plugin protocol", "Diagnostic": "an error is a diagnostic in the response";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/fails-with-a-status",
        about: "answers a plan with gRPC status 2",
        injection: Injection::Process(refuse),
    };
    control: Fault {
        name: "rpc/fails-with-a-warning",
        about: "answers a plan with a warning",
        injection: Injection::Answer(warn),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some(failure) = asked.failure else { return };
    let cause = match failure {
        // Engines never ask for metadata, and another rule covers missing calls.
        _ if matches!(asked.call, AnyCall::GetMetadata(_)) => return,
        failure if failure.is_unimplemented() => return,
        RpcFailure::TooLarge { .. } if matches!(asked.call, AnyCall::GetProviderSchema(_)) => return,
        RpcFailure::Crashed(_) | RpcFailure::TimedOut { .. } | RpcFailure::Abandoned { .. } => return,
        RpcFailure::Status { name, .. } => name.as_str(),
        RpcFailure::TooLarge { .. } => "too large",
        RpcFailure::Garbled { .. } => "garbled",
    };
    let message = format!("no response came back: {failure}; users see {:?}", failure.engine_title());
    findings.add(Finding::new(AttributePath::root(), message).caused_by(cause));
}

fn refuse(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::PlanResourceChange(_)).then_some(ProcessInjection::Status(2))
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    matches!(exchange.call, AnyCall::PlanResourceChange(_)) && edit::say(exchange, edit::warning())
}
