//! Faults of the private data that a plan leaves to the final plan. Only Terraform hands it on, since 1.16 and in
//! protocol 6; to other engines the provider does not answer so, because they do not say that they do.
//!
//! Each breaks a rule that has a fault of its own. `cargo test --test faults planned-private` proves that it does, and
//! that its control does not.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::calls::{Call, PlanResourceChange};
use crate::engine::ClientCapabilities;
use crate::rule::{Fault, FaultContext, Injection, RuleId, edit};
use crate::transcript::{AnyCall, Exchange};
use crate::value::{Type, Value};

/// A fault and its control.
#[derive(Debug)]
pub struct PrivateFault {
    pub fault: Fault,
    pub control: Fault,
    pub breaks: RuleId,
}

pub static PRIVATE_FAULTS: [PrivateFault; 2] = [
    PrivateFault {
        fault: Fault {
            name: "plan/draws-again",
            about: "plans a value that it draws, keeps it in the planned private data, and draws another for the final plan",
            injection: Injection::Answer(draw_again),
        },
        control: Fault {
            name: "plan/draws-once",
            about: "plans a value that it draws, keeps it in the planned private data, and plans it again in the final plan",
            injection: Injection::Answer(draw_once),
        },
        breaks: "plan/final-plan-agrees",
    },
    PrivateFault {
        fault: Fault {
            name: "plan/replays-its-first-plan",
            about: "keeps in the planned private data what was unknown, and plans it as unknown once more in the final plan",
            injection: Injection::Answer(replay),
        },
        control: Fault {
            name: "plan/completes-its-first-plan",
            about: "keeps in the planned private data what was unknown, and plans it as it is known in the final plan",
            injection: Injection::Answer(complete),
        },
        breaks: "plan/keeps-configured-values",
    },
];

/// What is kept for the final plan of a new object, by its root attributes.
type Kept = BTreeMap<String, String>;

/// The plan of a new object by a provider that may rely on what it keeps.
fn plan_of_new(exchange: &mut Exchange) -> Option<&mut Call<PlanResourceChange>> {
    let AnyCall::PlanResourceChange(call) = &mut exchange.call else { return None };
    let may_rely = |told: ClientCapabilities| told.store_planned_private;
    let is_new = call.request.prior_state.value().is_some_and(Value::is_null);
    (is_new && call.request.capabilities.is_some_and(may_rely)).then_some(call)
}

/// What the first plan kept, if this is the final one.
fn kept(exchange: &mut Exchange) -> Option<Kept> {
    serde_json::from_slice(&plan_of_new(exchange)?.request.planned_private).ok()
}

fn keep(exchange: &mut Exchange, kept: &Kept) {
    if let Some(Ok(response)) = plan_of_new(exchange).map(|call| &mut call.outcome) {
        response.planned_private = Bytes::from(serde_json::to_vec(kept).expect("texts are JSON"));
    }
}

/// Plans a text that the user may leave to the provider; `last` is what the final plan makes of what was kept.
fn draw(exchange: &mut Exchange, context: &mut FaultContext<'_>, last: impl FnOnce(&str) -> String) -> bool {
    // Of all calls, so that a process draws something else than the one before.
    let drawn = format!("drawn {}", context.memory.count("calls"));
    if plan_of_new(exchange).is_none() {
        return false;
    }
    let kept = kept(exchange);
    let mut chosen = Kept::new();
    let is_planned = edit::planned_change(exchange, context, |plan, planned| {
        let attribute = edit::first_attribute(plan.schema, plan.config, |attribute, config| {
            attribute.optional && attribute.computed && attribute.ty() == Type::String && config.is_null()
        })?;
        let was = kept.as_ref().and_then(|kept| kept.get(&attribute.name));
        let text = was.map_or(drawn, |was| last(was));
        chosen.insert(attribute.name.clone(), text.clone());
        let is_free = planned.member(&attribute.name).is_unknown();
        is_free.then(|| planned.with_attribute(&attribute.name, Value::string(&text)))
    });
    if is_planned {
        keep(exchange, &chosen);
    }
    is_planned
}

fn draw_again(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    draw(exchange, context, |was| format!("{was}, and again"))
}

fn draw_once(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    draw(exchange, context, str::to_owned)
}

/// Keeps which arguments are unknown. Returns those that were in the first plan, if this is the final one.
fn keep_unknown(exchange: &mut Exchange) -> Option<Kept> {
    let kept = kept(exchange);
    let config = plan_of_new(exchange)?.request.config.value()?.clone();
    let unknown = config.attributes().filter(|(_, value)| value.is_unknown());
    keep(exchange, &unknown.map(|(name, _)| (name.to_owned(), String::new())).collect());
    kept
}

fn replay(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let Some(kept) = keep_unknown(exchange) else { return false };
    edit::planned_change(exchange, context, |plan, planned| {
        Some(edit::each_attribute(&plan.schema.block, planned, |attribute, value| {
            (kept.contains_key(&attribute.name) && value.is_set()).then(|| Value::unknown(value.ty().clone()))
        }))
    })
}

fn complete(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    keep_unknown(exchange).is_some()
}
