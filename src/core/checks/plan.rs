//! The answers to plans: of creates and updates, of destroys, and the final plan during apply.
//!
//! Source: contract section 3.9.

use super::check::{
    CheckKind, CheckList, DEFERRED, EngineCheck, EngineStop, Titles, Words, conformance, deferral, every,
};
use crate::core::action::{Action, Circumstances, choose_action};
use crate::core::final_plan::{PlannedChange, final_action, final_state};
use crate::core::plan_valid::assert_plan_valid;
use crate::core::problem::Problem;
use crate::core::requires_replace::{RequiredReplaces, requires_replace};
use crate::core::write_only::assert_write_only_null;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Value};

const INVALID: Titles =
    Titles { terraform: "Provider produced invalid plan", opentofu: "Provider produced invalid plan" };
const INCONSISTENT: Titles = Titles {
    terraform: "Provider produced inconsistent final plan",
    opentofu: "Provider produced inconsistent final plan",
};
pub(super) const DEFERRAL: Titles = Titles {
    terraform: "Provider deferred changes when Terraform did not allow deferrals",
    opentofu: "Provider deferred changes when Terraform did not allow deferrals",
};

/// The plan of a create or update, as the provider answered it.
#[derive(Clone, Debug)]
pub struct PlanStep<'v> {
    pub engine: Engine,
    pub block: &'v Block,
    /// The prior state: null for an object that does not exist, and for a tainted one.
    pub prior: &'v Value,
    /// As it was sent.
    pub config: &'v Value,
    pub planned: &'v Value,
    pub requires_replace: Vec<AttributePath>,
    pub is_deferred: bool,
    /// Whether the answer carries the flag of the legacy type system.
    pub is_legacy: bool,
}

impl PlanStep<'_> {
    /// Why the engine stops, if it does.
    pub fn stop(&self) -> Option<EngineStop> {
        PLAN.stop(self.engine, self.is_legacy, |find| find(self))
    }

    /// What the engine makes of the paths that the provider says require replacement.
    pub fn required_replaces(&self) -> RequiredReplaces {
        requires_replace(self.block, self.prior, self.planned, &self.requires_replace, self.engine)
    }

    /// The action that follows from a plan that the engine accepts.
    ///
    /// Source: contract sections 4.7 and 4.8.
    pub fn action(&self, circumstances: Circumstances<'_>) -> Action {
        let kept = self.required_replaces().kept;
        choose_action(self.block, self.prior, self.planned, &kept, circumstances, self.engine)
    }
}

/// The plan of a destroy, as the provider answered it.
#[derive(Clone, Copy, Debug)]
pub struct DestroyPlanStep<'v> {
    pub engine: Engine,
    pub planned: &'v Value,
    pub is_deferred: bool,
}

impl DestroyPlanStep<'_> {
    /// Why the engine stops, if it does.
    pub fn stop(&self) -> Option<EngineStop> {
        DESTROY_PLAN.stop(self.engine, false, |find| find(self))
    }
}

/// The plan made during apply, along with the approved one. [`PLAN`] is checked first for it too.
#[derive(Clone, Copy, Debug)]
pub struct FinalPlanStep<'v> {
    pub engine: Engine,
    pub block: &'v Block,
    /// For a replacement, the state is that of the create half.
    pub initial: &'v PlannedChange,
    pub last: &'v PlannedChange,
}

impl FinalPlanStep<'_> {
    /// Why the engine stops, if it does.
    pub fn stop(&self) -> Option<EngineStop> {
        FINAL_PLAN.stop(self.engine, false, |find| find(self))
    }

    /// Every way in which the final plan differs from the initial one.
    pub fn problems(&self) -> Vec<Problem> {
        FINAL_PLAN.checks.iter().flat_map(|check| (check.find)(self)).collect()
    }
}

type OfPlan = fn(&PlanStep<'_>) -> Vec<Problem>;
type OfDestroyPlan = fn(&DestroyPlanStep<'_>) -> Vec<Problem>;
type OfFinalPlan = fn(&FinalPlanStep<'_>) -> Vec<Problem>;

/// After the plan of a create or update, in the plan phase and again during apply.
pub static PLAN: CheckList<OfPlan> = CheckList {
    step: "plan",
    checks: &[
        EngineCheck {
            kind: CheckKind::NotDeferred,
            covers: &["DEFER-001"],
            titles: DEFERRAL,
            is_excused: false,
            made_by: Engine::knows_deferral,
            stops: DEFERRED,
            find: |plan| deferral(plan.is_deferred),
        },
        EngineCheck {
            kind: CheckKind::WriteOnlyNull,
            covers: &["PLAN-003", "WO-001", "WO-002"],
            titles: Titles { opentofu: "Invalid provider response", ..INVALID },
            is_excused: false,
            made_by: every,
            stops: Words::At("the plan is invalid"),
            find: |plan| assert_write_only_null(plan.block, plan.planned),
        },
        EngineCheck {
            kind: CheckKind::Conforms,
            covers: &["PLAN-002"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::At("the plan is invalid"),
            find: |plan| conformance(plan.block, plan.planned, "PLAN-002"),
        },
        EngineCheck {
            kind: CheckKind::PlanValid,
            covers: &[
                "PLAN-004", "PLAN-005", "PLAN-010", "PLAN-012", "PLAN-013", "PLAN-014", "PLAN-015",
                "PLAN-016", "PLAN-017", "PLAN-018", "PLAN-019", "PLAN-020", "PLAN-025", "PLAN-026",
                "PLAN-028", "PLAN-029", "PLAN-030", "PLAN-031", "PLAN-032",
            ],
            titles: INVALID,
            is_excused: true,
            made_by: every,
            stops: Words::At("the plan is invalid"),
            find: |plan| assert_plan_valid(plan.block, plan.prior, plan.config, plan.planned, plan.engine),
        },
        EngineCheck {
            kind: CheckKind::ReplacePaths,
            covers: &["PLAN-040"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::At("the plan is invalid"),
            find: |plan| plan.required_replaces().problems,
        },
    ],
};

/// After the plan of a destroy, which is only sent to providers that ask for it.
pub static DESTROY_PLAN: CheckList<OfDestroyPlan> = CheckList {
    step: "destroy-plan",
    checks: &[
        EngineCheck {
            kind: CheckKind::NotDeferred,
            covers: &["DEFER-001"],
            titles: DEFERRAL,
            is_excused: false,
            made_by: Engine::knows_deferral,
            stops: DEFERRED,
            find: |plan| deferral(plan.is_deferred),
        },
        EngineCheck {
            kind: CheckKind::Presence,
            covers: &["PLAN-055"],
            titles: INVALID,
            is_excused: false,
            made_by: every,
            stops: Words::Whole("the destroy plan is not null"),
            find: |plan| {
                let message = "a destroy was planned, and an object is planned to be left";
                let problem = || Problem::new(&AttributePath::root(), "PLAN-055", message);
                (!plan.planned.is_null()).then(problem).into_iter().collect()
            },
        },
    ],
};

/// After the plan of the apply phase, once it passed [`PLAN`].
pub static FINAL_PLAN: CheckList<OfFinalPlan> = CheckList {
    step: "final-plan",
    checks: &[
        EngineCheck {
            kind: CheckKind::FinalAction,
            covers: &["PLAN-060"],
            titles: INCONSISTENT,
            is_excused: false,
            made_by: every,
            stops: Words::At("the final plan is inconsistent"),
            find: |plan| final_action(plan.initial.action, plan.last.action).into_iter().collect(),
        },
        EngineCheck {
            kind: CheckKind::FinalState,
            covers: &["PLAN-061"],
            titles: INCONSISTENT,
            is_excused: false,
            made_by: every,
            stops: Words::At("the final plan is inconsistent"),
            find: |plan| final_state(plan.block, &plan.initial.state, &plan.last.state, plan.engine),
        },
    ],
};
