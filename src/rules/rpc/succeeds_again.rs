use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, edit, failed,
};
use crate::transcript::{AnyCall, Diagnostic, Exchange, Purpose};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// What succeeded once succeeds again as long as nothing has changed.
    ///
    /// An engine validates, plans and reads the same thing over and over: in each run, and several
    /// times in one. An error the second time breaks a correct run, often one that is already
    /// applying. Look for what the first call leaves behind, in the process or in the remote system,
    /// and for a Read that does not find what Create has just created because the remote system takes
    /// a moment: wait in Create, not in the next run.
    "rpc/succeeds-again", Must, presumes: Applied,
    covers: ["PLAN-045", "PLAN-046", "APPLY-030", "APPLY-031", "READ-011", "VALIDATE-004", "DATA-005"],
    title: None,
    fix: "remove what the first call leaves behind, and wait in Create until Read finds it",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "its final result will be determined during ApplyResourceChange";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/wears-out",
        about: "plans the same update once, and then reports an error",
        injection: Injection::Answer(wear_out),
    };
    control: Fault {
        name: "rpc/grows-wary",
        about: "plans the same update each time, and warns from the second time on",
        injection: Injection::Answer(grow_wary),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some((before, most)) = before(context, asked) else {
        return findings.not_applicable("no such call succeeded before");
    };
    if asked.failure.is_some() {
        return findings.inconclusive("the call has no answer");
    }
    if let Some(error) = asked.diagnostics.iter().find(|said| said.is_error()) {
        let message = match asked.call.rpc_name() == before.rpc_name() {
            true => format!("an error, although the same call succeeded before: {}", error.summary),
            false => {
                format!("an error, although {} has just succeeded: {}", before.rpc_name(), error.summary)
            }
        };
        findings.add(
            Finding::new(AttributePath::root(), message)
                .caused_by(failed::cause(error, asked.call.type_name()))
                .at_most(most),
        );
    }
}

/// The earlier success that obliges this call to succeed too, and how much it matters if it does not.
fn before<'t>(context: &Context<'t>, asked: &Asked<'_>) -> Option<(&'t AnyCall, Level)> {
    let earlier = |id| context.earlier(id).map(|exchange| &exchange.call).filter(|call| call.succeeded());
    match (context.purpose(), asked.call) {
        // The error may be about a value that is in the prior state only because we made it up.
        (Purpose::RoundTrip { .. } | Purpose::NothingChanged { .. }, _)
            if context.exchange.prior.is_made_up() =>
        {
            None
        }
        (Purpose::Repeat { of }, AnyCall::PlanResourceChange(_)) => Some((earlier(*of)?, Level::Must)),
        (Purpose::Repeat { of } | Purpose::RoundTrip { of }, _) => Some((earlier(*of)?, Level::Should)),
        (Purpose::NothingChanged { after }, _) => Some((earlier(*after)?, Level::Must)),
        (_, AnyCall::ValidateResourceConfig(call)) => {
            // With unknowns, another plan may know more.
            let config = call.request.config.value().filter(|config| config.is_wholly_known())?;
            let mut before = context.transcript.before(context.exchange.id, &context.exchange.instance);
            let same = |call: &&AnyCall| match call {
                AnyCall::ValidateResourceConfig(call) => call.request.config.value() == Some(config),
                _ => false,
            };
            let accepted =
                before.find_map(|exchange| Some(&exchange.call).filter(same).filter(|call| call.succeeded()));
            Some((accepted?, Level::Should))
        }
        _ => None,
    }
}

/// Whether the plan of a change to an object that exists was asked for before.
fn was_planned(exchange: &Exchange, context: &mut FaultContext<'_>) -> bool {
    let AnyCall::PlanResourceChange(call) = &exchange.call else { return false };
    let request = &call.request;
    let (Some(prior), Some(config)) = (request.prior_state.value(), request.config.value()) else {
        return false;
    };
    let is_update = prior.is_set() && request.proposed_new_state.value().is_some_and(Value::is_set);
    is_update && context.memory.count(&format!("rpc/succeeds-again {prior} {config}")) > 0
}

fn wear_out(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    was_planned(exchange, context)
        && edit::say(exchange, Diagnostic::error("Planned already", "Reported by a fault: once is enough."))
}

fn grow_wary(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    was_planned(exchange, context) && edit::say(exchange, edit::warning())
}
