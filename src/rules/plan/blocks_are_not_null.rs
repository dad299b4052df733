use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// A plan has an empty collection, not null, where there are no nested blocks.
    ///
    /// Only a single nested block may be null. A list, set or map of blocks is empty where
    /// the configuration has none, and a group is an object of nulls. Users see that an
    /// attribute representing nested blocks must be empty to indicate no blocks. The plugin
    /// framework and SDKv2 get this right; it goes wrong in code that builds the plan by
    /// hand, such as ModifyPlan or a bridge.
    "plan/blocks-are-not-null", Must, legacy: Excused,
    covers: ["PLAN-025"],
    title: Some("Provider produced invalid plan"),
    fix: "plan an empty collection in place of null for {attributes}",
    framework: "in ModifyPlan, plan an empty list or set of blocks, not `types.ListNull` or `types.SetNull`",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "the number of blocks cannot be changed on the fly";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/nullifies-empty-blocks",
        about: "plans an empty collection of nested blocks as null",
        injection: Injection::Answer(nullify),
    };
    control: Fault {
        name: "plan/leaves-empty-blocks",
        about: "plans an empty collection of nested blocks as empty",
        injection: Injection::Nothing("null never means no blocks"),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.plan_problems(plan), RULE.covers);
}

fn nullify(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        edit::nullify_empty_blocks(&plan.schema.block, planned)
    })
}
