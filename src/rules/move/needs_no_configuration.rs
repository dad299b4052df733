use bytes::Bytes;

use crate::declare_rule;
use crate::rule::{
    Check, Context, Enforced, Fault, FaultContext, Finding, Findings, Injection, Moved, Shows, Since,
    Speaker, edit,
};
use crate::transcript::{AnyCall, Diagnostic, Encoded, Exchange, Purpose};
use crate::value::AttributePath;

declare_rule! {
    /// An object is moved to another type without a configured provider.
    ///
    /// Terraform starts a process for moves alone, and does not configure it. A move is a function of
    /// what the source stored: do not use a client, or anything else that comes from the
    /// configuration of the provider.
    "move/needs-no-configuration", Must, behaviours: ["instances/moved-across-types"],
    covers: ["MOVE-008"],
    shows: Shows::words_of(Speaker::Provider),
    enforced: Enforced::by_terraform(Since::Always),
    fix: "move the object by its stored state alone, without a client",
    cites: "plugin protocol", "MoveResourceState":
        "the provider is not configured when it is asked to move an object";
    check: Check::Move(check);
    fault: Fault {
        name: "move/wants-a-client",
        about: "refuses to move an object before the provider is configured",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "move/misses-a-client",
        about: "warns about a move before the provider is configured",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, moved: &Moved<'_>, findings: &mut Findings) {
    let refused = match context.purpose() {
        Purpose::Repeat { of } => context.earlier(*of).filter(is_refused),
        _ => None,
    };
    let Some(refused) = refused else { return };
    let said = refused.call.diagnostics().into_iter().find(|said| said.is_error());
    let said = said.map(|said| said.summary.clone()).unwrap_or_default();
    let message = format!(
        "an object of {} is moved only by a provider that is configured",
        moved.request.source_type_name
    );
    let finding = Finding::new(AttributePath::root(), message).caused_by("needs configuration");
    // The error is in the call before.
    findings.add(Finding { shows: Some(format!("the provider's own error: “{said}”")), ..finding });
}

fn is_refused(first: &&Exchange) -> bool {
    first.call.failure().is_none() && !first.call.succeeded()
}

/// Whether the call moves an object in a process that was not configured.
fn is_too_early(exchange: &Exchange, context: &mut FaultContext<'_>) -> bool {
    let key = format!("configured {}", exchange.process);
    match exchange.call {
        AnyCall::ConfigureProvider(_) => {
            context.memory.remember(&key, "yes");
            false
        }
        AnyCall::MoveResourceState(_) => context.memory.recall(&key).is_none(),
        _ => false,
    }
}

fn refuse(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let is_too_early = is_too_early(exchange, context);
    let AnyCall::MoveResourceState(call) = &mut exchange.call else { return false };
    match &mut call.outcome {
        Ok(response) if is_too_early => {
            response.diagnostics.push(Diagnostic::error("Provider is not configured", "There is no client."));
            response.target_state = Encoded::received(None);
            response.target_private = Bytes::new();
            response.target_identity = None;
            true
        }
        _ => false,
    }
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    is_too_early(exchange, context) && edit::say(exchange, edit::warning())
}
