use crate::declare_rule;
use crate::rule::{Act, Check, Context, Fault, Findings, Planned, Scene, edit};
use crate::schema::{Attribute, Nesting};
use crate::transcript::Exchange;
use crate::value::{Type, Value};

declare_rule! {
    /// Each planned element of a set corresponds to a configured one.
    ///
    /// What holds for one nested object holds for those in a set: configured values are kept,
    /// and only what is computed may be filled in. Engines give up on checking this, because
    /// the elements of a set have no names to find them by. Users meet it as a set that
    /// shows changes in each plan. In the plugin framework it is mostly a default for a
    /// nested attribute of a set, which may land in the wrong element.
    "plan/pairs-set-elements", Should, legacy: Excused,
    covers: ["PLAN-020", "PLAN-034"],
    title: None,
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "each block represented in the configuration must have a corresponding nested object in the planned new state";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/rewrites-a-set-element",
        about: "plans another configured value in one nested object of a set",
        act: Act::Answer(rewrite),
    };
    twin: Fault {
        name: "plan/fills-a-set-element",
        about: "plans a value for what is computed in the nested objects of a set",
        act: Act::Answer(fill),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.pairing_problems(plan), RULE.covers);
}

/// Replaces a value in the last element of the first set of nested blocks that has an attribute to act on.
fn change_last(
    exchange: &mut Exchange,
    scene: &mut Scene<'_>,
    change: fn(&Attribute, &Value) -> Option<Value>,
) -> bool {
    edit::planned_change(exchange, scene, |plan, planned| {
        let sets = plan.schema.block.block_types.iter().filter(|nested| nested.nesting == Nesting::Set);
        sets.filter(|nested| plan.config.member(&nested.name).is_set()).find_map(|nested| {
            let mut elements = planned.attribute(&nested.name)?.elements()?.to_vec();
            let last = elements.pop()?;
            let changed = nested.block.attributes.iter().find_map(|attribute| {
                let value = change(attribute, last.attribute(&attribute.name)?)?;
                Some(last.with_attribute(&attribute.name, value))
            })?;
            elements.push(changed);
            Some(planned.with_attribute(&nested.name, nested.collect(elements)))
        })
    })
}

fn rewrite(exchange: &mut Exchange, scene: &mut Scene<'_>) -> bool {
    change_last(exchange, scene, |attribute, value| {
        let is_number = attribute.ty() == Type::Number && value.is_set();
        (attribute.required && is_number).then(|| Value::number(60_123))
    })
}

fn fill(exchange: &mut Exchange, scene: &mut Scene<'_>) -> bool {
    change_last(exchange, scene, |attribute, value| {
        let is_open = attribute.computed && value.is_unknown() && attribute.ty() == Type::String;
        is_open.then(|| Value::string("filled"))
    })
}
