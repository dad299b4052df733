use crate::calls::UNIMPLEMENTED;
use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, ProcessInjection};
use crate::transcript::{AnyCall, Exchange, RpcFailure};
use crate::value::AttributePath;

declare_rule! {
    /// A provider implements every call that its schema and capabilities lead to.
    ///
    /// Only metadata, the identity schemas, the list of functions and imports may be left unimplemented. A
    /// user sees "Unsupported plugin method" and advice to upgrade, which does not help. A provider
    /// with resources implements all calls of a resource, even those with nothing to do: an upgrade
    /// that returns the state as it is, a read that finds no changes.
    "rpc/implements-what-it-declares", Must,
    covers: ["RPC-004"],
    title: Some("Unsupported plugin method"),
    fix: "implement the call, even where it has nothing to do",
    cites: "plugin protocol", "Provider service": "methods reachable from the declared schema";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/leaves-out-upgrades",
        about: "does not implement the upgrade of resource state",
        injection: Injection::Process(leave_out_upgrade),
    };
    control: Fault {
        name: "rpc/leaves-out-metadata",
        about: "does not implement metadata",
        injection: Injection::Process(leave_out_metadata),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    if asked.call.rpc().is_optional() {
        return findings.not_applicable("this call is optional");
    }
    if asked.failure.is_some_and(RpcFailure::is_unimplemented) {
        let message = format!("{} is not implemented", asked.call.rpc_name());
        findings.report(AttributePath::root(), message);
    }
}

fn leave_out_upgrade(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::UpgradeResourceState(_))
        .then_some(ProcessInjection::Status(UNIMPLEMENTED))
}

fn leave_out_metadata(exchange: &Exchange, _: &mut FaultContext<'_>) -> Option<ProcessInjection> {
    matches!(exchange.call, AnyCall::GetMetadata(_)).then_some(ProcessInjection::Status(UNIMPLEMENTED))
}
