use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::transcript::Exchange;
use crate::value::Value;

declare_rule! {
    /// A plan has a configured nested attribute as an object, not as null or wholly unknown.
    ///
    /// What is not known yet must be unknown attribute by attribute; the object around it
    /// stays known. Users see "planned unknown for configured value". In the plugin
    /// framework the cause is a plan modifier or ModifyPlan that marks a whole object
    /// unknown because one of its computed attributes is.
    "plan/keeps-nested-attributes", Must, legacy: Excused,
    covers: ["PLAN-015", "PLAN-016", "PLAN-017"],
    title: Some("Provider produced invalid plan"),
    fix: "mark what is unknown inside {attributes}, not the object as a whole",
    framework: "in ModifyPlan, set attributes inside the object unknown by their paths, not the object",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "must follow the same rules as for a nested block type of the same nesting mode";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/drops-nested-attributes",
        about: "plans configured nested attributes as absent",
        injection: Injection::Answer(drop_configured),
    };
    control: Fault {
        name: "plan/drops-computed-parts",
        about: "plans a computed part of a nested attribute, without configuration, as absent",
        injection: Injection::Answer(drop_computed),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.plan_problems(plan), RULE.covers);
}

fn drop_configured(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        Some(edit::each_attribute(&plan.schema.block, planned, |attribute, _| {
            let is_structure = attribute.nested_attributes().is_some() && !attribute.computed;
            let is_configured = plan.config.member(&attribute.name).is_set();
            (is_structure && is_configured).then(|| Value::null(attribute.ty()))
        }))
    })
}

fn drop_computed(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        plan.schema.block.attributes.iter().find_map(|attribute| {
            let parts = &attribute.nested_attributes()?.attributes;
            let config = plan.config.attribute(&attribute.name).filter(|config| config.is_set())?;
            let whole = planned.attribute(&attribute.name)?;
            let part = parts.iter().find(|part| {
                let is_null = config.attribute(&part.name).is_some_and(Value::is_null);
                part.computed && is_null && whole.attribute(&part.name).is_some()
            })?;
            let whole = whole.with_attribute(&part.name, Value::null(part.ty()));
            Some(planned.with_attribute(&attribute.name, whole))
        })
    })
}
