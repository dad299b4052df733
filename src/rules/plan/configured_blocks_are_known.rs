use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::schema::Nesting;
use crate::transcript::Exchange;
use crate::value::Value;

declare_rule! {
    /// Nested blocks that are known in the configuration are known in the plan.
    ///
    /// Unknown values belong in the attributes inside a block; the blocks themselves, and how
    /// many there are, follow from the configuration. Users see "planned unknown value for
    /// configured block". In ModifyPlan, mark the computed attributes inside unknown one by one
    /// instead of the list or set of blocks; in SDKv2, do not use SetNewComputed on a block.
    "plan/configured-blocks-are-known", Must, legacy: Excused,
    covers: ["PLAN-028"],
    title: Some("Provider produced invalid plan"),
    fix: "mark what is unknown inside {attributes}, not the blocks as a whole",
    framework: "in ModifyPlan, set the attributes inside the block unknown by their paths, not the block",
    sdkv2: "call SetNewComputed for computed attributes only, never for a block",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "the number of blocks cannot be changed on the fly during planning";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/forgets-configured-blocks",
        about: "plans configured nested blocks as unknown while something else is",
        injection: Injection::Answer(forget),
    };
    control: Fault {
        name: "plan/forgets-a-computed-value",
        about: "plans an optional and computed attribute as unknown while something else is",
        injection: Injection::Answer(edit::unsettle_while_undecided),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.plan_problems(plan), RULE.covers);
}

fn forget(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        let nested =
            plan.schema.block.block_types.iter().find(|nested| {
                nested.nesting == Nesting::List && plan.config.member(&nested.name).is_set()
            })?;
        let unknown = Value::unknown(nested.implied_type());
        (!plan.config.is_wholly_known()).then(|| planned.with_attribute(&nested.name, unknown))
    })
}
