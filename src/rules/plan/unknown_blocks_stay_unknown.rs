use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::transcript::Exchange;
use crate::value::{Refinements, Value};

declare_rule! {
    /// Nested blocks that are unknown in the configuration are unknown in the plan.
    ///
    /// A `dynamic` block over an unknown value makes all blocks of that type one unknown
    /// value. It must come back as it is: nothing is known yet about how many blocks there
    /// will be. Users see a planned value "for unknown dynamic block". Look for code that
    /// reads the blocks into a Go slice, which turns unknown into empty; first check whether
    /// they are known.
    "plan/unknown-blocks-stay-unknown", Must, legacy: Excused,
    covers: ["PLAN-026"],
    title: Some("Provider produced invalid plan"),
    fix: "plan {attributes} as unknown while the configured blocks are",
    framework: "read blocks into `types.List` or `types.Set`, and ask IsUnknown before you use their elements",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "must either preserve the exact configuration value";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/empties-unknown-blocks",
        about: "plans no nested blocks where the configuration does not know them yet",
        injection: Injection::Answer(empty),
    };
    control: Fault {
        name: "plan/promises-required-values",
        about: "plans an unknown required attribute as unknown, refined only as not null",
        injection: Injection::Answer(promise),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.plan_problems(plan), RULE.covers);
}

fn empty(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        let mut blocks = plan.schema.block.block_types.iter();
        let nested = blocks.find(|nested| plan.config.member(&nested.name).is_unknown())?;
        Some(planned.with_attribute(&nested.name, nested.empty_value()))
    })
}

fn promise(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        let attribute = edit::first_attribute(plan.schema, plan.config, |attribute, config| {
            attribute.required && config.is_unknown()
        })?;
        let promised = Value::refined(attribute.ty(), Refinements::not_null());
        Some(planned.with_attribute(&attribute.name, promised))
    })
}
