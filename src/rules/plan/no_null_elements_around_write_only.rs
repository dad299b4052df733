use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Crash, Fault, FaultContext, Findings, Injection, Planned, Shows, edit};
use crate::schema::{Attribute, Nesting};
use crate::transcript::Exchange;
use crate::value::Value;

declare_rule! {
    /// A planned collection of nested attributes that hold write-only values has no null elements.
    ///
    /// Engines look for write-only values in every element, and crash on one that is null.
    /// For an element of which nothing is known, plan an object whose attributes are all
    /// null. A null element in the configuration is the user's mistake; refuse it during
    /// validation.
    "plan/no-null-elements-around-write-only", Must,
    covers: ["WO-002"],
    shows: Shows::crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "interface conversion: interface {} is nil, not …",
    }]),
    fix: "plan an object of nulls in place of a null element in {attributes}",
    framework: "refuse null elements in ValidateConfig",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "must have a corresponding nested object in the planned new state";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/nullifies-elements-around-write-only",
        about: "plans a null element in a list of nested attributes that hold write-only values",
        injection: Injection::Answer(nullify),
    };
    control: Fault {
        name: "plan/nullifies-nothing-around-write-only",
        about: "plans each configured element as an object",
        injection: Injection::Nothing("no configured element may be planned as null"),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    let block = &plan.schema.block;
    let problems = context.plan_check(plan, CheckKind::WriteOnlyNull);
    findings.adopt_leaks(block, problems, RULE.covers, plan.config);
}

fn nullify(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        plan.schema.block.attributes.iter().filter(|attribute| holds_write_only(attribute)).find_map(
            |attribute| {
                let elements = planned.attribute(&attribute.name)?.elements()?;
                let ty = elements.first()?.ty().clone();
                let mut elements = elements.to_vec();
                elements[0] = Value::null(ty.clone());
                Some(planned.with_attribute(&attribute.name, Value::list(ty, elements)))
            },
        )
    })
}

fn holds_write_only(attribute: &Attribute) -> bool {
    attribute.nested_attributes().is_some_and(|nested| {
        nested.nesting == Nesting::List && nested.attributes.iter().any(|inner| inner.write_only)
    })
}
