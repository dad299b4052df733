use crate::declare_rule;
use crate::rule::{
    Check, Context, Enforced, Fault, FaultContext, Finding, Findings, Injection, Moved, Since,
};
use crate::transcript::{AnyCall, Encoded, Exchange};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// The identity of a moved object is known, or is left out.
    ///
    /// The object exists, so that all of its identity is known. If the source does not tell it, return no
    /// identity: the read that follows can.
    "move/identity-is-known", Must, behaviours: ["instances/moved-across-types"],
    covers: ["MOVE-004"],
    title: Some("Provider produced invalid identity"),
    enforced: Enforced::by_terraform(Since::Release(12)),
    fix: "return the whole identity of a moved object, or none",
    cites: "plugin protocol", "ResourceIdentityData": "identity data identifies an object that exists";
    check: Check::Move(check);
    fault: Fault {
        name: "move/forgets-who-it-is",
        about: "returns an unknown identity for an object that it moves",
        injection: Injection::Answer(forget),
    };
    control: Fault {
        name: "move/leaves-out-the-identity",
        about: "returns no identity for an object that it moves",
        injection: Injection::Answer(leave_out),
    };
}

fn check(_: &Context<'_>, moved: &Moved<'_>, findings: &mut Findings) {
    let identity = moved.response.target_identity.as_ref().and_then(Encoded::value);
    if let Some(identity) = identity.filter(|identity| !identity.is_wholly_known()) {
        let message = "the identity of the moved object is not known";
        findings.add(Finding::new(AttributePath::root(), message).actual("target identity", identity));
    }
}

fn forget(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let AnyCall::MoveResourceState(call) = &mut exchange.call else { return false };
    let Some(schema) = context.provider.identities.get(&call.request.target_type_name) else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    let ty = schema.implied_type();
    response.target_identity = Some(Encoded::of(Value::unknown(ty.clone()), &ty));
    true
}

fn leave_out(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    let AnyCall::MoveResourceState(call) = &mut exchange.call else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    response.target_identity.take().is_some()
}
