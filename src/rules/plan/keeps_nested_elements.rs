use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::schema::Nesting;
use crate::transcript::Exchange;
use crate::value::Value;

declare_rule! {
    /// A plan has one element for each configured element of a nested attribute.
    ///
    /// Lists keep their length and maps their keys; a set may shrink only as far as unknown
    /// elements may turn out to be equal. Elements that the remote system adds belong in a
    /// separate computed attribute. Users see that the count in the plan disagrees with the
    /// count in the configuration; look for plan modifiers and defaults on the collection as a
    /// whole.
    "plan/keeps-nested-elements", Must, legacy: Excused,
    covers: ["PLAN-018", "PLAN-019", "PLAN-020", "PLAN-021"],
    title: Some("Provider produced invalid plan"),
    fix: "plan the configured elements of {attributes}, without adding or dropping any",
    framework: "have no default and no plan modifier that adds or drops elements of a nested list, set or map",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "must follow the same rules as for a nested block type of the same nesting mode";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/drops-a-nested-element",
        about: "plans a configured list of nested attributes without its last element",
        injection: Injection::Answer(drop_last),
    };
    control: Fault {
        name: "plan/drops-no-nested-element",
        about: "plans each configured element",
        injection: Injection::Nothing("the number of elements is the configuration's to choose"),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.plan_problems(plan), RULE.covers);
}

fn drop_last(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        Some(edit::each_attribute(&plan.schema.block, planned, |attribute, value| {
            let is_list = attribute.nested_attributes()?.nesting == Nesting::List;
            let fewer = plan.config.attribute(&attribute.name)?.elements()?.len().checked_sub(1)?;
            let elements = value.elements().filter(|elements| is_list && elements.len() > fewer)?;
            Some(Value::list(elements[0].ty().clone(), elements[..fewer].to_vec()))
        }))
    })
}
