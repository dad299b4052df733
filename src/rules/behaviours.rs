//! Faults that only some planning behaviours show: whatever happens to one object that is created, changed and
//! destroyed, they do nothing.
//!
//! Each breaks a rule that has a fault of its own. `cargo test --test faults behaviour` proves where they are
//! found, and that they are found nowhere else.

use crate::rule::{Fault, FaultContext, Injection, RuleId, edit};
use crate::transcript::{AnyCall, Exchange};
use crate::value::Value;

/// A fault, and where it is found.
#[derive(Debug)]
pub struct BehaviourFault {
    pub fault: Fault,
    pub breaks: RuleId,
    /// In no other scenario is it found, but in random walks that happen to do the same.
    pub behaviours: &'static [&'static str],
}

pub static BEHAVIOUR_FAULTS: [BehaviourFault; 2] = [
    BehaviourFault {
        fault: Fault {
            name: "apply/keeps-what-was-replaced",
            about: "keeps an object that it is asked to delete right after it created another one",
            injection: Injection::Answer(keep_the_old),
        },
        breaks: "apply/deletes-to-nothing",
        behaviours: &[
            "instances/keyed",
            "replace/create-before-destroy",
            "replace/inherited-order",
            "state/deposed",
            "state/tainted-create-before-destroy",
        ],
    },
    BehaviourFault {
        fault: Fault {
            name: "apply/mixes-up-many",
            about: "returns the name of another object for the sixth of those that it creates in a row",
            injection: Injection::Answer(mix_up),
        },
        breaks: "apply/keeps-planned-values",
        behaviours: &["instances/at-once"],
    },
];

fn name_of(object: Option<&Value>) -> Option<&str> {
    object?.attribute("name")?.as_str()
}

/// One variable for the object at hand, which is another one by the time of the delete.
fn keep_the_old(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let at_hand = "created last";
    let id_of =
        |object: &Value| object.attribute("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let created = context.memory.recall(at_hand).unwrap_or_default().to_owned();
    if let AnyCall::ApplyResourceChange(call) = &exchange.call {
        let new = call.outcome.as_ref().ok().and_then(|answer| answer.new_state.value());
        context.memory.remember(at_hand, &new.map(id_of).unwrap_or_default());
        return !created.is_empty()
            && edit::applied_state(exchange, context, |apply, _| {
                let is_another = !apply.keeps_object() && id_of(apply.prior) != created;
                is_another.then(|| apply.prior.clone())
            });
    }
    let is_about_the_old = match &exchange.call {
        AnyCall::PlanResourceChange(call) => {
            call.request.proposed_new_state.value().is_some_and(Value::is_null)
        }
        AnyCall::UpgradeResourceState(_) => true,
        _ => false,
    };
    if !is_about_the_old {
        context.memory.remember(at_hand, "");
    }
    false
}

/// How many objects are created in a row before one is mixed up with the one before.
const IN_A_ROW: usize = 5;

/// A variable that creates share. Reading what was created ends a row.
fn mix_up(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let Some(scene) = edit::applied_scene(exchange, context) else {
        if matches!(exchange.call, AnyCall::ReadResource(_) | AnyCall::UpgradeResourceState(_)) {
            context.memory.remember("created in a row", "");
        }
        return false;
    };
    if !scene.prior.is_null() || !scene.keeps_object() {
        return false;
    }
    let Some(name) = name_of(Some(scene.planned)).map(str::to_owned) else { return false };
    let mut row: Vec<String> =
        context.memory.recall("created in a row").unwrap_or_default().lines().map(str::to_owned).collect();
    row.push(name);
    context.memory.remember("created in a row", &row.join("\n"));
    row.len() > IN_A_ROW
        && edit::applied_state(exchange, context, |_, new| {
            Some(new.with_attribute("name", Value::string(&row[row.len() - 2])))
        })
}
