use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::schema::Nesting;
use crate::transcript::Exchange;
use crate::value::Value;

declare_rule! {
    /// A plan has one object for each configured block of a set of nested blocks.
    ///
    /// No engine counts the blocks of a set, so nothing is shown when one is missing or an
    /// extra one is planned; the difference surfaces later, as an inconsistent result or as a
    /// plan that never settles. The cause is a default or a plan modifier inside the blocks
    /// that makes two of them equal, or picks the wrong one. Report objects that the remote
    /// system adds in a separate computed attribute.
    "plan/has-every-configured-block", Should, legacy: Excused, presumes: Applied,
    covers: ["PLAN-033"],
    title: None,
    fix: "plan one block of {attributes} for each configured one, without merging any",
    framework: "have no default and no plan modifier that changes values inside a set of blocks",
    sdkv2: "have no Default and no StateFunc inside a TypeSet that makes two blocks equal",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "each block represented in the configuration must have a corresponding nested object in the planned new state";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/drops-a-block-of-a-set",
        about: "plans a set of nested blocks without its last one",
        injection: Injection::Answer(drop_last),
    };
    control: Fault {
        name: "plan/drops-no-block-of-a-set",
        about: "plans each configured nested block",
        injection: Injection::Nothing("the number of nested blocks is the configuration's to choose"),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.pairing_problems(plan), RULE.covers);
}

fn drop_last(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        plan.schema.block.block_types.iter().find_map(|nested| {
            let configured = plan.config.attribute(&nested.name)?.elements()?.len();
            let elements = planned.attribute(&nested.name)?.elements()?;
            let fewer = configured.checked_sub(1)?;
            if nested.nesting != Nesting::Set || elements.len() < fewer {
                return None;
            }
            let blocks: Vec<Value> = elements[..fewer].to_vec();
            Some(planned.with_attribute(&nested.name, nested.collect(blocks)))
        })
    })
}
