use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::schema::{Attribute, Block, Nesting};
use crate::transcript::Exchange;
use crate::value::{Type, Value};

declare_rule! {
    /// Each planned element of a set corresponds to a configured one.
    ///
    /// What holds for one nested object holds for those in a set: configured values are kept,
    /// and only what is computed may be filled in. Engines do not check this, because set
    /// elements have no keys to pair them by. Users see it as a set with changes in every plan.
    /// In the plugin framework the usual cause is a default for a nested attribute of a set,
    /// which may end up in the wrong element. What the legacy SDK makes of every element is
    /// excused: empty values for null, and an unknown list for one with an unknown element.
    "plan/pairs-set-elements", Should, legacy: Excused,
    covers: ["PLAN-020", "PLAN-034"],
    title: None,
    fix: "plan the elements of {attributes} as configured, without defaults inside the set",
    framework: "remove Default from the attributes nested in a set",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "each block represented in the configuration must have a corresponding nested object in the planned new state";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/rewrites-a-set-element",
        about: "plans different numbers from those configured in the nested objects of a set",
        injection: Injection::Answer(rewrite),
    };
    control: Fault {
        name: "plan/fills-a-set-element",
        about: "plans a value for what is computed in the nested objects of a set",
        injection: Injection::Answer(fill),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.pairing_problems(plan), RULE.covers);
}

/// Changes elements of the first set of nested blocks that is configured and has something to change.
fn change_set(
    exchange: &mut Exchange,
    context: &mut FaultContext<'_>,
    change: fn(&Block, &Value, &[Value]) -> Option<Vec<Value>>,
) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        let sets = plan.schema.block.block_types.iter().filter(|nested| nested.nesting == Nesting::Set);
        sets.filter(|nested| plan.config.member(&nested.name).is_set()).find_map(|nested| {
            let elements = planned.attribute(&nested.name)?.elements()?;
            let changed = change(&nested.block, &plan.config.member(&nested.name), elements)?;
            Some(planned.with_attribute(&nested.name, nested.collect(changed)))
        })
    })
}

/// Changes the first required number of every element that has it, so that no two become equal, and
/// plans with and without unknowns agree.
fn rewrite(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    change_set(exchange, context, |block, config, elements| {
        let is_number = |attribute: &&Attribute| attribute.required && attribute.ty() == Type::Number;
        let name = &block.attributes.iter().find(is_number)?.name;
        let is_configured = |number: &Value| {
            config.elements().is_some_and(|of| of.iter().any(|element| element.member(name) == *number))
        };
        let moved = |element: &Value| {
            let number = Some(element.member(name)).filter(is_configured)?;
            let number = number.as_number()?.to_i64()?.checked_add(60_000)?;
            Some(element.with_attribute(name, Value::number(number)))
        };
        Some(elements.iter().map(|element| moved(element).unwrap_or_else(|| element.clone())).collect())
    })
}

/// Fills a computed string of the last element, once the configuration tells the elements apart.
fn fill(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    change_set(exchange, context, |block, config, elements| {
        let (last, others) = elements.split_last().filter(|_| config.is_wholly_known())?;
        let is_open = |attribute: &&Attribute| {
            attribute.computed && attribute.ty() == Type::String && last.member(&attribute.name).is_unknown()
        };
        let attribute = block.attributes.iter().find(is_open)?;
        let filled = last.with_attribute(&attribute.name, Value::string("filled"));
        Some(others.iter().cloned().chain([filled]).collect())
    })
}
