use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Finding, Findings, Injection, Planned, edit};
use crate::schema::Nesting;
use crate::transcript::Exchange;
use crate::value::{AttributePath, Value};

declare_rule! {
    /// A plan has an object exactly where the configuration has one.
    ///
    /// The planned object may not be null, nor unknown as a whole, and a single nested
    /// block is present if and only if it is configured. Users see that something was
    /// planned for absence while the configuration wants existence, or the reverse. The
    /// usual cause is a plan modifier that sets a whole object, or a block kept from the
    /// prior state after it was removed from the configuration.
    "plan/exists-when-configured", Must, legacy: Excused,
    covers: ["PLAN-004", "PLAN-005", "PLAN-006", "PLAN-029"],
    title: Some("Provider produced invalid plan"),
    fix: "plan an object for {attributes} exactly where one is configured",
    framework: "let the plan modifiers of blocks and objects keep what the configuration has, present or absent",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "must have a corresponding nested object in the planned new state";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/drops-a-single-block",
        about: "plans a configured single nested block as absent",
        injection: Injection::Answer(drop_single_block),
    };
    control: Fault {
        name: "plan/drops-a-computed-value",
        about: "plans optional and computed attributes without configuration as absent",
        injection: Injection::Answer(drop_computed_value),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    if plan.planned.is_unknown() {
        let root = AttributePath::root();
        return findings.add(Finding::new(root, "the planned object is unknown as a whole"));
    }
    findings.adopt(&plan.schema.block, context.plan_problems(plan), RULE.covers);
}

fn drop_single_block(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        let nested =
            plan.schema.block.block_types.iter().find(|nested| {
                nested.nesting == Nesting::Single && plan.config.member(&nested.name).is_set()
            })?;
        Some(planned.with_attribute(&nested.name, Value::null(nested.implied_type())))
    })
}

fn drop_computed_value(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        Some(edit::each_attribute(&plan.schema.block, planned, |attribute, value| {
            let is_left_out = plan.config.member(&attribute.name).is_null();
            let is_open = attribute.optional && attribute.computed && is_left_out && value.is_unknown();
            is_open.then(|| Value::null(attribute.ty()))
        }))
    })
}
