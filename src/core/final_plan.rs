//! Whether the plan made while applying is the one that was approved.
//!
//! Source: contract entries PLAN-060 and PLAN-061.

use super::action::Action;
use super::compatible::assert_object_compatible;
use super::problem::Problem;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Value};

/// What a plan came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    pub action: Action,
    pub state: Value,
}

/// Every way in which the final plan departs from the initial one.
///
/// An update may turn out to be no change. A replacement is planned again as a create, because the old
/// object is gone or set aside by then; its order is the engine's affair.
///
/// Source: contract entries PLAN-060 and PLAN-061.
pub fn assert_final_plan(block: &Block, initial: &Planned, last: &Planned, engine: Engine) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !may_become(initial.action, last.action) {
        let message = format!("the action was {}, is now {}", initial.action, last.action);
        problems.push(Problem::new(&AttributePath::root(), "PLAN-060", message));
    }
    let differences = assert_object_compatible(block, &initial.state, &last.state, engine);
    problems.extend(differences.into_iter().map(|problem| {
        let values = problem.values.into_iter().map(|(role, value)| match role {
            "planned state" => ("initial planned state", value),
            "new state" => ("final planned state", value),
            other => (other, value),
        });
        Problem { covers: "PLAN-061", values: values.collect(), ..problem }
    }));
    problems
}

fn may_become(initial: Action, last: Action) -> bool {
    match (initial, last) {
        (Action::Update, Action::NoOp) => true,
        (initial, last) if initial.is_replace() => last.is_replace() || last == Action::Create,
        (initial, last) => initial == last,
    }
}
