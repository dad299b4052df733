use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::schema::Nesting;
use crate::transcript::Exchange;
use crate::value::Value;

declare_rule! {
    /// An apply returns as many nested blocks as were planned.
    ///
    /// A block that the remote system adds by default, or does not return because it is empty,
    /// may not change what is in the state: only the user writes blocks. Users see that the
    /// block count changed, or that a block was absent and is now present. Report what the
    /// remote system adds in a separate computed attribute, and keep empty blocks as planned.
    "apply/keeps-block-count", Must, legacy: Excused,
    covers: ["APPLY-010", "APPLY-021"],
    title: Some("Provider produced inconsistent result after apply"),
    fix: "return the planned blocks of {attributes}; put added ones into a computed attribute",
    framework: "begin with `req.Plan.Get`, and keep its blocks",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "must have a corresponding nested object in the planned new state and new state";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/drops-a-listed-block",
        about: "stores and returns a list of nested blocks without its last one",
        injection: Injection::Call(before, after),
    };
    control: Fault {
        name: "apply/drops-no-listed-block",
        about: "stores and returns each planned nested block",
        injection: Injection::Nothing("the number of nested blocks is the configuration's to choose"),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    findings.adopt(&applied.schema.block, context.result_problems(applied), RULE.covers);
}

fn shortened(apply: &edit::ApplyScene<'_>, object: &Value) -> Option<Value> {
    apply.schema.block.block_types.iter().filter(|nested| nested.nesting == Nesting::List).find_map(
        |nested| {
            let fewer = apply.planned.attribute(&nested.name)?.elements()?.len().checked_sub(1)?;
            let blocks = object.attribute(&nested.name)?.elements()?;
            let blocks = blocks[..fewer.min(blocks.len())].to_vec();
            Some(object.with_attribute(&nested.name, nested.collect(blocks)))
        },
    )
}

fn before(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, shortened)
}

fn after(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, shortened)
}
