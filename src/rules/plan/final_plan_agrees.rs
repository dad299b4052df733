use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::transcript::Exchange;
use crate::value::{Type, Value};

declare_rule! {
    /// The plan made while applying agrees with the one the user approved.
    ///
    /// What was known in the initial plan stays identical; what was unknown may become any
    /// value of its type, within its refinements, such as not being null. Users see an
    /// inconsistent final plan, in the middle of an apply. A value that is derived from an
    /// argument must be planned as unknown while that argument is unknown, not as its default
    /// or its old value; in the plugin framework, do not use UseStateForUnknown for it.
    "plan/final-plan-agrees", Must,
    covers: ["PLAN-047", "PLAN-061", "PLAN-071"],
    title: Some("Provider produced inconsistent final plan"),
    fix: "plan {attributes} as unknown while {unknown is} unknown",
    framework: "remove UseStateForUnknown from what is derived, and in ModifyPlan set it unknown while the argument is",
    sdkv2: "in CustomizeDiff, call SetNewComputed while `d.NewValueKnown` is false for the argument",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "must have an identical value in the Final Planned State";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/guesses-early",
        about: "plans a computed value as known while the configuration is not, and as another value once it is",
        injection: Injection::Answer(guess),
    };
    control: Fault {
        name: "plan/decides-late",
        about: "plans a computed value as unknown while the configuration is, and as known once that is known",
        injection: Injection::Answer(decide),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    let Some(problems) = context.final_plan_check(plan, CheckKind::FinalState) else {
        return findings.not_applicable("there is no initial plan to compare with");
    };
    findings.adopt(&plan.schema.block, problems, RULE.covers);
}

/// Plans an optional and computed text that the configuration of a new object leaves out.
fn plan_text(exchange: &mut Exchange, context: &FaultContext<'_>, early: Value) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        let attribute = edit::first_attribute(plan.schema, plan.config, |attribute, config| {
            attribute.optional && attribute.computed && attribute.ty() == Type::String && config.is_null()
        })?;
        let value = if plan.config.is_wholly_known() { Value::string("late") } else { early };
        // What is known before the apply may decide other attributes.
        let is_free = plan.prior.is_null() && planned.member(&attribute.name).is_unknown();
        is_free.then(|| planned.with_attribute(&attribute.name, value))
    })
}

fn guess(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    plan_text(exchange, context, Value::string("early"))
}

fn decide(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    plan_text(exchange, context, Value::unknown(Type::String))
}
