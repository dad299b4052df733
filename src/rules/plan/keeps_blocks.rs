use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::schema::Nesting;
use crate::transcript::Exchange;
use crate::value::Value;

declare_rule! {
    /// A plan has the nested blocks that are configured: as many in a list, the same keys in a map.
    ///
    /// Only the user writes blocks. The plan may not gain one that the remote system adds, nor
    /// lose one because it is empty; report what the remote system adds in a separate computed
    /// attribute. Users see that the block count in the plan disagrees with the count in the
    /// configuration. Nor may a single planned block be unknown as a whole.
    "plan/keeps-blocks", Must, legacy: Excused,
    covers: ["PLAN-030", "PLAN-031", "PLAN-032"],
    title: Some("Provider produced invalid plan"),
    fix: "plan the configured blocks of {attributes}; put added ones into a computed attribute",
    framework: "in ModifyPlan, neither add nor drop blocks",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "each block represented in the configuration must have a corresponding nested object in the planned new state";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/drops-a-listed-block",
        about: "plans a list of nested blocks without its last one",
        injection: Injection::Answer(drop_last),
    };
    control: Fault {
        name: "plan/drops-no-listed-block",
        about: "plans each configured nested block",
        injection: Injection::Nothing("the number of nested blocks is the configuration's to choose"),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.plan_problems(plan), RULE.covers);
}

fn drop_last(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        plan.schema.block.block_types.iter().find_map(|nested| {
            let configured = plan.config.attribute(&nested.name)?.elements()?.len();
            let elements = planned.attribute(&nested.name)?.elements()?;
            let fewer = configured.checked_sub(1)?;
            if nested.nesting != Nesting::List || elements.len() < fewer {
                return None;
            }
            let blocks: Vec<Value> = elements[..fewer].to_vec();
            Some(planned.with_attribute(&nested.name, nested.collect(blocks)))
        })
    })
}
