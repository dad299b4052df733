use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, Shows, edit};
use crate::rules::import::keeps_the_object::renew_id;
use crate::schema::Attribute;
use crate::transcript::{AnyCall, Exchange, PriorOrigin};
use crate::value::{Type, Value};

declare_rule! {
    /// An object that an older release stored is not replaced by the configuration it was created with.
    ///
    /// An argument that was added later is null in every state that an older release stored at the same schema version.
    /// If the configuration leaves it out, what the provider chooses looks like a change. An update in place does no
    /// harm; a replacement destroys the objects of everybody who upgrades the provider. Set such an argument in Read or
    /// in a state upgrader, or require no replacement for a change from null.
    "upgrade/keeps-the-object", Should, presumes: Nothing, behaviours: ["state/stored-without"],
    covers: ["UPGRADE-009"],
    shows: Shows::CHANGE,
    fix: "set {attributes} in Read, or require no replacement for a change from null",
    framework: "use `stringplanmodifier.RequiresReplaceIf` with a condition on the prior value",
    sdkv2: "set the default in Read or in a StateUpgrader, or use `customdiff.ForceNewIfChange` instead of ForceNew",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "the provider itself must handle the data decoding";
    check: Check::Plan(check);
    fault: Fault {
        name: "upgrade/renews-the-object",
        about: "plans a new ID for an object whose state has no value of an argument that the provider chooses",
        injection: Injection::Answer(renew),
    };
    control: Fault {
        name: "upgrade/plans-with-a-warning",
        about: "warns when it plans an object whose state has no value of an argument that the provider chooses",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, planned: &Planned<'_>, findings: &mut Findings) {
    if context.exchange.prior != PriorOrigin::Injected || planned.prior.is_null() {
        return findings.not_applicable("the object was not stored by an older release");
    }
    if planned.response.deferred.is_some() {
        return findings.not_applicable("the plan was deferred");
    }
    let message = "the state lacks what an older release did not store, and the object is replaced";
    planned.report_replacement(context.engine, "stored", message, findings);
}

/// Whether the call plans with an object that the process upgraded just before, and that lacked what it chooses.
fn plans_incomplete(exchange: &Exchange, context: &mut FaultContext<'_>) -> bool {
    let Some(schema) = context.schema else { return false };
    let key = |object: &Value| Some(format!("stored without {}", object.attribute("id")?.as_str()?));
    match &exchange.call {
        AnyCall::UpgradeResourceState(call) => {
            let stored = call.outcome.as_ref().ok().and_then(|answer| answer.upgraded_state.value());
            let Some((stored, key)) = stored.and_then(|stored| Some((stored, key(stored)?))) else {
                return false;
            };
            let lacks = |attribute: &Attribute, value: &Value| {
                attribute.optional && attribute.computed && attribute.ty() == Type::String && value.is_null()
            };
            let is_incomplete = call.request.version == schema.version
                && edit::first_attribute(schema, stored, lacks).is_some();
            context.memory.remember(&key, if is_incomplete { "yes" } else { "" });
            false
        }
        AnyCall::ImportResourceState(call) => {
            context.memory.remember(&format!("stored without {}", call.request.id), "");
            false
        }
        AnyCall::PlanResourceChange(call) => {
            let plans = call.request.proposed_new_state.value().is_some_and(Value::is_set);
            let key = call.request.prior_state.value().filter(|prior| plans && prior.is_set()).and_then(key);
            key.and_then(|key| context.memory.recall(&key)).is_some_and(|lacks| !lacks.is_empty())
        }
        _ => false,
    }
}

fn renew(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    plans_incomplete(exchange, context) && renew_id(exchange, context)
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    plans_incomplete(exchange, context) && edit::say(exchange, edit::warning())
}
