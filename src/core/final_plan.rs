//! Whether the plan made during apply matches the approved one.
//!
//! Source: contract entries PLAN-060 and PLAN-061.

use super::action::Action;
use super::compatible::assert_object_compatible;
use super::problem::Problem;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Value};

/// The result of a plan: the action and the planned state.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedChange {
    pub action: Action,
    pub state: Value,
}

/// How the action of the final plan differs from that of the initial one.
///
/// An update may turn out to be no change. A replacement is planned again as a create, because the
/// old object is gone or deposed by then; the order is up to the engine.
pub(super) fn final_action(initial: Action, last: Action) -> Option<Problem> {
    if may_become(initial, last) {
        return None;
    }
    let message = format!("the action was {initial}, is now {last}");
    Some(Problem::new(&AttributePath::root(), "PLAN-060", message))
}

/// How the final planned state differs from the initial one.
pub(super) fn final_state(block: &Block, initial: &Value, last: &Value, engine: Engine) -> Vec<Problem> {
    let differences = assert_object_compatible(block, initial, last, engine);
    let relabelled = differences.into_iter().map(|problem| {
        let values = problem.values.into_iter().map(|(role, value)| match role {
            "planned state" => ("initial planned state", value),
            "new state" => ("final planned state", value),
            other => (other, value),
        });
        Problem { covers: "PLAN-061", values: values.collect(), ..problem }
    });
    relabelled.collect()
}

fn may_become(initial: Action, last: Action) -> bool {
    match (initial, last) {
        (Action::Update, Action::NoOp) => true,
        (initial, last) if initial.is_replace() => last.is_replace() || last == Action::Create,
        (initial, last) => initial == last,
    }
}
