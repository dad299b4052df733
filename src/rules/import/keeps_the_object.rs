use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, Shows, edit};
use crate::transcript::{AnyCall, Exchange, Purpose, WirePath};
use crate::value::{AttributePath, Type, Value};

declare_rule! {
    /// An object that was imported with the configuration it was created with is not replaced.
    ///
    /// What an import and the read after it leave as null looks like a change in the next plan. A change in
    /// place sets it again and does no harm; a replacement destroys what the user wanted to
    /// keep. Read everything that the remote system returns, above all arguments that require
    /// replacement; and where the remote system does not return one, do not require
    /// replacement for a change from null.
    "import/keeps-the-object", Should, behaviours: ["import/by-id", "import/by-identity"],
    covers: ["IMPORT-011", "IMPORT-012"],
    shows: Shows::IMPORT_CHANGE,
    fix: "read {attributes} after an import, or require no replacement for a change from null",
    framework: "use `stringplanmodifier.RequiresReplaceIf` with a condition on the prior value",
    cites: "resource instance change lifecycle", "Import Behavior":
        "PlanResourceChange must be ready to deal with the attribute being null in the Prior State";
    check: Check::Plan(check);
    fault: Fault {
        name: "import/renews-the-object",
        about: "plans a new ID for an object that was just imported, which requires replacement",
        injection: Injection::Answer(renew),
    };
    control: Fault {
        name: "import/plans-with-a-warning",
        about: "warns in the first plan of an object that was just imported",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, planned: &Planned<'_>, findings: &mut Findings) {
    let Purpose::Imported { .. } = context.purpose() else {
        return findings.not_applicable("the object was not imported just before");
    };
    if planned.response.deferred.is_some() {
        return findings.not_applicable("the plan was deferred");
    }
    let message = "imported with the configuration it was created with, the object is replaced";
    planned.report_replacement(context.engine, "imported", message, findings);
}

/// Whether the call plans with an object that the process imported, and that was not applied since.
fn plans_imported(exchange: &Exchange, context: &mut FaultContext<'_>) -> bool {
    super::finds_the_object::is_first_read(exchange, context);
    let key = |value: Option<&Value>| {
        let id = value?.attribute("id")?.as_str()?.to_owned();
        Some(format!("imported {id}"))
    };
    match &exchange.call {
        AnyCall::PlanResourceChange(call) => {
            let plans = call.request.proposed_new_state.value().is_some_and(Value::is_set);
            let key = key(call.request.prior_state.value()).filter(|_| plans);
            key.and_then(|key| context.memory.recall(&key)).is_some_and(|known| known != APPLIED)
        }
        AnyCall::ApplyResourceChange(call) => {
            if let Some(key) = key(call.request.prior_state.value()) {
                context.memory.remember(&key, APPLIED);
            }
            false
        }
        _ => false,
    }
}

const APPLIED: &str = "applied";

fn renew(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    plans_imported(exchange, context) && renew_id(exchange, context)
}

/// Plans a new ID, which requires replacement.
pub(in crate::rules) fn renew_id(exchange: &mut Exchange, context: &FaultContext<'_>) -> bool {
    let id = AttributePath::root().attribute("id");
    let is_armed = edit::planned_state(exchange, context, |_, planned| {
        Some(planned.with_attribute("id", Value::unknown(Type::String)))
    });
    if let AnyCall::PlanResourceChange(call) = &mut exchange.call
        && let Ok(response) = &mut call.outcome
        && is_armed
    {
        response.requires_replace.push(WirePath::of(&id));
    }
    is_armed
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    plans_imported(exchange, context) && edit::say(exchange, edit::warning())
}
